import assert from 'node:assert/strict';
import { Receipt } from '../../../../src/compact/receipt/receipt';
import { readChat } from '../../../../src/compact/sessions/chat';
import type { Compaction } from '../../../../src/compact/worker/engine';
import { indexLines, lineCountOf, lineOf } from '../../../../src/compact/worker/sessionLineIndex';

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
  limits?: { chars: number; lines: number },
) {
  const chat = readChat({ path, text });
  const lineIndex = indexLines(chat);
  // As in a format that cannot remove a call.
  const locked = Uint8Array.from({ length: lineCountOf(lineIndex) }, (_, line) =>
    lineOf(lineIndex, line) === 'command: ls\n' ? 1 : 0,
  );
  const compaction: Compaction = {
    kept: Uint8Array.from({ length: lineIndex.starts.length - 1 }, (_, at) =>
      kept[at] === 'k' || locked[at] === 1 ? 1 : 0,
    ),
    locked,
    tokens: lineIndex.tokens,
    engine: 'local',
    ms: 1,
    isOverBudget: false,
  };
  return new Receipt(chat, lineIndex, compaction, names, limits);
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

  describe('of a large chat', () => {
    const lines = Array.from({ length: 8 }, (_, at) => `line ${at}`);
    const text = `## User\nhi\n## Assistant\n${lines.join('\n')}\n## User\nbye\n`;
    const pagesOf = (limits: { chars: number; lines: number }): string[] => {
      const receipt = receiptOf('chat.md', text, '', limits);
      return Array.from({ length: receipt.pageCount }, (_, page) => {
        receipt.showPage(page);
        return receipt.text.replaceAll('\n', ' ');
      });
    };

    it('has pages of whole parts, but for a part that is more than a page', () => {
      assert.deepEqual(pagesOf({ chars: 1000, lines: 11 }), [
        '## User hi ## Assistant line 0 line 1 line 2 line 3 line 4 line 5 line 6 line 7',
        '## User bye',
      ]);
      // The header of a turn is a part of its own in a transcript.
      assert.deepEqual(pagesOf({ chars: 1000, lines: 10 }), [
        '## User hi ## Assistant',
        'line 0 line 1 line 2 line 3 line 4 line 5 line 6 line 7 ## User bye',
      ]);
      assert.deepEqual(pagesOf({ chars: 1000, lines: 5 }), [
        '## User hi ## Assistant',
        'line 0 line 1 line 2 line 3 line 4',
        'line 5 line 6 line 7 ## User bye',
      ]);
      assert.deepEqual(pagesOf({ chars: 40, lines: 100 }).length, 3);
      assert.deepEqual(pagesOf({ chars: 1000, lines: 100 }).length, 1);
    });

    it('shows each line once, and the headers wherever a turn goes on', () => {
      for (const size of [1, 2, 3, 4, 5, 6]) {
        const receipt = receiptOf('chat.json', chatText, 'k-----', { chars: 1000, lines: size });
        const shown: number[] = [];
        for (let page = 0; page < receipt.pageCount; page++) {
          receipt.showPage(page);
          assert.equal(receipt.page, page);
          assert.equal(receipt.rows[0]?.kind, 'turn');
          for (const row of receipt.rows) {
            if (row.kind !== 'line') continue;
            shown.push(row.line);
            assert.equal(receipt.pageOf(row.line), page);
          }
        }
        assert.deepEqual(shown, [0, 1, 2, 3, 4, 5, 6]);
      }
    });

    it('takes decisions on one page, and counts those of all', () => {
      const receipt = receiptOf('chat.md', text, 'kkk--------kk', { chars: 1000, lines: 5 });
      receipt.showPage(2);
      const [run] = receipt.removedRanges;
      assert.deepEqual([run?.firstLine, run?.endLine, receipt.removedRanges.length], [8, 11, 1]);
      assert.ok(receipt.setLines(receipt.linesOfRows(0, 2), true));
      assert.deepEqual([receipt.totals.keptLines, receipt.removedRanges.length], [8, 0]);
      receipt.showPage(0);
      receipt.showPage(99);
      assert.equal(receipt.page, 2);
      assert.ok(receipt.undo());
      assert.equal(receipt.totals.keptLines, 5);
    });
  });

  it('does not let go what is locked, and says when nothing changed', () => {
    const receipt = receiptOf('chat.json', chatText, 'k-----');
    assert.ok(!receipt.setLines([3], false));
    assert.ok(!receipt.setLines([0], true));
    assert.ok(!receipt.setLines([99, -1], true));
    assert.ok(!receipt.canUndo);
  });

  it('finds the run at a row, and the next one on the page', () => {
    const receipt = receiptOf('chat.json', chatText, 'k-----');
    assert.equal(receipt.removedRangeAt(9)?.firstRow, 7);
    assert.equal(receipt.removedRangeAt(3), undefined);
    assert.deepEqual(
      [0, 2, 8].map(row => receipt.nextRemovedRange(row, 1)?.firstRow),
      [2, 4, undefined],
    );
    assert.deepEqual(
      [0, 4, 8].map(row => receipt.nextRemovedRange(row, -1)?.firstRow),
      [undefined, 2, 4],
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
});
