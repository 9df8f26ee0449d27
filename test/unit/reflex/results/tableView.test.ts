import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ResultTable } from '../../../../src/reflex/results/resultTable';
import { nextSort, rowsShown, type ViewState } from '../../../../src/reflex/results/tableView';

const tableOf = (rows: readonly (readonly string[])[]): ResultTable => ({
  columns: ['text', 'label', 'label score', 'error'],
  rows,
  labelColumns: [1],
  errorColumn: 3,
  isCut: false,
});
const cell = fc.constantFrom('', 'a', 'B', 'a; b', '10', '9', '0.5', 'Äpfel');
const table = fc.array(fc.tuple(cell, cell, cell, cell)).map(tableOf);
const view: fc.Arbitrary<ViewState> = fc.record(
  {
    filter: fc.constantFrom('', 'a', '1', 'ÄP'),
    only: fc.option(
      fc.record(
        { column: fc.nat(3), label: fc.constantFrom('', 'a', 'b') },
        { noNullPrototype: true },
      ),
      { nil: undefined },
    ),
    sort: fc.option(
      fc.record({ column: fc.nat(3), isDescending: fc.boolean() }, { noNullPrototype: true }),
      { nil: undefined },
    ),
  },
  { noNullPrototype: true },
);

describe('the rows that are shown', () => {
  it('are those that fit, each once, whatever their order', () => {
    fc.assert(
      fc.property(table, view, (all, state) => {
        const shown = rowsShown(all, state);
        const plain = rowsShown(all, { ...state, sort: undefined });
        assert.deepEqual(
          shown.toSorted((a, b) => a - b),
          plain,
        );
        const fits = (row: readonly string[]): boolean => {
          const { only, filter } = state;
          const mine = row[only?.column ?? 0] ?? '';
          const hasLabel =
            !only ||
            (only.label === '' ? mine === '' : mine.split('; ').includes(only.label ?? ''));
          return hasLabel && row.some(each => each.toLowerCase().includes(filter.toLowerCase()));
        };
        assert.deepEqual(
          plain,
          [...all.rows.keys()].filter(at => fits(all.rows[at] ?? [])),
        );
      }),
    );
  });

  it('are in order, numbers by their value, empty cells last', () => {
    const numbers = tableOf(['10', '', '9', '0.5'].map(score => ['x', 'l', score, '']));
    const sort = (column: number, isDescending: boolean) =>
      rowsShown(numbers, { filter: '', sort: { column, isDescending } });
    assert.deepEqual(sort(2, false), [3, 2, 0, 1]);
    assert.deepEqual(sort(2, true), [0, 2, 3, 1]);
    assert.deepEqual(sort(1, true), [0, 1, 2, 3]);
    const words = tableOf(['b', 'A', 'c'].map(text => [text, '', '', '']));
    assert.deepEqual(
      rowsShown(words, { filter: '', sort: { column: 0, isDescending: false } }),
      [1, 0, 2],
    );
    // Where one cell is no number, all are texts.
    const mixed = tableOf(['9', '10', 'a', ''].map(text => [text, '', '', '']));
    assert.deepEqual(
      rowsShown(mixed, { filter: '', sort: { column: 0, isDescending: false } }),
      [1, 0, 2, 3],
    );
  });

  it('are those with an error, where no label is named', () => {
    const some = tableOf([
      ['a', '', '', ''],
      ['b', '', '', 'bad'],
    ]);
    assert.deepEqual(rowsShown(some, { filter: '', only: { column: 3 } }), [1]);
  });

  it('go from ascending over descending back to the order of the file', () => {
    const first = nextSort(undefined, 2);
    assert.deepEqual(first, { column: 2, isDescending: false });
    assert.deepEqual(nextSort(first, 2), { column: 2, isDescending: true });
    assert.equal(nextSort(nextSort(first, 2), 2), undefined);
    assert.deepEqual(nextSort(first, 1), { column: 1, isDescending: false });
  });
});
