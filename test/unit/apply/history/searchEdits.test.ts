import assert from 'node:assert/strict';
import type { AppliedEdit } from '../../../../src/apply/history/appliedEdit';
import { groupEdits, undoneIds } from '../../../../src/apply/history/editGroups';
import {
  engineText,
  nameOf,
  outcomeText,
  whenAndWhence,
} from '../../../../src/apply/history/editTexts';
import { searchEdits } from '../../../../src/apply/history/searchEdits';
import { hunksBetween } from '../../../../src/apply/review/model/rebase';
import { english } from '../../../../src/base/sentence';
import { metaOf } from './world';

function entry(id: string, more: Partial<AppliedEdit> = {}): AppliedEdit {
  const before = ['const fee = 490;', 'keep', 'keep', 'keep', 'b'];
  const hunks = hunksBetween(before, ['const fee = 590;', 'keep', 'keep', 'keep', 'c']);
  return {
    id,
    time: 1000,
    meta: metaOf(),
    before,
    hunks,
    accepted: hunks,
    after: [],
    isReplaced: false,
    isSaved: true,
    isDamaged: false,
    ...more,
  };
}
const found = (query: string, entries: readonly AppliedEdit[], answer = '') =>
  searchEdits(entries, query, () => answer).map(({ entry: { id }, line }) => [id, line]);

const set = (index: number) => metaOf({ changeSet: { id: 's', createdAt: 1, size: 2, index } });

const operation = (kind: 'create' | 'delete') =>
  metaOf({ operation: { kind, uri: 'file:///a.ts', showsPath: false } });

const when = (source: 'clipboard' | 'undo' | undefined) => {
  const { source: _, ...rest } = metaOf().origin;
  const meta = metaOf({ origin: source ? { ...rest, source } : rest });
  return whenAndWhence(
    { setId: undefined, time: 0, entries: [entry('e', { meta })] },
    12 * 60_000,
    { t: english, locale: 'en' },
  );
};

const engine = (origin: Partial<AppliedEdit['meta']['origin']>) =>
  engineText(entry('e', { meta: metaOf({ origin: { ...metaOf().origin, ...origin } }) }), english);

describe('the search in applied edits', () => {
  const cart = entry('cart');
  const other = entry('other', {
    meta: metaOf({ uri: 'file:///src/with%20space/%E0%A4%A.ts' }),
    hunks: [],
  });
  const renamed = entry('renamed', {
    meta: metaOf({
      uri: 'file:///src/util.ts#path',
      operation: {
        kind: 'rename',
        uri: 'file:///src/util.ts',
        newUri: 'file:///src/my%20numbers.ts',
        showsPath: true,
      },
    }),
    hunks: [],
  });

  it('finds words in names, changed lines and answers, in any case and order', () => {
    const all = [cart, other, renamed];
    assert.deepEqual(found('', all).length, 3);
    assert.deepEqual(found('  ', all).length, 3);
    assert.deepEqual(found('CART.ts', all), [['cart', undefined]]);
    assert.deepEqual(found('590 Fee', all), [['cart', 'const fee = 590;']]);
    assert.deepEqual(found('490', all), [['cart', 'const fee = 490;']], 'removed lines too');
    assert.deepEqual(found('keep', all), [], 'but no line that stays');
    assert.deepEqual(found('my numbers', all), [['renamed', undefined]]);
    assert.deepEqual(found('cart Tax', [cart], 'It adds a tax.'), [['cart', undefined]]);
    assert.deepEqual(found('cart tax', [cart]), []);
    assert.deepEqual(found('vat', [cart], 'It adds the VAT.'), [['cart', undefined]]);
    assert.deepEqual(found('space', all), [['other', undefined]], 'also in a broken name');
  });
});

describe('groups of applied edits', () => {
  it('are the files of one answer, the newest group first', () => {
    const groups = groupEdits([
      entry('second', { meta: set(1), time: 3 }),
      entry('single', { time: 2 }),
      entry('first', { meta: set(0), time: 1 }),
    ]);
    assert.deepEqual(
      groups.map(({ setId, time, entries }) => [setId, time, entries.map(({ id }) => id)]),
      [
        ['s', 3, ['first', 'second']],
        [undefined, 2, ['single']],
      ],
    );
  });

  it('know what was undone, and what an undo of the undo brought back', () => {
    const undo = (id: string, of: string, time: number, more: Partial<AppliedEdit> = {}) =>
      entry(id, {
        time,
        meta: metaOf({ origin: { ...metaOf().origin, source: 'undo', of } }),
        ...more,
      });
    assert.deepEqual([...undoneIds([entry('a'), undo('u', 'a', 2)])], ['a']);
    assert.deepEqual(
      [...undoneIds([entry('a'), undo('u', 'a', 2, { accepted: [] })])],
      [],
      'a rejected undo',
    );
    assert.deepEqual([...undoneIds([entry('a'), undo('u', 'a', 2), undo('v', 'u', 3)])], ['u']);
    const again = { ...metaOf().origin, source: 'again', of: 'a' } as const;
    assert.deepEqual(
      [...undoneIds([entry('a'), entry('b', { time: 2, meta: metaOf({ origin: again }) })])],
      [],
      'applied again',
    );
  });
});

describe('the texts of applied edits', () => {
  const none = new Set<string>();
  const outcome = (more: Partial<AppliedEdit>, undone: ReadonlySet<string> = none) =>
    outcomeText(entry('e', more), undone, english);

  it('say what was decided', () => {
    const [first] = entry('e').hunks;
    assert.ok(first);
    assert.equal(outcome({ accepted: [first] }), '1 of 2 changes accepted');
    assert.equal(outcome({ hunks: [first], accepted: [first] }), 'change accepted');
    assert.equal(outcome({ hunks: [first], accepted: [] }), 'change rejected');
    assert.equal(outcome({ meta: operation('create') }), 'new file, created');
    assert.equal(outcome({ meta: operation('create'), accepted: [] }), 'new file, rejected');
    assert.equal(outcome({ meta: operation('delete') }), 'deleted');
    assert.equal(outcome({ meta: operation('delete'), accepted: [] }), 'deletion rejected');
    const rename = metaOf({
      operation: { kind: 'rename', uri: 'file:///a.ts', newUri: 'file:///b/c.ts', showsPath: true },
    });
    assert.equal(outcome({ meta: rename }), 'renamed to c.ts');
    assert.equal(outcome({ meta: rename, accepted: [] }), 'renaming to c.ts rejected');
    assert.equal(
      outcome({ isReplaced: true, isSaved: false, isDamaged: true }, new Set(['e'])),
      '2 of 2 changes accepted, undone, replaced by another edit, not saved, stored data is damaged',
    );
  });

  it('say when and from what', () => {
    assert.equal(when('clipboard'), '12 minutes ago, from the clipboard');
    assert.equal(when('undo'), '12 minutes ago, undo of an earlier edit');
    assert.equal(when(undefined), '12 minutes ago');
  });

  it('say who wrote and merged it', () => {
    assert.equal(engine({}), 'merged locally');
    assert.equal(engine({ source: 'undo' }), undefined);
    assert.equal(engine({ engine: 'service', model: 'svc-v3-large' }), 'merged by svc-v3-large');
    assert.equal(engine({ engine: 'service' }), 'merged by the service');
    assert.equal(engine({ author: { model: 'svc-a', ms: 1 } }), 'svc-a, merged locally');
    assert.equal(nameOf('file:///a/b%20c.ts#path'), 'b c.ts');
    assert.equal(nameOf('file:///a/%E0%A4%A'), '%E0%A4%A');
  });
});
