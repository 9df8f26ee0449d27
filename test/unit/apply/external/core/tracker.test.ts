import assert from 'node:assert/strict';
import { RootWorld } from './rootWorld';

const lines = (...words: string[]) => words.map(word => `${word}\n`).join('');
const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
const after = lines('a', 'B', 'c', 'd', 'E', 'f', 'g', 'H', 'i', 'j');

const wholes = (world: RootWorld, path: string) => {
  const { status, whole } = world.pending(path) ?? {};
  return [status, whole];
};

describe('RootTracker', () => {
  let world: RootWorld;
  beforeEach(async () => {
    world = await RootWorld.of({ p: before });
  });
  afterEach(() => assert.deepEqual(world.errors, []));

  const undone = async (path: string, ...numbers: number[]) => {
    assert.equal(await world.undo(path, ...numbers), 'done');
  };

  it('lists what another program wrote, change by change', async () => {
    assert.deepEqual(world.tracker.pending, []);
    await world.write('p', after);
    const pending = world.pending('p');
    assert.equal(pending?.status, 'changed');
    assert.equal(pending?.whole, undefined);
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
  });

  it('lists nothing that was touched but not changed, and nothing that changed back', async () => {
    await world.see('p');
    assert.deepEqual(world.tracker.pending, []);
    await world.write('p', after);
    await world.write('p', before);
    assert.deepEqual(world.tracker.pending, []);
    assert.equal(world.tracker.canUndoDecision, false);
  });

  it('keeps changes without a write, and undoes the rest', async () => {
    await world.write('p', after);
    world.onWrite = () => assert.fail('a write');
    assert.equal(await world.keep('p', 1), 'done');
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-h +H']);
    world.onWrite = () => {};
    await undone('p');
    assert.equal(world.text('p'), before.replace('e', 'E'));
    assert.deepEqual(world.tracker.pending, []);
  });

  it('undoes some changes and leaves the others', async () => {
    await world.write('p', after);
    await undone('p', 0, 2);
    assert.equal(world.text('p'), before.replace('e', 'E'));
    assert.deepEqual(await world.drawn('p'), ['-e +E']);
  });

  it('has nothing pending when all is kept', async () => {
    await world.write('p', after);
    assert.equal(await world.keep('p'), 'done');
    assert.deepEqual(world.tracker.pending, []);
    await world.see('p');
    assert.deepEqual(world.tracker.pending, []);
    await world.write('p', after.replace('g', 'G'));
    assert.deepEqual(await world.drawn('p'), ['-g +G']);
  });

  it('tells of each change, and not when nothing changed', async () => {
    let times = 0;
    const stop = world.tracker.onDidChange(() => times++);
    await world.see('p');
    assert.equal(times, 0);
    await world.write('p', after);
    assert.equal(times, 1);
    await world.keep('p', 0);
    assert.equal(times, 2);
    stop();
    await world.keep('p');
    assert.equal(times, 2);
  });

  it('gives the list as it is until something changes', async () => {
    await world.write('p', after);
    const { pending } = world.tracker;
    await world.see('p');
    assert.equal(world.tracker.pending, pending);
    await world.keep('p', 0);
    assert.notEqual(world.tracker.pending, pending);
  });

  describe('refuses a decision', () => {
    it('on another version', async () => {
      await world.write('p', after);
      const selected = await world.select('p');
      await world.write('p', after.replace('j', 'J'));
      for (const decide of ['keep', 'undo'] as const) {
        assert.deepEqual(await world.tracker[decide]([selected]), [
          { path: 'p', outcome: 'stale' },
        ]);
      }
      assert.equal(world.text('p'), after.replace('j', 'J'));
    });

    it('on a change that is no longer there, a file that is not listed, and no change', async () => {
      await world.write('p', after);
      const { version } = await world.select('p');
      const outcomes = await world.tracker.keep([
        { path: 'p', version, changes: ['x'] },
        { path: 'q', version },
      ]);
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['stale', 'stale'],
      );
      const [none] = await world.tracker.undo([{ path: 'p', version, changes: [] }]);
      assert.equal(none?.outcome, 'stale');
    });

    it('when the file has changed unseen, and looks at it then', async () => {
      await world.write('p', after);
      world.put('p', after.replace('j', 'J'));
      assert.equal(await world.undo('p', 0), 'stale');
      assert.equal(world.text('p'), after.replace('j', 'J'));
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H', '-j +J']);
    });

    it('when the file changes right before the write', async () => {
      await world.write('p', after);
      world.onWrite = () => world.put('p', 'other\n');
      assert.equal(await world.undo('p'), 'stale');
      assert.equal(world.text('p'), 'other\n');
      assert.deepEqual(await world.undoDecision(), []);
    });

    it('for the second of two about one file', async () => {
      await world.write('p', after);
      const [first, second] = [await world.select('p', 0), await world.select('p', 1)];
      const decided = await world.tracker.undo([first, second]);
      assert.deepEqual(
        decided.map(({ outcome }) => outcome),
        ['done', 'stale'],
      );
    });

    it('about a read-only file', async () => {
      await world.write('p', after);
      world.readOnly.add('p');
      assert.equal(await world.undo('p'), 'readOnly');
      assert.equal(world.text('p'), after);
      assert.equal(world.tracker.canUndoDecision, false);
    });

    it('in a window that does not have the lock', async () => {
      await world.write('p', after);
      await world.keep('p', 0);
      world.lock.isOwner = false;
      assert.equal(await world.keep('p'), 'otherWindow');
      assert.equal(await world.undo('p'), 'otherWindow');
      assert.deepEqual(await world.undoDecision(), ['otherWindow']);
      assert.equal(world.text('p'), after);
    });

    it('that cannot be stored, before anything on disk changes', async () => {
      await world.write('p', after);
      world.journalDisk.capacity = 0;
      world.onWrite = () => assert.fail('a write');
      for (const decide of ['keep', 'undo'] as const) {
        const [decided] = await world.tracker[decide]([await world.select('p', 0)]);
        assert.equal(decided?.outcome, 'failed');
        assert.match(String(decided?.error), /ENOSPC/);
        assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
      }
      assert.equal(world.errors.length, 1);
      world.errors.length = 0;
      world.journalDisk.capacity = Number.POSITIVE_INFINITY;
      world.onWrite = () => {};
      assert.equal(await world.keep('p', 0), 'done');
    });

    it('whose bytes cannot be stored', async () => {
      await world.write('p', after);
      world.contents.isFull = true;
      world.onWrite = () => assert.fail('a write');
      assert.equal(await world.keep('p', 0), 'failed');
      assert.equal(await world.undo('p', 0), 'failed');
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
    });
  });

  describe('decides about whole files', () => {
    it('that were created', async () => {
      await world.write('new', 'x\n');
      assert.deepEqual(wholes(world, 'new'), ['created', 'created']);
      assert.deepEqual(await world.drawn('new'), ['- +x']);
      await undone('new');
      assert.equal(world.text('new'), undefined);
      assert.deepEqual(world.tracker.pending, []);
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('new'), 'x\n');
      assert.deepEqual(wholes(world, 'new'), ['created', 'created']);
      assert.equal(await world.keep('new'), 'done');
      assert.deepEqual(world.tracker.pending, []);
    });

    it('that were deleted', async () => {
      await world.write('p', undefined);
      assert.deepEqual(wholes(world, 'p'), ['deleted', 'deleted']);
      await undone('p');
      assert.equal(world.text('p'), before);
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('p'), undefined);
      assert.equal(await world.keep('p'), 'done');
      assert.deepEqual(world.tracker.pending, []);
    });

    it('that are no text', async () => {
      await world.write('p', 'a\0b');
      assert.deepEqual(wholes(world, 'p'), ['changed', 'binary']);
      assert.equal(await world.tracker.changes('p'), undefined);
      await undone('p');
      assert.equal(world.text('p'), before);
      await world.write('p', `${'x'.repeat(40)}\n`.repeat(60_000));
      assert.deepEqual(wholes(world, 'p'), ['changed', 'large']);
    });

    it('of which nobody knows what they were', async () => {
      world.git = undefined;
      await world.write('q', 'x\n');
      assert.deepEqual(wholes(world, 'q'), ['changed', 'unknown']);
      assert.equal(await world.undo('q'), 'lost');
      assert.equal(await world.keep('q'), 'done');
      await world.write('q', 'y\n');
      assert.deepEqual(await world.drawn('q'), ['-x +y']);
    });

    it('whose old bytes are gone', async () => {
      await world.write('p', after);
      world.contents.stored.clear();
      world.git?.clear();
      await world.reload();
      assert.deepEqual(wholes(world, 'p'), ['changed', 'lost']);
      assert.equal(await world.undo('p'), 'lost');
      assert.equal(world.text('p'), after);
      assert.equal(await world.keep('p'), 'done');
      assert.deepEqual(world.tracker.pending, []);
    });

    it('but not about a part of them', async () => {
      await world.write('new', 'x\n');
      const { version } = await world.select('new');
      const [decided] = await world.tracker.undo([{ path: 'new', version, changes: ['x'] }]);
      assert.equal(decided?.outcome, 'stale');
      assert.equal(await world.undo('new', 0), 'done');
    });

    it('that other programs made, removed and nobody saw', async () => {
      world.git = undefined;
      await world.see('gone');
      assert.deepEqual(world.tracker.pending, []);
    });
  });

  describe('undoes the last decision', () => {
    it('to keep', async () => {
      await world.write('p', after);
      await world.keep('p', 0);
      await world.keep('p', 1);
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.deepEqual(await world.drawn('p'), ['-e +E', '-h +H']);
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
      assert.deepEqual(await world.undoDecision(), []);
    });

    it('to undo', async () => {
      await world.write('p', after);
      await undone('p', 0);
      await undone('p');
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('p'), after.replace('B', 'b'));
      assert.deepEqual(await world.drawn('p'), ['-e +E', '-h +H']);
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('p'), after);
    });

    it('about several files at once', async () => {
      await world.write('p', after);
      await world.write('q', 'new\n');
      const selected = world.tracker.pending.map(({ path, version }) => ({ path, version }));
      await world.tracker.undo(selected);
      assert.deepEqual([world.text('p'), world.text('q')], [before, undefined]);
      assert.deepEqual(await world.undoDecision(), ['done', 'done']);
      assert.deepEqual([world.text('p'), world.text('q')], [after, 'new\n']);
    });

    it('when another program has written since: a keep yes, an undo no', async () => {
      await world.write('p', after);
      await world.keep('p', 0);
      await world.write('p', after.replace('j', 'J'));
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H', '-j +J']);
      await undone('p', 0);
      await world.write('p', 'b is here\n');
      assert.deepEqual(await world.undoDecision(), ['stale']);
      assert.equal(world.text('p'), 'b is here\n');
      assert.deepEqual(await world.undoDecision(), []);
    });

    it('but none about a file that git has changed since', async () => {
      await world.write('p', after);
      await world.keep('p', 0);
      world.put('p', 'other\n');
      assert.deepEqual(await world.tracker.rebased(['p']), ['p']);
      assert.deepEqual(await world.undoDecision(), []);
    });

    it('later, when it cannot be written now', async () => {
      await world.write('p', after);
      await undone('p');
      world.readOnly.add('p');
      assert.deepEqual(await world.undoDecision(), ['readOnly']);
      world.readOnly.clear();
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('p'), after);
    });
  });

  describe('takes as reviewed', () => {
    it('what git has changed, and says what that was', async () => {
      await world.write('p', after);
      world.put('q', 'q\n');
      assert.deepEqual(await world.tracker.rebased(['q']), ['q']);
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
      await world.write('p', 'pulled\n');
      assert.deepEqual(await world.tracker.rebased(['p', 'q']), ['p']);
      assert.deepEqual(world.tracker.pending, []);
      await world.write('p', 'pulled\nmore\n');
      assert.deepEqual(await world.drawn('p'), ['- +more']);
    });

    it('all that is there', async () => {
      await world.write('p', after);
      await world.write('q', 'q\n');
      await world.tracker.reviewFromNow(['q']);
      assert.deepEqual(
        world.tracker.pending.map(({ path }) => path),
        ['p'],
      );
      await world.tracker.reviewFromNow();
      assert.deepEqual(world.tracker.pending, []);
      assert.equal(world.text('p'), after);
    });

    it('nothing of what it shall forget', async () => {
      await world.write('p', after);
      await world.keep('p');
      await world.tracker.forget();
      assert.equal(world.tracker.canUndoDecision, false);
      await world.see('p');
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
    });
  });

  it('labels what each program wrote', async () => {
    world.put('p', after);
    await world.tracker.sawDisk(['p'], { from: 1, to: 2, agent: 'one', turn: 't' });
    world.put('p', after.replace('j', 'J'));
    await world.tracker.sawDisk(['p'], { from: 3, to: 4, agent: 'one', turn: 't' });
    world.put('p', after.replace('j', 'JJ'));
    await world.tracker.sawDisk(['p'], { from: 5, to: 6, agent: 'two' });
    assert.deepEqual(world.pending('p')?.labels, [
      { from: 1, to: 4, agent: 'one', turn: 't' },
      { from: 5, to: 6, agent: 'two' },
    ]);
    await world.keep('p');
    world.put('p', 'again\n');
    await world.tracker.sawDisk(['p'], { from: 7, to: 8 });
    assert.deepEqual(world.pending('p')?.labels, [{ from: 7, to: 8 }]);
  });

  it('says which files are generated', async () => {
    for (const path of ['package-lock.json', 'dist/a.js', 'api.ts', 'own.ts']) {
      await world.write(path, path === 'api.ts' ? '// @generated by x\n' : 'x\n');
    }
    assert.deepEqual(
      world.tracker.pending.map(({ path, isGenerated }) => [path, isGenerated]),
      [
        ['api.ts', true],
        ['dist/a.js', true],
        ['own.ts', false],
        ['package-lock.json', true],
      ],
    );
  });

  it('reports a file that cannot be read, and lists the others', async () => {
    world.unreadable.add('bad');
    world.put('p', after);
    await world.see('bad', 'p');
    assert.deepEqual(
      world.tracker.pending.map(({ path }) => path),
      ['p'],
    );
    assert.match(String(world.errors.splice(0)), /bad/);
  });
});
