import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import { UserError } from '../../../../src/base/userError';
import { draftPlan, readDraft, type TargetOption } from '../../../../src/playground/core/draft';
import { estimate, estimateByTarget, stepUsd } from '../../../../src/playground/core/estimate';
import { runSteps, stepOf } from '../../../../src/playground/core/run';
import { plan } from '../plans';

const options: TargetOption[] = [
  { value: 'auto', kind: 'auto', label: 'Auto', hasEffort: true },
  { value: 'model:svc-a', kind: 'model', label: 'a', hasEffort: true },
  { value: 'model:svc-b', kind: 'model', label: 'b', hasEffort: false },
  { value: 'endpoint:e:1', kind: 'endpoint', label: 'own', hasEffort: true },
];
const identity = { id: 'x', createdAt: 5, origin: 'https://s.example' };
const none = { options, rows: undefined, fileName: '', schema: undefined };
const form = (more: object) =>
  readDraft({ prompt: 'Hello\nthere', targets: [{ value: 'model:svc-a' }], ...more });
const refuses = (more: object, message: RegExp, parts: object = {}) =>
  assert.throws(
    () => draftPlan(form(more), { ...none, ...parts }, identity, english),
    error => error instanceof UserError && message.test(error.message),
  );

describe('the form of the Playground', () => {
  it('becomes a plan', () => {
    const targets = [
      { value: 'auto', effort: 'low' },
      { value: 'model:svc-a', effort: '' },
      { value: 'model:svc-a', effort: 'high' },
      { value: 'model:svc-b', effort: 'high' },
      { value: 'endpoint:e:1', effort: 'nonsense' },
    ];
    const made = draftPlan(
      form({ targets, system: 'Be brief.', maxTokens: '4096', scoring: 'exact', expected: 'yes' }),
      none,
      identity,
      english,
    );
    assert.deepEqual(made, {
      ...identity,
      title: 'Hello',
      targets: [
        { kind: 'auto', label: 'Auto (Low)', effort: 'low' },
        { kind: 'model', id: 'svc-a', label: 'a', effort: undefined },
        { kind: 'model', id: 'svc-a', label: 'a (High)', effort: 'high' },
        { kind: 'model', id: 'svc-b', label: 'b', effort: undefined },
        { kind: 'endpoint', id: 'e:1', label: 'own', effort: undefined },
      ],
      rows: [{ text: 'Hello\nthere', system: 'Be brief.', expected: 'yes' }],
      scoring: { kind: 'exact' },
      maxTokens: 4096,
    });
    const rows = [{ text: 'q', system: 'own' }, { text: 'r' }];
    const file = draftPlan(
      form({ prompt: '', system: 'all' }),
      { ...none, rows, fileName: 'f.txt' },
      identity,
      english,
    );
    assert.equal(file.title, 'f.txt');
    assert.deepEqual(
      file.rows.map(({ system }) => system),
      ['own', 'all'],
    );
  });

  it('says what is missing', () => {
    refuses({ prompt: ' ' }, /^Write a prompt, or choose a file/);
    refuses({ targets: [] }, /^Choose at least one model\.$/);
    refuses({ targets: [{ value: 'model:gone' }] }, /^Choose at least one model\.$/);
    refuses(
      { targets: [{ value: 'model:svc-b' }, { value: 'model:svc-b', effort: 'low' }] },
      /^b is chosen twice\. Choose another effort\.$/,
    );
    refuses({ scoring: 'exact' }, /^No expected answer is given/);
    refuses({ scoring: 'schema' }, /^Choose the file with the JSON schema\.$/);
    refuses({ scoring: 'reflex' }, /^Choose the reflex/);
  });

  it('is read whatever the page sends', () => {
    for (const value of [undefined, null, 5, 'x', [], { targets: 'x', maxTokens: 7, scoring: 'y' }])
      assert.deepEqual(readDraft(value).targets, []);
    const six = Array.from({ length: 6 }, () => ({ value: 'auto' }));
    assert.equal(readDraft({ targets: [...six, 5, {}] }).targets.length, 5);
    for (const scoring of ['none', 'exact', 'schema', 'reflex'])
      assert.equal(readDraft({ scoring }).scoring, scoring);
    assert.deepEqual([readDraft({}).maxTokens, readDraft({}).scoring], [1024, 'none']);
  });
});

describe('the estimate of a run', () => {
  const prices = {
    byId: new Map([
      ['svc-a', { input: 1, output: 10 }],
      ['svc-b', { input: 2, output: 5 }],
    ]),
    candidates: ['svc-a', 'svc-b', 'unknown'],
  };

  it('is the most that the calls can cost', () => {
    const all = plan({
      targets: [
        { kind: 'model', id: 'svc-a', label: 'a' },
        { kind: 'auto', label: 'auto' },
        { kind: 'endpoint', id: 'unknown', label: 'own' },
        { kind: 'reflex', id: 'r', label: 'r' },
      ],
      scoring: { kind: 'reflex', reflex: 'r' },
      maxTokens: 1000,
    });
    const step = (target: number, isScore = false) =>
      stepUsd(all, stepOf(0, target, isScore), prices);
    const a = step(0) ?? 0;
    assert.ok(a > 0.01 && a < 0.0101, String(a));
    // The dearest candidate, and the router.
    assert.equal(step(1), a + 0.005);
    assert.equal(step(2), undefined);
    assert.equal(step(3), 0.001);
    assert.equal(step(0, true), 0.001);
    const { usd, calls, unpriced } = estimate(all, runSteps(all), prices);
    assert.deepEqual([calls, unpriced], [16, 2]);
    const byTarget = estimateByTarget(all, runSteps(all), prices);
    assert.ok(Math.abs(byTarget.reduce((sum, each) => sum + each.usd, 0) - usd) < 1e-12);
    assert.equal(byTarget[2]?.unpriced, 2);
  });

  it('counts the system prompt and the schema', () => {
    const plain = plan();
    const more = plan({ rows: [{ text: 'one', system: 'a b c d' }] });
    const schema = plan({ scoring: { kind: 'schema', schema: { type: 'object' } } });
    const usd = (of: typeof plain) => stepUsd(of, stepOf(0, 0), prices) ?? 0;
    assert.ok(usd(more) > usd(plain));
    assert.ok(usd(schema) > usd(plain));
  });
});
