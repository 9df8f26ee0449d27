import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../../src/merge';
import { unifiedOf, unwordedDiff } from '../../../../../src/merge/patch/read/plainDiffs';

const file = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';
const mergedText = (update: string, original = file): string => {
  const result = mergeEdit(original, update, { path: 'a.txt' });
  return result.kind === 'merged' ? result.text : `refused: ${result.reason.text}`;
};

describe('a diff of plain diff', () => {
  it('replaces, removes and adds lines', () => {
    const diff = '2c2,3\n< two\n---\n> zwei\n> mehr\n5d5\n< five\n9a10\n> ten\n';
    assert.equal(mergedText(diff), 'one\nzwei\nmehr\nthree\nfour\nsix\nseven\neight\nnine\nten\n');
  });

  it('becomes a unified one', () => {
    const rows = ['2c2,3', '< two', '---', '> zwei', '> mehr', '5d5', '<', '9a10', '> ten', '>'];
    const wanted = `@@ -2,1 +2,2 @@\n-two\n+zwei\n+mehr\n@@ -5,1 +5,0 @@\n-\n@@ -9,0 +10,1 @@\n+ten\n+`;
    const end = '\\ No newline at end of file';
    assert.deepEqual(unifiedOf(['diff a b', ...rows, end]), [...wanted.split('\n'), end]);
  });

  it('is none with other lines', () => {
    assert.equal(unifiedOf(['2c2', '< two', '---', '> zwei', 'and more']), undefined);
    assert.equal(unifiedOf(['one', 'two']), undefined);
  });
});

const context = (...lines: string[]): string =>
  ['*** a.txt\tnow', '--- a.txt\tthen', '***************', ...lines, ''].join('\n');

const unified = (old: readonly string[], fresh: readonly string[]) => {
  const heads = [`*** 1,${old.length} ****`, `--- 1,${fresh.length} ----`] as const;
  return unifiedOf([heads[0], ...old, heads[1], ...fresh]);
};

describe('a diff with context', () => {
  it('has a side for each text', () => {
    const diff = context(
      '*** 1,4 ****',
      '  one',
      '! two',
      '  three',
      '- four',
      '--- 1,3 ----',
      '  one',
      '! zwei',
      '  three',
    );
    assert.equal(mergedText(diff), file.replace('two', 'zwei').replace('four\n', ''));
  });

  it('becomes a unified one', () => {
    assert.deepEqual(
      unified(['  one', '! two', '  three', '  four'], ['  one', '! zwei', '  three', '  four']),
      ['@@ -1,4 +1,4 @@', ' one', '-two', '+zwei', ' three', ' four'],
    );
    assert.deepEqual(unified(['  one', '- two'], ['  one']), ['@@ -1,2 +1,1 @@', ' one', '-two']);
    // Lines that are in both sides are shown once.
    assert.deepEqual(unified(['  a', '  a'], ['  a', '+ a', '  a']), [
      '@@ -1,2 +1,3 @@',
      ' a',
      ' a',
      '+a',
    ]);
  });

  it('may have one side only', () => {
    const added = context('*** 4,5 ****', '--- 4,6 ----', '  four', '+ more', '  five');
    assert.equal(mergedText(added), file.replace('four\n', 'four\nmore\n'));
    const removed = context('*** 4,6 ****', '  four', '- five', '  six', '--- 4,5 ----');
    assert.equal(mergedText(removed), file.replace('five\n', ''));
  });

  it('is none where a line has no mark', () => {
    assert.equal(unifiedOf(['*** 1,2 ****', '  one', 'two', '--- 1 ----', '  one']), undefined);
  });
});

describe('a diff by words', () => {
  const code = 'const a = one(x);\nconst b = 2;\nreturn a;\n';
  const known = new Set(code.split('\n').map(line => line.trim()));

  it('replaces, removes and adds words and lines', () => {
    const diff = 'const a = [-one(x);-]{+two(x, y);+}\n[-const b = 2;-]\n{+log(a);+}\nreturn a;\n';
    assert.equal(mergedText(diff, code), 'const a = two(x, y);\nlog(a);\nreturn a;\n');
  });

  it('may have the headers of git', () => {
    const diff =
      'diff --git a/a.ts b/a.ts\nindex 1234567..89abcde 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n' +
      'const a = one([-x-]{+y+});\nconst b = 2;\nreturn a;\n';
    assert.equal(mergedText(diff, code), code.replace('(x)', '(y)'));
  });

  it('may only add lines, where it shows a line of the file', () => {
    const added = ['{+log(b);+}'];
    assert.deepEqual(unwordedDiff([...added, 'return a;'], known), [
      '@@',
      '+log(b);',
      ' return a;',
    ]);
    assert.equal(unwordedDiff([...added, 'return b;'], known), undefined);
    assert.equal(unwordedDiff([...added, ''], known), undefined);
  });

  it('is none where the file has no such lines, or such marks', () => {
    assert.equal(unwordedDiff(['const z = [-1-]{+2+};'], known), undefined);
    const own = new Set(['x = {+y+}', 'z']);
    assert.equal(unwordedDiff(['x = {+y+}', 'z'], own), undefined);
    assert.equal(unwordedDiff(['const b = 2;'], known), undefined);
  });
});

describe('the prompts of Python', () => {
  const python = 'def load(path):\n    return open(path)\n';
  it('are no code', () => {
    const update = ">>> def load(path):\n...     return open(path, 'r')\n";
    assert.equal(mergedText(update, python), python.replace('(path)\n', "(path, 'r')\n"));
  });

  it('stay where the file has them', () => {
    const doc = '>>> a = 1\n>>> b = 2\n';
    assert.equal(mergedText('>>> a = 1\n>>> b = 3\n', doc), '>>> a = 1\n>>> b = 3\n');
  });
});
