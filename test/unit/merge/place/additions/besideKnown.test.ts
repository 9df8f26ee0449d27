import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';
const step = (name: string, more = ''): string =>
  `function ${name}(done) {\n  pump([\n    read('${name}/*'),\n${more}    write('built'),\n    reload(),\n  ], handle(done));\n}\n`;
const zip = "function zipper(done) {\n  const target = 'dist/';\n  pack(target);\n  done();\n}\n";
const original = [step('css'), step('js'), zip].join('\n');
const changedZip = zip.replace('dist/', 'out/');

const text = (update: string): string => {
  const result = mergeEdit(original, update, { path: 'gulpfile.js' });
  assert.ok(result.kind === 'merged', JSON.stringify(result));
  assert.equal(result.certain, false);
  return result.text;
};

describe('a new declaration beside a changed one', () => {
  const fonts = step('fonts', '    hash(),\n    minify(),\n');

  it('takes no sibling away above it', () => {
    assert.equal(
      text(`${gap}\n${fonts}\n${changedZip}\n${gap}`),
      [step('css'), step('js'), fonts, changedZip].join('\n'),
    );
  });

  it('takes no sibling away below it', () => {
    const first =
      "function first(done) {\n  const target = 'dist/';\n  pack(target);\n  done();\n}\n";
    const from = [first, step('css'), step('js')].join('\n');
    const changed = first.replace('dist/', 'out/');
    const result = mergeEdit(from, `${gap}\n${changed}\n${fonts}\n${gap}`, { path: 'a.js' });
    assert.equal(
      result.kind === 'merged' && result.text,
      [changed, fonts, step('css'), step('js')].join('\n'),
    );
  });

  it('is the renamed sibling if nearly all of its lines are', () => {
    assert.equal(
      text(`${gap}\n${step('js').replace('function js', 'function jsx')}\n${changedZip}\n${gap}`),
      [step('css'), step('js').replace('function js', 'function jsx'), changedZip].join('\n'),
    );
  });
});
