import assert from 'node:assert/strict';
import { bytesOf, RootWorld } from './rootWorld';

const lines = (...words: string[]) => words.map(word => `${word}\n`).join('');
const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const after = lines('a', 'B', 'c', 'd', 'E', 'f', 'g', 'H');

describe('RootTracker after a restart', () => {
  let world: RootWorld;
  beforeEach(async () => {
    world = await RootWorld.of({ p: before });
    await world.write('p', after);
  });
  afterEach(() => assert.deepEqual(world.errors, []));

  it('lists the same files, with the same versions and changes', async () => {
    await world.keep('p', 0);
    await world.write('new', 'x\n');
    await world.edit('p', after.replace('E', 'E typed'));
    const { pending } = world.tracker;
    const drawn = await world.drawn('p');
    assert.equal(await world.reload(), 0);
    assert.deepEqual(world.tracker.pending, pending);
    assert.deepEqual(await world.drawn('p'), drawn);
  });

  it('does not need git any more for what is pending', async () => {
    world.git?.set('p', bytesOf('committed\n'));
    await world.reload();
    assert.equal(await world.undo('p'), 'done');
    assert.equal(world.text('p'), before);
  });

  it('undoes decisions of the session before', async () => {
    await world.keep('p', 0);
    await world.undo('p', 0);
    await world.reload();
    assert.deepEqual(await world.undoDecision(), ['done']);
    assert.equal(world.text('p'), after);
    await world.reload();
    assert.deepEqual(await world.undoDecision(), ['done']);
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
    assert.equal(world.tracker.canUndoDecision, false);
  });

  it('sees what was written meanwhile', async () => {
    world.put('p', after.replace('c', 'C'));
    await world.reload();
    assert.deepEqual(await world.drawn('p'), ['-b c +B C', '-e +E', '-h +H']);
  });

  it('finds an undo that was written before the crash, and undoes it', async () => {
    const crash = new Promise<void>(resolve => {
      world.onWrite = path => {
        // The bytes get to the disk, but the window does not get to know.
        world.put(path, before);
        world.journalDisk.die();
        resolve();
      };
    });
    void world.tracker.undo([await world.select('p')]);
    await crash;
    world.onWrite = () => {};
    await world.start();
    assert.deepEqual(world.tracker.pending, []);
    assert.deepEqual(await world.undoDecision(), ['done']);
    assert.equal(world.text('p'), after);
  });

  it('drops an undo that was not written before the crash', async () => {
    const crash = new Promise<void>(resolve => {
      world.onWrite = () => {
        world.readOnly.add('p');
        world.journalDisk.die();
        resolve();
      };
    });
    void world.tracker.undo([await world.select('p')]);
    await crash;
    world.onWrite = () => {};
    world.readOnly.clear();
    await world.start();
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
    assert.equal(world.text('p'), after);
    assert.equal(world.tracker.canUndoDecision, false);
  });

  it('finds the undo of an undo that was written before the crash', async () => {
    await world.undo('p', 0);
    const crash = new Promise<void>(resolve => {
      world.onWrite = path => {
        world.put(path, after);
        world.journalDisk.die();
        resolve();
      };
    });
    void world.tracker.undoDecision();
    await crash;
    world.onWrite = () => {};
    await world.start();
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
    assert.equal(world.tracker.canUndoDecision, false);
  });

  it('stores what is on disk again when a power failure has taken it', async () => {
    await world.settled();
    world.contents.stored.clear();
    await world.start();
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
    assert.equal(await world.undo('p'), 'done');
    assert.equal(world.text('p'), before);
    await world.reload();
    assert.deepEqual(await world.undoDecision(), ['done']);
    assert.equal(world.text('p'), after);
  });

  it('has the bytes of each decision, whatever a power failure takes', async () => {
    await world.keep('p', 0);
    await world.undo('p', 0);
    await world.settled();
    world.contents.losePower();
    await world.start();
    assert.deepEqual(await world.undoDecision(), ['done']);
    assert.equal(world.text('p'), after);
    await world.undo('p');
    assert.equal(world.text('p'), before.replace('b', 'B'));
  });
});
