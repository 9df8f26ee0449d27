import assert from 'node:assert/strict';
import { stillThere, UndoQueue } from '../../../../../../src/apply/external/agents/core/undoQueue';

describe('UndoQueue', () => {
  it('joins the changes of a file, and gives each out once', () => {
    const queue = new UndoQueue(undefined);
    queue.add({ id: 'a', version: '1', changes: ['x'] });
    queue.add({ id: 'b', version: '1' });
    queue.add({ id: 'a', version: '2', changes: ['y', 'x'] });
    assert.deepEqual(queue.of('a'), { id: 'a', version: '2', changes: ['x', 'y'] });
    assert.deepEqual(
      queue.take('a').map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual(
      queue.take().map(({ id }) => id),
      ['b'],
    );
    assert.deepEqual(queue.all, []);
  });

  it('undoes the whole file when that is what the user asked for last', () => {
    const queue = new UndoQueue(undefined);
    queue.add({ id: 'a', version: '1', changes: ['x'] });
    queue.add({ id: 'a', version: '2' });
    assert.deepEqual(queue.all, [{ id: 'a', version: '2' }]);
  });

  it('survives a reload, and damaged memory', () => {
    const queue = new UndoQueue(undefined);
    queue.add({ id: 'a', version: '1', changes: ['x'] });
    queue.add({ id: 'b', version: '1' });
    const again = new UndoQueue(JSON.parse(JSON.stringify(queue.all)));
    assert.deepEqual(again.all, queue.all);
    for (const damaged of [
      null,
      'x',
      {},
      [null, { id: 1 }, { id: 'a' }, { id: 'a', version: '1', changes: [1] }],
    ]) {
      assert.deepEqual(new UndoQueue(damaged).all, []);
    }
  });
});

describe('what is left of an undo that has waited', () => {
  const pending = { version: '2' };
  const changes = [{ id: 'x' }, { id: 'y' }];

  it('is each change that is as it was', () => {
    const queued = { id: 'a', version: '1', changes: ['x', 'y'] };
    assert.deepEqual(stillThere(queued, pending, changes), { changes: ['x', 'y'], isAll: true });
    const more = { ...queued, changes: ['x', 'gone'] };
    assert.deepEqual(stillThere(more, pending, changes), { changes: ['x'], isAll: false });
    assert.equal(stillThere({ ...queued, changes: ['gone'] }, pending, changes), undefined);
    assert.equal(stillThere(queued, pending, undefined), undefined);
  });

  it('is a whole file only if that is as it was', () => {
    const queued = { id: 'a', version: '2' };
    assert.deepEqual(stillThere(queued, pending, undefined), { isAll: true });
    assert.equal(stillThere({ ...queued, version: '1' }, pending, undefined), undefined);
    assert.equal(stillThere(queued, pending, changes), undefined);
  });
});
