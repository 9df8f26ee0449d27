import assert from 'node:assert/strict';
import { readMeta } from '../../../../../src/apply/review/model/reviewMeta';
import {
  isEditsOf,
  readOpenState,
  readReviewState,
} from '../../../../../src/apply/review/model/reviewState';
import { TextSnapshots } from '../../../../../src/apply/review/model/textSnapshots';

/** A value with one property replaced, at a path such as `saved.hunks.0.at`. */
function withValue(json: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(json);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let owner: unknown = copy;
  for (const key of keys)
    owner = typeof owner === 'object' && owner ? Reflect.get(owner, key) : undefined;
  assert.ok(typeof owner === 'object' && owner !== null, path);
  Reflect.set(owner, last, value);
  return copy;
}

const edit = (at: number, count: number) => ({ at, count, lines: [] });
const text = (n: number) => [`text ${n}`];

const hunk = { id: 1, at: 1, removed: ['b'], inserted: ['X'], conflict: false };
const insertion = { id: 2, at: 3, removed: [], inserted: ['end'], conflict: true };
const inverse = { id: 3, at: 0, removed: ['a'], inserted: ['A'], conflict: false };
const open = {
  hunks: [hunk, insertion],
  rejected: [4],
  decisions: [{ kind: 'accept', hunks: [inverse] }],
  takenIn: [[2, [5, 6]]],
};
const state = {
  version: 2,
  current: ['a', 'b', 'c'],
  ...open,
  saved: {
    edits: [{ at: 0, count: 1, lines: ['A'] }],
    hunks: [{ ...inverse, removed: ['A'], inserted: ['a'] }],
    decisions: [{ kind: 'reject', hunks: [hunk] }],
  },
  snapshots: [{ hash: 'h', hunks: [hunk], rejected: [1] }],
};

describe('the stored state of a review', () => {
  it('is read as it was written', () => {
    assert.deepEqual(readReviewState(state), state);
    assert.deepEqual(readOpenState(open, state.current), open);
  });

  /** Of each shape, what a damaged file may hold instead; [] stands for a list that would be valid. */
  const notACount = [-1, 1.5, '1', null];
  const notLines = ['a', [1], {}, null];
  const notAHunk = [null, [], 'hunk'];
  const hunkParts = (at: string): [string, unknown[]][] => [
    [at, notAHunk],
    [`${at}.id`, notACount],
    [`${at}.at`, notACount],
    [`${at}.removed`, notLines],
    [`${at}.inserted`, notLines],
    [`${at}.conflict`, ['true', 1, undefined]],
  ];
  const damages: [string, unknown[]][] = [
    ['version', [1, '2', undefined]],
    ['current', [...notLines, ['a', 'other', 'c']]],
    ['hunks', [{}, null, [insertion, hunk], [hunk, { ...insertion, id: 1 }]]],
    ...hunkParts('hunks.0'),
    ['hunks.0.removed', [['other'], ['b', 'c', 'd']]],
    ['hunks.1.at', [4]],
    ['rejected', [{}, ...notACount.map(value => [value])]],
    ['decisions', [{}, null]],
    ['decisions.0', notAHunk],
    ['decisions.0.kind', ['keep', undefined]],
    ['decisions.0.hunks', [{}, [hunk, inverse]]],
    ...hunkParts('decisions.0.hunks.0'),
    ['decisions.0.hunks.0.removed', [['other']]],
    ['takenIn', [{}, [{}], [[2]], [[2, [5], 6]]]],
    ['takenIn.0.0', notACount],
    ['takenIn.0.1', [5, ...notACount.map(value => [value])]],
    ['saved', [null, [], 'saved']],
    ['saved.edits', [{}, null, [null]]],
    ['saved.edits.0.at', [...notACount, 3]],
    ['saved.edits.0.count', [...notACount, 4]],
    ['saved.edits.0.lines', notLines],
    ['saved.hunks', [{}, [hunk, inverse]]],
    ...hunkParts('saved.hunks.0'),
    ['saved.decisions', [{}, null, [null]]],
    ['saved.decisions.0.kind', ['keep']],
    ['saved.decisions.0.hunks.0.at', [0]],
    ['snapshots', [{}, null, [null]]],
    ['snapshots.0.hash', [1, undefined]],
    ['snapshots.0.hunks', [{}, null, [null]]],
    ...hunkParts('snapshots.0.hunks.0'),
    ['snapshots.0.rejected', [{}, ...notACount.map(value => [value])]],
  ];
  for (const [path, values] of damages)
    it(`is refused when ${path} is damaged`, () => {
      for (const value of values)
        assert.equal(
          readReviewState(withValue(state, path, value)),
          undefined,
          JSON.stringify(value),
        );
    });

  it('is refused when it is no object', () => {
    for (const value of [undefined, null, [], 'state', 2]) {
      assert.equal(readReviewState(value), undefined);
      assert.equal(readOpenState(value, state.current), undefined);
    }
  });

  it('allows edits that touch, to the end of the file and no further', () => {
    assert.equal(isEditsOf([edit(0, 1), edit(1, 1), edit(2, 0)], ['a', 'b']), true);
    assert.equal(isEditsOf([edit(1, 1), edit(0, 1)], ['a', 'b']), false);
    assert.equal(isEditsOf([edit(0, 2), edit(1, 1)], ['a', 'b']), false);
    assert.equal(isEditsOf([edit(3, 0)], ['a', 'b']), false);
  });
});

describe('the stored data about a review', () => {
  const meta = {
    uri: 'file:///a.ts',
    languageId: 'typescript',
    createdAt: 5,
    origin: {
      engine: 'service',
      ms: 7,
      findings: [{ kind: 'duplicate', severity: 'error', message: 'twice', line: 1 }],
      model: 'merge-1',
      update: 'snippet',
      author: { model: 'chat-1', ms: 9, cost: { usd: 0, isExact: true } },
    },
  };

  it('is read as it was written, by either engine and with either severity', () => {
    assert.deepEqual(readMeta(meta), meta);
    const other = withValue(
      withValue(meta, 'origin.engine', 'local'),
      'origin.findings.0.severity',
      'warning',
    );
    assert.deepEqual(readMeta(other), other);
  });

  it('has what the review does to its file, and the answer that it belongs to', () => {
    const changeSet = { id: 's', createdAt: 1, size: 3, index: 2 };
    const uri = 'file:///a.ts';
    for (const operation of [
      { kind: 'create', uri, showsPath: false },
      { kind: 'delete', uri, showsPath: true },
      { kind: 'delete', uri, showsPath: false, deleted: { bytes: 'AA==', hash: 'h' } },
      { kind: 'rename', uri, newUri: 'file:///b.ts', showsPath: true },
    ]) {
      const whole = { ...meta, operation, changeSet };
      assert.deepEqual(readMeta(whole), whole);
      // Without its operation, a stored deletion would only empty the file.
      assert.equal(readMeta({ ...whole, operation: { ...operation, uri: 1 } }), undefined);
      assert.equal(readMeta({ ...whole, operation: { ...operation, kind: 'move' } }), undefined);
    }
    assert.equal(readMeta({ ...meta, operation: { kind: 'rename', uri } }), undefined);
    for (const key of ['id', 'createdAt', 'size', 'index'])
      assert.deepEqual(readMeta({ ...meta, changeSet: { ...changeSet, [key]: null } }), meta);
  });

  it('forgets the bytes of a deleted file that are not whole, so that no other file is restored', () => {
    const operation = { kind: 'delete', uri: 'file:///a.ts', showsPath: false };
    for (const deleted of [{ bytes: 'AA==' }, { hash: 'h' }, { bytes: 1, hash: 'h' }, 'AA=='])
      assert.deepEqual(
        readMeta({ ...meta, operation: { ...operation, deleted } })?.operation,
        operation,
      );
  });

  it('is refused without what a review needs', () => {
    for (const value of [undefined, null, 'meta', []]) assert.equal(readMeta(value), undefined);
    for (const [path, value] of [
      ['uri', 1],
      ['languageId', undefined],
      ['createdAt', '5'],
      ['origin', null],
      ['origin.engine', 'other'],
      ['origin.ms', '7'],
    ] as const)
      assert.equal(readMeta(withValue(meta, path, value)), undefined, path);
  });

  for (const { path, value, without } of [
    { path: 'origin.model', value: 1, without: 'model' },
    { path: 'origin.update', value: 1, without: 'update' },
    { path: 'origin.author', value: 'chat-1', without: 'author' },
    { path: 'origin.author.model', value: 1, without: 'author' },
    { path: 'origin.author.ms', value: '9', without: 'author' },
  ])
    it(`does without ${path} when that is damaged`, () => {
      const { [without]: _, ...origin } = meta.origin as Record<string, unknown>;
      assert.deepEqual(readMeta(withValue(meta, path, value)), { ...meta, origin });
    });

  it('drops findings and a cost that are damaged, and keeps the rest', () => {
    for (const [path, value] of [
      ['kind', 1],
      ['severity', 'info'],
      ['message', null],
      ['line', '1'],
    ] as const) {
      const damaged = withValue(meta, `origin.findings.0.${path}`, value);
      assert.deepEqual(readMeta(damaged)?.origin.findings, [], path);
    }
    assert.deepEqual(readMeta(withValue(meta, 'origin.findings', {}))?.origin.findings, []);
    for (const [cost, expected] of [
      [{ usd: '1' }, undefined],
      [null, undefined],
      [{ usd: 1 }, { usd: 1, isExact: false }],
      [
        { usd: 1, isExact: 'yes' },
        { usd: 1, isExact: false },
      ],
    ] as const)
      assert.deepEqual(
        readMeta(withValue(meta, 'origin.author.cost', cost))?.origin.author?.cost,
        expected,
      );
  });
});

describe('TextSnapshots', () => {
  it('keeps the 100 texts that were set last, through JSON too', () => {
    const snapshots = new TextSnapshots();
    const set = (n: number) => snapshots.set(text(n), { hunks: [], rejected: new Set([n]) });
    for (let n = 0; n < 100; n++) set(n);
    set(0);
    set(100);
    assert.equal(snapshots.get(text(1)), undefined);
    const again = new TextSnapshots();
    again.load(snapshots.toJSON());
    for (const each of [snapshots, again])
      for (const n of [0, 2, 99, 100])
        assert.deepEqual([...(each.get(text(n))?.rejected ?? [])], [n]);
    assert.equal(snapshots.toJSON().length, 100);
  });

  it('brings back what was pending before the proposal was edited, but nothing that was rejected', () => {
    const snapshots = new TextSnapshots();
    snapshots.set(['both'], { hunks: [hunk, insertion], rejected: new Set() });
    assert.deepEqual(snapshots.older(['both'], new Set()), []);
    snapshots.age();
    assert.equal(snapshots.get(['both']), undefined);
    assert.deepEqual(snapshots.older(['both'], new Set()), [hunk, insertion]);
    assert.deepEqual(snapshots.older(['both'], new Set([1])), [insertion]);
    assert.deepEqual(snapshots.older(['other'], new Set()), []);
  });

  it('tells the texts in which something is pending that is not rejected now', () => {
    const snapshots = new TextSnapshots();
    const rejected = new Set<number>();
    snapshots.set(['both'], { hunks: [hunk, insertion], rejected });
    snapshots.set(['one'], { hunks: [hunk], rejected });
    snapshots.set(['none'], { hunks: [], rejected });
    assert.equal(snapshots.pendingTexts(new Set()).length, 2);
    assert.equal(snapshots.pendingTexts(new Set([1])).length, 1);
    assert.deepEqual(snapshots.pendingTexts(new Set([1, 2])), []);
  });
});
