import assert from 'node:assert/strict';
import { idOf } from '../../../../src/compact/session/gaps';
import { completeLines } from '../../../../src/compact/session/keptText';
import { call, chatOf, keptOf, result, rows, said, type Turn, thought } from './parsed';

function markersOf(turns: readonly Turn[], pattern: string, canRecall = true) {
  const { chat, lineIndex } = chatOf(turns, { tokensPerLine: 10 });
  assert.equal(pattern.length, lineIndex.tokens.length);
  return completeLines(chat, lineIndex, keptOf(pattern), canRecall).markers;
}

/** The notes where these lines are kept, such as `after line 3, in part 1: 2 lines left out; recall`. */
const notesOf = (turns: readonly Turn[], pattern: string, canRecall = true): string[] =>
  markersOf(turns, pattern, canRecall).map(
    ({ line, isAfter, part, text }) =>
      `${isAfter ? 'after' : 'before'} line ${line}, in part ${part}: ${text
        .replace(/^\[(.*)\]$/, '$1')
        .replace(/recall \w{5}$/, 'recall')}`,
  );

const fixed = { isEditable: false };
const locked = { isEditable: false, isRemovable: false };
const tenLeftOut = `${'1'.repeat(2)}${'0'.repeat(10)}${'1'.repeat(2)}`;

describe('the place of a note', () => {
  it('is where the lines were, within a result, an answer, an instruction or a paste', () => {
    for (const turn of [
      ['tool', result('c', rows('found', 4))],
      ['assistant', said(rows('answer', 4))],
      ['system', said(rows('rule', 4))],
      ['user', said(rows('pasted', 4))],
    ] satisfies Turn[]) {
      assert.deepEqual(
        notesOf([turn], '1001'),
        ['after line 1, in part 0: lines 2-3 left out; recall'],
        turn[0],
      );
      assert.deepEqual(notesOf([turn], '1101'), [
        'after line 2, in part 0: line 3 left out; recall',
      ]);
    }
  });

  it('is behind a text of the tool in the name of the user, which is told by its start', () => {
    const turns: Turn[] = [
      ['assistant', thought(rows('hm', 2))],
      ['user', said('<system-reminder>\none\n</system-reminder>')],
    ];
    assert.deepEqual(notesOf(turns, '00111'), [
      'after line 5, in part 1: 2 lines left out; recall',
    ]);
  });

  it('is nowhere within a thought', () => {
    assert.deepEqual(notesOf([['assistant', thought(rows('hm', 4))]], '1001'), []);
  });

  it('is in the result before the lines rather than in one after them', () => {
    const turns: Turn[] = [
      ['tool', result('a', rows('first', 3))],
      ['assistant', said(rows('between', 2))],
      ['tool', result('b', rows('second', 3))],
    ];
    assert.deepEqual(notesOf(turns, '11100111'), [
      'after line 3, in part 0: 2 lines left out; recall',
    ]);
  });

  it('is in a result after the lines rather than in an answer before them', () => {
    const turns: Turn[] = [
      ['assistant', said(rows('answer', 3))],
      ['tool', result('b', rows('found', 3))],
    ];
    assert.deepEqual(notesOf(turns, '110111'), [
      'before line 3, in part 1: line 3 left out; recall',
    ]);
    assert.deepEqual(notesOf(turns, '110011'), [
      'before line 4, in part 1: 2 lines left out; recall',
    ]);
  });

  it('is in the answer next to the lines where no result is, the one before them first', () => {
    const turns: Turn[] = [
      ['assistant', said(rows('answer', 2))],
      ['assistant', thought(rows('hm', 2))],
      ['assistant', said(rows('more', 2))],
      ['user', said(rows('asked', 2))],
    ];
    assert.deepEqual(notesOf(turns, '11001111'), [
      'after line 2, in part 0: 2 lines left out; recall',
    ]);
    assert.deepEqual(notesOf(turns.slice(1), '001111'), [
      'before line 2, in part 1: 2 lines left out; recall',
    ]);
    assert.deepEqual(notesOf([...turns.slice(3), ...turns.slice(1, 3)], '110011'), [
      'before line 4, in part 2: 2 lines left out; recall',
    ]);
    assert.deepEqual(notesOf(turns.slice(2), '1000'), [
      'after line 1, in part 0: 3 lines left out; recall',
    ]);
  });

  it('is that of an answer that is left out between two messages of the user', () => {
    const user: Turn = ['user', said('ask')];
    const turns: Turn[] = [
      user,
      ['assistant', thought('hm')],
      ['assistant', said(rows('answer', 2))],
      user,
    ];
    assert.deepEqual(notesOf(turns, '10001'), [
      'before line 2, in part 2: 3 lines left out; recall',
    ]);
    assert.deepEqual(notesOf([user, ['assistant', thought('hm')], user], '101'), []);
    assert.deepEqual(notesOf([user, ['assistant', said('no', fixed)], user], '101'), []);
    assert.deepEqual(notesOf([user, user, user], '100'), []);
  });

  it('is not in a part that has to stay whole', () => {
    const turns: Turn[] = [
      ['assistant', said(rows('summary', 2), locked)],
      ['assistant', thought(rows('hm', 2))],
      ['assistant', said(rows('answer', 2))],
    ];
    assert.deepEqual(notesOf(turns, '110011'), [
      'before line 4, in part 2: 2 lines left out; recall',
    ]);
    assert.deepEqual(notesOf(turns.slice(0, 2), '1100'), []);
    const pinned: Turn = ['assistant', said('pinned', { isPinned: true })];
    assert.deepEqual(notesOf([pinned, ['assistant', thought(rows('hm', 2))]], '100'), []);
  });
});

const write = (id: string, lines: number): Turn => [
  'assistant',
  call(id, { path: 'a.ts', content: rows('code', lines), note: rows('why', 6) }),
];

describe('a call that lost lines', () => {
  it('has a note behind the first line of each value that did', () => {
    assert.deepEqual(
      notesOf(
        [write('c', 10), ['tool', result('c', 'done')]],
        `11${'0'.repeat(9)}1${'0'.repeat(5)}1`,
      ),
      [
        'after line 2, in part 0: lines 3-11 left out; recall',
        'after line 12, in part 0: lines 13-17 left out; recall',
      ],
    );
  });

  it('has a note in front of a value whose first line is too long to stay', () => {
    const long: Turn = [
      'assistant',
      call('c', { path: 'a.ts', content: `${'x'.repeat(250)}\n${rows('code', 3)}` }),
    ];
    assert.deepEqual(notesOf([long, ['tool', result('c', 'done')]], '100001'), [
      'before line 1, in part 0: lines 2-5 left out; recall',
    ]);
  });

  it('keeps its result, with a note instead of the lines', () => {
    const turns: Turn[] = [
      ['assistant', call('c', { path: 'a.ts' })],
      ['tool', result('c', rows('found', 3))],
      ['user', said('Thanks.')],
    ];
    assert.deepEqual(notesOf(turns, '10001'), [
      'before line 1, in part 1: 3 lines left out; recall',
    ]);
    // Both go, so only the lines are counted, in an answer nearby.
    const gone: Turn[] = [['assistant', said('I look.')], ...turns];
    assert.deepEqual(notesOf(gone, '100001'), [
      'after line 1, in part 0: 4 lines left out; recall',
    ]);
  });
});

const say = (text: string): Turn => ['assistant', said(text)];
const log = (name: string, lines: number): Turn => ['tool', result(name, rows(name, lines))];
// Each note with an id counts as 12 tokens; they may take 1.8 % of what is kept.
const turnsWith = (kept: number): Turn[] => [
  log('kept', kept),
  log('a', 14),
  log('b', 5),
  log('c', 6),
];
const pattern = (kept: number): string => `${'1'.repeat(kept)}${tenLeftOut}11011110011`;

const linesOf = (kept: number): number[] =>
  markersOf(turnsWith(kept), pattern(kept)).map(({ line }) => line - kept);

describe('notes for several places', () => {
  it('are one at the largest while more would not be worth it, and it counts what is left out', () => {
    const turns: Turn[] = [log('a', 5), log('b', 14), log('c', 5)];
    const markers = markersOf(turns, `11011${tenLeftOut}11011`);
    assert.deepEqual(
      markers.map(({ first, end, line }) => [first, end, line]),
      [[2, 22, 7]],
    );
    assert.match(markers[0]?.text ?? '', /^\[12 lines left out; recall \w{5}\]$/);
  });

  it('are more the more is kept', () => {
    // 12 other lines are kept.
    assert.deepEqual(linesOf(50), [2]);
    assert.deepEqual(linesOf(121), [2]);
    assert.deepEqual(linesOf(122), [2, 21]);
    assert.deepEqual(linesOf(187), [2, 21]);
    assert.deepEqual(linesOf(189), [2, 16, 21]);
  });

  it('stand for the places before them, and the last one for those after it', () => {
    const turns: Turn[] = [log('a', 5), log('b', 14), log('c', 5), log('d', 14), log('e', 150)];
    const markers = markersOf(
      turns,
      `11011${tenLeftOut}11011${tenLeftOut}${'1'.repeat(140)}01${'1'.repeat(8)}`,
    );
    assert.deepEqual(
      markers.map(({ first, end, line }) => [first, end, line]),
      [
        [2, 17, 7],
        [21, 179, 26],
      ],
    );
  });

  it('say only that something is missing in calls and results beyond the number worth an id', () => {
    const turns: Turn[] = [
      say(rows('answer', 14)),
      ['assistant', call('c', { path: 'a.ts' })],
      ['tool', result('c', rows('found', 3))],
      say('Done.'),
    ];
    assert.deepEqual(notesOf(turns, `${tenLeftOut}10001`), [
      'after line 2, in part 0: 13 lines left out; recall',
      'before line 15, in part 2: left out',
    ]);
    const [, short] = markersOf(turns, `${tenLeftOut}10001`);
    assert.deepEqual([short?.id, short?.check, short?.first, short?.end], [undefined, '', 15, 18]);
  });

  it('are in the order of the lines, also where one at the end was decided first', () => {
    const turns: Turn[] = [
      ['assistant', call('c', { path: 'a.ts' })],
      ['tool', result('c', rows('found', 3))],
      say(rows('answer', 14)),
      ['assistant', call('d', { path: 'b.ts' })],
      ['tool', result('d', rows('more', 3))],
      say('Done.'),
    ];
    assert.deepEqual(
      markersOf(turns, `1000${tenLeftOut}10001`).map(({ line, text }) => [line, text.slice(0, 9)]),
      [
        [1, '[left out'],
        [6, '[16 lines'],
        [19, '[left out'],
      ],
    );
  });

  it('have different ids where the same lines are left out twice, and the same check', () => {
    const turns: Turn[] = ['c', 'd', 'e'].flatMap(id => [
      ['assistant', call(id, { path: 'a.ts' })],
      ['tool', result(id, rows('found', 3))],
    ]);
    const markers = markersOf(turns, '100010001000');
    const ids = markers.map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
    const [check] = new Set(markers.map(one => one.check));
    assert.deepEqual(
      markers.map(one => one.check),
      [check, check, check],
    );
    assert.deepEqual([ids[0], check], [idOf('found 1\nfound 2\nfound 3\n'), ids[0]]);
    for (const { text, id } of markers) assert.equal(text, `[3 lines left out; recall ${id}]`);
  });

  it('have no id where the original will not be there', () => {
    const turns: Turn[] = [log('a', 5)];
    const [marker, ...others] = markersOf(turns, '10011', false);
    assert.deepEqual([marker?.text, marker?.id, others], ['[lines 2-3 left out]', undefined, []]);
    assert.equal(marker?.check, idOf('a 2\na 3\n'));
  });

  it('are none where nothing is left out, and where nothing is kept that could hold them', () => {
    assert.deepEqual(notesOf([log('a', 3)], '111'), []);
    assert.deepEqual(notesOf([], ''), []);
  });
});

describe('the id of a text', () => {
  it('depends on its length, its beginning and its end, and has five characters', () => {
    const base = 'x'.repeat(3000);
    const changed = (at: number): string => `${base.slice(0, at)}y${base.slice(at + 1)}`;
    const texts = [base, `${base}x`, changed(0), changed(499), changed(2500), changed(2999), ''];
    const ids = texts.map(idOf);
    assert.equal(new Set(ids).size, texts.length);
    for (const id of ids) assert.match(id, /^[0-9a-z]{5}$/);
    assert.equal(idOf(changed(1500)), idOf(base));
  });
});
