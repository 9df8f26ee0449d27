import assert from 'node:assert/strict';
import { ContentLookup, hashesOf } from '../../../../src/apply/target/contentLookup';
import {
  closeToBest,
  filesToTry,
  judgePlaces,
  type TriedFile,
} from '../../../../src/apply/target/places';
import { isMarkerLine, mergeEdit } from '../../../../src/merge';

interface Named {
  readonly path: string;
}

function places(
  edit: string,
  files: Readonly<Record<string, string>>,
  { open, byWords = false }: { readonly open?: string; readonly byWords?: boolean } = {},
) {
  const shown = edit.split('\n').filter(line => line.trim() !== '' && !isMarkerLine(line));
  const parts = byWords ? 'words' : 'lines';
  const lookup = new ContentLookup<Named>(shown, parts);
  for (const [path, text] of Object.entries(files)) {
    lookup.add({ path }, hashesOf(new TextEncoder().encode(text), parts));
  }
  const tried = lookup.ranked().map(found => {
    const text = files[found.file.path] ?? '';
    const merged = mergeEdit(text, edit, { path: found.file.path });
    return { ...found, text, merged, isOpen: found.file.path === open };
  });
  return judgePlaces(shown, tried, { byWords }).map(
    ({ file, line, preview, certain }) =>
      `${file.path}:${line + 1} ${preview}${certain ? ' !' : ''}`,
  );
}

const cart =
  'import { log } from "./log";\n\nexport class Cart {\n  add(item) {\n    this.items.push(item);\n    this.count += 1;\n  }\n}\n';
const user =
  'import { log } from "./log";\n\nexport class User {\n  rename(name) {\n    this.name = name;\n  }\n}\n';
const edit =
  '// ... existing code ...\n  add(item) {\n    this.items.push(item);\n    log(item);\n    this.count += 1;\n  }\n// ... existing code ...';

const sink = (name: string) => `impl ${name}Sink {\n    matcher: M,\n    depth: u8,\n}\n`;
const withLine = (old: string) => `begin(all);\n${old}\nfinish(all);\nreturn all;\n`;

describe('judgePlaces', () => {
  it('is certain of the only file that holds the lines, and says where', () => {
    assert.deepEqual(places(edit, { 'user.ts': user, 'cart.ts': cart }), [
      'cart.ts:4 add(item) { !',
    ]);
  });

  it('is certain with other line endings and other indentation too', () => {
    const windows = cart.replaceAll('\n', '\r\n').replaceAll('  ', '\t');
    assert.deepEqual(places(edit, { 'user.ts': user, 'cart.ts': windows }), [
      'cart.ts:4 add(item) { !',
    ]);
  });

  it('is certain of no file that had no line of the code, though it fits at its end', () => {
    const lines = ['const one = 1;', 'const two = 2;', 'const three = 3;'];
    const added = `// ... existing code ...\n\nfunction check() {\n  ${lines.join('\n  ')}\n}\n`;
    const text = `function first() {\n  ${lines.join('\n  ')}\n}\n`;
    assert.deepEqual(places(added, { 'first.ts': text }), ['first.ts:2 const one = 1;']);
  });

  it('prefers the file that is called after what the edit declares', () => {
    const rust = 'pub struct SummarySink {\n    matcher: M,\n    depth: u8,\n    size: u8,\n}';
    const files = { 'json.rs': sink('Json'), 'standard.rs': sink('Standard') };
    const [best] = places(rust, { ...files, 'summary.rs': `// In short.\n${sink('Sum')}` });
    assert.match(best ?? '', /^summary\.rs:/);
  });

  it('is certain of none of two twins, and names both', () => {
    assert.deepEqual(places(edit, { 'a.ts': cart, 'b.ts': cart }), [
      'a.ts:4 add(item) {',
      'b.ts:4 add(item) {',
    ]);
  });

  it('puts the twin that is open first', () => {
    const files = { 'a.ts': cart, 'b.ts': cart };
    assert.deepEqual(places(edit, files, { open: 'b.ts' })[0], 'b.ts:4 add(item) {');
  });

  it('puts the twin that holds more of the new words first', () => {
    const files = { 'a.ts': cart, 'b.ts': `${cart}export { notifyWatchers };\n` };
    const [best] = places(edit.replace('log(item)', 'notifyWatchers(item)'), files);
    assert.equal(best, 'b.ts:4 add(item) {');
  });

  it('puts the file that the edit can be merged into before the one where it is done', () => {
    const done = mergeEdit(cart, edit);
    assert.ok(done.kind === 'merged');
    assert.match(places(edit, { 'done.ts': done.text, 'cart.ts': cart })[0] ?? '', /^cart\.ts/);
  });

  it('is not certain while a file of the same name holds a part', () => {
    const other = `${user}add(item) {\n`;
    const files = { 'a/cart.ts': cart, 'b/cart.ts': other };
    assert.deepEqual(places(edit, files)[0], 'a/cart.ts:5 this.items.push(item);');
    assert.match(places(edit, { 'a/cart.ts': cart, 'b/user.ts': other })[0] ?? '', / !$/);
  });

  it('is not certain of one line', () => {
    const one =
      '// ... existing code ...\n    this.count += 1;\n    log(1);\n// ... existing code ...';
    assert.deepEqual(places(one, { 'user.ts': user, 'cart.ts': cart }), [
      'cart.ts:6 this.count += 1;',
    ]);
  });

  it('is not certain where the merge is refused or changes nothing', () => {
    const same = '  add(item) {\n    this.items.push(item);\n    this.count += 1;\n  }';
    assert.deepEqual(places(same, { 'user.ts': user, 'cart.ts': cart }), ['cart.ts:4 add(item) {']);
  });

  it('is never certain by words, but names the line with most of them', () => {
    const found = places(
      'this.items.push(count, item, 1);',
      { 'cart.ts': cart },
      { byWords: true },
    );
    assert.deepEqual(found, ['cart.ts:5 this.items.push(item);']);
    const twice = `${cart}this.items.push(item); // again\n`;
    const [first] = places('this.items.push(item, 1);', { 'cart.ts': twice }, { byWords: true });
    assert.equal(first, 'cart.ts:5 this.items.push(item);');
  });

  it('puts the source before what is made from it, of which it is never certain', () => {
    const bundle = `${user}\n${cart}`;
    const sourceAndMade = { 'dist/shop.js': cart, 'src/cart.ts': cart };
    assert.match(places(edit, sourceAndMade)[0] ?? '', /^src/);
    assert.match(places(edit, { 'v1.2/cart.ts': cart, 'now/cart.ts': cart })[0] ?? '', /^now/);
    assert.deepEqual(
      places(edit, { 'dist/shop.js': bundle, 'user.ts': user })[0],
      'dist/shop.js:12 add(item) {',
    );
  });

  it('puts a file that gets new lines before one that only loses some', () => {
    const lines = ['one(1);', 'two(2);', 'four(4);'];
    const fresh =
      '// ... existing code ...\none(1);\ntwo(2);\nthree(3);\nfour(4);\n// ... existing code ...';
    const shorter = `start();\n${lines.join('\n')}\nend();\n`;
    const longer = `start();\none(1);\ntwo(2);\nthree(3);\nmore(3);\nfour(4);\nend();\n`;
    // A line that is in many files says little.
    const others = Object.fromEntries(
      ['p', 'q', 'r', 's', 't'].map(name => [`${name}.ts`, 'three(3);\n']),
    );
    const found = places(fresh, { 'longer.ts': longer, 'shorter.ts': shorter, ...others });
    assert.match(found[0] ?? '', /^shorter/);
  });

  it('puts a file whose old line is like the new one before others', () => {
    const changed = 'begin(all);\nconst limit = options.limit ?? 20;\nfinish(all);';
    const found = places(changed, {
      'a.ts': withLine('emit(event);'),
      'b.ts': withLine('const limit = options.limit ?? 10;'),
    });
    assert.match(found[0] ?? '', /^b\.ts/);
  });
});

/** A file that holds so much of an edit, one line of which is replaced by the merge. */
const replacing = (path: string, score: number, old: string, fresh: string): TriedFile<Named> => ({
  file: { path },
  score,
  alone: 0,
  hasNamesake: false,
  at: 0,
  length: 3,
  text: `begin();\n${old}\nend(); // const limit, options\n`,
  merged: {
    kind: 'merged',
    text: `begin();\n${fresh}\nend(); // const limit, options\n`,
    certain: false,
  },
});

describe('the likeness of new lines to old ones', () => {
  const fresh = 'const limit = options.limit ?? 20;';
  const [like, other] = ['const limit = options.limit ?? 10;', 'emit(event);'];
  const order = (...found: TriedFile<Named>[]): string =>
    judgePlaces([fresh, 'end();'], found)
      .map(({ file }) => file.path)
      .join(' ');

  it('decides between files that hold nearly the same of an edit, and no others', () => {
    const second = replacing('like', 0.6, like, fresh);
    assert.equal(order(replacing('first', 0.62, other, fresh), second), 'like first');
    assert.equal(order(replacing('first', 0.95, other, fresh), second), 'first like');
  });
});

describe('the files that are tried', () => {
  const shared = 'return (\n';
  const files = Array.from({ length: 20 }, (_, at) => ({
    path: `src/f${at}.tsx`,
    text: `${shared}f${at}Name();\n`,
  }));
  const right = {
    path: 'src/z.tsx',
    text: `${shared}<Popover placement={primaryPlacement} aria="x" />\n);\nlonger();\n`,
  };
  const shown = ['return (', '<Popover x-placement={primaryPlacement} />'];

  it('are told apart by their words where they hold the same lines', () => {
    const all = [...files, right];
    const encoder = new TextEncoder();
    const lookup = new ContentLookup<Named>(shown, 'lines');
    for (const file of all) lookup.add(file, hashesOf(encoder.encode(file.text), 'lines'));
    const holding = lookup.ranked();
    const close = closeToBest(holding);
    assert.equal(close.length, 21);
    const words = new ContentLookup<Named>(shown, 'words');
    for (const file of close) {
      const { text = '' } = all.find(one => one === file) ?? {};
      words.add(file, hashesOf(encoder.encode(text), 'words'));
    }
    assert.notEqual(holding[0]?.file, right);
    assert.equal(filesToTry(shown, holding, words.scores())[0]?.file, right);
  });

  it('need no look at their words where they are few', () => {
    const lookup = new ContentLookup<Named>(shown, 'lines');
    lookup.add(right, hashesOf(new TextEncoder().encode(right.text), 'lines'));
    assert.deepEqual(closeToBest(lookup.ranked()), []);
  });
});
