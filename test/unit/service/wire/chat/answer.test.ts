import assert from 'node:assert/strict';
import { hasContent } from '../../../../../src/service/wire/chat/answer';

describe('a piece of an answer', () => {
  it('has content if it holds a text beside its role and type', () => {
    for (const piece of [
      { content: 'a' },
      { role: 'assistant', content: 'a' },
      { tool_calls: [{ function: { arguments: '{' } }] },
      { new_field: { list: ['', 'x'] } },
    ]) {
      assert.equal(hasContent(piece), true, JSON.stringify(piece));
    }
  });

  it('has none if it only shows that the connection is alive', () => {
    for (const piece of [
      {},
      { role: 'assistant' },
      { type: 'text', content: '' },
      { index: 3, content: null, isLast: false },
      { delta: { type: 'text', text: '' }, list: [[], ['']] },
    ]) {
      assert.equal(hasContent(piece), false, JSON.stringify(piece));
    }
  });

  it('has content where it is nested too deeply to be looked at', () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
    const listed = (depth: number): unknown[] => (depth === 0 ? [] : [listed(depth - 1)]);
    assert.deepEqual([hasContent({ a: nested(4) }), hasContent({ a: nested(5) })], [false, true]);
    assert.deepEqual([hasContent({ a: listed(4) }), hasContent({ a: listed(5) })], [false, true]);
  });
});
