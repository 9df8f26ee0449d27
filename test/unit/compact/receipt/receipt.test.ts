import assert from 'node:assert/strict';
import { Receipt } from '../../../../src/compact/receipt/receipt';
import { readChat } from '../../../../src/compact/sessions/chat';
import { type Compaction, tokensOf } from '../../../../src/compact/worker/engine';
import { indexLines, lockedLines } from '../../../../src/compact/worker/sessionLineIndex';

const names = {
  turn: (role: string) => role.toUpperCase(),
  part: ({ type }: { type: string }) => (type === 'text' ? undefined : `<${type}>`),
};
const chatText = JSON.stringify([
  { role: 'user', content: 'one\ntwo' },
  {
    role: 'assistant',
    content: 'three',
    tool_calls: [
      { id: 'c', type: 'function', function: { name: 'run', arguments: '{"command":"ls"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c', content: 'a\nb\nc\n' },
]);

/** `kept` has a letter for each line: `k` stays. */
function receiptOf(
  path: string,
  text: string,
  kept: string,
  large?: { chars: number; lines: number },
) {
  const chat = readChat({ path, text });
  const lineIndex = indexLines(chat);
  const locked = lockedLines(lineIndex);
  const compaction: Compaction = {
    kept: Uint8Array.from({ length: lineIndex.starts.length - 1 }, (_, at) =>
      kept[at] === 'k' || locked[at] === 1 ? 1 : 0,
    ),
    locked,
    tokens: tokensOf(lineIndex),
    engine: 'local',
    ms: 1,
    isOverBudget: false,
  };
  return new Receipt(chat, lineIndex, compaction, names, large);
}

const signs = {
  kept: ' ',
  dropped: '-',
  restored: '+',
  leftOut: '~',
  locked: '=',
  turn: '#',
  part: ':',
};

/** The document, with a sign for the state of each row. */
function drawn(receipt: Receipt): string[] {
  const rows = receipt.text.split('\n');
  return receipt.rowRanges.flatMap(({ state, firstRow, rowCount }) =>
    rows.slice(firstRow, firstRow + rowCount).map(row => `${signs[state]}${row}`),
  );
}

describe('a receipt', () => {
  it('shows turns, parts and lines, and what stays of them', () => {
    const receipt = receiptOf('chat.json', chatText, 'k-----');
    assert.deepEqual(drawn(receipt), [
      '#USER',
      ' one',
      '-two',
      '#ASSISTANT',
      '-three',
      ':<tool_call>',
      '=command: ls',
      '-TOOL',
      '-<tool_result>',
      '-a',
      '-b',
      '-c',
    ]);
    assert.deepEqual(
      receipt.removedRanges.map(({ firstRow, rowCount, firstLine, endLine }) => [
        firstRow,
        rowCount,
        firstLine,
        endLine,
      ]),
      [
        [2, 1, 1, 2],
        [4, 1, 2, 3],
        [7, 5, 4, 7],
      ],
    );
    assert.deepEqual(
      receipt.turns.map(({ title, rowCount }) => [title, rowCount]),
      [
        ['USER', 3],
        ['ASSISTANT', 4],
        ['TOOL', 5],
      ],
    );
  });

  it('counts what stays, live, and takes decisions back one by one', () => {
    const receipt = receiptOf('chat.json', chatText, 'k-----');
    const before = receipt.totals;
    assert.equal(before.keptLines, 2);
    assert.ok(receipt.setLines(receipt.linesOfRows(7, 11), true));
    assert.equal(receipt.totals.keptLines, 5);
    assert.ok(receipt.totals.keptTokens > before.keptTokens);
    assert.deepEqual(drawn(receipt).slice(7), ['#TOOL', ':<tool_result>', '+a', '+b', '+c']);
    assert.ok(receipt.setLines([0, 5], false));
    assert.equal(drawn(receipt)[1], '~one');
    assert.ok(receipt.undo());
    assert.ok(receipt.undo());
    assert.ok(!receipt.undo());
    assert.deepEqual(receipt.totals, before);
  });

  it('joins rows of one state, but no two turns, and counts what ranges would save', () => {
    const chat = JSON.stringify([
      { role: 'user', content: '' },
      { role: 'user', content: 'one\ntwo' },
      { role: 'assistant', content: 'three\nfour' },
    ]);
    const receipt = receiptOf('chat.json', chat, 'kk--');
    assert.deepEqual(
      receipt.rowRanges.map(({ state, firstRow, rowCount }) => [state, firstRow, rowCount]),
      [
        ['turn', 0, 1],
        ['turn', 1, 1],
        ['kept', 2, 2],
        ['dropped', 4, 3],
      ],
    );
    const { tokens } = receipt.compaction;
    assert.equal(receipt.removedRanges[0]?.tokens, (tokens[2] ?? 0) + (tokens[3] ?? 0));
    assert.equal(receipt.isRowKept(0), true, 'a turn without lines has nothing to leave out');
    assert.equal(receipt.isRowKept(4), false);
    assert.equal(receipt.isRowKept(99), false);
    const all = tokens.reduce((sum, one) => sum + one, 0);
    assert.equal(receipt.totals.tokens, all);
    assert.equal(receipt.totals.keptTokens, all - receipt.removedRanges[0].tokens);
    receipt.setLines([2, 3], true);
    assert.deepEqual(receipt.removedRanges, []);
    assert.equal(receipt.nextRemovedRange(0, 1), undefined);
    assert.equal(receipt.canUndo, true);
  });

  it('shows a removed range of up to 7 lines whole, and the ends of a longer one', () => {
    for (const { removed, rows } of [
      { removed: 6, rows: 6 },
      { removed: 7, rows: 7 },
      { removed: 8, rows: 7 },
    ]) {
      const lines = Array.from({ length: removed }, (_, at) => `line ${at}`).join('\n');
      const kept = `k${'-'.repeat(removed)}k`;
      const large = { chars: 10, lines: 1000 };
      const receipt = receiptOf('chat.md', `first\n${lines}\nlast\n`, kept, large);
      assert.equal(receipt.rows.length, rows + 2, `${removed} lines`);
      assert.deepEqual(
        receipt.rows.flatMap(row => (row.kind === 'gap' ? [row] : [])),
        rows < removed ? [{ kind: 'gap', firstLine: 4, endLine: 6 }] : [],
      );
      assert.deepEqual(
        receipt.removedRanges.map(({ firstRow, rowCount, firstLine, endLine }) => ({
          firstRow,
          rowCount,
          firstLine,
          endLine,
        })),
        [{ firstRow: 1, rowCount: rows, firstLine: 1, endLine: removed + 1 }],
      );
      // A removed range at the end of the chat has ends too.
      const atEnd = receiptOf('chat.md', `first\n${lines}\n`, kept.slice(0, -1), large);
      assert.equal(atEnd.rows.length, rows + 1);
      assert.deepEqual(
        atEnd.turns.map(turn => [turn.firstRow, turn.rowCount]),
        [[0, rows + 1]],
      );
    }
  });

  it('has gaps only above the limits of a large chat', () => {
    const text = Array.from({ length: 20 }, () => 'abcd\n').join('');
    for (const [chars, lines, rows] of [
      [100, 20, 20],
      [99, 20, 7],
      [100, 19, 7],
    ] as const)
      assert.equal(receiptOf('chat.md', text, '', { chars, lines }).rows.length, rows);
  });

  it('does not let go what is locked, and says when nothing changed', () => {
    const receipt = receiptOf('chat.json', chatText, 'k-----');
    assert.ok(!receipt.setLines([3], false));
    assert.ok(!receipt.setLines([0], true));
    assert.ok(!receipt.setLines([99, -1], true));
    assert.ok(!receipt.canUndo);
  });

  it('finds the run at a row, and the next one around the end', () => {
    const receipt = receiptOf('chat.json', chatText, 'k-----');
    assert.equal(receipt.removedRangeAt(9)?.firstRow, 7);
    assert.equal(receipt.removedRangeAt(3), undefined);
    assert.deepEqual(
      [0, 2, 8].map(row => receipt.nextRemovedRange(row, 1)?.firstRow),
      [2, 4, 2],
    );
    assert.deepEqual(
      [0, 4, 8].map(row => receipt.nextRemovedRange(row, -1)?.firstRow),
      [7, 2, 4],
    );
  });

  it('has one row per line, whatever is in it', () => {
    const text = `## User\r\na\rb\ud800\n${'x'.repeat(3000)}\n\n## Assistant\nok`;
    const receipt = receiptOf('chat.md', text, 'kkkkkk');
    const rows = receipt.text.split('\n');
    assert.equal(rows.length, 6);
    assert.equal(rows[1], 'a␍b�');
    assert.match(rows[2] ?? '', /^x{2000}… \(\+1000\)$/);
    assert.ok(!receipt.text.includes('\r'));
  });

  it('shows the ends of long runs of a large chat, and all of it when it is restored', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const text = `## User\nhi\n## Assistant\n${lines.join('\n')}\n## User\nbye\n`;
    const receipt = receiptOf('chat.md', text, `kkk${'-'.repeat(40)}kk`, { chars: 10, lines: 10 });
    assert.deepEqual(receipt.text.split('\n').slice(2, 10), [
      '## Assistant',
      'line 0',
      'line 1',
      'line 2',
      '⋯ 34',
      'line 37',
      'line 38',
      'line 39',
    ]);
    assert.equal(receipt.removedRanges.length, 1);
    assert.equal(receipt.turns.at(-1)?.firstRow, 10);
    const [run] = receipt.removedRanges;
    assert.ok(
      run &&
        receipt.setLines(receipt.linesOfRows(run.firstRow, run.firstRow + run.rowCount - 1), true),
    );
    assert.equal(receipt.text, text.trimEnd());
    assert.equal(receipt.totals.keptLines, 45);
  });
});
