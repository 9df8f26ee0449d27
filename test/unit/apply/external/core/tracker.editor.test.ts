import assert from 'node:assert/strict';
import { RootWorld } from './rootWorld';

const lines = (...words: string[]) => words.map(word => `${word}\n`).join('');
const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const after = lines('a', 'B', 'c', 'd', 'E', 'f', 'g', 'h');

const crlf = (text: string) => text.replaceAll('\n', '\r\n');

describe('RootTracker with editors', () => {
  let world: RootWorld;
  beforeEach(async () => {
    world = await RootWorld.of({ p: before });
  });
  afterEach(() => assert.deepEqual(world.errors, []));

  describe('does not list what the user typed', () => {
    it('in a file that nobody else changed', async () => {
      await world.edit('p', before.replace('c', 'typed'));
      assert.deepEqual(world.tracker.pending, []);
      await world.see('p');
      assert.deepEqual(world.tracker.pending, []);
      await world.write('p', before.replace('c', 'typed').replace('f', 'F'));
      assert.deepEqual(await world.drawn('p'), ['-f +F']);
    });

    it('beside the changes of others', async () => {
      await world.write('p', after);
      await world.edit('p', after.replace('c', 'c\ntyped'));
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
      assert.equal(world.pending('p')?.isEdited, false);
      assert.equal(await world.undo('p'), 'done');
      assert.equal(world.text('p'), before.replace('c', 'c\ntyped'));
    });

    it('in a new file', async () => {
      world.documents.set('n', { text: 'x\n', clean: '', end: '\n', hasMark: false });
      await world.save('n');
      assert.deepEqual(world.tracker.pending, []);
    });

    it('when a formatter changed it in the save', async () => {
      await world.write('p', after);
      world.format = (_, text) => text.replace('h', 'h;');
      await world.edit('p', after.replace('c', 'typed'));
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
    });

    it('without git, from the text that the editor loaded', async () => {
      world.git = undefined;
      world.put('q', before);
      await world.open('q');
      await world.write('q', after);
      assert.deepEqual(await world.drawn('q'), ['-b +B', '-e +E']);
    });
  });

  it('marks the change that the user edited, and undoes it only when that is confirmed', async () => {
    await world.write('p', after);
    await world.edit('p', after.replace('E', 'E typed'));
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E typed *']);
    assert.equal(world.pending('p')?.isEdited, true);
    assert.equal(await world.undo('p', 1), 'edited');
    assert.equal(await world.undo('p'), 'edited');
    assert.equal(await world.undo('p', 0), 'done');
    const [decided] = await world.tracker.undo([await world.select('p')], { isConfirmed: true });
    assert.equal(decided?.outcome, 'done');
    assert.equal(world.text('p'), before);
    await world.settled();
    assert.deepEqual(await world.undoDecision(), ['done']);
    assert.equal(world.text('p'), after.replace('B', 'b').replace('E', 'E typed'));
    assert.equal(world.pending('p')?.isEdited, true);
  });

  it('still knows an edited change when another program has written again', async () => {
    await world.write('p', after);
    await world.edit('p', after.replace('E', 'E typed'));
    await world.write('p', after.replace('E', 'E typed').replace('h', 'H'));
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E typed *', '-h +H']);
    assert.equal(await world.undo('p', 2), 'done');
    assert.equal(await world.undo('p', 1), 'edited');
  });

  it('asks before a created file goes that the user edited', async () => {
    await world.write('new', 'x\n');
    await world.edit('new', 'x\ntyped\n');
    assert.equal(world.pending('new')?.isEdited, true);
    assert.equal(await world.undo('new'), 'edited');
    assert.equal(world.text('new'), 'x\ntyped\n');
  });

  it('takes a deleted file for reviewed once the user has saved it again', async () => {
    await world.open('p');
    await world.write('p', undefined);
    await world.edit('p', before.replace('c', 'typed'));
    assert.deepEqual(world.tracker.pending, []);
  });

  it('has nothing pending once the user has brought the old lines back', async () => {
    await world.write('p', after);
    await world.edit('p', before);
    assert.deepEqual(world.tracker.pending, []);
  });

  it('finds what was written while the user typed, when the user overwrites it', async () => {
    const document = await world.open('p');
    world.type('p', before.replace('c', 'typed'));
    await world.write('p', after);
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
    await world.save('p');
    assert.equal(world.text('p'), document.text);
    assert.deepEqual(world.tracker.pending, []);
    await world.see('p');
    assert.deepEqual(world.tracker.pending, []);
  });

  it('finds what was written before the user typed, though nobody reported it', async () => {
    world.put('p', after);
    const document = await world.open('p');
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
    world.put('p', after.replace('h', 'H'));
    // The editor has loaded it again, but its event is lost.
    document.text = after.replace('h', 'H');
    document.clean = document.text;
    await world.edit('p', document.text.replace('c', 'typed'));
    assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E', '-h +H']);
  });

  it('finds what was written between a save and its event', async () => {
    await world.open('p');
    world.type('p', before.replace('c', 'typed'));
    const saved = world.save('p');
    world.put('p', before.replace('c', 'typed').replace('f', 'F'));
    await saved;
    assert.deepEqual(await world.drawn('p'), ['-f +F']);
  });

  describe('undoes in an open document', () => {
    it('and saves it, when it was clean', async () => {
      await world.write('p', after);
      const document = await world.open('p');
      world.onWrite = () => assert.fail('a write');
      assert.equal(await world.undo('p', 0), 'done');
      assert.equal(document.text, after.replace('B', 'b'));
      assert.equal(world.text('p'), after.replace('B', 'b'));
      assert.deepEqual(await world.drawn('p'), ['-e +E']);
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(document.text, after);
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
    });

    it('beside unsaved edits, which stay unsaved', async () => {
      await world.write('p', after);
      const document = await world.open('p');
      world.type('p', after.replace('g', 'typed'));
      assert.equal(await world.undo('p', 0), 'done');
      assert.equal(document.text, after.replace('B', 'b').replace('g', 'typed'));
      assert.equal(world.text('p'), after);
      await world.save('p');
      assert.deepEqual(await world.drawn('p'), ['-e +E']);
    });

    it('beside unsaved edits, and takes that back', async () => {
      await world.write('p', after);
      const document = await world.open('p');
      const typed = after.replace('g', 'typed');
      world.type('p', typed);
      await world.undo('p', 0);
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(document.text, typed);
      await world.undo('p', 0);
      await world.save('p');
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('p'), typed);
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
    });

    it('only when that is confirmed, where unsaved edits are in the change', async () => {
      await world.write('p', after);
      const document = await world.open('p');
      world.type('p', after.replace('E', 'E typed'));
      assert.equal(await world.undo('p', 1), 'edited');
      assert.equal(document.text, after.replace('E', 'E typed'));
      const selected = await world.select('p', 1);
      const [decided] = await world.tracker.undo([selected], { isConfirmed: true });
      assert.equal(decided?.outcome, 'done');
      assert.equal(document.text, after.replace('E', 'e'));
    });

    it('but not over a conflict', async () => {
      const document = await world.open('p');
      world.type('p', before.replace('g', 'typed'));
      await world.write('p', after);
      assert.equal(await world.undo('p'), 'conflict');
      assert.equal(document.text, before.replace('g', 'typed'));
      assert.equal(world.text('p'), after);
    });

    it('but not when the editor does not show what was listed', async () => {
      await world.open('p');
      world.put('p', after);
      await world.see('p');
      assert.equal(await world.undo('p', 0), 'stale');
      assert.equal(world.text('p'), after);
    });

    it('whatever the formatter makes of it in the save', async () => {
      await world.write('p', after);
      await world.open('p');
      world.format = (_, text) => text.replace('h', 'h;');
      assert.equal(await world.undo('p', 0), 'done');
      assert.equal(world.text('p'), after.replace('B', 'b').replace('h', 'h;'));
      assert.deepEqual(await world.drawn('p'), ['-e +E']);
      world.format = (_, text) => text;
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('p'), after.replace('h', 'h;'));
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
    });

    it('lists the change again when the user takes that back in the editor', async () => {
      await world.write('p', after);
      await world.open('p');
      await world.undo('p', 0);
      await world.edit('p', after);
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
      assert.equal(world.pending('p')?.isEdited, false);
      assert.deepEqual(await world.undoDecision(), []);
    });
  });

  describe('undoes the last decision beside what the user has typed since', () => {
    it('to keep', async () => {
      await world.write('p', after);
      await world.keep('p', 0);
      await world.edit('p', after.replace('g', 'typed'));
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
      await world.undo('p');
      assert.equal(world.text('p'), before.replace('g', 'typed'));
    });

    it('to keep, in the lines that were kept', async () => {
      await world.write('p', after);
      await world.keep('p');
      await world.edit('p', after.replace('B', 'B typed'));
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.deepEqual(await world.drawn('p'), ['-b +B typed *', '-e +E']);
      assert.equal(await world.undo('p', 0), 'edited');
    });

    it('to undo', async () => {
      await world.write('p', after);
      await world.open('p');
      await world.undo('p');
      await world.edit('p', before.replace('g', 'typed'));
      assert.deepEqual(await world.undoDecision(), ['done']);
      assert.equal(world.text('p'), after.replace('g', 'typed'));
      assert.deepEqual(await world.drawn('p'), ['-b +B', '-e +E']);
    });

    it('but not where the user typed', async () => {
      await world.write('p', after);
      await world.open('p');
      await world.undo('p');
      await world.edit('p', before.replace('b', 'typed'));
      assert.deepEqual(await world.undoDecision(), ['stale']);
      assert.equal(world.text('p'), before.replace('b', 'typed'));
    });
  });

  const moveTo = async (seenBefore: readonly string[]) => {
    await world.write('p', after);
    world.put('q', after);
    world.put('p', undefined);
    await world.see(...seenBefore);
    await world.tracker.moved([{ from: 'p', to: 'q' }]);
    await world.see('p', 'q');
    return [world.pending('p'), await world.drawn('q')];
  };

  describe('goes along when the user moves a file', () => {
    it('with its changes', async () => {
      assert.deepEqual(await moveTo([]), [undefined, ['-b +B', '-e +E']]);
      assert.equal(await world.undo('q'), 'done');
      assert.equal(world.text('q'), before);
    });

    it('also where the disk tells of it first', async () => {
      assert.deepEqual(await moveTo(['p']), [undefined, ['-b +B', '-e +E']]);
      assert.equal(await world.undo('q'), 'done');
      assert.equal(world.text('q'), before);
    });

    it('also where the disk tells of both files first', async () => {
      assert.deepEqual(await moveTo(['p', 'q']), [undefined, ['-b +B', '-e +E']]);
    });

    it('without any, if it had none', async () => {
      world.put('q', before);
      world.put('p', undefined);
      await world.see('p', 'q');
      await world.tracker.moved([{ from: 'p', to: 'q' }]);
      assert.deepEqual(world.tracker.pending, []);
    });
  });

  describe('writes exact bytes', () => {
    for (const [what, old, now, expected] of [
      ['with \\r\\n', crlf(before), crlf(after), crlf(after.replace('B', 'b'))],
      [
        'with a byte order mark',
        `\uFEFF${before}`,
        `\uFEFF${after}`,
        `\uFEFF${after.replace('B', 'b')}`,
      ],
      ['with mixed line ends', before, after.replace('B\n', 'B\r\n'), after.replace('B', 'b')],
      [
        'without a last line end',
        before.slice(0, -1),
        after.slice(0, -1),
        after.slice(0, -1).replace('B', 'b'),
      ],
    ] as const)
      for (const isOpen of [false, true])
        it(`${what}, ${isOpen ? 'in an editor' : 'on disk'}`, async () => {
          world = await RootWorld.of({ q: old });
          if (isOpen) await world.open('q');
          await world.write('q', now);
          assert.equal(await world.undo('q', 0), 'done');
          assert.equal(world.text('q'), expected);
          assert.equal(await world.undo('q'), 'done');
          assert.equal(world.text('q'), old);
        });
  });
});
