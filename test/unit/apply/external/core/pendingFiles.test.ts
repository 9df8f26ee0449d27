import assert from 'node:assert/strict';
import { absent, contentOf, unknown } from '../../../../../src/apply/external/core/content';
import { pendingFilesOf } from '../../../../../src/apply/external/core/pendingFiles';
import { emptyState, type TrackedFile } from '../../../../../src/apply/external/core/rootState';

const content = (text: string) => contentOf(new TextEncoder().encode(text), 'sha1');
const [a, b] = [content('a'), content('b')];
const file = (part: Partial<TrackedFile>): TrackedFile => ({
  baseline: a,
  now: b,
  labels: [],
  ...part,
});
const label = (from: number) => ({ from, to: from, agent: `${from}` });
const listOf = (
  files: Readonly<Record<string, TrackedFile>>,
  renames: Readonly<Record<string, string>> = {},
  lost: readonly string[] = [],
) =>
  pendingFilesOf(
    { ...emptyState, files: new Map(Object.entries(files)) },
    new Map(Object.entries(renames)),
    new Set(lost),
  );

describe('pendingFilesOf', () => {
  for (const [what, part, status, whole] of [
    ['a changed text', {}, 'changed', undefined],
    ['a created file', { baseline: absent }, 'created', 'created'],
    ['a deleted file', { now: absent }, 'deleted', 'deleted'],
    ['a binary file', { reason: 'binary' }, 'changed', 'binary'],
    ['a created binary file', { baseline: absent, reason: 'binary' }, 'created', 'created'],
    ['a file that nobody knew', { baseline: unknown }, 'changed', 'unknown'],
  ] as const)
    it(`says how to decide about ${what}`, () => {
      const [pending] = listOf({ p: file(part) });
      assert.deepEqual([pending?.status, pending?.whole], [status, whole]);
    });

  it('says which files are no text, whatever else has happened to them', () => {
    const created = listOf({ p: file({ baseline: absent, reason: 'binary' }) });
    const renamed = listOf(
      { p: file({ baseline: absent, reason: 'binary' }), q: file({ now: absent }) },
      { p: 'q' },
    );
    assert.deepEqual(
      [created, renamed, listOf({ p: file({}) })].map(([pending]) => pending?.noText),
      ['binary', 'binary', undefined],
    );
  });

  it('is sorted, and has no file that is reviewed', () => {
    const files = { c: file({}), a: file({}), b: file({ now: a }) };
    assert.deepEqual(
      listOf(files).map(({ path }) => path),
      ['a', 'c'],
    );
  });

  it('says which baselines are lost', () =>
    assert.equal(listOf({ p: file({}) }, {}, [a.id])[0]?.whole, 'lost'));

  it('has another version for other bytes, and for another pair', () => {
    const versions = [
      listOf({ p: file({}) }),
      listOf({ p: file({ baseline: b, now: a }) }),
      listOf({ p: file({ now: absent }) }),
      listOf({ p: file({ baseline: absent }) }),
      listOf({ p: file({ baseline: absent }), q: file({ now: absent }) }, { p: 'q' }),
    ].map(([pending]) => pending?.version);
    assert.equal(new Set(versions).size, versions.length);
    assert.equal(listOf({ p: file({ isEdited: true }) })[0]?.version, versions[0]);
  });

  it('joins what is known of both sides of a rename', () => {
    const [pending, ...others] = listOf(
      {
        new: file({ baseline: absent, labels: [label(2)], isGenerated: true }),
        old: file({ now: absent, labels: [label(1)], isEdited: true }),
      },
      { new: 'old' },
    );
    assert.deepEqual(others, []);
    assert.deepEqual(pending, {
      path: 'new',
      from: 'old',
      status: 'renamed',
      whole: 'renamed',
      baseline: a,
      now: b,
      version: pending?.version,
      labels: [label(1), label(2)],
      isEdited: true,
      isGenerated: true,
    });
  });

  it('is quick for many files', () => {
    const files = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`folder/${at}`, file({})]),
    );
    assert.equal(listOf(files).length, 2000);
  });
});
