import assert from 'node:assert/strict';
import { absent, contentOf } from '../../../../../src/apply/external/core/content';
import {
  contentsOf,
  type DecidedFile,
  emptyState,
  isPending,
  type RootState,
  reduceState,
  type TrackedFile,
} from '../../../../../src/apply/external/core/rootState';

const content = (text: string) => contentOf(new TextEncoder().encode(text), 'sha1');
const file = (baseline: string, now: string): TrackedFile => ({
  baseline: content(baseline),
  now: content(now),
  labels: [],
});
const decided = (path: string, before: TrackedFile, after: TrackedFile): DecidedFile => ({
  path,
  before,
  after,
});
const pending = file('a', 'b');
const kept = file('b', 'b');
const undone = file('a', 'a');
const after = (...records: Parameters<typeof reduceState>[1][]): RootState =>
  records.reduce(reduceState, emptyState);
const pathsOf = ({ decisions }: RootState) =>
  decisions.map(({ kind, files }) => `${kind} ${files.map(({ path }) => path).join()}`);

const ids = (...texts: string[]) => texts.map(text => content(text).id).sort();

describe('reduceState', () => {
  it('sets and removes entries, and leaves the state before alone', () => {
    const first = after({ kind: 'files', files: [['p', pending]] });
    const second = reduceState(first, {
      kind: 'files',
      files: [
        ['p', null],
        ['q', kept],
      ],
    });
    assert.deepEqual([...first.files.keys()], ['p']);
    assert.deepEqual([...second.files], [['q', kept]]);
  });

  it('adds a decision with the entries after it', () => {
    const state = after(
      { kind: 'files', files: [['p', pending]] },
      { kind: 'kept', at: 1, files: [decided('p', pending, kept)] },
      { kind: 'undone', at: 2, files: [decided('q', pending, undone)] },
    );
    assert.deepEqual(
      [...state.files],
      [
        ['p', kept],
        ['q', undone],
      ],
    );
    assert.deepEqual(pathsOf(state), ['keep p', 'undo q']);
    assert.deepEqual(
      state.decisions.map(({ id, at }) => [id, at]),
      [
        [1, 1],
        [2, 2],
      ],
    );
  });

  it('knows the writes that were planned until it knows what became of them', () => {
    const planned = { at: 1, files: [decided('p', pending, undone)] };
    const before = after({ kind: 'files', files: [['p', pending]] }, { kind: 'undoing', planned });
    assert.deepEqual(before.planned, planned);
    assert.deepEqual(before.files.get('p'), pending);
    const none = reduceState(before, { kind: 'undone', at: 1, files: [] });
    assert.equal(none.planned, undefined);
    assert.deepEqual(pathsOf(none), []);
    assert.equal(
      reduceState(before, { kind: 'reverted', decision: 9, files: [], left: [] }).planned,
      undefined,
    );
  });

  it('takes a decision back, but for the files that are left', () => {
    const both = after({
      kind: 'kept',
      at: 1,
      files: [decided('p', pending, kept), decided('q', pending, kept)],
    });
    const one = reduceState(both, {
      kind: 'reverted',
      decision: 1,
      files: [['p', pending]],
      left: ['q'],
    });
    assert.deepEqual(pathsOf(one), ['keep q']);
    assert.deepEqual(one.files.get('p'), pending);
    const none = reduceState(one, { kind: 'reverted', decision: 1, files: [], left: [] });
    assert.deepEqual(pathsOf(none), []);
  });

  it('drops decisions about files that git has changed, or that the user has taken back', () => {
    const state = after(
      { kind: 'kept', at: 1, files: [decided('p', pending, kept), decided('q', pending, kept)] },
      { kind: 'undone', at: 2, files: [decided('p', pending, undone)] },
    );
    const settled = reduceState(state, { kind: 'files', files: [], settled: ['p'] });
    assert.deepEqual(pathsOf(settled), ['keep q']);
    const reverted = { decision: 2, path: 'p' };
    assert.deepEqual(pathsOf(reduceState(state, { kind: 'files', files: [], reverted })), [
      'keep p,q',
    ]);
  });

  it('keeps the last 50 decisions, and of large ones fewer', () => {
    let state = emptyState;
    for (let at = 1; at <= 60; at++) {
      state = reduceState(state, { kind: 'kept', at, files: [decided('p', pending, kept)] });
    }
    assert.deepEqual([state.decisions[0]?.at, state.decisions.length], [11, 50]);
    const many = Array.from({ length: 4990 }, (_, at) => decided(`${at}`, pending, kept));
    state = reduceState(state, { kind: 'kept', at: 61, files: many });
    assert.equal(state.decisions.length, 11);
    state = reduceState(state, { kind: 'kept', at: 62, files: [...many, ...many] });
    assert.deepEqual(
      state.decisions.map(({ at }) => at),
      [62],
    );
  });

  it('takes a checkpoint for all there is', () => {
    const state = after({ kind: 'kept', at: 1, files: [decided('p', pending, kept)] });
    assert.equal(reduceState(emptyState, { kind: 'checkpoint', state }), state);
  });
});

describe('contentsOf', () => {
  it('needs what is pending, decided or planned; baselines beside it are reviewed', () => {
    const state = after(
      {
        kind: 'files',
        files: [
          ['p', file('1', '2')],
          ['q', file('3', '3')],
        ],
      },
      { kind: 'kept', at: 1, files: [decided('r', file('4', '5'), file('5', '5'))] },
      {
        kind: 'undoing',
        planned: { at: 1, files: [decided('s', file('6', '7'), file('6', '6'))] },
      },
    );
    const { needed, reviewed } = contentsOf(state);
    assert.deepEqual([...needed].sort(), ids('1', '2', '4', '5', '6', '7'));
    assert.deepEqual([...reviewed].sort(), ids('3', '5'));
  });

  it('needs the texts of documents', () => {
    const buffer = { from: content('x').id, to: content('y').id };
    const state = after({
      kind: 'undone',
      at: 1,
      files: [{ ...decided('p', kept, kept), buffer }],
    });
    assert.ok([buffer.from, buffer.to].every(id => contentsOf(state).needed.has(id)));
  });
});

describe('isPending', () => {
  it('is so until the baseline is what is there', () => {
    assert.ok(isPending(pending));
    assert.ok(!isPending(kept));
    assert.ok(isPending({ baseline: absent, now: content('a'), labels: [] }));
    assert.ok(isPending({ baseline: { kind: 'unknown' }, now: content('a'), labels: [] }));
  });
});
