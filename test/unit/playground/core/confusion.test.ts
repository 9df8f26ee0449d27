import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { english } from '../../../../src/base/sentence';
import { evaluate, type LabelledAnswer } from '../../../../src/playground/core/confusion';
import { readTable } from '../../../../src/playground/core/labelledFile';

const folder = 'test/fixtures/evaluation';

/** Compares all numbers of two values of the same shape. */
function assertClose(actual: unknown, expected: unknown, where = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    assert.ok(Math.abs(actual - expected) <= 1e-9, `${where}: ${actual}, not ${expected}`);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, where);
    assert.deepEqual(Object.keys(actual), Object.keys(expected), where);
    const values = new Map(Object.entries(actual));
    for (const [key, value] of Object.entries(expected)) {
      assertClose(values.get(key), value, `${where}.${key}`);
    }
  } else assert.equal(actual, expected, where);
}

describe('the evaluation of a classifier', () => {
  it('gives the numbers of the reference script to 1e-9', async () => {
    const table = await readTable(
      'labelled.csv',
      readFileSync(`${folder}/labelled.csv`, 'utf8'),
      english,
    );
    assert.deepEqual(table.columns, ['text', 'expected', 'predicted']);
    const answers = table.rows.map(({ cells: [, expected = '', predicted = ''] }) => ({
      expected,
      predicted,
    }));
    assert.equal(answers.length, 337);
    assertClose(evaluate(answers), JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')));
  });

  it('counts a missing label as wrong, and divides nothing by zero', () => {
    const { labels, matrix, accuracy, classes, macroF1 } = evaluate([
      { expected: 'a', predicted: 'a' },
      { expected: 'a', predicted: '' },
      { expected: 'b', predicted: '' },
      { expected: 'a', predicted: 'c' },
    ]);
    assert.deepEqual(labels, ['a', 'b', 'c']);
    assert.deepEqual(matrix, [
      [1, 0, 1, 1],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ]);
    assert.equal(accuracy, 0.25);
    assert.deepEqual(
      classes.map(({ f1 }) => f1),
      [0.5, 0, 0],
    );
    assert.equal(macroF1, 0.5 / 3);
    assert.deepEqual(evaluate([]).accuracy, 0);
    assert.deepEqual(evaluate([]).macroF1, 0);
  });

  const label = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__');
  const answer: fc.Arbitrary<LabelledAnswer> = fc.record({
    expected: label,
    predicted: fc.oneof(label, fc.constant('')),
  });

  it('accounts for every row once, in any order', () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 60 }), answers => {
        const result = evaluate(answers);
        const cells = result.matrix.flat().reduce((sum, count) => sum + count, 0);
        assert.equal(cells, answers.length);
        assert.equal(
          result.classes.reduce((sum, { support }) => sum + support, 0),
          answers.length,
        );
        for (const { label: name, support, precision, recall, f1 } of result.classes) {
          assert.equal(support, answers.filter(({ expected }) => expected === name).length);
          for (const value of [precision, recall, f1]) assert.ok(value >= 0 && value <= 1);
          const harmonic =
            precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
          assert.ok(Math.abs(f1 - harmonic) <= 1e-12);
        }
        assertClose(evaluate(answers.toReversed()), result);
      }),
    );
  });
});
