import assert from 'node:assert/strict';
import {
  headingPath,
  isMarkdownHeading,
  type Statement,
  saysNew,
  sideIn,
  statementIn,
  taggedPath,
  wordWithDot,
} from '../../../../src/apply/answer/namingLines';

describe('a line that names a file', () => {
  const headings: [line: string, path: string | undefined][] = [
    ['### `src/a.ts`', 'src/a.ts'],
    ['**src/a.ts**', 'src/a.ts'],
    ['__src/a.ts__', 'src/a.ts'],
    ['src/a.ts', 'src/a.ts'],
    ['  1. `src/a.ts`', 'src/a.ts'],
    ['- src/a.ts', 'src/a.ts'],
    ['src/a.ts:', 'src/a.ts'],
    ['📄 **src/a.ts**', 'src/a.ts'],
    ['### 🛠️ `src/a.ts`', 'src/a.ts'],
    ['📄 It is used by src/a.ts', undefined],
    ['In `src/a.ts`:', 'src/a.ts'],
    ['src/a.ts (new)', 'src/a.ts'],
    ['// src/a.ts', 'src/a.ts'],
    ['<summary><code>src/a.ts</code></summary>', 'src/a.ts'],
    ['It is used by `src/a.ts`.', undefined],
    ['src/a.ts is used.', undefined],
    ['### Cart', undefined],
  ];
  for (const [line, path] of headings) {
    it(`names ${path ?? 'none'} in ${line}`, () => assert.equal(headingPath(line), path));
  }

  it('is one word with a dot', () => {
    for (const line of ['NLog.config', '**NLog.config**', '### `NLog.config`:']) {
      assert.equal(wordWithDot(line), 'NLog.config', line);
    }
    assert.equal(wordWithDot('deploy/app.service'), 'deploy/app.service');
    for (const line of ['the NLog.config', 'config', 'end.', 'v1.2', 'call(a.b)', '../a.b']) {
      assert.equal(wordWithDot(line), undefined, line);
    }
  });

  it('names it in a tag', () => {
    for (const name of ['path', 'file', 'filename', 'file_name', 'file_path']) {
      assert.equal(taggedPath(` <${name}> src/a.ts </${name}> `), 'src/a.ts', name);
    }
    for (const line of [
      '<file>src/a.ts</path>',
      '<title>src/a.ts</title>',
      '<file>a b</file>',
      'x',
    ]) {
      assert.equal(taggedPath(line), undefined, line);
    }
  });

  it('says that it is new', () => {
    for (const line of ['New file: a.ts', 'Create a.ts', 'a.ts (new)', 'We added the file a.ts']) {
      assert.equal(saysNew(line), true, line);
    }
    for (const line of ['a.ts', 'Renewed a.ts', 'Add a line to a.ts']) {
      assert.equal(saysNew(line), false, line);
    }
  });

  it('may be a heading of Markdown', () => {
    assert.deepEqual(['# a', '  ###### a', '####### a', '#a'].map(isMarkdownHeading), [
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a line that says what happens to a file', () => {
  const gone: Statement = { kind: 'delete', path: 'src/a.ts' };
  const moved: Statement = { kind: 'rename', path: 'src/a.ts', newPath: 'src/b.ts' };
  const cases: [line: string, statement: Statement | undefined][] = [
    ['Delete `src/a.ts`.', gone],
    ['### Deleted: **src/a.ts**', gone],
    ['- Please remove the old file src/a.ts (unused)', gone],
    ['Delete src/a.ts.', gone],
    ['git rm src/a.ts', gone],
    ['`src/a.ts` (deleted)', gone],
    ['src/a.ts: [deleted]', gone],
    ['Rename `src/a.ts` to `src/b.ts`', moved],
    ['1. Move the file src/a.ts -> src/b.ts.', moved],
    ['git mv src/a.ts src/b.ts', moved],
    ['Renamed: src/a.ts (old) → src/b.ts (new)', moved],
    ['Delete the cart', undefined],
    ['Delete src/a.ts and src/b.ts', undefined],
    ['Rename the variable', undefined],
    ['It is deleted by src/a.ts.', undefined],
    [`Delete ${'x'.repeat(300)}/a.ts`, undefined],
  ];
  for (const [line, statement] of cases) {
    it(`says ${statement?.kind ?? 'nothing'} in ${line.slice(0, 60)}`, () =>
      assert.deepEqual(statementIn(line), statement));
  }

  it('says which side of a change follows', () => {
    for (const line of ['Before:', '**Old code**', 'Replace this:', '### Current version']) {
      assert.equal(sideIn(line), 'before', line);
    }
    for (const line of ['After:', 'With the following code:', '_New_', 'becomes']) {
      assert.equal(sideIn(line), 'after', line);
    }
    for (const line of ['Before you start:', 'Afterwards', 'Code:']) {
      assert.equal(sideIn(line), undefined, line);
    }
  });
});
