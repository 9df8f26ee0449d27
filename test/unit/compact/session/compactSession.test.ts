import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  chooseSessionLines,
  lowestRatio,
  type SessionOptions,
  standingLines,
  typedLines,
} from '../../../../src/compact/session/compactSession';
import { settleLines } from '../../../../src/compact/session/parts';
import { call, chatOf, type OpenChat, result, rows, said, type Turn, thought } from './parsed';

/** A chat whose lines cost 10 tokens each. */
const open = (...turns: readonly Turn[]): OpenChat => chatOf(turns, { tokensPerLine: 10 });

const share = 0.982; // of the ratio; the rest is for notes

function choose(
  { chat, lineIndex }: OpenChat,
  options: Partial<SessionOptions>,
  forced = new Uint8Array(lineIndex.tokens.length),
): { kept: Uint8Array; isOverBudget: boolean } {
  const whole = { ratio: 0.5, query: '', keepRecent: 0, ...options };
  return chooseSessionLines(chat, lineIndex, forced, whole);
}

/** The kept lines of each part. */
const keptByPart = ({ table }: OpenChat, kept: Uint8Array): string[] =>
  table.parts.map(({ firstLine, endLine }) => kept.subarray(firstLine, endLine).join(''));

/** How many lines of each part are kept. */
const countsOf = (chat: OpenChat, kept: Uint8Array): number[] =>
  keptByPart(chat, kept).map(lines => lines.replaceAll('0', '').length);

const countsIn = (chat: OpenChat, options: Partial<SessionOptions>): number[] =>
  countsOf(chat, choose(chat, options).kept);

/** Lines that say little: plain words, all different. */
const words = [
  'plain',
  'words',
  'with',
  'nothing',
  'else',
  'within',
  'them',
  'here',
  'today',
  'and',
];
const plain = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `${words[at % 10]} ${words[((at / 10) % 10) | 0]} ${words[((at / 100) % 10) | 0]} so`,
  ).join('\n');
/** Lines with names that no other line has, about errors. */
const telling = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `error in ${name}${'abcdefghij'[at % 10]}Of_${at}`).join(
    '\n',
  );

const user = (text: string): Turn => ['user', said(text)];
const assistant = (text: string): Turn => ['assistant', said(text)];
const tool = (text: string): Turn => ['tool', result(text.slice(0, 9), text)];

const standing = (chat: OpenChat): number[] =>
  countsOf(chat, standingLines(chat.chat, chat.lineIndex));
const instructions = (lines: number): Turn => ['system', said(rows('rule', lines))];

describe('the lines that stay at any ratio', () => {
  it('are those that the user typed, without what was pasted', () => {
    const pasted = Array.from({ length: 60 }, (_, at) => `${at}`.padEnd(40, '.')).join('\n');
    const chat = open(user('Look.\nNow.'), assistant('I do.'), user(`This:\n${pasted}\nWhy?`));
    const typed = typedLines(chat.chat, chat.lineIndex);
    assert.deepEqual(countsOf(chat, typed), [2, 0, 13]);
    assert.deepEqual(standing(chat), [2, 0, 13]);
  });

  it('are instructions of the tool up to 200 tokens, the short ones first', () => {
    assert.deepEqual(standing(open(instructions(12), user('Go.'), instructions(8))), [12, 1, 8]);
    assert.deepEqual(standing(open(instructions(13), user('Go.'), instructions(8))), [0, 1, 8]);
    assert.deepEqual(standing(open(instructions(20))), [20]);
    assert.deepEqual(standing(open(instructions(21))), [0]);
  });

  it('are instructions up to a fiftieth of a long session', () => {
    const system: Turn = ['system', said(rows('rule', 30))];
    assert.deepEqual(standing(open(system, tool(rows('found', 1470)))), [30, 0]);
    assert.deepEqual(standing(open(system, tool(rows('found', 1469)))), [0, 0]);
  });

  it('are not what a tool says in the name of the user', () => {
    assert.deepEqual(standing(open(user('<system-reminder>\nx\n</system-reminder>'))), [0]);
  });
});

const lowestWith = ({ chat, lineIndex }: OpenChat, turns: number): number =>
  lowestRatio(chat, lineIndex, turns);

describe('the last turns', () => {
  const chat = open(
    user('a'),
    assistant(rows('b', 4)),
    ['assistant', call('c', { path: 'a.ts' })],
    ['tool', result('c', rows('found', 4))],
    ['user', said('attached', { kind: 'tool_result', type: 'context' })],
    user('d'),
    assistant(rows('e', 4)),
  );

  it('are messages of the user and of the assistant, with the results that follow', () => {
    const lines = [0, 1, 2, 3, 4, 5, 99].map(turns =>
      Math.round(lowestRatio(chat.chat, chat.lineIndex, turns) * chat.lineIndex.tokens.length),
    );
    assert.deepEqual(lines, [2, 6, 6, 12, 16, 16, 16]);
  });

  it('are counted up to the next whole number', () => {
    assert.deepEqual(
      [lowestWith(chat, 0.2), lowestWith(chat, 2.1), lowestWith(chat, -1)],
      [lowestWith(chat, 1), lowestWith(chat, 3), lowestWith(chat, 0)],
    );
  });

  it('are steps of a run that its tool wrote as one message', () => {
    const run = open(user('a'), [
      'assistant',
      said(rows('b', 3)),
      call('c', { path: 'a.ts' }),
      result('c', rows('found', 8)),
      call('d', { path: 'b.ts' }),
      result('d', rows('found', 4)),
      said(rows('done', 2)),
    ]);
    const lines = [0, 1, 2, 3, 4, 99].map(turns =>
      Math.round(lowestRatio(run.chat, run.lineIndex, turns) * run.lineIndex.tokens.length),
    );
    assert.deepEqual(lines, [1, 3, 8, 20, 20, 20]);
    const { kept, isOverBudget } = choose(run, { ratio: 0.5, keepRecent: 2 });
    assert.equal(isOverBudget, false);
    assert.ok(kept.filter(line => line === 1).length <= 10);
  });

  it('are none of a chat without lines', () => {
    const none = open();
    assert.deepEqual([lowestRatio(none.chat, none.lineIndex, 2)], [0]);
    assert.deepEqual([...choose(none, {}).kept], []);
  });
});

describe('the choice of lines', () => {
  it('is all of them for the whole, and none beyond what has to stay for nothing', () => {
    const chat = open(user('Go.'), assistant(rows('said', 4)), tool(rows('found', 5)));
    assert.deepEqual(choose(chat, { ratio: 1 }), {
      kept: new Uint8Array(10).fill(1),
      isOverBudget: false,
    });
    const least = choose(chat, { ratio: 0.05 });
    assert.deepEqual([countsOf(chat, least.kept), least.isOverBudget], [[1, 0, 0], true]);
  });

  it('has those that are chosen already, and does not change what it was given', () => {
    const chat = open(user('Go.'), tool(rows('found', 20)));
    const forced = new Uint8Array(21);
    forced[7] = 1;
    const { kept } = choose(chat, { ratio: 0.05 }, forced);
    assert.deepEqual(
      [...kept.keys()].filter(line => kept[line] === 1),
      [0, 7],
    );
    assert.equal(forced.indexOf(1), 7);
    assert.equal(forced.lastIndexOf(1), 7);
  });

  it('has what stands between the tags that keep it, up to the end of its message', () => {
    const chat = open(
      tool('a\n<keepContext>\nb\nc\n</keepContext>\nd'),
      assistant('e <keepContext> f\ng'),
      tool('h\ni'),
    );
    assert.deepEqual(keptByPart(chat, choose(chat, { ratio: 0.1 }).kept), ['011110', '11', '00']);
  });

  it('stays within the budget, and has with each line what it needs', () => {
    const lines = fc.integer({ min: 1, max: 12 });
    const turn = fc.oneof(
      lines.map((count): Turn[] => [assistant(telling('said', count))]),
      lines.map((count): Turn[] => [['assistant', thought(plain(count)), said(plain(1))]]),
      fc
        .tuple(lines, lines, fc.nat(99), fc.boolean())
        .map(([own, found, id, isEditable]): Turn[] => [
          ['assistant', call(`c${id}`, { path: 'a.ts', content: telling('wrote', own) })],
          ['tool', result(`c${id}`, telling('found', found), { isEditable })],
        ]),
      fc.constant<Turn[]>([user('Go.')]),
    );
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 3, maxLength: 12 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.constantFrom('', 'wroteaOf_0', 'found'),
        (turns, ratio, query) => {
          const chat = chatOf(turns.flat());
          const { tokens } = chat.lineIndex;
          const { kept, isOverBudget } = choose(chat, { ratio, query });
          const all = tokens.reduce((sum, each) => sum + each, 0);
          const used = tokens.reduce((sum, each, at) => sum + (kept[at] === 1 ? each : 0), 0);
          assert.equal(isOverBudget, used > Math.floor(all * ratio * share));
          const complete = kept.slice();
          settleLines(chat.table, complete);
          assert.deepEqual(complete, kept);
        },
      ),
      { numRuns: 80 },
    );
  });

  it('uses the whole budget, with the newest lines where others are all the same', () => {
    const chat = open(user('Go.'), tool('same\n'.repeat(99)));
    const { kept } = choose(chat, { ratio: 0.3 });
    assert.deepEqual(keptByPart(chat, kept), ['1', `${'0'.repeat(71)}${'1'.repeat(28)}`]);
    const blank = open(user('Go.'), tool(`first\n${'\n'.repeat(98)}`));
    assert.deepEqual(keptByPart(blank, choose(blank, { ratio: 0.1 }).kept), [
      '1',
      `1${'0'.repeat(91)}${'1'.repeat(7)}`,
    ]);
  });

  it('has the newest of lines that are repeated', () => {
    const chat = open(
      tool(rows('readHeader_x', 20)),
      tool(rows('readHeader_x', 20)),
      tool(plain(60)),
    );
    const [older = 0, newer = 0] = countsIn(chat, { ratio: 0.15 });
    assert.deepEqual([older, newer > 0], [0, true]);
  });
});

const paste = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${at}`.padEnd(30, '.')).join('\n');
// The budget is 491 lines, of which 294 are 60 %.
const chatWith = (own: number): OpenChat =>
  open(user('Go.'), user(paste(own)), tool(telling('found', 999 - own)));

describe('what the user pasted', () => {
  it('stays whole up to 60 % of the budget, with what stays anyway', () => {
    assert.equal(countsIn(chatWith(293), {})[1], 293);
    assert.notEqual(countsIn(chatWith(294), {})[1], 294);
  });
});

const plainInstructions = (lines: number): Turn => ['system', said(plain(lines))];

describe('instructions of the tool', () => {
  it('stay whole up to 15 % of the budget, the short ones first', () => {
    // The budget is 491 lines, of which 73 are 15 %.
    assert.deepEqual(
      countsIn(open(plainInstructions(73), tool(telling('found', 927))), {}),
      [73, 418],
    );
    assert.deepEqual(
      countsIn(open(plainInstructions(74), tool(telling('found', 926))), {}),
      [0, 491],
    );
    assert.deepEqual(
      countsIn(open(plainInstructions(50), tool(telling('found', 910)), plainInstructions(40)), {}),
      [0, 451, 40],
    );
  });

  it('stay only while the budget lasts', () => {
    const typed = Array<Turn>(43).fill(user(rows('typed', 10)));
    const keptOf = (own: number): (number | undefined)[] => {
      const chat = open(...typed, plainInstructions(own), tool(telling('found', 570 - own)));
      return countsIn(chat, {}).slice(43);
    };
    assert.deepEqual(
      [keptOf(61), keptOf(62)],
      [
        [61, 0],
        [0, 61],
      ],
    );
  });
});

describe('the budget', () => {
  it('goes to the words of the assistant first, up to 70 %', () => {
    const chat = open(assistant(plain(500)), tool(telling('found', 500)));
    // 294 lines in all.
    assert.deepEqual(countsIn(chat, { ratio: 0.3 }), [206, 88]);
  });

  it('goes to calls, thoughts and instructions after the rest, by what they tell', () => {
    const mixed = `${telling('needed', 10)}\n${'the same\n'.repeat(60)}`.trimEnd();
    for (const part of [
      thought(mixed),
      said(mixed, { type: 'summary' }),
      call('c', { content: `write\n${mixed}` }),
    ]) {
      const chat = open(user('Go.'), ['assistant', part], tool(plain(20)));
      const [, own = '', found] = keptByPart(chat, choose(chat, { ratio: 0.5 }).kept);
      const from = part.type === 'tool_call' ? 1 : 0;
      assert.equal(own.slice(from, from + 10), '1'.repeat(10), part.type);
      assert.equal(found, '1'.repeat(20), part.type);
    }
  });

  it('goes to lines that match the query first, up to 85 %, the newest of the same kind first', () => {
    const needles = Array.from({ length: 400 }, (_, at) => `needle ${at % 7} here\n\n\n\n\n`);
    const chat = open(tool(needles.join('')), tool(telling('found', 600)));
    const { kept } = choose(chat, { ratio: 0.08, query: 'needle' });
    const [own = '', others] = keptByPart(chat, kept);
    // 204 lines in all, of which 85 % are 173.
    assert.equal(own, `${'0'.repeat(5 * 227)}${'10000'.repeat(173)}`);
    assert.equal(others?.replaceAll('0', '').length, 31);
  });

  it('goes to lines of calls, thoughts and instructions for no query', () => {
    const chat = open(
      ['assistant', thought(rows('needle', 100))],
      ['assistant', call('c', { content: rows('needle', 100) })],
      ['system', said(rows('needle', 100))],
      tool(telling('found', 300)),
    );
    assert.deepEqual(countsIn(chat, { ratio: 0.3, query: 'needle' }), [0, 0, 0, 176]);
  });

  it('goes to what the last message of the user is about where no query is given', () => {
    const names = Array.from({ length: 300 }, (_, at) => `readHeader_${at} is here`).join('\n');
    const about = (asked: string, query: string): boolean => {
      const chat = open(
        user('Is readHeader_200 there?'),
        tool(`${names}\n${plain(300)}`),
        user(asked),
      );
      return choose(chat, { ratio: 0.02, query }).kept[281] === 1;
    };
    const asked = 'Where is readHeader_280?';
    assert.deepEqual(
      [about(asked, ''), about(asked, ' \n'), about('Go.', ''), about('Go.', asked)],
      [true, true, false, true],
    );
  });

  it('goes to lines that tell where an output is, the newest first, up to a tenth', () => {
    const pointers = Array.from(
      { length: 50 },
      (_, at): Turn =>
        tool(`${at} was long\nFull output saved to: /tmp/one.txt\n${telling(`n${at}x`, 18)}`),
    );
    // 98 lines in all, of which 9 are a tenth.
    const chat = open(...pointers);
    const { kept } = choose(chat, { ratio: 0.1 });
    const having = keptByPart(chat, kept).flatMap((lines, at) => (lines[1] === '1' ? [at] : []));
    assert.deepEqual(having, [41, 42, 43, 44, 45, 46, 47, 48, 49]);
  });
});
