import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { absent, contentOf, unknown } from '../../../../../src/apply/external/core/content';
import {
  type RootRecord,
  readRootRecord,
  toStoredRecord,
} from '../../../../../src/apply/external/core/rootRecords';
import {
  emptyState,
  reduceState,
  type TrackedFile,
} from '../../../../../src/apply/external/core/rootState';
import { isRecord } from '../../../../../src/base/typeGuards';

const content = contentOf(new TextEncoder().encode('a'), 'sha1');
const wide = contentOf(new TextEncoder().encode('b'), 'sha256');
const file: TrackedFile = {
  baseline: content,
  now: wide,
  labels: [
    { from: 1, to: 2 },
    { from: 3, to: 4, agent: 'a', session: 's', turn: 't', tool: 'o', isShared: true },
  ],
  isEdited: true,
  reason: 'binary',
  isGenerated: true,
  alignment: { parts: [0, 1, 2], edited: [0] },
};
const bare: TrackedFile = { baseline: unknown, now: absent, labels: [] };
const decided = { path: 'p', before: file, after: bare };
const planned = { at: 5, files: [decided], reverts: 1 };
const records: readonly RootRecord[] = [
  {
    kind: 'files',
    files: [
      ['p', file],
      ['q/r s', null],
    ],
    settled: ['p'],
  },
  { kind: 'files', files: [], reverted: { decision: 3, path: 'p' } },
  {
    kind: 'kept',
    at: 7,
    files: [decided, { ...decided, buffer: { from: content.id, to: wide.id } }],
  },
  { kind: 'undoing', planned },
  { kind: 'undone', at: 8, files: [decided] },
  { kind: 'reverted', decision: 1, files: [['p', bare]], left: ['q'] },
  {
    kind: 'checkpoint',
    state: {
      files: new Map([['p', file]]),
      decisions: [{ id: 1, kind: 'undo', at: 2, files: [decided] }],
      planned,
    },
  },
];
const stored = (record: RootRecord): unknown => JSON.parse(JSON.stringify(toStoredRecord(record)));

/** All values within a value, each with a function that gives a copy with another one in its place. */
function* placesIn(value: unknown): Generator<(other: unknown) => unknown> {
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  for (const [key, item] of entries) {
    const put = (other: unknown): unknown => {
      if (Array.isArray(value)) return value.with(Number(key), other);
      return { ...(isRecord(value) ? value : {}), [key]: other };
    };
    yield put;
    for (const inner of placesIn(item)) yield other => put(inner(other));
  }
}

describe('readRootRecord', () => {
  for (const record of records)
    it(`gives back what was stored: ${record.kind}`, () =>
      assert.deepEqual(readRootRecord(stored(record)), record));

  it('takes any other value for no record, or for one that the state can take', () => {
    const others = [undefined, null, -1, 0.5, 'x', '../up', true, [], {}, [null], { kind: 'file' }];
    let refused = 0;
    for (const record of records) {
      for (const put of placesIn(stored(record))) {
        for (const other of others) {
          const read = readRootRecord(put(other));
          if (read) reduceState(emptyState, read);
          else refused++;
        }
      }
    }
    assert.ok(refused > 1000);
    fc.assert(fc.property(fc.anything(), value => void readRootRecord(value)));
  });

  it('takes no path that leads out of the root, and no id that is no id', () => {
    for (const path of ['', '/etc', '../a', 'a/../b', 'a//b', './a', 'a\0', 7]) {
      assert.equal(readRootRecord({ kind: 'files', files: [[path, null]] }), undefined);
    }
    for (const id of ['', '../../etc/passwd', content.id.slice(1), content.id.toUpperCase(), 7]) {
      const now = { kind: 'file', id, size: 1 };
      const value = { kind: 'files', files: [['p', { baseline: now, now, labels: [] }]] };
      assert.equal(readRootRecord(value), undefined);
    }
    assert.ok(readRootRecord({ kind: 'files', files: [['..a/b..', null]] }));
  });

  it('takes no file that is unknown now: that is only a baseline', () => {
    const value = { kind: 'files', files: [['p', { baseline: absent, now: unknown, labels: [] }]] };
    assert.equal(readRootRecord(value), undefined);
  });
});
