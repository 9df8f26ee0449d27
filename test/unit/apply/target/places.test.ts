import assert from 'node:assert/strict';
import { ContentLookup, hashesOf } from '../../../../src/apply/target/contentLookup';
import { judgePlaces } from '../../../../src/apply/target/places';
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
  });
});
