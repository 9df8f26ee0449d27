import assert from 'node:assert/strict';
import type { AppliedEdit } from '../../../../src/apply/history/appliedEdit';
import { groupEdits, undoneIds } from '../../../../src/apply/history/editGroups';
import {
  engineText,
  nameOf,
  outcomeText,
  whenAndWhence,
} from '../../../../src/apply/history/editTexts';
import type { Hunk } from '../../../../src/apply/review/model/rebase';
import type { ApplySource, ReviewMeta } from '../../../../src/apply/review/model/reviewMeta';
import { english as t } from '../../../../src/base/sentence';
import { metaOf } from './world';

const hunk: Hunk = { id: 0, at: 0, removed: ['a'], inserted: ['b'], conflict: false };
const entryOf = (more: Partial<AppliedEdit> = {}, meta: Partial<ReviewMeta> = {}): AppliedEdit => ({
  id: 'one',
  time: 0,
  meta: metaOf(meta),
  before: [],
  hunks: [hunk, hunk],
  accepted: [hunk],
  after: [],
  isReplaced: false,
  isSaved: true,
  isDamaged: false,
  ...more,
});
const origin = (more: Partial<ReviewMeta['origin']>): Partial<ReviewMeta> => ({
  origin: { ...metaOf().origin, ...more },
});

const outcome = (more: Partial<AppliedEdit> = {}, meta: Partial<ReviewMeta> = {}): string =>
  outcomeText(entryOf(more, meta), new Set(), t);

const engine = (more: Partial<ReviewMeta['origin']>): string | undefined =>
  engineText(entryOf({}, origin(more)), t);

const both = (operation: NonNullable<ReviewMeta['operation']>): string[] =>
  [[hunk], []].map(accepted => outcome({ accepted }, { operation }));

describe('the text of an applied edit', () => {
  it('says what was decided', () => {
    assert.equal(outcome(), '1 of 2 changes accepted');
    assert.equal(outcome({ accepted: [] }), '0 of 2 changes accepted');
    assert.equal(outcome({ hunks: [hunk] }), 'change accepted');
    assert.equal(outcome({ hunks: [hunk], accepted: [] }), 'change rejected');
  });

  it('says what happened to the file', () => {
    const file = { uri: 'file:///src/cart.ts', showsPath: true } as const;
    assert.deepEqual(both({ ...file, kind: 'create' }), [
      'new file, created',
      'new file, rejected',
    ]);
    assert.deepEqual(both({ ...file, kind: 'delete' }), ['deleted', 'deletion rejected']);
    assert.deepEqual(both({ ...file, kind: 'rename', newUri: 'file:///src/new%20cart.ts' }), [
      'renamed to new cart.ts',
      'renaming to new cart.ts rejected',
    ]);
  });

  it('says what became of it', () => {
    assert.equal(
      outcomeText(
        entryOf({ isReplaced: true, isSaved: false, isDamaged: true }),
        new Set(['one']),
        t,
      ),
      '1 of 2 changes accepted, undone, replaced by another edit, not saved, stored data is damaged',
    );
  });

  it('says when and whence', () => {
    const sources: [ApplySource, string][] = [
      ['clipboard', 'from the clipboard'],
      ['selection', 'for a selection'],
      ['file', 'from a file'],
      ['drop', 'dropped on the view'],
      ['chat', 'from the chat'],
      ['tool', 'from an agent'],
      ['instruction', 'from an instruction'],
      ['again', 'opened again'],
      ['undo', 'undo of an earlier edit'],
    ];
    const hourMs = 3_600_000;
    for (const [source, text] of sources) {
      const entries = [entryOf({}, origin({ source })), entryOf({}, origin({ source: 'chat' }))];
      const shown = whenAndWhence({ setId: undefined, time: 0, entries }, 2 * hourMs, {
        t,
        locale: 'en',
      });
      assert.equal(shown, `2 hours ago, ${text}`);
    }
  });

  it('says which models were at work', () => {
    assert.equal(engine({ engine: 'local' }), 'merged locally');
    assert.equal(engine({ engine: 'service' }), 'merged by the service');
    assert.equal(engine({ engine: 'service', model: 'fast' }), 'merged by fast');
    assert.equal(engine({ source: 'undo' }), undefined);
  });

  it('names the file without its folder', () => {
    assert.equal(nameOf('file:///src/cart.ts'), 'cart.ts');
    assert.equal(nameOf('file:///src/a%20b.ipynb#cell/1'), 'a b.ipynb');
    assert.equal(nameOf('file:///src/100%.txt'), '100%.txt');
    assert.equal(nameOf('cart.ts'), 'cart.ts');
  });
});

const set = (index: number): Partial<ReviewMeta> => ({
  changeSet: { id: 'set', createdAt: 0, size: 3, index },
});

describe('the edits of a history', () => {
  it('are grouped by their answer, the newest first', () => {
    const groups = groupEdits([
      entryOf({ id: 'alone', time: 5 }),
      entryOf({ id: 'third', time: 9 }, set(2)),
      entryOf({ id: 'first', time: 3 }, set(0)),
      entryOf({ id: 'second', time: 1 }, set(1)),
      entryOf({ id: 'second again', time: 2 }, set(1)),
      entryOf({ id: 'last', time: 10 }),
    ]);
    assert.deepEqual(
      groups.map(({ setId, time, entries }) => [setId, time, entries.map(({ id }) => id)]),
      [
        [undefined, 10, ['last']],
        ['set', 9, ['first', 'second', 'second again', 'third']],
        [undefined, 5, ['alone']],
      ],
    );
  });

  it('are undone by a later edit, unless that was undone or rejected', () => {
    const undo = (id: string, of: string, time: number, accepted = [hunk]): AppliedEdit =>
      entryOf({ id, time, accepted }, origin({ source: 'undo', of }));
    const edits = [entryOf({ id: 'a', time: 1 }), entryOf({ id: 'b', time: 1 })];
    const undone = (...more: AppliedEdit[]): string[] => [...undoneIds([...edits, ...more])];
    assert.deepEqual(undone(), []);
    assert.deepEqual(undone(undo('u', 'a', 2)), ['a']);
    assert.deepEqual(undone(undo('u', 'a', 2, [])), []);
    assert.deepEqual(undone(undo('u', 'a', 2), undo('v', 'u', 3)), ['u']);
    assert.deepEqual(undone(undo('v', 'u', 3), undo('u', 'a', 2), undo('w', 'b', 4)), ['b', 'u']);
  });
});
