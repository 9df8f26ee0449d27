import assert from 'node:assert/strict';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';

const linesOf = (text: string) => text.split('/');
/** `/` separates lines: `-removed+inserted`, with `!` in front of a conflict. */
const draw = (model: ReviewModel) =>
  model.hunks.map(
    ({ removed, inserted, conflict }) =>
      `${conflict ? '!' : ''}-${removed.join('/')}+${inserted.join('/')}`,
  );
const reviewOf = (current: string, proposed: string) =>
  new ReviewModel(linesOf(current), linesOf(proposed));
const save = (model: ReviewModel, now: string) =>
  model.didChange(linesOf(now), false, undefined, true);

function accept(model: ReviewModel, ...ids: number[]): void {
  const hunks = model.hunks.filter(({ id }) => ids.includes(id));
  const now = applyEdits(
    model.current,
    hunks.map(hunk => model.edit(hunk)),
  );
  model.didAccept(hunks, now);
}

function undo(model: ReviewModel): string {
  const undone = model.undo();
  assert(undone);
  if (undone.kind === 'accepted') model.didChange(applyEdits(model.current, undone.edits), false);
  return model.current.join('/');
}

describe('a review of a file that a save formats', () => {
  for (const { what, current, proposed, saved, hunks } of [
    {
      what: 'trims the lines that are removed and inserted',
      current: 'a/b  /c',
      proposed: 'a/B  /c',
      saved: 'a/b/c',
      hunks: ['-b+B'],
    },
    {
      what: 'keeps the blanks that the save keeps',
      current: 'a/  b/c',
      proposed: 'a/B  /c',
      saved: 'a/\tb/c',
      hunks: ['-\tb+B  '],
    },
    {
      what: 'puts lines above a final newline',
      current: 'a/b',
      proposed: 'a/b/c',
      saved: 'a/b/',
      hunks: ['-+c'],
    },
    {
      what: 'puts lines that end with a newline above a final newline',
      current: 'a/b',
      proposed: 'a/b/c/',
      saved: 'a/b/',
      hunks: ['-+c'],
    },
    {
      what: 'leaves a final newline out of the last change',
      current: 'a/b',
      proposed: 'a/c',
      saved: 'a/b/',
      hunks: ['-b+c'],
    },
    {
      what: 'indents what is inserted like its neighbours',
      current: 'if (a) {/    b;/    c;/}',
      proposed: 'if (a) {/    b;/    d;/}',
      saved: 'if (a) {/  b;/  c;/}',
      hunks: ['-  c;+  d;'],
    },
    {
      what: 'leaves indentation alone that the save says nothing about',
      current: 'if (a) {/    b;/}',
      proposed: 'if (a) {/    while (c)/        d;/}',
      saved: 'if (a) {/  b;/}',
      hunks: ['-  b;+    while (c)/        d;'],
    },
    {
      what: 'takes in the line that formatting joined a changed line with',
      current: 'call(/  a,/  b,/);/x',
      proposed: 'call(/  a,/  c,/);/x',
      saved: 'call(a, b);/x',
      hunks: ['-call(a, b);+call(/  a,/  c,/);'],
    },
    {
      what: 'makes one change of two whose lines formatting joined',
      current: 'call(/  a,/  b,/  c,/);/x',
      proposed: 'call(/  A,/  b,/  C,/);/x',
      saved: 'call(a, b, c);/x',
      hunks: ['-call(a, b, c);+call(/  A,/  b,/  C,/);'],
    },
    {
      what: 'keeps changes apart whose lines formatting parted',
      current: 'call(a, b);/x/y',
      proposed: 'call(a, c);/x/Y',
      saved: 'call(/  a,/  b,/);/x/y;',
      hunks: ['-call(/  a,/  b,/);+call(a, c);', '-y;+Y'],
    },
    {
      what: 'keeps the comma of the item above an inserted one',
      current: 'call(/  a,/);',
      proposed: 'call(/  a,/  b,/);',
      saved: 'call(/  a/);',
      hunks: ['-  a+  a,/  b,'],
    },
    {
      what: 'drops a change that the save made as well',
      current: 'a  /b',
      proposed: 'a/b',
      saved: 'a/b',
      hunks: [],
    },
    {
      what: 'keeps a change of blanks that the save did not make',
      current: 'if a:/    b/c',
      proposed: 'if a:/    b/    c',
      saved: 'if a:/    b/c;',
      hunks: ['-c;+    c'],
    },
    {
      what: 'keeps the blank lines of a formatter out of changes',
      current: 'a/def b:/  c',
      proposed: 'a/def B:/  c',
      saved: 'a///def b:/  c',
      hunks: ['-def b:+def B:'],
    },
  ])
    it(what, () => {
      const model = reviewOf(current, proposed);
      save(model, saved);
      assert.deepEqual(draw(model), hunks);
      assert.equal(model.current.join('/'), saved);
    });

  it('has a conflict where the save changed the code, and only there', () => {
    const model = reviewOf('import a  /import b/import c/x  /y', 'import A/import B/import c/X/y');
    save(model, 'import a/import c/x/y');
    assert.deepEqual(draw(model), ['!-import a+import A/import B', '-x+X']);
  });

  it('has one conflict for each line that the save changed', () => {
    const model = reviewOf('a/b/c', 'A/b/C');
    save(model, 'x/y/z');
    assert.deepEqual(draw(model), ['!-x+A', '!-z+C']);
  });

  it('has a conflict where the user changed blanks', () => {
    const model = reviewOf('a/b/c', 'a/B/c');
    model.didChange(linesOf('a/ b/c'), false);
    assert.deepEqual(draw(model), ['!- b+B']);
  });

  it('can undo what was accepted before the save', () => {
    const model = reviewOf('a/b  /x/c', 'a/B  /x/C');
    accept(model, 1);
    save(model, 'a/B/x/c');
    assert.equal(undo(model), 'a/b/x/c');
    assert.deepEqual(draw(model), ['-b+B', '-c+C']);
  });

  it('has its changes as before when the save is undone in the editor, and again when it is redone', () => {
    const model = reviewOf('f(/  a,/  b/)/x', 'f(/  A,/  B/)/X');
    model.reject([2]);
    const before = draw(model);
    save(model, 'f(a, b)/x');
    const after = draw(model);
    assert.equal(model.didChange(linesOf('f(/  a,/  b/)/x'), true), 'snapshot');
    assert.deepEqual(draw(model), before);
    assert.equal(model.didChange(linesOf('f(a, b)/x'), true), 'snapshot');
    assert.deepEqual(draw(model), after);
  });

  it('can undo an acceptance after the save was undone in the editor', () => {
    const model = reviewOf('a/b', 'A  /b');
    accept(model, 1);
    save(model, 'A/b');
    model.didChange(linesOf('A  /b'), true);
    assert.equal(undo(model), 'a/b');
    assert.deepEqual(draw(model), ['-a+A  ']);
  });

  it('rejects both of two changes that became one, and brings both back', () => {
    const model = reviewOf('f(/  a,/  b,/  c/)', 'f(/  A,/  b,/  C/)');
    save(model, 'f(a, b, c)');
    model.reject(model.hunks.map(({ id }) => id));
    assert.deepEqual([...model.rejected], [1, 2]);
    undo(model);
    assert.deepEqual([...model.rejected], []);
    assert.deepEqual(draw(model), ['-f(a, b, c)+f(/  A,/  b,/  C/)']);
  });

  it('brings back an acceptance and a rejection beside a pending change of the same line', () => {
    const model = reviewOf('f(/  a,/  b,/  c,/  d,/  e/)', 'f(/  A,/  b,/  C,/  d,/  E/)');
    accept(model, 1);
    model.reject([2]);
    save(model, 'f(A, b, c, d, e)');
    assert.deepEqual(draw(model), ['-f(A, b, c, d, e)+f(/  A,/  b,/  c,/  d,/  E/)']);
    undo(model);
    assert.deepEqual(draw(model), ['-f(A, b, c, d, e)+f(/  A,/  b,/  C,/  d,/  E/)']);
    undo(model);
    assert.deepEqual(draw(model), ['-f(/  a,/  b,/  c,/  d,/  e/)+f(/  A,/  b,/  C,/  d,/  E/)']);
  });
});

describe('a review loses no change', () => {
  it('when a save formats the file and the window dies before the journal has it', () => {
    const model = reviewOf('a  /b  /c', 'a  /B  /c');
    accept(model, 1);
    model.resume(linesOf('a/B/c'), false);
    assert.deepEqual(draw(model), []);
    assert.equal(model.isAheadOfFile, false);
    assert.equal(undo(model), 'a/b/c');
    assert.deepEqual(draw(model), ['-b+B']);
  });

  it('when a conflict of two changes is rejected and the file reverted', () => {
    const model = reviewOf('a/b/c/d/e', 'a/B/c/D/e');
    model.didChange(linesOf('a/x/y/z/e'), false);
    assert.deepEqual(draw(model), ['!-x/y/z+B/c/D']);
    model.reject([1]);
    model.didRevert(linesOf('a/b/c/d/e'));
    undo(model);
    assert.deepEqual(draw(model), ['-b+B', '-d+D']);
  });

  it('when another one has taken the lines of a rejected one', () => {
    const model = reviewOf('a/b/c/d/e', 'a/B/c/D/e');
    model.reject([1]);
    model.didChange(linesOf('a/x/y/z/e'), false);
    assert.deepEqual(draw(model), ['!-x/y/z+b/c/D']);
    assert.equal(model.canUndo, false);
    assert.equal(model.undo(), undefined);
    assert.deepEqual([...model.rejected], [1]);
    model.didChange(linesOf('a/b/c/d/e'), true);
    assert.equal(model.lastDecision, 'reject');
    undo(model);
    assert.deepEqual(model.proposed(), linesOf('a/B/c/D/e'));
    assert.deepEqual([...model.rejected], []);
  });

  it('when an acceptance is undone while a rejection waits for its lines', () => {
    const model = reviewOf('a/b/c/d/e/f/g', 'a/B/c/D/e/f/G');
    accept(model, 3);
    model.reject([1]);
    model.didChange(linesOf('a/x/y/z/e/f/G'), false);
    assert.equal(model.lastDecision, 'accept');
    assert.equal(undo(model), 'a/x/y/z/e/f/g');
    assert.deepEqual(draw(model), ['!-x/y/z+b/c/D', '-g+G']);
    assert.deepEqual([...model.rejected], [1]);
  });

  it('when it was rejected at the last save, and accepted but not saved since then', () => {
    const model = reviewOf('a/b/c', 'a/B/c');
    model.reject([1]);
    model.didSave();
    assert.equal(model.isAheadOfFile, false);
    undo(model);
    assert.equal(model.isAheadOfFile, false);
    accept(model, 1);
    assert.equal(model.isAheadOfFile, true);
    model.resume(linesOf('a/b/c'), false);
    assert.deepEqual(draw(model), ['-b+B']);
  });
});
