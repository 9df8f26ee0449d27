import assert from 'node:assert/strict';
import {
  type IndicatorInput,
  indicatorOf,
  notableKey,
} from '../../../../src/reflex/indicator/indicator';
import type { WatchResult, WatchState } from '../../../../src/reflex/indicator/watcher';
import { readPrediction } from '../../../../src/reflex/reflexes';
import { classificationReport, resultRows, toClassifiedText } from '../../../../src/reflex/report';
import { ServiceError } from '../../../../src/service/errors';
import type { Prediction } from '../../../../src/service/wire/reflex';
import { assertApproved, useUtc } from '../../../support/unit/approved';

const now = 1_700_000_000_000;
const t = (message: string, ...values: (string | number)[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));

/** `jailbreak*: 0.93` is selected. */
function prediction(
  model: string,
  labels: Record<string, number>,
  mode = 'single_label',
): Prediction {
  const classes = Object.entries(labels).map(([name, score], classId) => ({
    classId,
    label: name.replace(/\*$/, ''),
    score,
    isSelected: name.endsWith('*'),
  }));
  return { model, mode, classes, selected: classes.filter(({ isSelected }) => isSelected) };
}

const benign = prediction('jailbreak', { 'benign*': 0.97, jailbreak: 0.03 });
const attack = prediction('jailbreak', { benign: 0.07, 'jailbreak*': 0.93 });
const rude = prediction('guardrail', { 'true*': 0.8, false: 0.2 });
const cross = prediction('user-frustrated', { 'frustrated*': 0.95, not: 0.05 });
const noTopic = prediction('domain', { general: 0.4, coding: 0.3 }, 'multi_label');
const topics = prediction('domain', { 'coding*': 0.9, 'data*': 0.7, general: 0.1 }, 'multi_label');
const unsure = prediction('jailbreak', { benign: 0.51, jailbreak: 0.49 });
const strange = prediction('ticket-topic-4', { 'billing*': 0.66, bug: 0.34 });
const newLabel = prediction('jailbreak', { 'multi-turn*': 0.7, benign: 0.3 });
const hostile = prediction('domain', {
  '[x](command:evil) $(alert) | <b>': 0.2,
  '[y](command:evil)*': 0.9,
});

const result = (...predictions: Prediction[]): WatchResult => ({
  readings: predictions.map(readPrediction),
  failures: [],
  where: 'paragraph',
  chars: 214,
  at: now,
  ms: 92,
  usd: 0.004,
  isCached: false,
});

const keyOf = (...predictions: Prediction[]) =>
  notableKey({
    result: result(...predictions),
    isStale: false,
    askedAt: undefined,
    obstacle: undefined,
  });

function show(state: Partial<WatchState>, more: Partial<IndicatorInput> = {}) {
  return indicatorOf(
    {
      state: {
        result: undefined,
        isStale: false,
        askedAt: undefined,
        obstacle: undefined,
        ...state,
      },
      pinned: new Set(),
      today: { day: '', calls: 37, events: 148, tokens: 8100, usd: 0.148 },
      dailyLimit: 500,
      host: '127.0.0.1:8080',
      now,
      ...more,
    },
    t,
  );
}

describe('the text of the indicator', () => {
  for (const [name, wanted, isWarning, state, pinned = []] of [
    ['nothing notable', '$(shield) ok', false, { result: result(benign, topics) }],
    ['a jailbreak', '$(shield) jailbreak 93%', true, { result: result(benign, attack) }],
    [
      'several: safety first',
      '$(shield) jailbreak 93% +2',
      true,
      { result: result(cross, rude, attack) },
    ],
    [
      'a label without meaning of its own',
      '$(shield) guardrail 80%',
      true,
      { result: result(rude) },
    ],
    [
      'a notable one that is not about safety',
      '$(shield) frustrated 95%',
      false,
      { result: result(cross) },
    ],
    ['nothing selected at all', '$(shield) –', false, { result: result(unsure, noTopic) }],
    [
      'a pinned topic',
      '$(shield) coding 90% +1',
      false,
      { result: result(benign, topics) },
      ['domain'],
    ],
    [
      'a pinned topic with none selected',
      '$(shield) –',
      false,
      { result: result(benign, noTopic) },
      ['domain'],
    ],
    [
      'an unknown reflex, as it is',
      '$(shield) ticket-topic-4: billing 66%',
      false,
      { result: result(strange) },
    ],
    [
      'an unknown class, without colour',
      '$(shield) multi-turn 70%',
      false,
      { result: result(newLabel) },
    ],
    ['a label like an icon', '$(shield) [y](command:evil) 90%', false, { result: result(hostile) }],
    [
      'a text that changed',
      '$(history) jailbreak 93%',
      false,
      { result: result(attack), isStale: true },
    ],
    ['a request just sent', '$(shield) Reflex', false, { askedAt: now - 399 }],
    ['a request that takes long', '$(loading~spin) Reflex', false, { askedAt: now - 400 }],
    [
      'a new request, the old text kept',
      '$(loading~spin) jailbreak 93%',
      true,
      { result: result(attack), askedAt: now - 500 },
    ],
    [
      'an excluded file',
      '$(circle-slash) Reflex',
      false,
      { obstacle: { kind: 'excluded', why: 'kind' } },
    ],
    ['a secret', '$(lock) not sent', false, { obstacle: { kind: 'secret' } }],
    [
      'a pause',
      '$(debug-pause) Reflex',
      false,
      { result: result(attack), obstacle: { kind: 'paused', until: now + 1 } },
    ],
    ['the daily limit', '$(debug-pause) Reflex', false, { obstacle: { kind: 'dailyLimit' } }],
    ['no key', '$(key) Reflex', false, { obstacle: { kind: 'noKey' } }],
    ['no network', '$(debug-disconnect) Reflex', false, { obstacle: { kind: 'offline' } }],
    [
      'no network, with an older result',
      '$(shield) ok',
      false,
      { result: result(benign), obstacle: { kind: 'offline' } },
    ],
    [
      'a rate limit',
      '$(watch) 12 s',
      false,
      { obstacle: { kind: 'limited', until: now + 11_200 } },
    ],
    [
      'another failure',
      '$(warning) Reflex',
      false,
      { obstacle: { kind: 'failed', error: new ServiceError('payment', '') } },
    ],
  ] as [string, string, boolean, Partial<WatchState>, string[]?][])
    it(`${name}: ${wanted}`, () => {
      const shown = show(state, { pinned: new Set(pinned) });
      assert.deepEqual([shown.text, shown.isWarning], [wanted, isWarning]);
    });

  for (const [ms, wanted] of [
    [-5000, '1 s'],
    [0, '1 s'],
    [1000, '1 s'],
    [1001, '2 s'],
    [89_000, '89 s'],
    [89_001, '2 min'],
    [120_000, '2 min'],
    [120_001, '3 min'],
  ] as const)
    it(`counts ${ms} ms down as ${wanted}`, () => {
      const { text, summary } = show({ obstacle: { kind: 'limited', until: now + ms } });
      assert.equal(text, `$(watch) ${wanted}`);
      assert.ok(summary.endsWith(`the next attempt is in ${wanted}.`), summary);
    });

  it('turns after 0.4 seconds without an answer, with what it showed before', () => {
    for (const [ms, icon] of [
      [399, 'shield'],
      [400, 'loading~spin'],
    ] as const)
      assert.equal(show({ askedAt: now - ms }).text, `$(${icon}) Reflex`);
    assert.equal(
      show({ askedAt: now - 500, result: result(attack) }).text,
      '$(loading~spin) jailbreak 93%',
    );
  });

  it('shows the warning with the highest score, and how many more there are', () => {
    const weak = prediction('jailbreak', { 'jailbreak*': 0.6 });
    assert.equal(show({ result: result(cross, weak, rude) }).text, '$(shield) guardrail 80% +2');
    const two = prediction('own', { 'a*': 0.9, 'b*': 0.7 }, 'multi_label');
    assert.equal(show({ result: result(two) }).text, '$(shield) own: a 90% +1');
    assert.equal(
      show({ result: result(topics) }, { pinned: new Set(['domain']) }).text,
      '$(shield) coding 90% +1',
    );
  });

  it('changes its key with the findings and not with their scores', () => {
    assert.equal(keyOf(attack), keyOf(prediction('jailbreak', { 'jailbreak*': 0.6 })));
    assert.equal(keyOf(benign), '');
    assert.equal(keyOf(attack, topics), keyOf(attack));
    assert.equal(new Set([keyOf(attack), keyOf(cross), keyOf(attack, cross)]).size, 3);
    assert.equal(keyOf(attack, cross).split('\n').length, 2);
  });

  it('tells screen readers what was found, in words', () => {
    assert.equal(
      show({ result: result(attack, cross) }).label,
      'Reflex: jailbreak 93 percent, above its threshold, and 1 more. Activate for actions.',
    );
    assert.match(show({ result: result(unsure) }).label, /no label passed its threshold/);
    assert.match(show({ obstacle: { kind: 'secret' } }).label, /was not sent/);
  });
});

describe('the tooltip of the indicator', () => {
  it('has a row for each reflex, the facts, and what today cost', () => {
    assert.equal(
      show({ result: result(attack, noTopic) }).tooltip.replaceAll(/\d\d:\d\d:\d\d/g, 'TIME'),
      [
        '| Reflex | Label | Score |',
        '| :-- | :-- | :-- |',
        '| jailbreak | **jailbreak** | ▰▰▰▰▱ 93% |',
        '| domain | – | no label passed its threshold |',
        '',
        'Paragraph, 214 characters, TIME · 92\u00a0ms · about $0.004',
        '',
        'Today: 37 of 500 calls, 148 events, 8.1k tokens, about $0.15.',
        '',
        String.raw`Texts go to 127\.0.0.1\:8080.`,
      ].join('\n'),
    );
  });

  it('takes nothing that the service says for Markdown', () => {
    const failures = [{ model: '[m](command:evil)', message: '](command:evil) | `x`' }];
    const tooltip = show({ result: { ...result(hostile), failures } }).tooltip;
    assert.match(tooltip, /\\\[y\\\]\(command\\:evil\)/);
    // No sign that opens a link, code, a cell or a tag stands without a backslash.
    for (const line of tooltip.split('\n').slice(2, 4))
      assert.doesNotMatch(line.replaceAll(/^\| | \|$| \| |\*\*/g, ''), /(?<!\\)[[\]`|<]/);
  });
});

describe('a classified text', () => {
  const answer = {
    predictions: [topics, noTopic, attack],
    failures: [{ model: 'gone', message: 'unknown reflex: gone' }],
    attempts: 1,
    ms: 92,
    cost: { usd: 0.003, isExact: false },
  };
  const made = toClassifiedText('Selection, 214 characters', answer, t);

  it('is listed with what is notable first', () => {
    assert.deepEqual(
      resultRows(made, t).map(({ icon, label, description }) => `${icon} ${label} ${description}`),
      [
        'warning jailbreak jailbreak 93%',
        'check domain coding 90%, data 70%',
        'dash domain – no label passed its threshold',
        'error gone failed',
      ],
    );
  });

  it('is a report with a bar for each label', () => {
    const report = classificationReport(made, t);
    assert.match(
      report,
      /^# Classification\n\nSelection, 214 characters · 92\u00a0ms · about \$0\.003\n/,
    );
    assert.match(report, /\| domain \| – \|/);
    assert.match(report, /\| coding ✓ \| 90% \| ▰{18}▱{2} \|/);
    assert.match(report, /\| general \| 10% \| ▰{2}▱{18} \|/);
    const evil = classificationReport(
      toClassifiedText('x', { ...answer, predictions: [hostile] }, t),
      t,
    );
    assert.doesNotMatch(evil, /(?<!\\)\[[xy]/);
  });
});

describe('the indicator in all its states', () => {
  useUtc();

  it('says in the status bar, to a screen reader and in its tooltip what there is', () => {
    const found = result(cross, rude, attack);
    const obstacles: [name: string, obstacle: WatchState['obstacle']][] = [
      ...(['kind', 'private', 'ignored', 'place', 'noEditor'] as const).map(
        (why): [string, WatchState['obstacle']] => [why, { kind: 'excluded', why }],
      ),
      ...(['short', 'secret', 'unfocused', 'dailyLimit', 'noKey', 'offline'] as const).map(
        (kind): [string, WatchState['obstacle']] => [kind, { kind }],
      ),
      ['paused', { kind: 'paused', until: now + 60_000 }],
      ['limited', { kind: 'limited', until: now + 89_000 }],
      ['limited for long', { kind: 'limited', until: now + 90_500 }],
      ['failed', { kind: 'failed', error: new ServiceError('payment', '') }],
    ] as [string, WatchState['obstacle']][];
    const shown: [name: string, indicator: ReturnType<typeof show>][] = [
      ['nothing yet', show({})],
      ['asked', show({ askedAt: now - 400 })],
      ['asked just now', show({ askedAt: now - 399 })],
      ['nothing notable', show({ result: result(benign) })],
      ['unsure', show({ result: result(unsure) })],
      ['one', show({ result: result(cross) })],
      ['several', show({ result: found })],
      ['stale', show({ result: found, isStale: true })],
      ['a pinned one', show({ result: result(topics) }, { pinned: new Set(['domain']) })],
      ['a pinned one, unsure', show({ result: result(noTopic) }, { pinned: new Set(['domain']) })],
      [
        'a prompt, cached, with a failure',
        show({
          result: {
            ...found,
            where: 'prompt',
            isCached: true,
            failures: [{ model: 'domain', message: 'not found | x' }],
          },
        }),
      ],
      ['the first call', show({}, { today: { day: '', calls: 0, events: 0, tokens: 0, usd: 0 } })],
      ...obstacles.flatMap(([name, obstacle]): [string, ReturnType<typeof show>][] => [
        [name, show({ obstacle })],
        [`${name}, after a finding`, show({ obstacle, result: result(cross) })],
      ]),
    ];
    assertApproved(
      'indicator',
      shown
        .map(([name, { text, isWarning, label, summary, tooltip }]) =>
          [
            `== ${name}`,
            `${text}${isWarning ? ' (warning)' : ''}`,
            label,
            summary,
            tooltip,
            '',
          ].join('\n'),
        )
        .join(''),
    );
  });
});
