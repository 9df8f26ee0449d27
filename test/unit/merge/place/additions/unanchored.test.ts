import assert from 'node:assert/strict';
import { auditMerge, type MergeResult, mergeEdit } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';
const cart = `export class Cart {
  items = [];

  /** Adds one. */
  add(item) {
    this.items.push(item);
  }

  remove(item) {
    this.items.splice(this.items.indexOf(item), 1);
  }

  total() {
    return this.items.length;
  }
}
`;
const clear = `  clear() {
    this.items = [];
    this.note();
  }
`;
const loaders = ['css', 'js', 'img']
  .map(
    name =>
      `function ${name}(done) {\n  pump([\n    read('${name}/*'),\n    ${name}Step(),\n    write('built'),\n  ], done);\n}\n`,
  )
  .join('\n');
const fonts =
  "function fonts(done) {\n  pump([\n    read('fonts/*'),\n    fontStep(),\n    hash(),\n    write('built'),\n  ], done);\n}\n";

/** The lines that are in the result besides those of the original, which must all be there. */
function added(original: string, result: MergeResult): string {
  assert.ok(result.kind === 'merged', JSON.stringify(result));
  assert.equal(result.certain, false);
  const left = original.split('\n').filter(line => line !== '');
  const more = result.text
    .split('\n')
    .filter(line => line !== '')
    .filter(line => {
      if (line !== left[0]) return true;
      left.shift();
      return false;
    });
  assert.deepEqual(left, [], result.text);
  return `${more.join('\n')}\n`;
}

describe('a new declaration that nothing ties to a place', () => {
  it('stands among those of its class, above the comment of the next one', () => {
    const update = `export class Cart {\n  ${gap}\n${clear}\n  ${gap}}\n`;
    const result = mergeEdit(cart, update, { path: 'cart.js' });
    assert.equal(added(cart, result), clear);
    assert.match(result.kind === 'merged' ? result.text : '', /\n {2}}\n\n {2}clear\(\) \{/);
  });

  it('takes the place of no function like it', () => {
    const result = mergeEdit(loaders, `${gap}\n${fonts}\n${gap}`, { path: 'gulpfile.js' });
    assert.equal(added(loaders, result), fonts);
  });

  it('stands at the end below the only marker, and at the top above it', () => {
    const last = mergeEdit(cart, `  ${gap}\n${clear}`, { path: 'cart.js', isNamed: true });
    assert.equal(added(cart, last), clear);
    assert.ok(last.kind === 'merged' && last.text.endsWith(`${clear}}\n`), JSON.stringify(last));
    const first = mergeEdit(loaders, `${fonts}\n${gap}`, { path: 'gulpfile.js' });
    assert.equal(added(loaders, first), fonts);
    assert.ok(first.kind === 'merged' && first.text.startsWith(fonts));
  });

  it('is added to a file that the edit names, though no line of it is there', () => {
    const update = `${gap}\nfunction fresh(other) {\n  return other + 1;\n}\n\n${gap}`;
    const named = mergeEdit(loaders, update, { path: 'gulpfile.js', isNamed: true });
    assert.equal(added(loaders, named), 'function fresh(other) {\n  return other + 1;\n}\n');
    assert.equal(mergeEdit(loaders, update, { path: 'gulpfile.js' }).kind, 'refused');
  });

  it('is refused without a marker, and where two classes could have it', () => {
    assert.equal(mergeEdit(loaders, fonts, { path: 'gulpfile.js' }).kind, 'refused');
    const two = `${cart}\n${cart.replace('Cart', 'Basket')}`;
    const update = `  ${gap}\n  first() {\n    go(1);\n  }\n\n  ${gap}`;
    assert.equal(mergeEdit(two, update, { path: 'a.js', isNamed: true }).kind, 'refused');
  });

  it('stands among the functions of Python, of which no line closes one', () => {
    const original =
      'import os\n\n\ndef one(path):\n    return os.stat(path)\n\n\n@cached\ndef two(path):\n    return os.stat(path).size\n';
    const fresh = '@cached\ndef three(\n    path,\n) -> int:\n    return os.stat(path).mtime\n';
    const update = `# ... existing code ...\n\n${fresh}\n# ... existing code ...\n`;
    const result = mergeEdit(original, update, { path: 'a.py', isNamed: true });
    const text = result.kind === 'merged' ? result.text : '';
    assert.equal(text, original.replace('@cached', `${fresh}\n\n@cached`));
  });

  it('is its old form where most of its lines are those of one', () => {
    const renamed = loaders.slice(0, loaders.indexOf('function js')).replace('css(', 'styles(');
    const result = mergeEdit(loaders, `${gap}\n${renamed}\n${gap}`, { path: 'gulpfile.js' });
    assert.ok(result.kind === 'merged' && !result.certain);
    assert.equal(result.text, loaders.replace('css(', 'styles('));
  });
});

describe('new statements that nothing ties to a place', () => {
  const original = 'func run() {\n\tvalidate()\n\tupdate()\n\tnotify()\n}\n\nfunc other() {\n}\n';
  const update =
    'func run() {\n\t// ... existing code ...\n\trecord()\n\t// ... existing code ...\n}\n';

  it('stand in the middle of a few lines, to be reviewed', () => {
    const result = mergeEdit(original, update, { path: 'a.go' });
    assert.equal(added(original, result), '\trecord()\n');
    const text = result.kind === 'merged' ? result.text : '';
    assert.equal(text, original.replace('\tnotify', '\trecord()\n\tnotify'));
    assert.deepEqual(
      auditMerge(original, update, text, { path: 'a.go' }).map(({ kind }) => kind),
      ['wrongPlace'],
    );
  });

  it('are refused among many', () => {
    const long = original.replace('\tupdate()\n', 'abcdef'.replaceAll(/./g, '\t$&()\n'));
    assert.equal(mergeEdit(long, update, { path: 'a.go' }).kind, 'refused');
  });
});

const mergedText = (update: string): string => {
  const result = mergeEdit(cart, update, { path: 'cart.js' });
  assert.ok(result.kind === 'merged' && !result.certain, JSON.stringify(result));
  return result.text;
};

describe('a new method shown with an end of its class', () => {
  const size =
    '  size() {\n    const { items } = this;\n    this.items.push(items);\n    return items.length;\n  }\n';

  it('stands above the closing line', () => {
    const update = `export class Cart {\n  ${gap}\n${size}}\n`;
    assert.equal(mergedText(update), cart.replace(/\}\n$/, `\n${size}}\n`));
  });

  it('stands below the header', () => {
    const update = `export class Cart {\n${size}\n  ${gap}}\n`;
    assert.equal(mergedText(update), cart.replace('{\n', `{\n${size}`));
  });
});
