import assert from 'node:assert/strict';
import type { ResultTable } from '../../../../src/reflex/results/resultTable';
import { summaryOf } from '../../../../src/reflex/results/summary';

const tableOf = (rows: readonly (readonly string[])[]): ResultTable => ({
  columns: ['text', 'mood', 'mood score', 'topic', 'topic score', 'error'],
  rows,
  labelColumns: [1, 3],
  errorColumn: 5,
  isCut: false,
});

describe('the summary of results', () => {
  it('counts labels, rows without one, and errors', () => {
    const { rows, errors, reflexes } = summaryOf(
      tableOf([
        ['a', 'glad', '0.9', 'sun; rain', '0.8', ''],
        ['b', 'sad', '0.7', 'rain', '', ''],
        ['c', 'glad', '0.6', '', '', ''],
        ['d', '', '', '', '', 'too long'],
      ]),
    );
    assert.deepEqual([rows, errors], [4, 1]);
    assert.deepEqual(reflexes, [
      {
        reflex: 'mood',
        column: 1,
        labels: [
          { label: 'glad', count: 2 },
          { label: 'sad', count: 1 },
        ],
        unlabeled: 0,
      },
      {
        reflex: 'topic',
        column: 3,
        labels: [
          { label: 'rain', count: 2 },
          { label: 'sun', count: 1 },
        ],
        unlabeled: 1,
      },
    ]);
  });

  it('lists labels that are as frequent by their names', () => {
    const { reflexes } = summaryOf(
      tableOf(['c', 'a', 'b'].map(label => ['', label, '1', '', '', ''])),
    );
    assert.deepEqual(
      reflexes[0]?.labels.map(({ label }) => label),
      ['a', 'b', 'c'],
    );
  });

  it('names the ten labels with the lowest scores, those of one score in the order of the rows', () => {
    const { uncertain } = summaryOf(
      tableOf([
        ['a', 'glad', '0.9', 'sun', '0.5', ''],
        ['b', 'sad', '0', '', '0.1', ''],
        ['c', 'sad', '0.5', 'rain', 'none', ''],
        ['d', 'sad', '', 'rain', '1e-1', ''],
      ]),
    );
    assert.deepEqual(uncertain, [
      { row: 1, reflex: 'mood', label: 'sad', score: 0 },
      { row: 3, reflex: 'topic', label: 'rain', score: 0.1 },
      { row: 0, reflex: 'topic', label: 'sun', score: 0.5 },
      { row: 2, reflex: 'mood', label: 'sad', score: 0.5 },
      { row: 0, reflex: 'mood', label: 'glad', score: 0.9 },
    ]);
    const many = Array.from({ length: 12 }, (_, nth) => ['', 'glad', `0.${30 - nth}`, '', '', '']);
    assert.deepEqual(
      summaryOf(tableOf(many)).uncertain.map(({ row }) => row),
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
    );
  });
});
