import assert from 'node:assert/strict';
import { auditMerge } from '../../../../../src/merge';

const original = 'a1\nb2\nc3\nd4\ne5\n';
/** The kinds and lines of the errors of a merge into lines 2 to 3. */
const errorsOf = (merged: string, range = { startLine: 2, endLine: 3 }): string[] =>
  auditMerge(original, 'B2\nC3\n', merged, { path: 'a.txt', range })
    .filter(({ kind }) => kind === 'outsideSelection')
    .map(({ line, severity }) => `${severity} ${line}`);

const foundIn = (update: string, merged: string, startLine: number, endLine: number): string[] =>
  auditMerge(original, update, merged, { path: 'a.txt', range: { startLine, endLine } }).map(
    ({ line, kind }) => `${line} ${kind}`,
  );

describe('a merge into a selection', () => {
  it('may change, add and remove lines of the selection', () => {
    for (const inside of ['B2\nC3\n', 'B2\nC3\nmore\n', 'B2\n', ''])
      assert.deepEqual(errorsOf(`a1\n${inside}d4\ne5\n`), [], inside);
  });

  it('is wrong where a line above or below it is another one, and says where', () => {
    assert.deepEqual(errorsOf('A1\nB2\nC3\nd4\ne5\n'), ['error 1']);
    assert.deepEqual(errorsOf('a1\nB2\nC3\nD4\ne5\n'), ['error 4']);
    assert.deepEqual(errorsOf('a1\nB2\nC3\nd4\nE5\n'), ['error 5']);
    assert.deepEqual(errorsOf('A1\nB2\nC3\nd4\nE5\n'), ['error 1', 'error 5']);
  });

  it('is wrong where a line above or below it is gone, at a line that is there', () => {
    for (const merged of ['B2\nC3\nd4\ne5\n', 'a1\nB2\nC3\ne5\n', 'a1\nB2\nC3\n', 'a1\n', '']) {
      const errors = errorsOf(merged);
      assert.ok(errors.length > 0, merged);
      const height = merged.split('\n').length;
      for (const error of errors) {
        const line = Number(error.split(' ')[1]);
        assert.ok(line >= 1 && line <= height, `${error} of ${height}`);
      }
    }
  });

  it('may bring other lines, without markers for all of the selection', () => {
    assert.deepEqual(foundIn('xx\nyy\n', 'a1\nxx\nyy\nd4\ne5\n', 2, 3), []);
    assert.deepEqual(foundIn('xx\n', 'a1\nb2\nc3\nxx\n', 4, 5), []);
    assert.deepEqual(foundIn('xx\n', 'xx\nc3\nd4\ne5\n', 1, 2), []);
    assert.deepEqual(foundIn('xx\n', 'a1\nxx\nc3\nd4\ne5\n', 2, 3), ['2 wrongPlace']);
    assert.deepEqual(foundIn('xx\n', 'a1\nb2\nxx\nd4\ne5\n', 2, 3), ['3 wrongPlace']);
  });

  it('is at another place that fits as well only if that is selected, too', () => {
    const block = 'open();\nrun();\nclose();\n';
    const update =
      '// ... existing code ...\nopen();\nrun(1);\nclose();\n// ... existing code ...\n';
    const inLines = (endLine: number): string[] =>
      auditMerge(
        `first();\n${block}${block}last();\n`,
        update,
        `first();\n${block.replace('run()', 'run(1)')}${block}last();\n`,
        {
          path: 'a.txt',
          range: { startLine: 1, endLine },
        },
      ).map(({ line, kind }) => `${line} ${kind}`);
    assert.deepEqual(inLines(4), []);
    assert.deepEqual(inLines(7), ['2 wrongPlace']);
  });

  it('is wrong where the selection has taken a line from below, that reads the same', () => {
    const twice = 'x\ny\nx\nz\n';
    const found = auditMerge(twice, 'y\n', 'x\nz\n', {
      path: 'a.txt',
      range: { startLine: 2, endLine: 2 },
    });
    assert.ok(found.some(({ kind }) => kind === 'outsideSelection'));
  });
});
