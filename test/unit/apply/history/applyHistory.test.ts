import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  acceptedLines,
  proposedLines,
  readAppliedEdit,
} from '../../../../src/apply/history/appliedEdit';
import { JournalFolder } from '../../../../src/apply/review/journal/journalFolder';
import { nodeFileOps } from '../../../../src/apply/review/journal/nodeFileOps';
import { decodeJournal, encodeEntry } from '../../../../src/apply/review/journal/records';
import { applyEdits } from '../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../src/apply/review/model/reviewModel';
import { ReviewStore } from '../../../../src/apply/review/store/reviewStore';
import { EditedFile, HistoryWorld, metaOf } from './world';

const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const proposed = ['A', 'b', 'c', 'D', 'e', 'f', 'G'];
const settle = async () => new Promise(setImmediate);

describe('the history of applied edits', () => {
  let world: HistoryWorld;
  const ids = async () => (await world.history.list()).entries.map(({ id }) => id);
  const files = () => [...world.disk.files.keys()].sort();

  beforeEach(() => {
    world = new HistoryWorld();
  });
  afterEach(() => world.store.dispose());

  it('has the text before, the proposal, the decisions and the text after, also after a restart', async () => {
    const { file } = await world.apply('one', before, proposed, { wanted: [1, 3] });
    for (const _ of ['this session', 'the next']) {
      const { entries, unreadable } = await world.history.list();
      assert.deepEqual(unreadable, []);
      const [entry] = entries;
      assert.ok(entry);
      assert.deepEqual(entry.before, before);
      assert.deepEqual(proposedLines(entry), proposed);
      assert.deepEqual(
        entry.accepted.map(({ id }) => id),
        [1, 3],
      );
      assert.deepEqual(acceptedLines(entry), ['A', 'b', 'c', 'd', 'e', 'f', 'G']);
      assert.deepEqual(entry.after, file.now);
      assert.deepEqual([entry.isSaved, entry.isReplaced, entry.isDamaged], [true, false, false]);
      assert.equal(entry.meta.origin.source, 'clipboard');
      world.reload();
    }
  });

  it('keeps the start of a review whose journal is written anew', async () => {
    const review = world.store.add('one', new ReviewModel(before, proposed), metaOf());
    const file = new EditedFile(before);
    const [first] = review.model.hunks;
    assert.ok(first);
    await review.accept([first], file);
    await review.fileSaved();
    await review.store();
    world.reload();
    const [stored] = (await world.store.load()).stored;
    assert.ok(stored);
    await stored.review.store();
    await stored.review.reject([2, 3]);
    await world.store.release('one');
    const [entry] = (await world.history.list()).entries;
    assert.ok(entry);
    assert.deepEqual(entry.before, before);
    assert.deepEqual(proposedLines(entry), proposed);
    assert.deepEqual(
      entry.accepted.map(({ id }) => id),
      [1],
    );
  });

  it('lists what is accepted and not saved yet, and nothing that is undecided', async () => {
    const review = world.store.add('one', new ReviewModel(before, proposed), metaOf());
    await review.settled();
    assert.deepEqual(await ids(), []);
    await review.accept(review.model.hunks, new EditedFile(before));
    await world.store.release('one');
    const [entry] = (await world.history.list()).entries;
    assert.equal(entry?.isSaved, false);
    await world.store.releasedWasSaved('one');
    assert.equal((await world.history.list()).entries[0]?.isSaved, true);
  });

  it('tells a review that was replaced, and reads journals of earlier versions', async () => {
    const review = world.store.add('one', new ReviewModel(before, proposed), metaOf());
    await review.replace();
    await world.store.release('one');
    const journal = world.disk.files.get('/reviews/history/one.journal') ?? '';
    const entry = readAppliedEdit('one', journal);
    assert.ok(typeof entry === 'object');
    assert.equal(entry.isReplaced, true);
    assert.deepEqual(entry.accepted, []);
    assert.equal(readAppliedEdit('one', 'no journal'), 'unreadable');
  });

  it('is whole or unreadable, at whatever byte its journal is cut off', async () => {
    await world.apply('one', before, proposed, { wanted: [2] });
    const journal = world.disk.files.get('/reviews/history/one.journal') ?? '';
    assert.ok(journal.length > 500);
    const seen = new Set<string>();
    for (let length = 0; length <= journal.length; length++) {
      const entry = readAppliedEdit('one', journal.slice(0, length));
      seen.add(typeof entry === 'string' ? entry : 'entry');
      if (typeof entry === 'string') continue;
      assert.deepEqual(entry.before, before);
      assert.deepEqual(proposedLines(entry), proposed);
      assert.deepEqual(
        entry.accepted.map(({ id }) => id),
        [2],
      );
    }
    assert.deepEqual([...seen].sort(), ['entry', 'open', 'unreadable']);
  });

  it('cannot be read where its journal does not tell what was proposed', async () => {
    await world.apply('one', before, proposed, { wanted: [2] });
    const journal = world.disk.files.get('/reviews/history/one.journal') ?? '';
    const without = decodeJournal(journal).entries.map(entry =>
      encodeEntry(
        entry.record.kind === 'checkpoint'
          ? { ...entry, record: { ...entry.record, start: null } }
          : entry,
      ),
    );
    assert.equal(readAppliedEdit('one', without.join('')), 'unreadable');
  });

  it('says that it is damaged when any one record of its journal is lost', async () => {
    await world.apply('one', before, proposed, { wanted: [2] });
    const journal = world.disk.files.get('/reviews/history/one.journal') ?? '';
    const lines = journal.split('\n').filter(line => line !== '');
    const found = lines.flatMap((_, at) => {
      const entry = readAppliedEdit('one', `${lines.with(at, 'damaged').join('\n')}\n`);
      return typeof entry === 'string' ? [] : [entry.isDamaged];
    });
    assert.ok(found.length > 1, `${found.length} of ${lines.length} are readable`);
    assert.ok(found.every(isDamaged => isDamaged));
  });

  it('never tells a wrong text when a byte of its journal is damaged', async () => {
    await world.apply('one', before, proposed, { wanted: [2] });
    const journal = world.disk.files.get('/reviews/history/one.journal') ?? '';
    for (let at = 0; at < journal.length; at += 3) {
      const damaged = `${journal.slice(0, at)}#${journal.slice(at + 1)}`;
      const entry = readAppliedEdit('one', damaged);
      if (typeof entry === 'string') continue;
      assert.deepEqual(entry.before, before);
      assert.deepEqual(proposedLines(entry), proposed);
    }
  });

  it('stores an answer once for all of its files, and deletes it with the last of them', async () => {
    const { history } = world;
    const origin = { source: 'clipboard', answer: 'Here is the answer.' } as const;
    const provenance = history.provenanceOf(origin);
    await settle();
    assert.deepEqual(history.provenanceOf(origin), provenance);
    await settle();
    const meta = metaOf({ origin: { ...metaOf().origin, ...provenance } });
    await world.apply('one', before, proposed, { meta });
    await world.apply('two', before, proposed, { meta });
    assert.equal(files().filter(name => name.endsWith('.txt')).length, 1);
    const { entries } = await history.list();
    const [first, second] = entries;
    assert.ok(first && second);
    assert.equal(await history.answerOf(first), origin.answer);
    await history.remove([first], [second]);
    assert.equal(await history.answerOf(second), origin.answer);
    await history.remove([second], []);
    assert.deepEqual(files(), []);
    assert.equal(await history.answerOf(second), undefined);
  });

  it('gives the snippet of an edit where its answer is not stored', async () => {
    const meta = metaOf({ origin: { ...metaOf().origin, update: 'the snippet' } });
    await world.apply('one', before, proposed, { meta });
    const [entry] = (await world.history.list()).entries;
    assert.ok(entry);
    assert.equal(await world.history.answerOf(entry), 'the snippet');
  });

  it('holds no API key, and no answer while it is off', async () => {
    world.apiKey = 'sk-secret-0123456789';
    world.history.provenanceOf({
      source: 'chat',
      answer: `key: ${world.apiKey}, twice ${world.apiKey}`,
    });
    await settle();
    assert.deepEqual([...world.disk.files.values()], ['key: [redacted], twice [redacted]']);
    await world.apply('env', ['a', world.apiKey], ['b', world.apiKey]);
    assert.ok([...world.disk.files.values()].every(text => !text.includes('sk-secret')));
    world.disk.files.clear();
    world.days = 0;
    assert.deepEqual(world.history.provenanceOf({ source: 'chat', answer: 'text' }), {
      source: 'chat',
    });
    await settle();
    assert.deepEqual(files(), []);
    assert.deepEqual(world.history.provenanceOf(undefined), {});
  });

  it('reports an answer that cannot be stored, and applies it all the same', async () => {
    world.disk.capacity = 3;
    const { answer } = world.history.provenanceOf({ source: 'chat', answer: 'too long' });
    await settle();
    assert.equal(world.errors.length, 1);
    assert.ok(answer);
    assert.deepEqual(files(), []);
  });

  it('keeps nothing over an hour that is older than the days of the setting', async () => {
    await world.apply('one', before, proposed);
    world.disk.time = 30 * 24 * 3600 * 1000;
    world.reload();
    assert.deepEqual(await ids(), ['one']);
    // A disk in memory gives every file the time of now.
    world.days = 0;
    assert.deepEqual(await ids(), []);
    assert.deepEqual(files(), []);
  });

  it('is cleared but for reviews that are pending or not saved', async () => {
    await world.apply('ended', before, proposed);
    world.history.provenanceOf({ source: 'chat', answer: 'text' });
    world.disk.folders.add('/reviews/history');
    world.disk.files.set('/reviews/history/bad.journal', 'damaged');
    const review = world.store.add('unsaved', new ReviewModel(before, proposed), metaOf());
    await review.accept(review.model.hunks, new EditedFile(before));
    await world.store.release('unsaved');
    assert.deepEqual((await world.history.list()).unreadable, ['bad']);
    await world.history.clear();
    assert.deepEqual(files(), ['/reviews/unsaved.journal']);
    assert.deepEqual(await ids(), ['unsaved']);
    world.disk.files.set('/reviews/history/bad.journal', 'damaged');
    await world.history.removeIds(['bad', 'none']);
    assert.deepEqual(files(), ['/reviews/unsaved.journal']);
  });

  it('stays whole when two windows end, list and clear at the same time', async () => {
    const other = new ReviewStore(
      new JournalFolder(world.disk.mount(), '/reviews'),
      { writer: 'other', clock: () => 0 },
      { didFail: error => world.errors.push(error) },
    );
    // Only the window that mounted the disk last reaches it, so both share this one.
    world.store = other;
    await Promise.all([
      world.apply('one', before, proposed),
      world.apply('two', proposed, before),
      other.prune(),
    ]);
    world.reload();
    assert.deepEqual((await ids()).sort(), ['one', 'two']);
    await Promise.all([world.history.list(), world.history.clear(), world.history.clear()]);
    assert.deepEqual(await ids(), []);
    assert.deepEqual(world.errors, []);
  });

  // Windows has no such modes.
  (process.platform === 'win32' ? it.skip : it)(
    'is for this account only: folders of mode 0700, files of mode 0600',
    async () => {
      const root = mkdtempSync(path.join(tmpdir(), 'splice-history-'));
      try {
        const folder = new JournalFolder(nodeFileOps, path.join(root, 'reviews'));
        const store = new ReviewStore(
          folder,
          { writer: 'w', clock: () => 0 },
          { didFail: error => world.errors.push(error) },
        );
        const review = store.add('one', new ReviewModel(before, proposed), metaOf());
        await review.reject([1, 2, 3]);
        await store.release('one');
        await folder.keepAnswer('a', 'the answer');
        const modes = Object.fromEntries(
          readdirSync(root, { recursive: true, encoding: 'utf8' })
            .sort()
            .map(name => [name, (statSync(path.join(root, name)).mode & 0o777).toString(8)]),
        );
        assert.deepEqual(modes, {
          reviews: '700',
          'reviews/answers': '700',
          'reviews/answers/a.txt': '600',
          'reviews/history': '700',
          'reviews/history/one.journal': '600',
        });
      } finally {
        rmSync(root, { recursive: true });
      }
    },
  );

  it('says what the user typed between decisions as part of the text after', async () => {
    const review = world.store.add('one', new ReviewModel(before, proposed), metaOf());
    const file = new EditedFile(before);
    const [first] = review.model.hunks;
    assert.ok(first);
    await review.accept([first], file);
    file.now = applyEdits(file.now, [{ at: 5, count: 0, lines: ['mine'] }]);
    review.fileChanged(file.now, false);
    await review.accept(review.model.hunks, file);
    await review.fileSaved();
    await world.store.release('one');
    const [entry] = (await world.history.list()).entries;
    assert.ok(entry);
    assert.deepEqual(entry.after, file.now);
    assert.deepEqual(acceptedLines(entry), proposed);
  });
});
