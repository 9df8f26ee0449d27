import assert from 'node:assert/strict';
import { english } from '../../../src/base/sentence';
import { readPrediction } from '../../../src/reflex/reflexes';
import { type ClassifiedText, classificationReport, resultRows } from '../../../src/reflex/report';

const reading = (model: string, mode: string, ...labels: [string, number, boolean][]) => {
  const classes = labels.map(([label, score, isSelected], classId) => ({
    classId,
    label,
    score,
    isSelected,
  }));
  const selected = classes.filter(({ isSelected }) => isSelected);
  return readPrediction({ model, mode, classes, selected });
};
const attack = reading(
  'jailbreak',
  'single_label',
  ['benign', 0.07, false],
  ['jailbreak', 0.93, true],
);
const cross = reading(
  'user-frustrated',
  'single_label',
  ['frustrated', 0.95, true],
  ['not', 0.05, false],
);
const topics = reading('domain', 'multi_label', ['coding', 0.9, true], ['data', 0.4, false]);
const unsure = reading('intent $(x)', 'single_label', ['a $(y)', 0.4, false]);
const classified: ClassifiedText = {
  what: 'Selection, [214] characters',
  readings: [topics, unsure, cross, attack],
  failures: [{ model: 'gone|', message: 'unknown *reflex*' }],
  facts: '92 ms · about $0.004',
};

describe('the results of a classification', () => {
  it('are listed with warnings first, then what is notable, then the rest in order', () => {
    assert.deepEqual(resultRows(classified, english), [
      {
        icon: 'warning',
        label: 'jailbreak',
        description: 'jailbreak 93%',
        detail: 'jailbreak 93%   benign 7%',
      },
      {
        icon: 'info',
        label: 'user-frustrated',
        description: 'frustrated 95%',
        detail: 'frustrated 95%   not 5%',
      },
      {
        icon: 'check',
        label: 'domain',
        description: 'coding 90%',
        detail: 'coding 90%   data 40%',
      },
      {
        icon: 'dash',
        label: 'intent $ (x)',
        description: '– no label passed its threshold',
        detail: 'a $ (y) 40%',
      },
      { icon: 'error', label: 'gone|', description: 'failed', detail: 'unknown *reflex*' },
    ]);
  });

  it('are a Markdown document with a table for all and one for each', () => {
    const one = { ...classified, readings: [topics, unsure] };
    assert.equal(
      classificationReport(one, english),
      [
        '# Classification',
        '',
        String.raw`Selection, \[214\] characters · 92 ms · about $0.004`,
        '',
        '| Reflex | Selected |',
        '| :-- | :-- |',
        '| domain | coding 90% |',
        String.raw`| intent \$(x) | – |`,
        String.raw`| gone\| | unknown \*reflex\* |`,
        '',
        '## domain',
        '',
        '| Label | Score | |',
        '| :-- | --: | :-- |',
        '| coding ✓ | 90% | ▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▱▱ |',
        '| data | 40% | ▰▰▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱▱▱ |',
        '',
        String.raw`## intent \$(x)`,
        '',
        '| Label | Score | |',
        '| :-- | --: | :-- |',
        String.raw`| a \$(y) | 40% | ▰▰▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱▱▱ |`,
        '',
        '– means that no label passed its threshold. That is not an error.',
        '',
      ].join('\n'),
    );
  });
});
