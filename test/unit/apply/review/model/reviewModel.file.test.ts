import assert from 'node:assert/strict';
import { hashLines } from '../../../../../src/apply/review/model/lineEdit';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';

const lines = (text: string) => text.split(' ').filter(line => line !== '');

/** The file with `-` before lines that a pending hunk removes, `+` before those that it inserts; `!` and `?` in a conflict. */
function draw({ current, hunks }: ReviewModel): string {
  const rows = [...current];
  for (const { at, removed, inserted, conflict } of hunks.toReversed()) {
    const [minus, plus] = conflict ? ['!', '?'] : ['-', '+'];
    assert.deepEqual(current.slice(at, at + removed.length), removed);
    rows.splice(
      at,
      removed.length,
      ...removed.map(line => minus + line),
      ...inserted.map(line => plus + line),
    );
  }
  return rows.join(' ');
}

const review = (current: string, proposed: string) =>
  new ReviewModel(lines(current), lines(proposed));
/** Accepts hunks of these ids, as an editor would. */
function accept(model: ReviewModel, ...ids: number[]): void {
  model.willAccept(ids);
  const hunks = model.hunks.filter(({ id }) => ids.includes(id));
  model.didAccept(
    hunks,
    applyEdits(
      model.current,
      hunks.map(hunk => model.edit(hunk)),
    ),
  );
}
const reloaded = (model: ReviewModel): ReviewModel => {
  const again = ReviewModel.fromJSON(JSON.parse(JSON.stringify(model)));
  assert.ok(again);
  return again;
};

const twoOf = () => review('a b c d e', 'a X c Y e');

describe('ReviewModel when undo in the editor leads to a text that it never saw', () => {
  for (const { what, start, proposed, now, shown, canUndo = false } of [
    {
      what: 'a replaced line is back',
      start: 'a b c',
      proposed: 'a X c',
      now: 'a b c new',
      shown: 'a -b +X c new',
    },
    {
      what: 'an inserted line is gone',
      start: 'a c',
      proposed: 'a X c',
      now: 'new a c',
      shown: 'new a +X c',
    },
    {
      what: 'a removed line is back',
      start: 'a b c',
      proposed: 'a c',
      now: 'new a b c',
      shown: 'new a -b c',
    },
    {
      what: 'two of three acceptances are taken back',
      start: 'a b c d e f g',
      proposed: 'a X c Y e Z g',
      now: 'new a b c Y e f g',
      shown: 'new a -b +X c Y e -f +Z g',
      canUndo: true,
    },
    {
      what: 'the lines are neither as before nor as accepted',
      start: 'a b c',
      proposed: 'a X c',
      now: 'a mine c',
      shown: 'a mine c',
    },
    {
      what: 'the accepted lines are still there',
      start: 'a b c',
      proposed: 'a X c',
      now: 'a X mine c',
      shown: 'a X mine c',
      canUndo: true,
    },
    {
      what: 'inserted lines went together with their neighbours',
      start: 'a c d',
      proposed: 'a X c d',
      now: 'mine d',
      shown: 'mine +X d',
    },
  ])
    it(`knows what is pending again: ${what}`, () => {
      const model = review(start, proposed);
      accept(model, ...model.hunks.map(({ id }) => id));
      const result = model.didChange(lines(now), true);
      assert.equal(draw(model), shown);
      assert.equal(result, model.hunks.length > 0 ? 'snapshot' : 'rebased');
      assert.equal(model.canUndo, canUndo);
    });
});

describe('ReviewModel when undo in the editor leads from a text', () => {
  it('knows that text when a redo brings it back, although its change was rejected in it before', () => {
    const model = review('a b', 'a X b');
    accept(model, 1);
    const undone = model.undo();
    assert.equal(undone?.kind, 'accepted');
    model.didChange(applyEdits(model.current, undone.edits), false);
    model.reject([1]);
    model.didRevert(lines('a b'));
    model.undo();
    assert.equal(draw(model), 'a +X b');
    // The editor undoes the edit that took the change back, and redoes it.
    model.didChange(lines('a X b'), true);
    assert.equal(draw(model), 'a X b');
    assert.ok(model.pendingTexts.includes(hashLines(lines('a b'))));
    model.didChange(lines('a b'), true);
    assert.equal(draw(model), 'a +X b');
  });
});

describe('ReviewModel and the file on disk', () => {
  it('is ahead of the file from an acceptance to the next save', () => {
    const model = twoOf();
    assert.equal(model.isAheadOfFile, false);
    accept(model, 1);
    assert.deepEqual([model.isAheadOfFile, model.unsaved], [true, [1]]);
    model.didSave();
    assert.deepEqual([model.isAheadOfFile, model.unsaved], [false, []]);
    model.reject([2]);
    assert.equal(model.isAheadOfFile, false, 'a rejection changes no file');
    assert.deepEqual(model.saved.text, lines('a X c d e'));
  });

  it('is ahead of the file when the user types what was proposed', () => {
    const model = twoOf();
    model.didChange(lines('a X c d e'), false);
    assert.equal(model.isAheadOfFile, true);
  });

  it('is not ahead of the file when hunks have only become one conflict', () => {
    const model = twoOf();
    model.didChange(lines('a mine e'), false);
    assert.equal(model.isAheadOfFile, false);
    assert.equal(model.hasLostAcceptance, false);
  });

  it('has lost an acceptance when its lines are gone, but not when they were only taken back', () => {
    const model = twoOf();
    accept(model, 1);
    assert.equal(model.hasLostAcceptance, false);
    model.didChange(lines('a mine c d e'), false);
    assert.equal(model.hasLostAcceptance, true);
    const undone = twoOf();
    accept(undone, 1);
    undone.didChange(lines('a b c d e'), true);
    assert.equal(undone.hasLostAcceptance, false);
    const rejected = twoOf();
    rejected.reject([1]);
    assert.equal(rejected.hasLostAcceptance, false);
  });

  it('offers again after a revert what was accepted since the last save', () => {
    const model = review('a b c d e f g', 'a X c Y e Z g');
    accept(model, 1);
    model.didSave();
    accept(model, 2);
    model.reject([3]);
    model.didRevert(lines('a X c d e f g'));
    assert.equal(draw(model), 'a X c -d +Y e f g');
    assert.equal(model.lastDecision, 'reject');
    assert.equal(model.undo()?.kind, 'rejected-restored');
    assert.equal(draw(model), 'a X c -d +Y e -f +Z g');
    assert.equal(model.undo()?.kind, 'accepted');
    assert.equal(model.isAheadOfFile, false);
  });

  it('keeps pending after a revert what was rejected before the save and restored since', () => {
    const model = twoOf();
    model.reject([1]);
    model.didSave();
    model.undo();
    accept(model, 2);
    model.didRevert(lines('a b c d e'));
    assert.equal(draw(model), 'a -b +X c -d +Y e');
    assert.equal(model.canUndo, false);
  });

  it('finds its hunks after a revert to a file that others changed', () => {
    const model = twoOf();
    accept(model, 1);
    model.didRevert(lines('new a b c d e'));
    assert.equal(draw(model), 'new a -b +X c -d +Y e');
    assert.equal(model.isAheadOfFile, false);
    assert.deepEqual(model.saved.text, lines('new a b c d e'));
  });

  it('knows the text before and after a revert when undo and redo bring them', () => {
    const model = twoOf();
    accept(model, 1);
    const accepted = model.current;
    model.didRevert(lines('a b c d e'));
    assert.equal(model.didChange(accepted, true), 'snapshot');
    assert.equal(draw(model), 'a X c -d +Y e');
    assert.equal(model.didChange(lines('a b c d e'), true), 'snapshot');
    assert.equal(draw(model), 'a -b +X c -d +Y e');
  });

  it('tells each edit of the file once', () => {
    const model = twoOf();
    accept(model, 1, 2);
    model.didChange(lines('new a X c Y e'), false);
    assert.deepEqual(model.takeSteps(), [
      [
        { at: 1, count: 1, lines: ['X'] },
        { at: 3, count: 1, lines: ['Y'] },
      ],
      [{ at: 0, count: 0, lines: ['new'] }],
    ]);
    assert.deepEqual(model.takeSteps(), []);
    model.didRevert(lines('a b c d e'));
    const edited = model
      .takeSteps()
      .reduce((text, edits) => applyEdits(text, edits), lines('new a X c Y e'));
    assert.deepEqual(edited, lines('a b c d e'));
  });

  describe('after a restart', () => {
    for (const { what, saves = false, now, isDirty, shown, canUndo, isAhead } of [
      {
        what: 'continues with the text that it knows',
        now: 'a X c d e',
        isDirty: true,
        shown: 'a X c -d +Y e',
        canUndo: true,
        isAhead: true,
      },
      {
        what: 'takes that text as saved when the editor is not dirty',
        now: 'a X c d e',
        isDirty: false,
        shown: 'a X c -d +Y e',
        canUndo: true,
        isAhead: false,
      },
      {
        what: 'offers an acceptance again that the file lacks',
        now: 'a b c d e',
        isDirty: false,
        shown: 'a -b +X c -d +Y e',
        canUndo: false,
        isAhead: false,
      },
      {
        what: 'keeps an acceptance when the backup only lacks the last typing',
        now: 'a X c d e typ',
        isDirty: true,
        shown: 'a X c -d +Y e typ',
        canUndo: true,
        isAhead: true,
      },
      {
        what: 'offers an acceptance again that the backup lacks',
        now: 'a b c d e typ',
        isDirty: true,
        shown: 'a -b +X c -d +Y e typ',
        canUndo: false,
        isAhead: false,
      },
      {
        what: 'keeps what was saved when others changed the file since',
        saves: true,
        now: 'new a X c d e',
        isDirty: false,
        shown: 'new a X c -d +Y e',
        canUndo: true,
        isAhead: false,
      },
    ])
      it(what, () => {
        const before = twoOf();
        accept(before, 1);
        if (saves) before.didSave();
        const model = reloaded(before);
        model.resume(lines(now), isDirty);
        assert.equal(draw(model), shown);
        assert.deepEqual(model.current, lines(now));
        assert.equal(model.canUndo, canUndo);
        assert.equal(model.isAheadOfFile, isAhead);
        // The steps lead to the text, so that a journal can repeat them.
        const edited = model
          .takeSteps()
          .reduce((text, edits) => applyEdits(text, edits), before.current);
        assert.deepEqual(edited, lines(now));
        assert.deepEqual(reloaded(model).toJSON(), model.toJSON());
      });

    it('still rejects with a conflict all hunks that went into it', () => {
      const model = twoOf();
      model.didChange(lines('a mine e'), false);
      const again = reloaded(model);
      again.reject(again.hunks.map(({ id }) => id));
      again.didChange(lines('a b c d e'), true);
      assert.equal(draw(again), 'a b c d e');
    });

    it('knows the texts that undo may bring, whatever was typed since', () => {
      const model = twoOf();
      accept(model, 1);
      model.didChange(lines('new a X c d e'), false);
      const again = reloaded(model);
      assert.equal(again.didChange(lines('a b c d e'), true), 'snapshot');
      assert.equal(draw(again), 'a -b +X c -d +Y e');
      again.reject([1, 2]);
      assert.deepEqual(again.pendingTexts, []);
    });
  });
});
