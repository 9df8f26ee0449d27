import assert from 'node:assert/strict';
import type { PollProblem, PollState } from '../../../../src/platform/polling/pollRecord';
import {
  problemMessages,
  problemRows,
  unavailableReason,
} from '../../../../src/platform/polling/viewProblem';
import type { RowData } from '../../../../src/platform/tree/rows';
import { minuteMs, startMs, t } from '../../endpoints/core/support';

const tryAgain = 'view.refresh';
const stateOf = (
  kind: PollProblem['kind'] | undefined,
  more: Partial<PollState<string[]>> = {},
): PollState<string[]> => ({
  data: undefined,
  at: undefined,
  isReading: false,
  problem:
    kind === undefined ? undefined : { kind, text: `It is ${kind}.`, at: startMs, failures: 1 },
  ...more,
});
const shown = (rows: readonly RowData[]) => rows.map(({ label, command }) => [label, command?.id]);

const textOf = (text: string, nextAt?: number): string => {
  const problem = { kind: 'server', text, at: startMs, failures: 1, nextAt } as const;
  return problemMessages(stateOf('server', { problem }), startMs, t, 'en').join(' ');
};

describe('a view that could not be read', () => {
  const cases: [PollProblem['kind'], string[]][] = [
    ['unauthorized', ['Change API Key…', 'Diagnose Connection', 'Try Again']],
    ['forbidden', ['Change API Key…', 'Diagnose Connection', 'Try Again']],
    ['offline', ['Try Again', 'Diagnose Connection', 'Set Service URL…', 'Change API Key…']],
    ['notFound', ['Set Service URL…', 'Diagnose Connection', 'Change API Key…', 'Try Again']],
    ['keyring', ['Try Again', 'How to Unlock', 'Diagnose Connection', 'Change API Key…']],
    ['certificate', ['Diagnose Connection', 'Show Log', 'Change API Key…', 'Try Again']],
    ['unknown', ['Try Again', 'Diagnose Connection', 'Change API Key…']],
    ['payment', ['Try Again', 'Diagnose Connection', 'Change API Key…']],
  ];
  for (const [kind, titles] of cases)
    it(`offers what helps after ${kind}, and always to try again, to diagnose and another key`, () => {
      const rows = problemRows(stateOf(kind), tryAgain, t);
      assert.deepEqual(
        rows.map(({ label }) => label),
        titles,
      );
      for (const row of rows) {
        assert.ok(row.command, 'a row that does nothing');
        // Read out with what has happened: the sentence above is not in the order of the focus.
        assert.equal(row.spoken, `${row.label}. It is ${kind}.`);
      }
      const retry = rows.find(({ label }) => label === 'Try Again');
      assert.equal(
        typeof retry?.icon === 'object' && 'id' in retry.icon && retry.icon.id,
        'refresh',
      );
      assert.ok(shown(rows).some(([label, id]) => label === 'Try Again' && id === tryAgain));
    });

  it('leaves the rows of before in their place, with the steps in one folded row', () => {
    const [row, ...more] = problemRows(
      stateOf('server', { data: ['a'], at: startMs }),
      tryAgain,
      t,
    );
    assert.deepEqual(more, []);
    assert.deepEqual(
      [row?.label, row?.spoken, row?.fold],
      ['Not up to date', 'Not up to date. It is server.', 'closed'],
    );
    assert.equal(row?.children?.length, 3);
  });

  for (const kind of ['noKey', 'noUrl'] as const)
    it(`leaves ${kind} to the welcome view`, () => {
      const state = stateOf(kind);
      assert.deepEqual(problemRows(state, tryAgain, t), []);
      assert.deepEqual(problemMessages(state, startMs, t), []);
      assert.equal(unavailableReason(state, true), 'noKey');
    });

  it('says as of when its rows are, and when they are read again', () => {
    const problem = { kind: 'server', text: 'It failed.', at: startMs, failures: 1 } as const;
    const nextAt = startMs + minuteMs;
    const sentences = problemMessages(
      stateOf('server', { at: startMs, problem: { ...problem, nextAt } }),
      startMs,
      t,
      'en',
    );
    assert.match(sentences.join(' '), /^As of \d\d:\d\d\. It failed\. Next try at \d\d:\d\d\.$/);
    const old = (ms: number): string | undefined =>
      problemMessages(stateOf('server', { at: startMs - ms }), startMs, t, 'en')[0];
    const dayMs = 24 * 60 * minuteMs;
    assert.match(old(dayMs - 1) ?? '', /^As of \d\d:\d\d\.$/);
    assert.equal(old(3 * dayMs), 'As of 3 days ago.');
    assert.deepEqual(problemMessages(stateOf(undefined), startMs, t), []);
  });

  it('says once when it is read again', () => {
    assert.equal(textOf('It failed.'), 'It failed.');
    const waits = 'It waits until 12:30:15.';
    assert.equal(textOf(waits, startMs + minuteMs), waits);
    assert.match(textOf('It failed at 12:30.', startMs), /^It failed at 12:30\. Next try at /);
  });

  it('has rows for which a menu has entries of their own', () => {
    const rows = problemRows(stateOf('server', { data: ['a'] }), tryAgain, t);
    for (const row of [...rows, ...(rows[0]?.children ?? [])])
      assert.equal(row.context, ';problem;', row.label);
  });

  it('has one reason for being empty', () => {
    assert.equal(unavailableReason(stateOf('server'), false), 'untrusted');
    assert.equal(unavailableReason(stateOf('server'), true), 'failed');
    assert.equal(unavailableReason(stateOf('server', { data: [] }), true), '');
    assert.equal(unavailableReason(stateOf(undefined), true), 'unread');
    assert.equal(unavailableReason(stateOf(undefined, { data: [] }), true), '');
  });
});
