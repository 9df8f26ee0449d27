import assert from 'node:assert/strict';
import { RootWorld } from './rootWorld';

const text = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('');

describe('findRenames', () => {
  let world: RootWorld;
  const list = () =>
    world.tracker.pending.map(({ path, from, status }) => `${status} ${from ?? ''}>${path}`);
  const move = async (from: string, to: string, edited = world.text(from)) => {
    await world.write(to, edited);
    await world.write(from, undefined);
  };

  beforeEach(async () => {
    world = await RootWorld.of({ 'a/x': text(0, 10), 'a/y': text(20, 30), empty: '' });
  });
  afterEach(() => assert.deepEqual(world.errors, []));

  it('shows a file that moved once, and undoes both sides of it', async () => {
    await move('a/x', 'b/x');
    assert.deepEqual(list(), ['renamed a/x>b/x']);
    assert.equal(await world.undo('b/x'), 'done');
    assert.deepEqual([world.text('a/x'), world.text('b/x')], [text(0, 10), undefined]);
    assert.deepEqual(list(), []);
    assert.deepEqual(await world.undoDecision(), ['done', 'done']);
    assert.deepEqual([world.text('a/x'), world.text('b/x')], [undefined, text(0, 10)]);
    assert.deepEqual(list(), ['renamed a/x>b/x']);
  });

  it('keeps both sides', async () => {
    await move('a/x', 'b/x');
    assert.equal(await world.keep('b/x'), 'done');
    assert.deepEqual(list(), []);
    assert.deepEqual(await world.undoDecision(), ['done', 'done']);
    assert.deepEqual(list(), ['renamed a/x>b/x']);
  });

  it('finds one that was edited, and shows what differs', async () => {
    await move('a/x', 'z', text(0, 7) + text(50, 53));
    assert.deepEqual(list(), ['renamed a/x>z']);
    assert.deepEqual(await world.drawn('z'), ['-line 7 line 8 line 9 +line 50 line 51 line 52']);
    assert.equal(await world.undo('z', 0), 'done');
    assert.equal(world.text('a/x'), text(0, 10));
  });

  it('does not find one that has too little in common', async () => {
    await move('a/x', 'z', text(0, 5) + text(50, 55));
    assert.deepEqual(list(), ['deleted >a/x', 'created >z']);
  });

  it('pairs each file once: first equal ones, of these first those of one name, then similar ones', async () => {
    await world.write('b/y', text(20, 30));
    await world.write('b/q', text(20, 30));
    await world.write('b/x', text(0, 9));
    await world.write('a/x', undefined);
    await world.write('a/y', undefined);
    assert.deepEqual(list().sort(), ['created >b/y', 'renamed a/x>b/x', 'renamed a/y>b/q'].sort());
  });

  it('does not pair empty files', async () => {
    await move('empty', 'nothing');
    assert.deepEqual(list(), ['deleted >empty', 'created >nothing']);
  });

  it('brings nothing back when the new file cannot go, and says why', async () => {
    await move('a/x', 'b/x');
    world.readOnly.add('b/x');
    assert.equal(await world.undo('b/x'), 'readOnly');
    // The old file is back, and that can be undone.
    assert.equal(world.text('a/x'), text(0, 10));
    assert.deepEqual(list(), ['created >b/x']);
    assert.deepEqual(await world.undoDecision(), ['done']);
    assert.deepEqual(list(), ['renamed a/x>b/x']);
  });

  it('refuses a decision about another pair', async () => {
    await move('a/x', 'b/x');
    const selected = await world.select('b/x');
    await world.write('a/x', 'other\n');
    assert.deepEqual(await world.tracker.undo([selected]), [{ path: 'b/x', outcome: 'stale' }]);
  });

  it('compares only the bytes of many files', async () => {
    for (let n = 0; n < 50; n++)
      await world.write(`many/${n}`, `${n}\n${text(100 * n, 100 * n + 9)}`);
    await move('a/x', 'b/x');
    await move('a/y', 'z', text(20, 29));
    assert.ok(list().includes('renamed a/x>b/x'));
    assert.ok(list().includes('deleted >a/y'));
  });
});
