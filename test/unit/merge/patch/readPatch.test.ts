import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { mergePatch } from '../../../../src/merge/patch/mergePatch';

const file = 'def a():\n    one()\n    two("x")\n\ndef b():\n    one()\n    three()\n';
const wanted = file.replace('two("x")', 'two("y")');
const diff = '@@ -1,4 +1,4 @@\n def a():\n     one()\n-    two("x")\n+    two("y")\n ';
const block = '<<<<<<< SEARCH\n    two("x")\n=======\n    two("y")\n>>>>>>> REPLACE';
const applied = (update: string, original = file): string => {
  const result = mergePatch(original, update);
  if (!result) return 'no patch';
  return result.kind === 'refused' ? `refused: ${written(result.reason)}` : result.text;
};
const lines = (text: string, change: (line: string, at: number) => string): string =>
  text.split('\n').map(change).join('\n');

describe('a patch as it is pasted', () => {
  for (const [name, text] of [
    ['a diff', diff],
    ['a block', block],
  ] as const) {
    it(`may be ${name} that is quoted, numbered or indented`, () => {
      for (const update of [
        lines(text, line => `> ${line}`),
        lines(text, (line, at) => `${at + 1} | ${line}`),
        lines(text, (line, at) => `${at + 8}\t${line}`),
        lines(text, line => `  ${line}`),
      ]) {
        assert.equal(applied(update), wanted, update);
      }
    });
  }

  it('may have lost the name of the new file', () => {
    assert.equal(applied(`--- a/a.py\n${diff}`), wanted);
  });

  it('may have the quotes of a JSON string', () => {
    assert.equal(applied(diff.replaceAll('"', '\\"')), wanted);
    const escaped = file.replace('"x"', '"\\"x"');
    assert.equal(
      applied('@@\n-    two("\\"x")\n+    two("\\"y")', escaped),
      escaped.replace('x"', 'y"'),
    );
  });

  it('is refused where a part of a block is missing', () => {
    const tagged = '<old_str>\n    two("x")\n</old_str>\n<new_str>\n    two("y")\n';
    assert.match(applied(tagged), /^refused: .* incomplete: a tag is missing\. /);
    const worded = '[SEARCH]\n    two("x")\n[SEARCH]\n[REPLACE]\n    two("y")\n';
    assert.match(applied(worded), /^refused: .* incomplete: a side is missing\. /);
  });

  it('is none when only code is quoted or numbered', () => {
    assert.equal(applied('1 | def a():\n2 |     one()'), 'no patch');
    assert.equal(applied('> def a():\n>     one()'), 'no patch');
    assert.equal(applied('12'), 'no patch');
  });
});
