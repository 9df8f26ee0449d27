import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import {
  changeAt,
  cursorLine,
  fileLineAt,
  nextChange,
  proposedLineAt,
  type Side,
  spanOf,
  unchangedFileLine,
} from '../../../../../src/apply/review/model/reviewCursor';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { buildReviewView, type ReviewView } from '../../../../../src/apply/review/model/reviewView';

const viewOf = (current: string, proposed: string): ReviewView =>
  buildReviewView(new ReviewModel(current.split(' '), proposed.split(' ')));
const ids = (view: ReviewView, side: Side): (number | undefined)[] =>
  Array.from({ length: view.lineCounts[side] }, (_, line) => changeAt(view, side, line)?.id);
const step = (view: ReviewView, side: Side, line: number, direction: 1 | -1): number | undefined =>
  nextChange(view, side, line, direction)?.id;

/** Words are unique, so that there is only one way to draw the difference. */
const reviewedText = fc
  .array(fc.constantFrom('keep', 'keep', 'remove', 'insert', 'replace'), { maxLength: 30 })
  .map(kinds => ({
    current: kinds.flatMap((kind, index) =>
      kind === 'insert' ? [] : [kind === 'keep' ? `k${index}` : `old${index}`],
    ),
    proposed: kinds.flatMap((kind, index) =>
      kind === 'remove' ? [] : [kind === 'keep' ? `k${index}` : `new${index}`],
    ),
  }))
  .filter(({ current, proposed }) => current.length > 0 && proposed.length > 0);

const action = fc.record({
  kind: fc.constantFrom('accept', 'reject', 'edit', 'undo'),
  at: fc.nat(30),
});

/** Decides and edits as a user would, and leaves what is then to be decided. */
function play(model: ReviewModel, actions: readonly { kind: string; at: number }[]): void {
  for (const [index, { kind, at }] of actions.entries()) {
    const hunk = model.hunks[at % Math.max(1, model.hunks.length)];
    if (kind === 'edit') {
      const place = at % (model.current.length + 1);
      const isReplaced = at % 2 === 1;
      model.didChange(model.current.toSpliced(place, isReplaced ? 1 : 0, `mine${index}`), false);
    } else if (kind === 'undo') {
      const undone = model.undo();
      if (undone?.kind === 'accepted')
        model.didChange(applyEdits(model.current, undone.edits), false);
    } else if (hunk && kind === 'accept') {
      model.didAccept([hunk], applyEdits(model.current, [model.edit(hunk)]));
    } else if (hunk) model.reject([hunk.id]);
  }
}

describe('proposedLineAt', () => {
  // a, -b, +B, +B2, c, -d, e
  const view = viewOf('a b c d e', 'a B B2 c e');
  const all = (side: Side) =>
    Array.from({ length: view.lineCounts[side] }, (_, line) => proposedLineAt(view, side, line));

  it('is the line itself for an added or unchanged one, and where it would be for a removed one', () => {
    assert.deepEqual(all('unified'), [0, 0, 1, 1, 2, 3, 4, 4]);
    assert.deepEqual(all('file'), [0, 1, 3, 4, 4]);
    assert.deepEqual(all('proposed'), [0, 1, 2, 3, 4]);
  });
});

describe('unchangedFileLine', () => {
  it('is the line of the file for a line that stays, and none for an inserted one', () => {
    const view = viewOf('a b c d e', 'a B B2 c e');
    const lines = [0, 1, 2, 3, 4].map(line => unchangedFileLine(view, line));
    assert.deepEqual(lines, [0, undefined, undefined, 2, 4]);
  });
});

describe('a cursor in a review', () => {
  const view = viewOf('a b c d e', 'a X Y c e F');

  it('is on the change whose lines it stands in, in each document', () => {
    assert.deepEqual(ids(view, 'unified'), [
      undefined,
      undefined,
      1,
      1,
      1,
      undefined,
      2,
      undefined,
      3,
    ]);
    // a X Y c e F: `d` was removed above `e`.
    assert.deepEqual(ids(view, 'proposed'), [undefined, 1, 1, undefined, 2, 3]);
    // a b c d e: `F` is inserted below `e`.
    assert.deepEqual(ids(view, 'file'), [undefined, 1, undefined, 2, 3]);
  });

  it('is on no change beyond the end', () => {
    for (const side of ['unified', 'proposed', 'file'] as const)
      assert.equal(changeAt(view, side, 99), undefined);
  });

  it('finds the change that removes everything', () => {
    const model = new ReviewModel(['a', 'b'], ['']);
    assert.equal(changeAt(buildReviewView(model), 'proposed', 0)?.id, 1);
  });

  it('takes the change of the line and not the one of the same row of the preview', () => {
    const far = viewOf('a1 a2 a3 a4 keep1 keep2 z end', 'b1 b2 b3 b4 keep1 keep2 z99 end');
    assert.equal(changeAt(far, 'proposed', 6)?.id, 2);
    assert.equal(changeAt(far, 'file', 6)?.id, 2);
    assert.equal(changeAt(far, 'unified', 7)?.id, 1);
  });

  it('goes to the next change, down, up and around', () => {
    assert.equal(step(view, 'unified', 0, 1), 1);
    assert.equal(step(view, 'unified', 2, 1), 2);
    assert.equal(step(view, 'unified', 4, -1), 3);
    assert.equal(step(view, 'unified', 7, -1), 2);
    assert.equal(step(view, 'unified', 8, 1), 1);
    assert.equal(step(view, 'unified', 0, -1), 3);
    assert.equal(step(view, 'proposed', 3, 1), 2);
    assert.equal(step(view, 'proposed', 3, -1), 1);
    assert.equal(step(view, 'file', 2, 1), 2);
    assert.equal(step(viewOf('a', 'b'), 'unified', 0, 1), 1);
    assert.equal(step(viewOf('a', 'a'), 'unified', 0, 1), undefined);
  });

  it('finds the line of the file for every line', () => {
    const lines = (side: Side): number[] =>
      Array.from({ length: view.lineCounts[side] }, (_, line) => fileLineAt(view, side, line));
    assert.deepEqual(lines('unified'), [0, 0, 1, 2, 2, 2, 3, 4, 5]);
    assert.deepEqual(lines('proposed'), [0, 2, 2, 2, 4, 5]);
    assert.deepEqual(lines('file'), [0, 1, 2, 3, 4]);
    assert.equal(fileLineAt(view, 'unified', 99), 5);
  });

  it('does not stand in the line that a selection of whole lines ends before', () => {
    const active = { line: 5, character: 0 };
    assert.equal(cursorLine({ isEmpty: true, isReversed: false, active }), 5);
    assert.equal(cursorLine({ isEmpty: false, isReversed: true, active }), 5);
    assert.equal(cursorLine({ isEmpty: false, isReversed: false, active }), 4);
  });

  it('decides on what is drawn at it, after any decisions and edits', () => {
    fc.assert(
      fc.property(reviewedText, fc.array(action, { maxLength: 6 }), (text, actions) => {
        const model = new ReviewModel(text.current, text.proposed);
        play(model, actions);
        const drawn = buildReviewView(model);
        const proposed = model.proposed();
        const hunkOf = (id: number | undefined) => model.hunks.find(hunk => hunk.id === id);

        for (const [row, { kind, hunk }] of drawn.rows.entries())
          assert.equal(
            changeAt(drawn, 'unified', row)?.id,
            kind === ' ' || kind === 'header' ? undefined : hunk,
          );

        // A line that only one side holds is drawn as changed: deciding there must decide on that line.
        for (const [line, word] of proposed.entries()) {
          const hunk = hunkOf(changeAt(drawn, 'proposed', line)?.id);
          if (hunk && hunk.inserted.length > 0) assert.ok(hunk.inserted.includes(word));
          if (hunk && hunk.inserted.length === 0) {
            const before = model.current.indexOf(word);
            const isAbove = model.current[before - 1] === hunk.removed.at(-1);
            const isBelow =
              line === proposed.length - 1 && model.current[before + 1] === hunk.removed[0];
            assert.ok(isAbove || isBelow || !model.current.includes(word));
          }
          if (!model.current.includes(word)) assert.ok(hunk?.inserted.includes(word));
        }
        for (const [line, word] of model.current.entries()) {
          const hunk = hunkOf(changeAt(drawn, 'file', line)?.id);
          if (hunk && hunk.removed.length > 0) assert.ok(hunk.removed.includes(word));
          if (!proposed.includes(word)) assert.ok(hunk?.removed.includes(word));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('goes round all changes in order, from each line and in each document', () => {
    fc.assert(
      fc.property(reviewedText, fc.nat(60), (text, start) => {
        const drawn = buildReviewView(new ReviewModel(text.current, text.proposed));
        const { hunks } = drawn;
        fc.pre(hunks.length > 0);
        for (const side of ['unified', 'proposed', 'file'] as const) {
          const places = hunks.map(hunk =>
            Math.min(spanOf(hunk, side).start, drawn.lineCounts[side] - 1),
          );
          // Two removals above and below the only line of a diff's right side stand at one place.
          if (new Set(places).size < places.length) continue;
          let line = start % drawn.lineCounts[side];
          const visited = hunks.map(() => {
            const next = nextChange(drawn, side, line, 1);
            assert(next);
            line = Math.min(spanOf(next, side).start, drawn.lineCounts[side] - 1);
            return next;
          });
          assert.equal(new Set(visited).size, hunks.length);
          const first = hunks.indexOf(visited[0]!);
          assert.deepEqual(visited, [...hunks.slice(first), ...hunks.slice(0, first)]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
