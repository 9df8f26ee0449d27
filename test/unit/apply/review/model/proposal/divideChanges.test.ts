import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { divideChanges } from '../../../../../../src/apply/review/model/proposal/divideChanges';
import type { SelectedLines } from '../../../../../../src/apply/review/model/proposal/splitHunk';
import { applyEdits, editOfHunk, type Hunk } from '../../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../../src/apply/review/model/reviewModel';

const words = (text: string): string[] => text.split(' ');
const original = words('a b c d e f g h i j');
const proposed = words('a B C e f g x y z h i j');

const span = ([start, end]: readonly [number, number]) => ({ start, end });
const lines = (
  removed: readonly [number, number],
  inserted: readonly [number, number],
): SelectedLines => ({ removed: span(removed), inserted: span(inserted) });

function divide(model: ReviewModel, id: number, selected: SelectedLines): Hunk[] {
  const divided = divideChanges(model, new Map([[id, selected]]));
  if (divided.state) model.replay([], model.current, divided.state);
  return model.hunks.filter(hunk => divided.selected.includes(hunk.id));
}

/** Accepts hunks in a file that nobody else changes. */
function accept(model: ReviewModel, hunks: readonly Hunk[]): void {
  if (hunks.length === 0) return;
  model.willAccept(hunks.map(({ id }) => id));
  model.didAccept(hunks, applyEdits(model.current, hunks.map(editOfHunk)));
}

function undoAll(model: ReviewModel): void {
  for (let undone = model.undo(); undone; undone = model.undo()) {
    if (undone.kind === 'accepted') {
      model.didChange(applyEdits(model.current, undone.edits), false);
    }
  }
}

/** As the editor reports it: with the lines that it changed. */
function undoInEditor(
  model: ReviewModel,
  accepted: readonly Hunk[],
  before: readonly string[],
): void {
  const edits = accepted.map(({ at, removed, inserted }) => ({
    at,
    count: inserted.length,
    lines: removed,
  }));
  model.didChange(before, true, { before: model.current, edits });
}

const short = (hunks: readonly Hunk[]) =>
  hunks.map(
    ({ id, at, removed, inserted }) => `${id} ${at} -${removed.join('')} +${inserted.join('')}`,
  );

const within = ([a, b]: readonly [number, number], { length }: readonly string[] = []) =>
  [Math.min(a, b, length), Math.min(Math.max(a, b), length)] as const;

describe('divideChanges', () => {
  it('makes the selected lines a change of their own, which is decided alone', () => {
    const model = new ReviewModel(original, proposed);
    assert.deepEqual(short(model.hunks), ['1 1 -bcd +BC', '2 7 - +xyz']);
    const [selected] = divide(model, 1, lines([0, 1], [0, 1]));
    assert.deepEqual(short(model.hunks), ['1 1 -b +B', '3 2 -cd +C', '2 7 - +xyz']);
    accept(model, selected ? [selected] : []);
    assert.deepEqual(model.current, words('a B c d e f g h i j'));
    assert.deepEqual(model.proposed(), proposed);
  });

  it('leaves the rest when lines of an insertion are rejected', () => {
    const model = new ReviewModel(original, proposed);
    const selected = divide(model, 2, lines([0, 0], [1, 2]));
    model.reject(selected.map(({ id }) => id));
    assert.deepEqual(model.proposed(), words('a B C e f g x z h i j'));
    accept(model, model.hunks);
    assert.deepEqual(model.current, words('a B C e f g x z h i j'));
    undoAll(model);
    assert.deepEqual(model.current, original);
    assert.deepEqual(model.proposed(), proposed);
  });

  it('changes nothing where all lines of a change are selected', () => {
    const model = new ReviewModel(original, proposed);
    const { state, selected } = divideChanges(model, new Map([[2, lines([0, 0], [0, 3])]]));
    assert.equal(state, undefined);
    assert.deepEqual(selected, [2]);
  });

  it('leaves a conflict as it is', () => {
    const model = new ReviewModel(original, proposed);
    model.didChange(words('a mine c d e f g h i j'), false);
    const [conflict] = model.hunks;
    assert.equal(conflict?.conflict, true);
    const divided = divideChanges(model, new Map([[conflict.id, lines([0, 1], [0, 1])]]));
    assert.deepEqual(divided, { state: undefined, selected: [conflict.id] });
  });

  it('makes all pending again when what was accepted is not saved', () => {
    const model = new ReviewModel(original, proposed);
    accept(model, divide(model, 2, lines([0, 0], [0, 2])));
    assert.equal(model.isAheadOfFile, true);
    model.didRevert(original);
    assert.deepEqual(model.proposed(), proposed);
  });

  it('divides at other places of the saved text as well', () => {
    const model = new ReviewModel(original, proposed);
    model.didChange(['new', ...original], false);
    accept(model, divide(model, 2, lines([0, 0], [0, 1])));
    model.didRevert(original);
    assert.deepEqual(model.proposed(), proposed);
    assert.equal(model.hunks.length, 3);
  });

  it('never loses or changes a line, whatever is selected and decided', () => {
    const step = fc.record({
      at: fc.nat(5),
      removed: fc.tuple(fc.nat(3), fc.nat(3)),
      inserted: fc.tuple(fc.nat(3), fc.nat(3)),
      action: fc.constantFrom('accept', 'reject', 'undo', 'save', 'accept and Ctrl+Z', 'revert'),
    });
    const text = fc.array(fc.constantFrom(...words('a b c d e')), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, fc.array(step, { maxLength: 6 }), (before, after, steps) => {
        const model = new ReviewModel(before, after);
        for (const { at, removed, inserted, action } of steps) {
          const hunk = model.hunks[at % Math.max(1, model.hunks.length)];
          const spans = [within(removed, hunk?.removed), within(inserted, hunk?.inserted)] as const;
          if (hunk && spans.some(([start, end]) => start < end)) {
            const wanted = model.proposed();
            const selected = divide(model, hunk.id, lines(...spans));
            assert.deepEqual(model.proposed(), wanted);
            const { current } = model;
            if (action === 'accept' || action === 'accept and Ctrl+Z') {
              accept(model, selected);
              assert.deepEqual(model.proposed(), wanted);
              if (action !== 'accept') undoInEditor(model, selected, current);
              assert.deepEqual(model.proposed(), wanted);
            } else if (action === 'reject') model.reject(selected.map(({ id }) => id));
          }
          if (action === 'save') model.didSave();
          if (action === 'revert') {
            const wanted = model.proposed();
            model.didRevert(model.saved.text);
            assert.deepEqual(model.proposed(), wanted);
          }
          if (action === 'undo') {
            const undone = model.undo();
            if (undone?.kind === 'accepted') {
              model.didChange(applyEdits(model.current, undone.edits), false);
            }
          }
          const restored = ReviewModel.fromJSON(JSON.parse(JSON.stringify(model)));
          assert.deepEqual(restored?.hunks, model.hunks);
        }
        undoAll(model);
        assert.deepEqual(model.current, before);
        assert.deepEqual(model.proposed(), after);
      }),
      { numRuns: 1500 },
    );
  });
});
