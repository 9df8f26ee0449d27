import assert from 'node:assert/strict';
import { isUnifiedDiff, splitByFile } from '../../../../../src/merge/patch/read/diffText';

const hunk = '@@ -1 +1 @@\n-a\n+b';
const head = (old: string, fresh = old) => `--- ${old}\n+++ ${fresh}\n`;

const names = (text: string) => splitByFile(text).map(({ path }) => path ?? '?');

describe('a unified diff', () => {
  for (const text of [
    hunk,
    '\n\n@@\n-a\n+b',
    '@@ ... @@\n-a',
    '@@@@\n-a',
    `${head('a')}${hunk}`,
    `From: me\n\n${head('a')}${hunk}`,
    `${head('a')}${hunk}`.replaceAll('\n', '\r\n'),
    `diff --git a/x b/x\n${hunk}`,
    '*** Begin Patch\n*** Update File: a.ts\n-a\n+b\n*** End Patch',
  ])
    it(`is ${JSON.stringify(text)}`, () => assert.equal(isUnifiedDiff(text), true));

  for (const text of [
    '',
    '- a\n+ b',
    head('a'),
    `text\n${hunk}`,
    '@@decorator\n-a',
    'diff --git a/x b/x\nBinary files differ',
    '*** Update File: a.ts\n a\n b',
  ])
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(isUnifiedDiff(text), false));
});

describe('the diffs of the files of a patch', () => {
  it('are cut where the next file begins', () => {
    const one = `${head('a/x.ts', 'b/x.ts')}${hunk}`;
    const two = `diff --git a/y.ts b/y.ts\nindex 1..2\n${head('a/y.ts', 'b/y.ts')}${hunk}`;
    const three = '*** Update File: z.ts\n-a\n+b';
    for (const parts of [[one, two, three], [two, one], [three, three, one], [one]])
      assert.deepEqual(
        splitByFile(parts.join('\n')).map(({ diff }) => diff),
        parts,
      );
    assert.deepEqual(names(`${one}\n${two}`.replaceAll('\n', '\r\n')), ['x.ts', 'y.ts']);
  });

  it('keep removed and added lines that look like a file header', () => {
    const sql = `${head('a/x.sql', 'b/x.sql')}@@ -1,2 +1,2 @@\n--- an old comment\n+++ a new one\n x\n--- and one\n x`;
    assert.deepEqual(splitByFile(sql), [{ path: 'x.sql', diff: sql }]);
    const end = `${head('a/x.sql', 'b/x.sql')}@@ -1,2 +1,2 @@\n x\n--- a comment\n+++ b`;
    assert.deepEqual(splitByFile(end), [{ path: 'x.sql', diff: end }]);
    assert.equal(splitByFile(`${end}\n--- last`).length, 1);
  });

  it('leave out files whose text does not change', () => {
    const modes = 'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755';
    assert.deepEqual(names(`${modes}\ndiff --git a/y b/y\n${head('a/y', 'b/y')}${hunk}`), ['y']);
    assert.deepEqual(splitByFile(modes), []);
    assert.deepEqual(splitByFile(''), []);
  });

  const paths: [head: string, path: string][] = [
    [head('a/src/x.ts', 'b/src/x.ts'), 'src/x.ts'],
    [head('src/x.ts'), 'src/x.ts'],
    [head('a/x.ts', 'c/x.ts'), 'a/x.ts'],
    [head('b/x.ts', 'b/x.ts'), 'b/x.ts'],
    [head('a/old.ts', 'b/new.ts'), 'old.ts'],
    [head('/dev/null', 'b/new.ts'), 'new.ts'],
    [head('a/old.ts', '/dev/null'), 'old.ts'],
    [head('/dev/null', 'new.ts'), 'new.ts'],
    [head('/dev/null'), '?'],
    [head('"a/a b.ts"', '"b/a b.ts"'), 'a b.ts'],
    [head('x.ts\t2026-01-01 10:00', 'x.ts\t2026-01-02 10:00'), 'x.ts'],
    ['+++ b/x.ts\n', 'b/x.ts'],
    ['', '?'],
    ['*** Update File:  src/x.ts \n', 'src/x.ts'],
  ];
  for (const [text, path] of paths)
    it(`have the path ${path} under ${JSON.stringify(text)}`, () =>
      assert.deepEqual(names(`${text}${hunk}`), [path]));
});
