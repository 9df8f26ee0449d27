import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import { decodeJournal } from '../../../../../src/apply/review/journal/records';
import { replay } from '../../../../../src/apply/review/journal/replay';
import {
  type EditorText,
  JournaledReview,
  StaleChangeError,
} from '../../../../../src/apply/review/model/journaledReview';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { MemoryDisk } from '../journal/memoryDisk';

const original = ['a', 'b', 'c', 'd', 'e'];
const typed = ['new', ...original];
const accepted = ['a', 'X', 'c', 'd', 'e'];

describe('JournaledReview', () => {
  let disk: MemoryDisk;
  let review: JournaledReview;
  let text: readonly string[];
  let edits: number;
  const file: EditorText = {
    lines: () => text,
    edit: async made => {
      edits++;
      text = applyEdits(text, made);
    },
  };
  const stored = () => disk.files.get('/r/one.journal') ?? '';
  /** The kinds of the records since the first. */
  const kinds = () =>
    decodeJournal(stored())
      .entries.slice(1)
      .map(({ record }) => record.kind);
  const ids = () => review.model.hunks.map(({ id }) => id);
  const assertStored = () => {
    const replayed = replay(stored());
    assert.equal(replayed?.lost, 0);
    // Which earlier texts are known does not decide what is pending now.
    const [now, wanted] = [replayed.model, review.model].map(model => ({
      ...model.toJSON(),
      snapshots: [],
    }));
    assert.deepEqual(now, wanted);
  };

  beforeEach(async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    disk = new MemoryDisk();
    text = original;
    edits = 0;
    const target = {
      folder: new JournalFolder(disk.mount(), '/r'),
      writer: 'w',
      clock: () => 1,
      didFail: (_: unknown, error: unknown) => assert.fail(String(error)),
      didWrite: () => {},
    };
    const meta = {
      uri: 'file:///a.ts',
      languageId: 'typescript',
      createdAt: 1,
      origin: { engine: 'local', ms: 1, findings: [] },
    } as const;
    const model = new ReviewModel(original, ['a', 'X', 'c', 'Y', 'e']);
    review = new JournaledReview('one', model, meta, target);
    await review.store();
  });
  afterEach(() => {
    review.close();
    mock.timers.reset();
  });

  it('records what the user types as the proposal, between accepted and rejected changes', async () => {
    await review.propose(['a', 'X', 'c', 'TYPED', 'e', 'more']);
    assert.deepEqual(kinds(), ['proposed']);
    assertStored();
    await review.accept(review.model.hunks.slice(0, 1), file);
    await review.propose(['a', 'X', 'again', 'TYPED', 'e', 'more']);
    assert.deepEqual(text, accepted);
    assertStored();
    await review.reject(ids());
    assert.equal(await review.propose([...text]), false);
    assertStored();
    assert.deepEqual(text, accepted);
  });

  it('records an acceptance before the editor has it, and its result after that', async () => {
    let before: string[] = [];
    const done = await review.accept(review.model.hunks.slice(0, 1), {
      ...file,
      edit: async made => {
        before = kinds();
        await file.edit(made);
      },
    });
    assert.deepEqual(
      done.map(({ id }) => id),
      [1],
    );
    assert.deepEqual(before, ['accepting']);
    assert.deepEqual(kinds(), ['accepting', 'decided']);
    assert.deepEqual(text, accepted);
    assertStored();
  });

  it('accepts a change where it is now', async () => {
    const { hunks } = review.model;
    text = typed;
    await review.accept(hunks, file);
    assert.deepEqual(text, ['new', 'a', 'X', 'c', 'Y', 'e']);
    assert.ok(review.isEnded);
    assert.deepEqual(kinds(), ['edited', 'accepting', 'decided']);
  });

  it('refuses to accept what is not as the user saw it, and leaves the file alone', async () => {
    const [first] = review.model.hunks;
    assert.ok(first);
    text = ['a', 'mine', 'c', 'd', 'e'];
    await assert.rejects(review.accept([first], file), StaleChangeError);
    await review.accept(
      review.model.hunks.filter(({ conflict }) => conflict),
      file,
    );
    await assert.rejects(review.accept([first], file), StaleChangeError);
    assert.equal(edits, 1);
    assert.deepEqual(text, accepted);
  });

  it('undoes an acceptance in the file, and a rejection without it', async () => {
    assert.equal(await review.undo(async () => file), false);
    assert.deepEqual(kinds(), []);
    await review.accept(review.model.hunks.slice(0, 1), file);
    await review.reject([2]);
    assert.equal(await review.undo(async () => assert.fail('no edit is needed')), true);
    assert.deepEqual(ids(), [2]);
    assert.equal(await review.undo(async () => file), true);
    assert.deepEqual(text, original);
    assert.deepEqual(ids(), [1, 2]);
    assertStored();
  });

  it('ends when another review replaces it', async () => {
    assert.equal(review.isEnded, false);
    await review.replace();
    assert.deepEqual([review.isEnded, review.isReplaced], [true, true]);
    assert.deepEqual(kinds(), ['decided', 'replaced']);
    assert.equal(replay(stored())?.isReplaced, true);
  });

  it('writes once what was typed within 2 seconds', async () => {
    assert.equal(review.fileChanged(original, false), false);
    assert.equal(review.isWritten, true);
    assert.equal(review.fileChanged(typed, false), true);
    mock.timers.tick(1500);
    assert.equal(review.fileChanged(['new', ...typed], false), true);
    assert.equal(review.isWritten, false);
    mock.timers.tick(499);
    await review.settled();
    assert.deepEqual(kinds(), []);
    mock.timers.tick(1);
    await review.settled();
    assert.deepEqual(kinds(), ['edited']);
    assert.equal(review.isWritten, true);
    mock.timers.tick(10_000);
    await review.settled();
    assert.deepEqual(kinds(), ['edited']);
    assertStored();
  });

  it('writes what was typed before a decision, a save or the end, and not again later', async () => {
    review.fileChanged(typed, false);
    await review.fileSaved();
    assert.deepEqual(kinds(), ['edited', 'saved']);
    assertStored();
    mock.timers.tick(10_000);
    await review.flush();
    assert.deepEqual(kinds(), ['edited', 'saved']);
    review.fileChanged(original, false);
    review.close();
    assert.deepEqual(kinds(), ['edited', 'saved', 'edited']);
    assertStored();
  });

  it('records the pending changes when undo and redo restore them', async () => {
    await review.accept(review.model.hunks, file);
    assert.equal(review.fileChanged(original, true), true);
    await review.settled();
    assert.deepEqual(kinds(), ['accepting', 'decided', 'decided']);
    assertStored();
    review.fileChanged(typed, false);
    await review.flush();
    assert.equal(kinds().at(-1), 'edited');
  });

  it('records what became of the changes when a save formats the file', async () => {
    await review.accept(review.model.hunks.slice(0, 1), file);
    text = ['a', '  X', 'c', '  d', 'e', ''];
    assert.equal(review.fileChanged(text, false, undefined, true), true);
    await review.fileSaved();
    assert.deepEqual(kinds(), ['accepting', 'decided', 'decided', 'saved']);
    assertStored();
    assert.deepEqual(
      review.model.hunks.map(({ removed, conflict }) => [removed, conflict]),
      [[['  d'], false]],
    );
    assert.ok(await review.undo(async () => file));
    assert.deepEqual(text, ['a', '  b', 'c', '  d', 'e', '']);
    assertStored();
  });

  it('takes in what formatted the file before it is known that a save does it', async () => {
    text = ['a', 'b;', 'c', 'd', 'e'];
    review.fileChanged(text, false);
    text = ['a', 'b;', 'c', 'd;', 'e', ''];
    review.fileChanged(text, false);
    const conflicts = () => review.model.hunks.map(({ conflict }) => conflict);
    assert.deepEqual(conflicts(), [true, true]);
    assert.equal(review.willSave(), true);
    assert.deepEqual(conflicts(), [false, false]);
    assert.deepEqual(review.model.current, text);
    await review.fileSaved();
    assert.deepEqual(kinds(), ['edited', 'decided', 'saved']);
    assertStored();
    assert.equal(review.willSave(), false);
  });

  it('keeps other conflicts when the file is saved: with code, and from before a decision or more typing', async () => {
    text = ['a', 'mine', 'c', 'd;', 'e'];
    review.fileChanged(text, false);
    await review.reject([1]);
    assert.equal(review.willSave(), false);
    review.fileChanged(['a', 'mine', 'c', 'd;', 'mine', 'e'], false);
    review.fileChanged(['a', 'mine', 'c', 'd;', 'mine', 'e;'], false);
    review.willSave();
    assert.deepEqual(
      review.model.hunks.map(({ conflict }) => conflict),
      [true],
    );
  });

  describe('when a document is clean without a save', () => {
    beforeEach(async () => review.accept(review.model.hunks.slice(0, 1), file));

    for (const { what, now, isReverted } of [
      { what: 'takes it as discarded when it is as last saved', now: original, isReverted: true },
      { what: 'does nothing when it has what was accepted', now: accepted, isReverted: false },
    ])
      it(what, async () => {
        assert.equal(await review.becameClean(now), isReverted);
        assert.deepEqual(ids(), isReverted ? [1, 2] : [2]);
        assertStored();
      });

    it('takes it as discarded when the accepted lines are gone', async () => {
      const now = ['a', 'mine', 'c', 'd', 'e'];
      review.fileChanged(now, false);
      assert.equal(await review.becameClean(now), true);
      assert.equal(review.model.isAheadOfFile, false);
    });

    it('does nothing once all is saved', async () => {
      await review.fileSaved();
      assert.equal(await review.becameClean(original), false);
    });
  });

  it('resumes with the file as it is: writes what is new, and that it is saved', async () => {
    await review.resume(original, false);
    assert.deepEqual(kinds(), []);
    await review.accept(review.model.hunks.slice(0, 1), file);
    const before = kinds();
    await review.resume(accepted, true);
    assert.deepEqual(kinds(), before);
    await review.resume(accepted, false);
    assert.deepEqual(kinds(), [...before, 'saved']);
    await review.resume([...accepted, 'more'], false);
    assert.deepEqual(kinds(), [], 'a new checkpoint');
    assertStored();
  });
});
