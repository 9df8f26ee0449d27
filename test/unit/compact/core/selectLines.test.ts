import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compactText } from '../../../../src/compact/core/compactor';
import { Receipt } from '../../../../src/compact/receipt/receipt';
import { keptText } from '../../../../src/compact/session/keptText';
import { readChat } from '../../../../src/compact/sessions/chat';
import { compactLocally } from '../../../../src/compact/worker/engine';
import { indexLines, pinnedLines, wireText } from '../../../../src/compact/worker/sessionLineIndex';
import { assertApproved } from '../../../support/unit/approved';
import { fixtures } from '../sessions/fixtures';

/** An invented history: turns that name things again, code, logs, pasted text and repeats. */
const long = Array.from({ length: 14 }, (_, turn) =>
  [
    `## User`,
    `Please look at module_${turn % 5} and at src/part${turn % 4}/file${turn}.ts in step ${100 + turn}.`,
    turn % 3 === 0 ? `${'pasted words '.repeat(40)}end_${turn}` : 'It should not change.',
    '',
    '## Assistant',
    `I read \`readPart${turn % 6}\` and \`writePart${turn}\` first.`,
    '',
    '```ts',
    `export function readPart${turn % 6}(limit = ${1000 + turn}): number {`,
    `  return writePart${turn}(limit, defaultOptions);`,
    '}',
    '```',
    '',
    '## Tool result',
    ...Array.from({ length: 8 }, (__, at) => `run ${at} of 8 took ${turn * 10 + at} ms`),
    turn % 4 === 1 ? `Error: readPart${turn % 6} failed in build_${turn}.log` : 'all runs passed',
    '```',
    `output of step_${turn} with defaultOptions`,
    '```',
    '',
  ].join('\n'),
).join('\n');

const rangesText = (ranges: readonly (readonly [number, number])[]): string =>
  ranges.map(([start, end]) => (start === end ? `${start}` : `${start}-${end}`)).join(' ');

describe('the choice of lines', () => {
  it('is the same at every ratio', () => {
    const queries = ['', 'why does readPart2 fail', 'nothing of it'];
    const lines = queries.flatMap(query =>
      [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97].map(
        ratio => `${ratio} ${query}: ${rangesText(compactText(long, { ratio, query }).keptRanges)}`,
      ),
    );
    const recent = [1, 2, 5].map(
      preserveRecent =>
        `0.5, last ${preserveRecent}: ${rangesText(compactText(long, { ratio: 0.5, preserveRecent }).keptRanges)}`,
    );
    assertApproved('chosenLines', [...lines, ...recent, ''].join('\n'));
  });

  it('leaves less than a line of the budget unused', () => {
    const longest = Math.max(...long.split('\n').map(line => line.length)) + 1;
    for (const ratio of [0.1, 0.3, 0.5, 0.8]) {
      const { output } = compactText(long, { ratio });
      assert.ok(output.length <= ratio * long.length);
      assert.ok(output.length > ratio * long.length - longest, `${ratio}`);
    }
  });

  it('keeps both fences of a block or none', () => {
    for (const ratio of [0.2, 0.4, 0.6, 0.8]) {
      const { output } = compactText(long, { ratio });
      const fences = output.split('\n').filter(line => line.startsWith('```')).length;
      assert.equal(fences % 2, 0, `${fences} fences at ${ratio}`);
    }
  });
});

describe('a history of each tool', () => {
  const names = {
    turn: (role: string) => role.toUpperCase(),
    part: ({ type }: { type: string }) => (type === 'text' ? undefined : `<${type}>`),
  };

  it('is shown, sent and compacted as it was', () => {
    const texts = fixtures.map(({ name, format, path: place, companions }) => {
      const text = readFileSync(path.join('test/fixtures/histories', name), 'utf8');
      const chat = readChat({ path: place, text, ...(companions ? { companions } : {}) });
      const lineIndex = indexLines(chat);
      const plan = {
        engine: 'local',
        route: 'compact',
        ratio: 0.5,
        query: '',
        keepRecent: 1,
        pins: ['switch', 'RELAY'],
      } as const;
      const compaction = compactLocally(chat, lineIndex, plan, () => 0);
      const receipt = new Receipt(chat, lineIndex, compaction, names);
      const pinned = pinnedLines(lineIndex, plan.pins);
      const { messages: _, ...about } = chat;
      return [
        `== ${format} ${name}`,
        JSON.stringify(about),
        JSON.stringify(chat.messages.map(({ role, at, parts }) => [role, at, parts.length])),
        `pinned ${[...pinned].join('')}, kept ${[...compaction.kept].join('')}, over ${compaction.isOverBudget}`,
        `-- sent`,
        wireText(chat, lineIndex, pinned).text,
        `-- kept`,
        keptText(chat, lineIndex, receipt.keptLines(true), names),
        `-- receipt ${JSON.stringify(receipt.totals)}`,
        receipt.text,
        JSON.stringify([receipt.rowRanges, receipt.removedRanges, receipt.turns]),
        '',
      ].join('\n');
    });
    assertApproved('histories', texts.join(''));
  });

  it('keeps what is pinned, in any case of letters', () => {
    const chat = readChat({ path: 'a.md', text: '## User\none Relay\ntwo\nthree relay\n\nfour\n' });
    const lineIndex = indexLines(chat);
    assert.deepEqual([...pinnedLines(lineIndex, ['RELAY'])], [0, 1, 0, 1, 0, 0]);
    assert.deepEqual([...pinnedLines(lineIndex, ['two', 'four'])], [0, 0, 1, 0, 0, 1]);
    assert.deepEqual([...pinnedLines(lineIndex, ['', ' ', 'none'])], [0, 0, 0, 0, 0, 0]);
    assert.deepEqual([...pinnedLines(lineIndex, ['two\nthree'])], [0, 0, 1, 0, 0, 0]);
  });
});
