import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { type Hunk, ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { buildReviewView } from '../../../../../src/apply/review/model/reviewView';
import { diffLines } from '../../../../../src/merge/diff/lineDiff';

const lines = (text: string) => text.split(' ').filter(line => line !== '');
const smallText = fc.array(fc.constantFrom(...'a b c d e f g h i j'.split(' ')), { maxLength: 14 });
const edit = fc.record({
  at: fc.nat(14),
  count: fc.nat(2),
  lines: fc.array(fc.constantFrom(...'A B C D E F G H I J'.split(' ')), { maxLength: 2 }),
});
type Edit = { at: number; count: number; lines: string[] };

function edited(text: readonly string[], edits: readonly Edit[]): string[] {
  const result = [...text];
  for (const { at, count, lines: inserted } of edits) {
    result.splice(Math.min(at, result.length), count, ...inserted);
  }
  return result;
}

/** Rows as `-old`, `+new`; a conflict's rows as `!old`, `?new`. */
function draw(model: ReviewModel): string {
  const conflicts = new Set(model.hunks.filter(hunk => hunk.conflict).map(({ id }) => id));
  const view = buildReviewView(model);
  const texts = view.text.split('\n');
  return view.rows
    .slice(1)
    .map((row, index) => {
      const isConflict = conflicts.has(row.hunk ?? -1);
      const conflict = row.kind === '-' ? '!' : '?';
      const mark = row.kind === ' ' ? '' : isConflict ? conflict : row.kind;
      return mark + (texts[index] ?? '');
    })
    .join(' ');
}

function first(model: ReviewModel): Hunk {
  const [hunk] = model.hunks;
  assert(hunk);
  return hunk;
}

function accept(model: ReviewModel, hunks: readonly Hunk[]): string[] {
  const now = applyEdits(
    model.current,
    hunks.map(hunk => model.edit(hunk)),
  );
  model.didAccept(hunks, now);
  return now;
}

function assertHunksFit(model: ReviewModel): void {
  let end = 0;
  for (const { at, removed } of model.hunks) {
    assert(at >= end);
    end = at + removed.length;
    assert.deepEqual(model.current.slice(at, end), removed);
  }
  const ids = model.hunks.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
}

describe('ReviewModel', () => {
  it('accepts one hunk and leaves the others', () => {
    const model = new ReviewModel(lines('a b c d'), lines('a X c Y Z'));
    assert.equal(draw(model), 'a -b +X c -d +Y +Z');
    assert.deepEqual(accept(model, [first(model)]), lines('a X c d'));
    assert.equal(draw(model), 'a X c -d +Y +Z');
  });

  it('brings an accepted hunk back when the file is undone, and takes it again on redo', () => {
    const before = lines('a b c d');
    const model = new ReviewModel(before, lines('a X c Y'));
    const after = accept(model, [first(model)]);
    assert.equal(model.didChange(before, true), 'snapshot');
    assert.equal(draw(model), 'a -b +X c -d +Y');
    assert.equal(model.canUndo, false);
    assert.equal(model.didChange(after, true), 'snapshot');
    assert.equal(draw(model), 'a X c -d +Y');
    assert.equal(model.canUndo, true);
  });

  it('keeps rejected hunks away when an undo brings an old text back', () => {
    const before = lines('a b c d');
    const model = new ReviewModel(before, lines('a X c Y'));
    accept(model, [first(model)]);
    model.reject([first(model).id]);
    model.didChange(before, true);
    assert.equal(draw(model), 'a -b +X c d');
  });

  it('gives a rejected hunk back on undo, where its lines are now', () => {
    const model = new ReviewModel(lines('a b c'), lines('a X c'));
    model.reject([first(model).id]);
    assert.equal(draw(model), 'a b c');
    model.didChange(lines('new a b c'), false);
    assert.equal(model.undo()?.kind, 'rejected-restored');
    assert.equal(draw(model), 'new a -b +X c');
    assert.equal(model.undo(), undefined);
  });

  it('undoes an acceptance by an edit of the file, in spite of edits elsewhere', () => {
    const model = new ReviewModel(lines('a b c d'), lines('a X c Y'));
    accept(model, [first(model)]);
    model.didChange(lines('new a X c d'), false);
    const undone = model.undo();
    assert(undone?.kind === 'accepted');
    assert.deepEqual(undone.edits, [{ at: 2, count: 1, lines: ['b'] }]);
    model.didChange(applyEdits(model.current, undone.edits), false);
    assert.equal(draw(model), 'new a -b +X c -d +Y');
    assert.equal(model.canUndo, false);
  });

  it('does not undo an acceptance whose lines were edited since', () => {
    const model = new ReviewModel(lines('a b c d'), lines('a X c Y'));
    accept(model, [first(model)]);
    model.didChange(lines('a mine c d'), false);
    assert.equal(model.undo(), undefined);
  });

  it('makes one conflict of an edit that overlaps two hunks', () => {
    const model = new ReviewModel(lines('a b c d e'), lines('a X c Y e'));
    model.didChange(lines('a mine e'), false);
    assert.equal(draw(model), 'a !mine ?X ?c ?Y e');
  });

  it('brings the hunks back when an edit that made a conflict is undone', () => {
    const before = lines('a b c d e');
    const model = new ReviewModel(before, lines('a X c Y e'));
    model.didChange(lines('a mine e'), false);
    model.didChange(before, true);
    assert.equal(draw(model), 'a -b +X c -d +Y e');
  });

  it('rejects all hunks that a rejected conflict took in', () => {
    const before = lines('a b c d e');
    const model = new ReviewModel(before, lines('a X c Y e'));
    model.didChange(lines('a mine e'), false);
    model.reject([first(model).id]);
    model.didChange(before, true);
    assert.equal(draw(model), 'a b c d e');
  });

  it('drops a hunk that the user typed as proposed', () => {
    const model = new ReviewModel(lines('a b c'), lines('a X c Y'));
    model.didChange(lines('a X c'), false);
    assert.equal(draw(model), 'a X c +Y');
    model.didChange(lines('a X c Y'), false);
    assert.equal(draw(model), 'a X c Y');
  });

  it('puts lines that the user inserts at the same place first', () => {
    const model = new ReviewModel(lines('a b'), lines('a X b'));
    model.didChange(lines('a mine b'), false);
    assert.equal(draw(model), 'a mine +X b');
  });

  it('knows a change that changes nothing', () => {
    const model = new ReviewModel(lines('a b'), lines('a X b'));
    assert.equal(model.didChange(lines('a b'), false), 'unchanged');
  });

  it('survives JSON, with its decisions', () => {
    const model = new ReviewModel(lines('a b c d e f'), lines('a X c Y e Z'));
    accept(model, [first(model)]);
    model.reject([first(model).id]);
    const again = ReviewModel.fromJSON(JSON.parse(JSON.stringify(model)));
    assert(again);
    assert.equal(draw(again), draw(model));
    assert.equal(again.undo()?.kind, 'rejected-restored');
    assert.equal(again.undo()?.kind, 'accepted');
  });

  it('refuses damaged JSON', () => {
    const good = new ReviewModel(['a'], ['b']).toJSON();
    assert(ReviewModel.fromJSON(good));
    const hunk = { id: 1, at: 0, removed: ['a'], inserted: ['b'], conflict: false };
    for (const bad of [
      undefined,
      null,
      'text',
      [],
      {},
      { ...good, version: 1 },
      { ...good, current: 'a' },
      { ...good, current: ['other'] },
      { ...good, hunks: [{ ...hunk, at: 1 }] },
      { ...good, hunks: [{ ...hunk, at: -1 }] },
      { ...good, hunks: [{ ...hunk, inserted: [1] }] },
      { ...good, hunks: [hunk, { ...hunk, removed: [] }] },
      { ...good, rejected: ['1'] },
      { ...good, decisions: [{ kind: 'keep', hunks: [] }] },
      { ...good, takenIn: [[1]] },
      { ...good, saved: { ...good.saved, edits: [{ at: 1, count: 1, lines: [] }] } },
      { ...good, saved: { ...good.saved, hunks: [{ ...hunk, at: 1 }] } },
      { ...good, snapshots: [{ hash: 1, hunks: [], rejected: [] }] },
    ]) {
      assert.equal(ReviewModel.fromJSON(bad), undefined, JSON.stringify(bad));
    }
  });
});

type Step =
  | { do: 'accept' | 'reject'; which: number }
  | { do: 'type'; edits: Edit[] }
  | { do: 'undoInFile' | 'undo' | 'reload' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('accept' as const, 'reject' as const), which: fc.nat(20) }),
  fc.record({
    do: fc.constant('type' as const),
    edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: fc.constantFrom('undoInFile' as const, 'undo' as const, 'reload' as const) }),
);

function run(start: ReviewModel, steps: readonly Step[]): void {
  let model = start;
  const past = [model.current];
  for (const action of steps) {
    const proposed = model.proposed();
    switch (action.do) {
      case 'accept':
      case 'reject': {
        const hunk = model.hunks[action.which % Math.max(model.hunks.length, 1)];
        if (!hunk) break;
        if (action.do === 'accept') {
          past.push(accept(model, [hunk]));
          assert.deepEqual(model.proposed(), proposed);
        } else {
          const { current } = model;
          model.reject([hunk.id]);
          assert.equal(model.current, current);
          assert(!model.hunks.some(({ id }) => id === hunk.id));
        }
        break;
      }
      case 'type': {
        const now = edited(model.current, action.edits);
        assertTyping(model, now);
        past.push(now);
        break;
      }
      case 'undoInFile': {
        const now = past.length > 1 ? (past.pop(), past.at(-1)) : undefined;
        if (now) model.didChange(now, true);
        break;
      }
      case 'undo': {
        const undone = model.undo();
        if (undone?.kind !== 'accepted') break;
        model.didChange(applyEdits(model.current, undone.edits), false);
        past.push(model.current);
        break;
      }
      case 'reload': {
        const again = ReviewModel.fromJSON(JSON.parse(JSON.stringify(model)));
        assert(again);
        assert.deepEqual(again.hunks, model.hunks);
        model = again;
        break;
      }
    }
    assertHunksFit(model);
  }
}

/** Without a conflict, both the user's changes and ours must be in the result. */
function assertTyping(model: ReviewModel, now: string[]): void {
  const { current, hunks } = model;
  const theirs = diffLines(current, now).map(change => ({
    at: change.oldStart,
    count: change.oldCount,
    lines: now.slice(change.newStart, change.newStart + change.newCount),
  }));
  model.didChange(now, false);
  assert.equal(model.current.join(), now.join());
  if (model.hunks.length !== hunks.length || model.hunks.some(({ conflict }) => conflict)) return;
  const both = applyEdits(current, [...theirs, ...hunks.map(hunk => model.edit(hunk))]);
  assert.deepEqual(model.proposed(), both);
}

describe('ReviewModel under random work', () => {
  it('starts with a proposal that is the proposed text', () => {
    fc.assert(
      fc.property(smallText, smallText, (current, proposed) => {
        const model = new ReviewModel(current, proposed);
        assert.deepEqual(model.proposed(), proposed);
        assertHunksFit(model);
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps every hunk on the lines that it removes', () => {
    fc.assert(
      fc.property(
        smallText,
        fc.array(edit, { maxLength: 4 }),
        fc.array(step, { maxLength: 10 }),
        (current, edits, steps) => {
          run(new ReviewModel(current, edited(current, edits)), steps);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('is back where it was after accepting and undoing in any mixture', () => {
    fc.assert(
      fc.property(smallText, smallText, fc.array(fc.nat(20)), (current, proposed, picks) => {
        const model = new ReviewModel(current, proposed);
        const shown = draw(model);
        for (const pick of picks) {
          const hunk = model.hunks[pick % Math.max(model.hunks.length, 1)];
          if (hunk && pick % 3 === 0) model.reject([hunk.id]);
          else if (hunk) accept(model, [hunk]);
        }
        for (let undone = model.undo(); undone; undone = model.undo()) {
          if (undone.kind === 'accepted') {
            model.didChange(applyEdits(model.current, undone.edits), false);
          }
        }
        assert.equal(draw(model), shown);
      }),
      { numRuns: 5_000 },
    );
  });
});
