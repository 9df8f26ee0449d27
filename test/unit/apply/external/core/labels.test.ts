import assert from 'node:assert/strict';
import { addLabel, mergeLabels } from '../../../../../src/apply/external/core/labels';

describe('addLabel', () => {
  const label = { from: 5, to: 6, agent: 'a', turn: 't' };

  it('makes the time of one writer longer, in both directions', () => {
    assert.deepEqual(addLabel([label], { ...label, from: 2, to: 9 }), [
      { ...label, from: 2, to: 9 },
    ]);
    assert.deepEqual(addLabel([label], { ...label, from: 6, to: 6 }), [label]);
  });

  it('adds another writer, turn or tool', () => {
    const others = [
      { from: 7, to: 8 },
      { ...label, turn: 'u' },
      { ...label, tool: 'Edit' },
      { ...label, isShared: true as const },
    ];
    assert.deepEqual(mergeLabels([label], others), [label, ...others]);
  });

  it('forgets the oldest of very many', () => {
    const many = Array.from({ length: 30 }, (_, from) => ({ from, to: from, turn: `${from}` }));
    const merged = mergeLabels([], many);
    assert.deepEqual([merged.length, merged[0]?.from], [20, 10]);
  });
});
