import assert from 'node:assert/strict';
import {
  type ComparedParts,
  ContentLookup,
  hashesOf,
} from '../../../../src/apply/target/contentLookup';

const encode = (text: string) => new TextEncoder().encode(text);

/** The paths of the files that hold parts of the edit, the best first. */
function found(
  shown: string,
  files: Readonly<Record<string, string>>,
  parts: ComparedParts = 'lines',
) {
  const lookup = new ContentLookup<{ readonly path: string }>(shown.split('\n'), parts);
  for (const [path, text] of Object.entries(files)) {
    lookup.add({ path }, hashesOf(encode(text), parts));
  }
  return lookup.ranked();
}
const paths = (...args: Parameters<typeof found>) => found(...args).map(({ file }) => file.path);

const cart = 'class Cart {\n  add(item) {\n    this.items.push(item);\n    return null;\n  }\n}\n';
const user = 'class User {\n  rename(name) {\n    this.name = name;\n    return null;\n  }\n}\n';
const lodger = 'class Lodger {\n  leave() {\n    return null;\n  }\n}\n';

/** For files with these names and the same text. */
const namesakes = (...names: string[]) =>
  found(cart, Object.fromEntries(names.map(name => [name, cart]))).map(
    ({ hasNamesake }) => hasNamesake,
  );

describe('the hashes of lines', () => {
  const same = hashesOf(encode('a b\n\nc'), 'lines');
  const spellings: Readonly<Record<string, string>> = {
    'other line endings': 'a b\r\n\r\nc',
    'carriage returns': 'a b\r\rc',
    'other indentation': '\ta b\n  \n    c',
    'white space at the ends': 'a b  \n\t\nc \t',
    'a byte order mark': '\uFEFFa b\n\nc',
  };
  for (const [name, text] of Object.entries(spellings)) {
    it(`are the same with ${name}`, () => {
      assert.deepEqual(hashesOf(encode(text), 'lines'), same);
    });
  }

  it('differ with the white space within a line', () => {
    assert.notDeepEqual(hashesOf(encode('a  b\n\nc'), 'lines'), same);
  });

  it('are as many as the lines, however many these are', () => {
    for (const count of [1 << 16, 1 << 17, (1 << 18) + 1])
      assert.equal(hashesOf(new Uint8Array(count).fill(10), 'lines').length, count + 1);
    assert.deepEqual([...hashesOf(new Uint8Array(), 'lines')], [0]);
  });

  it('stand in the order of the lines, with 0 for a blank one', () => {
    const [first, blank, last, end] = hashesOf(encode('x = 1\n \nx = 1\n'), 'lines');
    assert.deepEqual([blank, last, end], [0, first, 0]);
  });
});

const wordHashes = (text: string): number[] => [...hashesOf(encode(text), 'words')];

describe('the hashes of words', () => {
  it('are those of words with four characters or more that begin with no digit', () => {
    const words = ['Cart', 'ZONE', '$sum', '_a1z', 'größe', '漢字'];
    const alone = words.flatMap(wordHashes);
    assert.equal(new Set(alone).size, words.length);
    assert.deepEqual(wordHashes(` ${words.join('.')}: abc, 9zone 1234 @[\`{ `), alone);
  });
});

describe('ContentLookup', () => {
  it('puts the file with the rare lines before those with the common ones', () => {
    const [first, ...others] = found('  add(item) {\n    return null;\n  }', {
      user,
      lodger,
      cart,
    });
    assert.equal(first?.file.path, 'cart');
    assert.ok(others.every(({ score }) => score < 0.5));
    assert.deepEqual(
      [first, ...others].map(({ alone }) => alone),
      [1, 0, 0],
    );
  });

  it('says in which line the rarest part stands', () => {
    const [first] = found('return null;\nthis.name = name;', { cart, user, lodger });
    assert.deepEqual([first?.file.path, first?.at], ['user', 2]);
  });

  it('ignores lines that stand in every file', () => {
    assert.deepEqual(paths('add(thing) {\n  }\n}', { cart, user }), []);
  });

  it('compares all that a tiny edit has', () => {
    assert.deepEqual(paths('x = 1', { a: 'y = 1\nx = 1\n', b: 'y = 1\n' }), ['a']);
  });

  it('takes whole lines, not parts of one', () => {
    assert.deepEqual(paths('return total;', { a: '  return total;\n', b: 'return total; // 1' }), [
      'a',
    ]);
  });

  it('does not count what no file holds', () => {
    const [first] = found('this.items.push(item);\nthis.isChanged = true;', { cart, user });
    assert.deepEqual([first?.file.path, first?.score], ['cart', 1]);
  });

  it('puts the shorter of two files with the same lines first', () => {
    const bundle = `${user}${'// more\n'.repeat(50)}${cart}`;
    assert.deepEqual(paths('this.items.push(item);', { bundle, cart }), ['cart', 'bundle']);
  });

  it('keeps the order of files that are alike', () => {
    assert.deepEqual(paths(cart, { b: cart, a: cart }), ['b', 'a']);
  });

  it('knows of files with the same name, but for extensions and signs', () => {
    assert.deepEqual(namesakes('src/cart.ts', 'old/-Cart.d.ts'), [true, true]);
    assert.deepEqual(namesakes('src/cart.ts', 'src/basket.ts'), [false, false]);
  });

  it('forgets a copy that is dropped', () => {
    const source = { path: 'src/cart.js' };
    const copy = { path: 'dist/cart.js' };
    const lookup = new ContentLookup<{ readonly path: string }>(cart.split('\n'), 'lines');
    for (const file of [copy, source]) lookup.add(file, hashesOf(encode(cart), 'lines'));
    lookup.drop(new Set([copy]));
    const [first, second] = lookup.ranked();
    assert.equal(second, undefined);
    assert.deepEqual([first?.file, first?.alone, first?.hasNamesake], [source, 4, false]);
  });

  it('finds words where no line is the same', () => {
    const edit = 'restock(crate: Crate): void {\n  this.crates.unshift(crate);\n  return null;';
    const store = 'restock(crate) {\n  this.crates.push(crate);\n}\n// null, void';
    const files = { user, lodger, store, cart, other: 'export {};' };
    assert.deepEqual(paths(edit, files, 'words'), ['store']);
  });

  it('finds no file by words that are in many', () => {
    const edit = 'launch(item) {\n  return this.items.shift();\n}';
    assert.deepEqual(paths(edit, { a: cart, b: cart, c: cart, d: user }, 'words'), []);
    const pushed = edit.replace('shift', 'push');
    assert.deepEqual(paths(pushed, { a: cart, b: cart, d: user }, 'words'), []);
    assert.deepEqual(paths(pushed, { a: cart, d: user }, 'words'), ['a']);
  });
});
