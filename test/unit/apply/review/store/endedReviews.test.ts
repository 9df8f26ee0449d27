import assert from 'node:assert/strict';
import path from 'node:path';
import { type FileOps, JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import { replay } from '../../../../../src/apply/review/journal/replay';
import type { JournaledReview } from '../../../../../src/apply/review/model/journaledReview';
import { hashLines } from '../../../../../src/apply/review/model/lineEdit';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { EndedReviews } from '../../../../../src/apply/review/store/endedReviews';
import { ReviewStore } from '../../../../../src/apply/review/store/reviewStore';
import { MemoryDisk } from '../journal/memoryDisk';

const original = ['a', 'b', 'c'];
const accepted = ['a', 'X', 'c'];
const [here, there] = ['file:///here.ts', 'file:///there.ts'];
const make = (id: string, journaled: JournaledReview) => ({ id, journaled });
/** The disk in memory has done all it was asked to once promises have run. */
const written = async () => new Promise(setImmediate);

describe('EndedReviews', () => {
  let disk: MemoryDisk;
  let store: ReviewStore;
  let ended: EndedReviews<{ id: string; journaled: JournaledReview }>;

  beforeEach(() => {
    disk = new MemoryDisk();
    // Journals of the history, from the oldest.
    const names = ['one', 'two', 'replaced'];
    const ops: FileOps = {
      ...disk.mount(),
      stat: async file => ({ size: 1, time: names.indexOf(path.basename(file, '.journal')) }),
    };
    store = new ReviewStore(
      new JournalFolder(ops, '/r'),
      { writer: 'w', clock: () => 1 },
      { didFail: () => {} },
    );
    ended = new EndedReviews(store, make);
  });
  afterEach(() => store.dispose());

  /** Ends a review of a file by accepting its one change, which is not saved yet, or by rejecting it. */
  const end = async (
    id: string,
    uri: string,
    how: 'accept' | 'reject' | 'replace' | 'type' = 'accept',
    setId?: string,
  ) => {
    const review = store.add(id, new ReviewModel(original, accepted), {
      uri,
      languageId: 'typescript',
      createdAt: 1,
      origin: { engine: 'local', ms: 1, findings: [] },
      ...(setId !== undefined && { changeSet: { id: setId, createdAt: 1, size: 2, index: 0 } }),
    });
    let text: readonly string[] = original;
    const edit = async (edits: Parameters<typeof applyEdits>[1]) =>
      void (text = applyEdits(text, edits));
    if (how === 'accept') await review.accept(review.model.hunks, { lines: () => text, edit });
    else if (how === 'reject') await review.reject([1]);
    else if (how === 'type') review.fileChanged(accepted, false);
    else await review.replace();
    ended.add(make(id, review));
    await written();
  };
  const knows = (uri: string, text: readonly string[]) => ended.knows(uri, () => hashLines(text));
  const recalled = async (uri: string, text: readonly string[]) =>
    (await ended.recall(uri, hashLines(text)))?.id;

  it('recalls a review when undo brings a text of its file in which it has changes', async () => {
    await end('one', here);
    assert.equal(knows(here, original), true);
    assert.equal(knows(here, accepted), false);
    assert.equal(knows(there, original), false);
    assert.equal(await recalled(there, original), undefined);
    assert.equal(await recalled(here, accepted), undefined);
    assert.equal(await recalled(here, original), 'one');
    assert.equal(knows(here, original), false, 'it is open again');
  });

  it('recalls the review that ended last, then the one before', async () => {
    await end('one', here);
    await end('two', here);
    assert.equal(await recalled(here, original), 'two');
    assert.equal(await recalled(here, original), 'one');
    assert.equal(await recalled(here, original), undefined);
  });

  it('has nothing to recall for a rejected change', async () => {
    await end('one', here, 'reject');
    assert.equal(knows(here, original), false);
  });

  it('no longer recalls a review that another one is about to undo', async () => {
    await end('one', here);
    await end('two', here);
    ended.willUndo('two');
    ended.willUndo('unknown');
    assert.equal(await recalled(here, original), 'one');
    assert.equal(knows(here, original), false);
    assert.equal((await ended.last(here))?.id, 'two', 'its decision can be undone all the same');
  });

  it('follows a renamed file, and no longer recalls reviews of a closed one', async () => {
    await end('one', here);
    await end('other', there);
    ended.renamed(here, 'file:///new.ts');
    assert.equal(knows(here, original), false);
    assert.equal(knows('file:///new.ts', original), true);
    assert.equal(ended.hasUnsaved('file:///new.ts'), true);
    ended.closed('file:///new.ts');
    assert.equal(knows('file:///new.ts', original), false);
    assert.equal(knows(there, original), true);
  });

  it('gives back the reviews of a file with acceptances that were never saved', async () => {
    await end('accepted', here);
    await end('rejected', here, 'reject');
    await end('other', there);
    assert.equal(ended.hasUnsaved(here), true);
    assert.deepEqual(
      (await ended.unsaved(here)).map(({ id }) => id),
      ['accepted'],
    );
    assert.equal(ended.hasUnsaved(here), false);
    assert.equal(ended.hasUnsaved(there), true);
  });

  it('moves a review into the history when its file is saved', async () => {
    await end('one', here);
    await end('other', there);
    assert.deepEqual(await store.ended(), []);
    await ended.saved(here);
    assert.equal(ended.hasUnsaved(here), false);
    assert.deepEqual(await store.ended(), ['one']);
    assert.equal((await ended.last(here))?.journaled.model.isAheadOfFile, false);
  });

  it('keeps a review in memory whose journal cannot be written', async () => {
    disk.capacity = 0;
    await end('one', here);
    disk.capacity = Number.POSITIVE_INFINITY;
    await ended.saved(here);
    const found = await ended.last(here);
    assert.equal(found?.journaled.model.isAheadOfFile, false);
    assert.equal(found.journaled.model.lastDecision, 'accept');
  });

  it('finds the last review of a file, else the last of all that were not replaced', async () => {
    await end('one', here);
    await end('two', there);
    await end('replaced', 'file:///third.ts', 'replace');
    assert.equal((await ended.last(here))?.id, 'one');
    assert.equal((await ended.last(undefined))?.id, 'two');
    await end('three', here);
    assert.equal((await ended.last('file:///third.ts'))?.id, 'three');
  });

  it('finds the last review of the answer in front, not an older one of its file', async () => {
    await end('old here', here, 'reject', 'old');
    await end('new there', there, 'reject', 'new');
    assert.equal((await ended.last(here, 'new'))?.id, 'new there');
    assert.equal((await ended.last(here, 'new'))?.id, 'old here');
  });

  it('leaves a review as old as it was when nothing was decided on it', async () => {
    await end('one', here);
    await end('two', there);
    for (const review of await ended.unsaved(here)) ended.putBack(review);
    await written();
    assert.equal((await ended.last(undefined))?.id, 'two');
    assert.equal((await ended.last(undefined))?.id, 'one');
  });

  it('stores what is decided on a review that is taken up again', async () => {
    await end('one', here, 'reject');
    const review = await ended.last(here);
    assert.ok(review);
    const text = { lines: () => original, edit: async () => {} };
    await review.journaled.undo(async () => text);
    const stored = replay((await store.folder.read('one'))?.text ?? '');
    assert.equal(stored?.model.hunks.length, 1);
    assert.deepEqual([...stored.model.rejected], []);
  });

  it('passes over a review without decisions', async () => {
    await end('one', here);
    await end('typed', here, 'type');
    assert.equal((await ended.last(here))?.id, 'one');
  });

  it('finds the last review of earlier sessions that can be undone', async () => {
    await end('one', here, 'reject');
    await end('two', here, 'reject');
    await end('replaced', here, 'replace');
    const next = new EndedReviews(store, make);
    assert.equal((await next.last(here))?.id, 'two');
    assert.equal((await next.last(here))?.id, 'one');
    assert.equal(await next.last(here), undefined);
  });
});
