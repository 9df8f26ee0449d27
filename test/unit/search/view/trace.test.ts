import assert from 'node:assert/strict';
import { Trace } from '../../../../src/search/view/trace';

type Event = Parameters<Trace['add']>[0];
type Args = Readonly<Record<string, unknown>>;
type Answer = Extract<Event, { kind: 'turn' }>['answer'];
const turn = (number: number, more: Partial<Answer> = {}): Event => ({
  kind: 'turn',
  turn: number,
  answer: { text: '', toolCalls: [], attempts: 1, ms: 10 * number, ...more },
});
const call = (key: string, name: string, args: Args): Event => ({
  kind: 'call',
  turn: 1,
  call: { key, name, args },
});
const result = (key: string, name: string, args: Args, hits: number, isError = false): Event => ({
  kind: 'result',
  turn: 1,
  call: { key, name, args },
  ms: 7,
  result: { text: '', hits, isError },
});

const described = (name: string, args: Args): string | undefined => {
  const trace = new Trace();
  trace.add(turn(1));
  trace.add(call('a', name, args));
  return trace.turns[0]?.steps[0]?.what;
};

describe('the trace of a search', () => {
  it('says what each tool was asked for', () => {
    for (const [name, args, what] of [
      ['grep_search', { pattern: 'token', path: 'src', glob: '*.ts' }, '"token" in src (*.ts)'],
      ['grep_search', { pattern: 'a\n  b' }, '"a b"'],
      ['list_directory', { command: 'ls src', path: 'x' }, 'ls src'],
      ['list_directory', { path: 'src' }, 'src'],
      ['finish', { files: 'src/a.ts:1-5\nsrc/b.ts' }, 'src/a.ts:1-5 src/b.ts'],
      ['read', { path: 'src/a.ts', lines: '1-50' }, 'src/a.ts 1-50'],
      ['glob', { path: 'src', pattern: '*.ts' }, 'src *.ts'],
      ['glob', { pattern: '*.ts' }, '*.ts'],
      ['read', { path: 5 }, ''],
    ] as const)
      assert.equal(described(name, args), what);
  });

  it('cuts what is long', () => {
    assert.equal(described('read', { path: 'x'.repeat(120) }), 'x'.repeat(120));
    assert.equal(described('read', { path: 'x'.repeat(121) }), `${'x'.repeat(120)}…`);
  });

  it('puts results to their calls, in the latest turn', () => {
    const trace = new Trace();
    trace.add(call('early', 'read', { path: 'lost.ts' }));
    assert.equal(trace.turns.length, 0);
    trace.add(turn(1));
    trace.add(turn(2));
    trace.add(call('a', 'read', { path: 'a.ts' }));
    trace.add(call('b', 'read', { path: 'b.ts' }));
    trace.add(result('b', 'read', { path: 'b.ts' }, 0, true));
    trace.add(result('c', 'read', { path: 'c.ts' }, 3));
    assert.deepEqual(trace.turns[0]?.steps, []);
    assert.deepEqual(trace.turns[1]?.steps, [
      { key: 'a', tool: 'read', what: 'a.ts' },
      { key: 'b', tool: 'read', what: 'b.ts', ms: 7, hits: 0, isError: true },
      { key: 'c', tool: 'read', what: 'c.ts', ms: 7, hits: 3, isError: false },
    ]);
    assert.deepEqual(
      trace.turns.map(({ ms }) => ms),
      [10, 20],
    );
  });

  it('adds up tokens and costs, which are exact only when all turns told them', () => {
    const trace = new Trace();
    assert.deepEqual([trace.tokens, trace.cost], [undefined, undefined]);
    const usage = { promptTokens: 100, completionTokens: 20 };
    trace.add(turn(1, { usage, cost: { usd: 0.25, isExact: true } }));
    assert.equal(trace.turns[0]?.tokens, 120);
    assert.deepEqual(trace.cost, { usd: 0.25, isExact: true });
    trace.add(turn(2, { usage, cost: { usd: 0.5, isExact: false } }));
    assert.deepEqual(trace.cost, { usd: 0.75, isExact: false });
    assert.equal(trace.tokens, 240);
    const other = new Trace();
    other.add(turn(1, { cost: { usd: 1, isExact: true } }));
    other.add(turn(2));
    assert.deepEqual([other.cost, other.tokens], [{ usd: 1, isExact: false }, undefined]);
  });
});
