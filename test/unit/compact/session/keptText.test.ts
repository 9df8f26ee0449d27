import assert from 'node:assert/strict';
import {
  completeLines,
  editsOf,
  type KeptLines,
  keptParts,
  keptText,
} from '../../../../src/compact/session/keptText';
import type { ParsedPart } from '../../../../src/compact/sessions/chat';
import {
  call,
  chatOf,
  keptOf,
  type OpenChat,
  result,
  rows,
  said,
  type Turn,
  thought,
} from './parsed';

/** These lines, without notes. */
const only = (pattern: string): KeptLines => ({ kept: keptOf(pattern), markers: [] });

const partsLeft = (turns: readonly Turn[], pattern: string): string[][] => {
  const { chat, lineIndex } = chatOf(turns);
  return keptParts(chat, lineIndex, only(pattern));
};

const note = (line: number, text: string) => ({
  line,
  isAfter: false,
  part: 0,
  text,
  id: undefined,
  check: '',
  first: line,
  end: line,
});

describe('what is left of the parts of a chat', () => {
  it('are the kept lines of each, whichever they are', () => {
    const turns: Turn[] = [
      ['user', said(rows('a', 4))],
      ['assistant', said(rows('b', 3)), said(rows('c', 2))],
    ];
    for (const [pattern, expected] of [
      ['111111111', [[rows('a', 4)], [rows('b', 3), rows('c', 2)]]],
      ['000000000', [[''], ['', '']]],
      ['110100111', [['a 1\na 2\na 4'], ['b 3', 'c 1\nc 2']]],
      ['101101001', [['a 1\na 3\na 4'], ['b 2', 'c 2']]],
      ['011001010', [['a 2\na 3'], ['b 2', 'c 1']]],
    ] as const) {
      assert.deepEqual(partsLeft(turns, pattern), expected, pattern);
    }
  });

  it('end with a line end only where the part does', () => {
    assert.deepEqual(partsLeft([['user', said('a\nb')]], '10'), [['a']]);
    assert.deepEqual(partsLeft([['user', said('a\nb\n')]], '10'), [['a\n']]);
    assert.deepEqual(partsLeft([['user', said('a\nb')]], '01'), [['b']]);
    assert.deepEqual(partsLeft([['user', said('a\nb\n')]], '11'), [['a\nb\n']]);
  });

  it('are empty for a part without text', () => {
    assert.deepEqual(partsLeft([['user', said(''), said('a')]], '1'), [['', 'a']]);
  });

  it('have the notes where they belong: before a line, after all, and next to each other', () => {
    const { chat, lineIndex } = chatOf([['tool', result('c', rows('a', 4))]]);
    const left = (pattern: string, ...markers: ReturnType<typeof note>[]) =>
      keptParts(chat, lineIndex, { kept: keptOf(pattern), markers })[0]?.[0];
    assert.equal(left('1001', note(1, '[x]')), 'a 1\n[x]\na 4');
    assert.equal(left('1111', note(2, '[x]')), 'a 1\na 2\n[x]\na 3\na 4');
    assert.equal(left('1000', note(4, '[x]')), 'a 1\n[x]');
    assert.equal(left('0000', note(0, '[x]')), '[x]');
    assert.equal(
      left('0110', note(0, '[x]'), note(3, '[y]'), note(3, '[z]')),
      '[x]\na 2\na 3\n[y]\n[z]',
    );
  });
});

/** What a writer is to do where these lines are kept. */
const editsIn = ({ chat, lineIndex }: OpenChat, pattern: string) =>
  editsOf(chat, lineIndex, only(pattern));

describe('the edits of a chat', () => {
  it('take a part away that has no lines left, if it can go', () => {
    const fixed: Partial<ParsedPart> = { isRemovable: false };
    const open = chatOf([['assistant', said('a'), said('b', fixed), said('c')]]);
    assert.deepEqual(editsIn(open, '111'), [['a', 'b', 'c']]);
    assert.deepEqual(editsIn(open, '100'), [['a', '', null]]);
  });

  it('take a whole message away with all that is in it, if it can go', () => {
    const seal = said('', { type: 'encrypted', isRemovable: false });
    const open = chatOf([
      ['assistant', said('a'), seal],
      ['assistant', seal, said('', { isRemovable: false })],
    ]);
    assert.deepEqual(editsIn(open, '0'), [
      [null, null],
      ['', ''],
    ]);
    const [first, second] = open.chat.messages;
    assert.ok(first && second);
    const stuck = {
      ...open,
      chat: { ...open.chat, messages: [{ ...first, isRemovable: false }, second] },
    };
    assert.deepEqual(editsIn(stuck, '0')[0], [null, '']);
  });

  it('take what is signed or encrypted away with any line of its message, and nothing else without text', () => {
    for (const type of ['thinking', 'encrypted'] as const) {
      const open = chatOf([
        ['assistant', said('', { type }), said('a\nb'), said('', { type: 'image' })],
      ]);
      assert.deepEqual(editsIn(open, '11'), [['', 'a\nb', '']], type);
      assert.deepEqual(editsIn(open, '10'), [[null, 'a', '']], type);
    }
  });

  it('leave a call and its result together, also without lines', () => {
    const open = chatOf([
      ['assistant', call('c', { path: 'a.ts' })],
      ['tool', result('c', 'found')],
      ['user', said('ok')],
    ]);
    assert.deepEqual(editsIn(open, '101'), [['path: a.ts'], [''], ['ok']]);
    assert.deepEqual(editsIn(open, '011'), [[''], ['found'], ['ok']]);
    assert.deepEqual(editsIn(open, '001'), [[null], [null], ['ok']]);
  });

  it('empty a call and its result that cannot go, and leave alone those that never had text', () => {
    const open = chatOf([
      ['assistant', said('c1', { type: 'tool_call', callId: 'c', isRemovable: false }), said('x')],
      ['tool', result('c', '', { isRemovable: true })],
      ['assistant', said('', { type: 'tool_call', callId: 'd' }), said('y')],
      ['tool', result('d', '')],
    ]);
    assert.deepEqual(editsIn(open, '011'), [['', 'x'], [null], ['', 'y'], ['']]);
    assert.deepEqual(editsIn(open, '111'), [['c1', 'x'], [''], ['', 'y'], ['']]);
  });

  it('give the values of a call that lost lines, without their names, and null for the others', () => {
    const open = chatOf([
      ['assistant', call('c', { path: 'a.ts', content: rows('code', 4), note: rows('why', 3) })],
    ]);
    assert.deepEqual(editsIn(open, '11001111'), [[[null, 'code 1\ncode 4', null]]]);
    assert.deepEqual(editsIn(open, '10110101'), [[[null, 'code 2\ncode 3', 'why 1\nwhy 3']]]);
    assert.deepEqual(editsIn(open, '11111111'), [
      [`path: a.ts\ncontent: ${rows('code', 4)}\nnote: ${rows('why', 3)}`],
    ]);
  });

  it('have nothing of the next message in a value that ends with a line end', () => {
    const open = chatOf([
      ['assistant', call('c', { path: 'a.ts', content: `${rows('code', 3)}\n` })],
      ['tool', result('c', 'done')],
    ]);
    assert.deepEqual(editsIn(open, '11011'), [[[null, 'code 1\ncode 3\n']], ['done']]);
    assert.deepEqual(editsIn(open, '11101'), [[[null, 'code 1\ncode 2\n']], ['done']]);
    assert.deepEqual(editsIn(open, '11111'), [
      [`path: a.ts\ncontent: ${rows('code', 3)}\n`],
      ['done'],
    ]);
  });

  it('give each value of a call its own notes', () => {
    const { chat, lineIndex } = chatOf([
      ['assistant', call('c', { content: rows('code', 5), note: rows('why', 5) })],
      ['tool', result('c', 'done')],
    ]);
    const left = completeLines(chat, lineIndex, keptOf('00001000011'), false);
    assert.deepEqual(editsOf(chat, lineIndex, left), [
      [['code 1\n[lines 2-4 left out]\ncode 5', 'why 1\n[lines 7-9 left out]\nwhy 5']],
      ['done'],
    ]);
  });
});

describe('the text of what is left', () => {
  const labels = {
    turn: (role: string) => role.toUpperCase(),
    part: ({ type }: ParsedPart) => (type === 'text' ? undefined : type),
  };
  const textOf = ({ chat, lineIndex }: OpenChat, pattern: string): string =>
    keptText(chat, lineIndex, only(pattern), labels);

  it('has a header for each turn and for each part that is no plain text', () => {
    const open = chatOf([
      ['user', said('ask\n\n')],
      ['assistant', thought('hm'), said('yes\nno')],
      ['user', said('gone')],
      ['tool', result('c', 'found')],
    ]);
    assert.equal(
      textOf(open, '1011001'),
      '## USER\n\nask\n\n## ASSISTANT\n\n### thinking\n\nhm\n\nyes\n\n' +
        '## TOOL\n\n### tool_result\n\nfound\n',
    );
  });

  it('is that of the file for a transcript', () => {
    const open = chatOf([['user', said('## User\n', { isEditable: false }), said('a\nb\n')]], {
      isTranscript: true,
    });
    assert.equal(textOf(open, '110'), '## User\na\n');
  });
});
