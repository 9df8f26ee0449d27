import assert from 'node:assert/strict';
import { Receipt } from '../../../../src/compact/receipt/receipt';
import { receiptAfter } from '../../../../src/compact/receipt/receiptAfter';
import { leftOutLines } from '../../../../src/compact/receipt/receiptRecords';
import { readChat } from '../../../../src/compact/sessions/chat';
import type { Compaction } from '../../../../src/compact/worker/engine';
import { indexLines } from '../../../../src/compact/worker/sessionLineIndex';

const names = { turn: (role: string) => role, part: () => undefined };

/** @param kept signs of the lines: `+` for those that the compaction keeps */
function compacted(lines: readonly string[], kept: string) {
  const chat = readChat({ path: 'chat.txt', text: lines.map(line => `${line}\n`).join('') });
  const lineIndex = indexLines(chat);
  const compaction: Compaction = {
    kept: Uint8Array.from(kept, sign => (sign === '+' ? 1 : 0)),
    locked: new Uint8Array(lines.length),
    tokens: lineIndex.tokens,
    engine: 'local',
    ms: 1,
    isOverBudget: false,
  };
  return { opened: { chat, lineIndex }, compaction };
}

const receiptOf = (lines: readonly string[], kept: string): Receipt => {
  const { opened, compaction } = compacted(lines, kept);
  return new Receipt(opened.chat, opened.lineIndex, compaction, names);
};
const after = (before: Receipt | undefined, lines: readonly string[], kept: string): Receipt => {
  const { opened, compaction } = compacted(lines, kept);
  return receiptAfter(before, opened, compaction, names);
};
const signs = ({ kept }: Receipt): string => Array.from(kept, one => (one ? '+' : '-')).join('');

const lines = ['password: 12345', 'a long line of a log', 'x', 'another line of a log', 'the end'];

describe('the receipt of a chat that is compacted anew', () => {
  it('has the decisions of before, whatever the compaction keeps', () => {
    const before = receiptOf(lines, '++--+');
    before.setLines([0], false);
    before.setLines([2], true);
    const next = after(before, lines, '+--+-');
    assert.equal(signs(next), '--++-');
    assert.deepEqual([...leftOutLines(next)], [1, 0, 0, 0, 0]);
    const lower = after(before, lines, '-----');
    assert.equal(signs(lower), '--+--');
    assert.deepEqual([...leftOutLines(lower)], [1, 0, 0, 0, 0], 'still left out by the user');
  });

  it('finds the lines by their text where the chat has others before them', () => {
    const before = receiptOf(lines, '++--+');
    before.setLines([0, 1], false);
    before.setLines([2, 3], true);
    const next = after(before, ['earlier', 'x', ...lines], '+++++-+');
    assert.equal(signs(next), '++--+++');
    assert.deepEqual([...leftOutLines(next)], [0, 0, 1, 1, 0, 0, 0]);
  });

  it('can be undone', () => {
    const before = receiptOf(lines, '+++++');
    before.setLines([0], false);
    const next = after(before, lines, '+++++');
    assert.equal(signs(next), '-++++');
    assert.ok(next.undo());
    assert.equal(signs(next), '+++++');
  });

  it('is that of the compaction where there was none before', () => {
    assert.equal(signs(after(undefined, lines, '+-+-+')), '+-+-+');
  });
});
