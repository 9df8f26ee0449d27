import assert from 'node:assert/strict';
import { defaultReflexes } from '../../../src/contracts/defaultReflexes';
import {
  percent,
  readPrediction,
  scoreBar,
  selectedLabelsText,
  shortName,
} from '../../../src/reflex/reflexes';
import type { Prediction } from '../../../src/service/wire/reflex';
import { assertApproved } from '../../support/unit/approved';

const prediction = (
  model: string,
  mode: string,
  ...labels: [string, number, boolean][]
): Prediction => {
  const classes = labels.map(([label, score, isSelected], classId) => ({
    classId,
    label,
    score,
    isSelected,
  }));
  return { model, mode, classes, selected: classes.filter(({ isSelected }) => isSelected) };
};

describe('the default reflexes', () => {
  it('are those of the service', () =>
    assertApproved(
      'reflexes',
      defaultReflexes
        .map(
          ({ name, labels, catches, notable, isSafety }) =>
            `${name}${isSafety ? ' (safety)' : ''}: ${catches}; ${labels.join(', ')}; notable: ${notable.join(', ') || '–'}\n`,
        )
        .join(''),
    ));

  it('have their own labels', () => {
    for (const { labels, notable } of defaultReflexes)
      assert.ok(notable.every(label => labels.includes(label)));
  });
});

const read = (model: string, ...labels: [string, number, boolean][]) =>
  readPrediction(prediction(model, 'multi_label', ...labels));

describe('a prediction', () => {
  it('is read best first, with what is selected', () => {
    const reading = readPrediction(
      prediction('jailbreak', 'single_label', ['benign', 0.2, false], ['jailbreak', 0.8, true]),
    );
    assert.deepEqual(reading, {
      reflex: 'jailbreak',
      selected: [{ label: 'jailbreak', score: 0.8 }],
      labels: [
        { label: 'jailbreak', score: 0.8 },
        { label: 'benign', score: 0.2 },
      ],
      isMulti: false,
      isNotable: true,
      isWarning: true,
    });
  });

  it('warns of safety only, and of labels that are known', () => {
    const flags = (model: string, label: string): boolean[] => {
      const { isNotable, isWarning } = readPrediction(prediction(model, 'x', [label, 0.9, true]));
      return [isNotable, isWarning];
    };
    assert.deepEqual(flags('jailbreak', 'benign'), [false, false]);
    assert.deepEqual(flags('jailbreak', 'multi-turn'), [true, false]);
    assert.deepEqual(flags('user-frustrated', 'frustrated'), [true, false]);
    assert.deepEqual(flags('own-one', 'anything'), [true, false]);
    assert.deepEqual(flags('domain', 'coding'), [false, false]);
    assert.equal(readPrediction(prediction('domain', 'multi_label')).isMulti, true);
  });

  it('is shown in words', () => {
    const topics = read(
      'domain',
      ['data', 0.7, true],
      ['coding', 0.901, true],
      ['design', 0.1, false],
    );
    assert.equal(selectedLabelsText(topics), 'coding 90%, data 70%');
    assert.equal(selectedLabelsText(read('domain', ['data', 0.4, false])), '–');
    assert.equal(shortName(topics), 'coding');
    assert.equal(shortName(read('guardrail', ['true', 0.9, true])), 'guardrail');
    assert.equal(shortName(read('guardrail', ['false', 0.9, true])), 'guardrail');
    assert.equal(shortName(read('own-one', ['true', 0.9, true])), 'own-one: true');
    assert.equal(shortName(read('own-one')), 'own-one: ');
    const cleaned = read('a\nb', [`x\u202e${'y'.repeat(100)}`, 0.5, true]);
    assert.deepEqual([cleaned.reflex, cleaned.labels[0]?.label.length], ['a b', 60]);
  });
});

describe('a score', () => {
  it('is 100% and 0% only when it is', () => {
    for (const [score, text] of [
      [1, '100%'],
      [0.999, '99%'],
      [0.994, '99%'],
      [0.5, '50%'],
      [0.001, '1%'],
      [0, '0%'],
      [1.2, '100%'],
      [-0.1, '0%'],
    ] as const)
      assert.equal(percent(score), text);
  });

  it('is a bar that is full only at the end', () => {
    for (const [score, text] of [
      [0, '▱▱▱▱▱'],
      [0.19, '▱▱▱▱▱'],
      [0.2, '▰▱▱▱▱'],
      [0.99, '▰▰▰▰▱'],
      [1, '▰▰▰▰▰'],
      [7, '▰▰▰▰▰'],
      [-1, '▱▱▱▱▱'],
    ] as const)
      assert.equal(scoreBar(score), text);
    assert.equal(scoreBar(0.5, 2), '▰▱');
  });
});
