import assert from 'node:assert/strict';
import { Receipt } from '../../../../src/compact/receipt/receipt';
import {
  leftOutLines,
  linesOfPairs,
  readReceiptRecords,
  recordOfReceipt,
} from '../../../../src/compact/receipt/receiptRecords';
import { readChat } from '../../../../src/compact/sessions/chat';
import type { CompactPlan } from '../../../../src/compact/worker/engine';
import { indexLines } from '../../../../src/compact/worker/sessionLineIndex';

const plan: CompactPlan = {
  engine: 'local',
  route: 'compact',
  ratio: 0.3,
  query: '',
  keepRecent: 2,
  pins: ['x'],
};
const source = { file: '/chat.md', title: 'chat', modified: 5 };

function receiptOf(count: number, isKept: (line: number) => boolean): Receipt {
  const text = Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');
  const chat = readChat({ path: 'chat.md', text });
  const lineIndex = indexLines(chat);
  return new Receipt(
    chat,
    lineIndex,
    {
      kept: Uint8Array.from({ length: count }, (_, at) => (isKept(at) ? 1 : 0)),
      locked: new Uint8Array(count),
      tokens: lineIndex.tokens,
      engine: 'local',
      ms: 1,
      isOverBudget: false,
    },
    { turn: role => role, part: () => undefined },
  );
}

describe('the record of a receipt', () => {
  it('has what was kept, and what is left after decisions', () => {
    const receipt = receiptOf(9, line => line < 2 || line === 5);
    receipt.setLines([7, 8], true);
    receipt.setLines([0], false);
    const record = recordOfReceipt(receipt, plan, source) ?? assert.fail('no record');
    assert.deepEqual(record.kept, [0, 2, 5, 1]);
    assert.deepEqual(record.left, [1, 1, 5, 1, 7, 2]);
    const stored: unknown = JSON.parse(JSON.stringify({ 'receipt:/1': record }));
    const read = readReceiptRecords(stored).get('receipt:/1') ?? assert.fail('not read');
    assert.deepEqual(read, record);
    assert.deepEqual(linesOfPairs(read.left, read.lines), receipt.kept);
    const again = receiptOf(9, line => line < 2 || line === 5);
    again.decide(linesOfPairs(read.left, read.lines));
    assert.deepEqual(again.totals, receipt.totals);
    assert.deepEqual(again.rowRanges, receipt.rowRanges);
  });

  it('tells which lines the user left out, apart from what the compaction did', () => {
    const receipt = receiptOf(6, line => line < 4);
    receipt.setLines([1, 3], false);
    receipt.setLines([5], true);
    assert.deepEqual([...leftOutLines(receipt)], [0, 1, 0, 1, 0, 0]);
  });

  it('may have ranges that end with the chat, or none', () => {
    assert.deepEqual([...linesOfPairs([1, 2, 4, 1], 5)], [0, 1, 1, 0, 1]);
    assert.deepEqual([...linesOfPairs([], 2)], [0, 0]);
    assert.deepEqual([...linesOfPairs([0, 1, 1], 2)], [1, 0], 'half a pair');
  });

  it('is not made where it would be too large', () => {
    assert.equal(
      recordOfReceipt(
        receiptOf(110_000, line => line % 2 === 0),
        plan,
        source,
      ),
      undefined,
    );
  });

  it('is not read where something else is stored', () => {
    const record = recordOfReceipt(
      receiptOf(3, () => true),
      plan,
      source,
    );
    for (const stored of [
      undefined,
      [],
      { a: 1 },
      { a: { ...record, plan: undefined } },
      { a: { ...record, kept: [-1, 2] } },
      { a: { ...record, left: 'all' } },
      { a: { ...record, lines: 0.5 } },
    ]) {
      assert.equal(readReceiptRecords(stored).size, 0, JSON.stringify(stored));
    }
  });
});
