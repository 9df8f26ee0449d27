import assert from 'node:assert/strict';
import {
  eventLine,
  type JournalEvent,
  readRun,
  readRunHead,
} from '../../../../src/playground/core/journal';
import { plan, result } from '../plans';

const fileOf = (...events: readonly JournalEvent[]): string => events.map(eventLine).join('');

const targets: readonly unknown[] = [
  { kind: 'model', label: 'a' },
  { kind: 'chat', label: 'a', id: 'svc-a' },
  { kind: 'model', id: 'svc-a' },
  'svc-a',
];

describe('the file of a run', () => {
  it('tells what became of each call', () => {
    const runPlan = plan({
      targets: [
        { kind: 'auto', label: 'Auto' },
        { kind: 'endpoint', id: 'e', label: 'e', effort: 'low' },
        { kind: 'reflex', id: 'r', label: 'r' },
      ],
      scoring: { kind: 'schema', schema: { type: 'object' } },
    });
    const read = readRun(
      fileOf(
        { head: runPlan },
        { plan: runPlan },
        { sent: '0.0' },
        { done: '0.0', result: result('answer') },
        { sent: '0.1' },
        { failed: '0.1', message: 'No.', isSent: false },
        { sent: '0.2' },
      ),
    );
    assert.deepEqual(read?.plan, runPlan);
    assert.deepEqual(
      read.states,
      new Map<string, unknown>([
        ['0.0', { kind: 'done', result: result('answer') }],
        ['0.1', { kind: 'failed', message: 'No.', isSent: false }],
        ['0.2', { kind: 'unknown' }],
      ]),
    );
  });

  it('counts a call as sent where it does not say otherwise', () => {
    const text = `${eventLine({ plan: plan() })}{"failed":"0.0"}\n{"failed":"0.1","isSent":"no"}\n{"done":"1.0"}\n`;
    assert.deepEqual(
      readRun(text)?.states,
      new Map([
        ['0.0', { kind: 'failed', message: '', isSent: true }],
        ['0.1', { kind: 'failed', message: '', isSent: true }],
      ]),
    );
  });

  it('is not read where its plan is damaged, or of another version', () => {
    const whole = JSON.parse(JSON.stringify(plan()));
    for (const damage of [
      { id: 1 },
      { createdAt: '1' },
      { title: null },
      { origin: undefined },
      { maxTokens: '100' },
      { scoring: { kind: 'votes' } },
      { scoring: 'none' },
      { rows: [{ prompt: 'a' }] },
      { rows: {} },
      { targets: {} },
      ...targets.map(target => ({ targets: [target] })),
    ])
      assert.equal(
        readRun(`${JSON.stringify({ plan: { ...whole, ...damage } })}\n`),
        undefined,
        JSON.stringify(damage),
      );
    assert.ok(readRun(`${JSON.stringify({ plan: whole })}\n`));
  });

  it('has its name in the first line', () => {
    const { id, createdAt, title } = plan();
    const head = { id, createdAt, title };
    assert.deepEqual(readRunHead(`${eventLine({ head })}{"pl`), head);
    for (const text of ['', 'x', '{"head":{"id":"a","title":"b"}}', fileOf({ plan: plan() })])
      assert.equal(readRunHead(text), undefined);
  });
});
