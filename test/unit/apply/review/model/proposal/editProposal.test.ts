import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  editProposal,
  typedOver,
} from '../../../../../../src/apply/review/model/proposal/editProposal';
import { applyEdits, editOfHunk, type Hunk } from '../../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../../src/apply/review/model/reviewModel';

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));
const original = words('a b c d e f g h i j');

/** A review in which b and h are changed, far apart. */
const start = () => new ReviewModel(original, words('a B c d e f g H i j'));

function propose(model: ReviewModel, lines: readonly string[]): void {
  const state = editProposal(model, lines);
  if (state) model.replay([], model.current, state);
}

/** Accepts hunks in a file that nobody else changes. */
function accept(model: ReviewModel, hunks: readonly Hunk[]): void {
  if (hunks.length === 0) return;
  model.willAccept(hunks.map(({ id }) => id));
  model.didAccept(hunks, applyEdits(model.current, hunks.map(editOfHunk)));
}

const short = (model: ReviewModel) =>
  model.hunks.map(({ id, at, removed, inserted }) => [id, at, removed.join(), inserted.join()]);

describe('editProposal', () => {
  it('changes the hunk that is typed in and leaves the others alone', () => {
    const model = start();
    const other = model.hunks[1];
    propose(model, words('a B1 B2 c d e f g H i j'));
    assert.deepEqual(short(model), [
      [1, 1, 'b', 'B1,B2'],
      [2, 7, 'h', 'H'],
    ]);
    assert.equal(model.hunks[1], other);
  });

  it('keeps changes apart that are one in the saved text: a rejection is of one of them only', () => {
    const model = new ReviewModel(words('a b c d e'), words('a B c D e'));
    model.didChange(words('a b x y d e'), false);
    propose(model, words('a B x TYPED y D e'));
    assert.deepEqual(short(model), [
      [1, 1, 'b', 'B'],
      [3, 3, '', 'TYPED'],
      [2, 4, 'd', 'D'],
    ]);
    model.reject([1]);
    model.didRevert(words('a b c d e'));
    const pending = model.hunks.flatMap(({ inserted }) => inserted);
    assert.ok(pending.includes('D') && pending.includes('TYPED'), pending.join(' '));
  });

  it('makes a hunk of its own of what is typed away from all others', () => {
    const model = start();
    propose(model, words('a B c d E f g H i j'));
    assert.deepEqual(short(model), [
      [1, 1, 'b', 'B'],
      [3, 4, 'e', 'E'],
      [2, 7, 'h', 'H'],
    ]);
  });

  it('drops a hunk whose old lines are typed again', () => {
    const model = start();
    propose(model, words('a b c d e f g H i j'));
    assert.deepEqual(short(model), [[2, 7, 'h', 'H']]);
    model.didRevert(original);
    assert.deepEqual(short(model), [[2, 7, 'h', 'H']]);
  });

  it('joins hunks when the lines between them are typed over, and splits them again', () => {
    const model = start();
    const proposed = model.proposed();
    propose(model, words('a X j'));
    assert.equal(model.hunks.length, 1);
    propose(model, proposed);
    assert.deepEqual(
      short(model).map(([, ...rest]) => rest),
      [
        [1, 'b', 'B'],
        [7, 'h', 'H'],
      ],
    );
  });

  it('is nothing when the lines are proposed already', () => {
    const model = start();
    assert.equal(editProposal(model, model.proposed()), undefined);
  });

  it('keeps what is typed when the file is reverted, with what was accepted pending again', () => {
    const model = start();
    accept(model, model.hunks.slice(0, 1));
    propose(model, words('a B c d e f g TYPED i j'));
    assert.deepEqual(short(model), [[2, 7, 'h', 'TYPED']]);
    assert.ok(model.isAheadOfFile);
    model.didRevert(original);
    assert.deepEqual(model.proposed(), words('a B c d e f g TYPED i j'));
  });

  it('makes a change pending again that was accepted, typed over and reverted', () => {
    const model = start();
    accept(model, model.hunks.slice(0, 1));
    propose(model, words('a TYPED c d e f g H i j'));
    assert.ok(model.isAheadOfFile);
    model.didRevert(original);
    assert.deepEqual(model.proposed(), words('a TYPED c d e f g H i j'));
  });

  it('does not bring a rejected change back with a revert', () => {
    const model = start();
    model.reject([1]);
    propose(model, words('a b c d e f g TYPED i j'));
    model.didRevert(original);
    assert.deepEqual(model.proposed(), words('a b c d e f g TYPED i j'));
  });

  it('makes a conflict of lines that changed in the file while they were typed', () => {
    const model = start();
    const shown = model.proposed();
    model.didChange(words('a b c d own f g h i j'), false);
    const { lines, conflicts } = typedOver(
      shown,
      words('a B c d TYPED f g H i j'),
      model.proposed(),
    );
    const state = editProposal(model, lines, conflicts);
    assert.deepEqual(
      state?.hunks.map(({ removed, inserted, conflict }) => [removed[0], inserted[0], conflict]),
      [
        ['b', 'B', false],
        ['own', 'TYPED', true],
        ['h', 'H', false],
      ],
    );
  });

  it('keeps a conflict one', () => {
    const model = start();
    model.didChange(words('a own c d e f g h i j'), false);
    assert.equal(model.hunks[0]?.conflict, true);
    propose(model, words('a own B c d e f g H i j'));
    assert.equal(model.hunks[0]?.conflict, true);
    assert.equal(model.hunks[1]?.conflict, false);
  });
});

describe('editProposal with any text', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd', '');
  const text = fc.array(line, { minLength: 1, maxLength: 12 });
  const act = fc.oneof(
    fc.record({ kind: fc.constant('propose' as const), lines: text }),
    fc.record({ kind: fc.constantFrom('accept' as const, 'reject' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant('edit' as const), lines: text }),
    fc.record({ kind: fc.constantFrom('undo' as const, 'save' as const) }),
  );
  type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

  function run(model: ReviewModel, step: Act): void {
    switch (step.kind) {
      case 'propose':
        propose(model, step.lines);
        assert.deepEqual(model.proposed(), step.lines);
        break;
      case 'accept':
        accept(model, model.hunks.slice(step.at, step.at + 1));
        break;
      case 'reject':
        model.reject(model.hunks.slice(step.at, step.at + 1).map(({ id }) => id));
        break;
      case 'edit':
        model.didChange(step.lines, false);
        break;
      case 'undo': {
        const undone = model.undo();
        if (undone?.kind !== 'accepted') break;
        model.didChange(applyEdits(model.current, undone.edits), false);
        break;
      }
      case 'save':
        model.didSave();
        break;
    }
  }

  it('leads to exactly that text when all is accepted, and to the file when all is rejected', () =>
    fc.assert(
      fc.property(text, text, fc.array(act, { maxLength: 8 }), text, (from, to, steps, typed) => {
        const model = new ReviewModel(from, to);
        for (const step of steps) run(model, step);
        propose(model, typed);
        assert.deepEqual(model.proposed(), typed);
        const ids = model.hunks.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        const stored = ReviewModel.fromJSON(JSON.parse(JSON.stringify(model)));
        assert.deepEqual(stored?.toJSON(), model.toJSON());
        const { current } = model;
        stored.reject(ids);
        assert.deepEqual(stored.proposed(), current);
        accept(model, model.hunks);
        assert.deepEqual(model.current, typed);
        assert.deepEqual(model.hunks, []);
      }),
    ));

  it('forgets no accepted change that is not saved', () =>
    fc.assert(
      fc.property(text, text, fc.array(act, { maxLength: 6 }), text, (from, to, steps, typed) => {
        const model = new ReviewModel(from, to);
        for (const step of steps)
          if (step.kind !== 'edit' && step.kind !== 'undo') run(model, step);
        model.didSave();
        const { current } = model;
        accept(model, model.hunks.slice(0, 1));
        propose(model, typed);
        const wanted = model.proposed();
        model.didRevert(current);
        assert.deepEqual(model.proposed(), wanted);
      }),
    ));
});

describe('typedOver', () => {
  const shown = words('a b c d e');
  it('puts what was typed into a proposal that changed elsewhere', () =>
    assert.deepEqual(typedOver(shown, words('a b c d TYPED'), words('a X c d e')), {
      lines: words('a X c d TYPED'),
      conflicts: [],
    }));

  it('keeps what was typed where both changed, and says so', () =>
    assert.deepEqual(typedOver(shown, words('a TYPED c d e'), words('a X c d e')), {
      lines: words('a TYPED c d e'),
      conflicts: [{ start: 1, end: 2 }],
    }));
});
