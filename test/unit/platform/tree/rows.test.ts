import assert from 'node:assert/strict';
import { type RowChange, type RowData, RowTree } from '../../../../src/platform/tree/rows';

const row = (id: string, more: Partial<RowData> = {}): RowData => ({
  id,
  context: ';x;',
  label: id,
  ...more,
});
const parent = (id: string, ...children: readonly RowData[]): RowData => row(id, { children });

function changeOf(before: readonly RowData[], after: readonly RowData[]): RowChange | string[] {
  const tree = new RowTree();
  tree.update(before);
  const change = tree.update(after);
  return change === 'all' ? change : change.map(({ id }) => id);
}

describe('the rows of a view', () => {
  it('are all refreshed when the top-level rows are others, or stand elsewhere', () => {
    for (const after of [['a'], ['a', 'b', 'c'], ['b', 'a'], ['a', 'c'], []])
      assert.equal(
        changeOf(
          [row('a'), row('b')],
          after.map(id => row(id)),
        ),
        'all',
      );
    assert.equal(changeOf([], [row('a')]), 'all');
    assert.deepEqual(changeOf([], []), []);
  });

  it('are refreshed for each change that a user can see or hear', () => {
    const before = row('a', {
      icon: { id: 'i', color: 'c' },
      command: { id: 'run', title: 'Run' },
      fold: 'closed',
      description: 'd',
    });
    const changes: Partial<RowData>[] = [
      { label: 'b' },
      { description: 'other' },
      { context: ';y;' },
      { tooltip: 'tip' },
      { spoken: 'words' },
      { icon: { id: 'j', color: 'c' } },
      { icon: { id: 'i', color: 'd' } },
      { icon: { id: 'i' } },
      { fold: 'open' },
      { command: { id: 'walk', title: 'Run' } },
    ];
    for (const change of changes) {
      assert.deepEqual(changeOf([before], [{ ...before, ...change }]), ['a']);
      assert.deepEqual(changeOf([{ ...before, ...change }], [before]), ['a']);
    }
    const { icon: _icon, command: _command, ...plain } = before;
    assert.deepEqual(changeOf([before], [plain]), ['a']);
    assert.deepEqual(changeOf([plain], [before]), ['a']);
    assert.deepEqual(changeOf([before], [{ ...before }]), []);
    assert.deepEqual(changeOf([plain], [{ ...plain }]), []);
  });

  it('are refreshed with their parent where those below it are others or moved', () => {
    const two = parent('p', row('a'), row('b'));
    for (const after of [
      parent('p', row('a')),
      parent('p', row('a'), row('b'), row('c')),
      parent('p', row('b'), row('a')),
      row('p'),
    ])
      assert.deepEqual(changeOf([two], [after]), ['p']);
    assert.deepEqual(changeOf([two], [parent('p', row('a', { label: 'x' }), row('b'))]), ['a']);
    // Both the parent and a row in it: the parent is enough.
    assert.deepEqual(changeOf([two], [parent('p', row('a', { label: 'x' }))]), ['p']);
    assert.deepEqual(
      changeOf([two], [{ ...two, label: 'q', children: [row('a', { label: 'x' }), row('b')] }]),
      ['p'],
    );
    const sides = (label: string) => [parent('p', row('a', { label })), row('q', { label })];
    assert.deepEqual(changeOf(sides('1'), sides('2')), ['a', 'q']);
  });

  it('are refreshed when they move to another parent', () => {
    const change = changeOf(
      [parent('p', row('a'), row('b')), parent('q')],
      [parent('p', row('a')), parent('q', row('b'))],
    );
    assert.deepEqual(change, ['p', 'q']);
  });

  it('stay the same objects, with what is new, their parents and children', () => {
    const tree = new RowTree();
    tree.update([parent('p', row('a'))]);
    const [p, a] = [tree.byId('p'), tree.byId('a')];
    tree.update([parent('p', row('a', { label: 'new' })), row('q')]);
    assert.equal(tree.byId('p'), p);
    assert.equal(tree.byId('a'), a);
    assert.equal(a?.data.label, 'new');
    assert.equal(a?.parent, p);
    assert.deepEqual(p?.children, [a]);
    assert.deepEqual(
      tree.roots.map(({ id }) => id),
      ['p', 'q'],
    );
    tree.update([row('q')]);
    assert.equal(tree.byId('a'), undefined);
    assert.equal(tree.byId('p'), undefined);
  });

  it('have each id once, the first one', () => {
    const tree = new RowTree();
    tree.update([row('a', { label: '1' }), parent('p', row('a', { label: '2' })), row('a')]);
    assert.deepEqual(
      tree.roots.map(({ id }) => id),
      ['a', 'p'],
    );
    assert.equal(tree.byId('a')?.data.label, '1');
    assert.deepEqual(tree.byId('p')?.children, []);
  });
});
