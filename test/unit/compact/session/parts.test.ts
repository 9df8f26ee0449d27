import assert from 'node:assert/strict';
import { isToolText } from '../../../../src/compact/core/toolTexts';
import {
  isBareHead,
  messageKindOf,
  sessionParts,
  settleLines,
} from '../../../../src/compact/session/parts';
import { pastedLines } from '../../../../src/compact/session/pasted';
import { readChat } from '../../../../src/compact/sessions/chat';
import { indexLines } from '../../../../src/compact/worker/sessionLineIndex';
import { call, chatOf, keptOf, result, said, type Turn } from './parsed';
import { chatBytes, type Step, sourceLines } from './sessions';

function open(steps: readonly Step[]) {
  const text = new TextDecoder().decode(chatBytes(steps));
  const chat = readChat({ path: 'chat.json', text });
  const lineIndex = indexLines(chat);
  return { chat, lineIndex, parts: sessionParts(chat, lineIndex) };
}

describe('a text in the name of the user', () => {
  it('is of the tool when it starts like one', () => {
    for (const text of [
      '<system-reminder>\nx',
      '  <environment_context>',
      '<command-name>/clear</command-name>',
      '<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>',
      '<command-message>x</command-message>',
      '<command-name>/x</command-name><command-args>y',
      '<bash-stdout>x</bash-stdout>',
      'Caveat: The messages below were generated',
      '[Request interrupted by user]',
      '# AGENTS.md instructions for /src',
      '<System-Reminder>',
      '\n<hook_output a="b">',
      '<skills/>',
      '[task resumption] Go on.',
      `${' '.repeat(150)}<system-reminder>`,
    ]) {
      assert.ok(isToolText(text), text);
    }
  });

  it('is of the user otherwise, also with elements', () => {
    for (const text of [
      '',
      '<div>why?</div>',
      '<skilled>',
      'See <system-reminder>',
      '# AGENTS.md',
      '<command-message>review</command-message>\n<command-name>/review</command-name>',
      ' <command-name>/plan</command-name>\n<command-message>plan</command-message>\n<command-args>the release</command-args>',
      '<bash-input>git pull</bash-input>',
      `${' '.repeat(200)}<system-reminder>`,
    ]) {
      assert.ok(!isToolText(text), text);
    }
  });
});

describe('the kind of a part', () => {
  it('is told by its type before the role of its message', () => {
    const part = { kind: 'text', text: 'x', isEditable: true, isRemovable: true } as const;
    assert.equal(messageKindOf('user', { ...part, type: 'tool_result' }), 'result');
    assert.equal(messageKindOf('user', { ...part, type: 'context' }), 'result');
    assert.equal(messageKindOf('assistant', { ...part, type: 'encrypted' }), 'thinking');
    assert.equal(messageKindOf('tool', { ...part, type: 'text' }), 'system');
    assert.equal(messageKindOf('user', { ...part, type: 'summary' }), 'system');
    assert.equal(messageKindOf('tool', { ...part, type: 'other', callId: 'c' }), 'result');
  });
});

describe('lines that stay with others', () => {
  it('are the head of a call for a line of its result, and nothing of a call for itself', () => {
    const { lineIndex, parts } = open([
      { user: 'Go.' },
      { call: { path: 'a.ts', content: sourceLines('a', 9) }, result: 'one\ntwo' },
    ]);
    assert.deepEqual(
      parts.parts.map(({ kind, firstLine, endLine }) => [kind, firstLine, endLine]),
      [
        ['user', 0, 1],
        ['call', 1, 11],
        ['result', 11, 13],
      ],
    );
    const kept = new Uint8Array(lineIndex.tokens.length);
    settleLines(parts, kept);
    assert.deepEqual(kept.indexOf(1), -1);
    kept[12] = 1;
    settleLines(parts, kept);
    assert.deepEqual([...kept], [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const own = new Uint8Array(lineIndex.tokens.length);
    own[5] = 1;
    settleLines(parts, own);
    assert.deepEqual([...own], [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  });
});

/** The lines that stay where these are chosen. */
function settled(turns: readonly Turn[], pattern: string, isTranscript = false): string {
  const { table } = chatOf(turns, { isTranscript });
  const kept = keptOf(pattern);
  settleLines(table, kept);
  return [...kept].join('');
}

const turnsWith = (more: Parameters<typeof result>[2]): Turn[] => [
  ['user', said('Go.')],
  ['assistant', call('c', { path: 'a.ts' })],
  ['tool', result('c', 'one\ntwo', more)],
  ['tool', result('d', 'of no call')],
];
const of = (values: Readonly<Record<string, string>>, more: object = {}): string => {
  const own = { ...call('c', values), ...more };
  const { table } = chatOf([['assistant', own]]);
  return [...table.heads].join('');
};

describe('parts that stay with others', () => {
  it('are the call of a result, and a result that cannot be shortened for its call', () => {
    assert.equal(settled(turnsWith({}), '00010'), '01010');
    assert.equal(settled(turnsWith({}), '01000'), '01000');
    assert.equal(settled(turnsWith({ isEditable: false }), '01000'), '01110');
    assert.equal(settled(turnsWith({ isEditable: false }), '00010'), '01110');
    assert.equal(settled(turnsWith({}), '10001'), '10001');
  });

  it('are other calls with the same id, of which none can be written without the rest', () => {
    const turns: Turn[] = [
      ['assistant', call('0', { a: 'x' }), call('0', { b: 'y' })],
      ['tool', result('0', 'one'), result('0', 'two')],
    ];
    for (const [kept, all] of [
      ['1000', '1100'],
      ['0010', '1110'],
      ['0000', '0000'],
    ] as const)
      assert.equal(settled(turns, kept), all);
    const many: Turn[] = [
      ['assistant', ...Array.from({ length: 20_000 }, () => call('0', { a: 'x' }))],
    ];
    assert.equal(settled(many, `1${'0'.repeat(19_999)}`), '1'.repeat(20_000));
  });

  it('are all of what may not be changed, for any line of it, and what is locked in any case', () => {
    const fixed = said('a\nb\nc', { isEditable: false });
    const locked = said('d\ne', { isEditable: false, isRemovable: false });
    assert.equal(settled([['assistant', fixed, locked]], '01000'), '11111');
    assert.equal(settled([['assistant', fixed, locked]], '00000'), '00011');
    assert.equal(settled([['assistant', said('d\ne', { isPinned: true })]], '00'), '11');
  });

  it('are the header of a message in a transcript, for its own lines alone', () => {
    const header = said('## User', { isEditable: false });
    const turns: Turn[] = [
      ['user', header, said('a\nb')],
      ['assistant', header, said('c\nd'), said('e')],
      ['user', said('f'), header, said('g')],
    ];
    assert.equal(settled(turns, '0010000000', true), '1010000000');
    assert.equal(settled(turns, '0000000000', true), '0000000000');
    assert.equal(settled(turns, '0000010000', true), '0001010000');
    assert.equal(settled(turns, '0000001000', true), '0001001000');
    assert.equal(settled(turns, '0000000101', true), '0000000101');
    assert.equal(settled(turns.slice(1), '0010000', true), '1010000');
  });

  it('are the lines of a call that tell what it does', () => {
    const long = 'x'.repeat(81);
    assert.equal(of({ a: '1\n2\n3', b: '1\n2\n3\n4', c: 'x' }), '11110001');
    // The name and the line ends count.
    assert.equal(of({ a: `${long}\n${long}\n${'x'.repeat(72)}` }), '111');
    assert.equal(of({ a: `${long}\n${long}\n${'x'.repeat(73)}` }), '100');
    assert.equal(of({ a: `${'x'.repeat(196)}\n${long}` }), '10');
    assert.equal(of({ a: `${'x'.repeat(197)}\n${long}`, b: 'x' }), '001');
    assert.equal(of({ a: '1\n2\n3\n4' }, { fields: undefined }), '1111');
  });

  it('are the shortest first line of a call without short values, so that its result can stay', () => {
    const [long, longer] = ['x'.repeat(300), 'x'.repeat(400)];
    assert.equal(of({ command: long }), '1');
    assert.equal(of({ a: `${longer}\nx`, b: `${long}\nx`, c: `${longer}\nx` }), '001000');
    const turns: Turn[] = [
      ['assistant', call('c', { command: long })],
      ['tool', result('c', 'done')],
    ];
    assert.equal(settled(turns, '01'), '11');
    assert.equal(settled(turns, '00'), '00');
  });

  it('are no lines of the next part for a value that ends with a line end', () => {
    const next = call('d', { a: `${'x'.repeat(205)}\n${'x'.repeat(99)}`, path: 'a' });
    const { table } = chatOf([['assistant', call('c', { content: 'a\n' }), next]]);
    assert.deepEqual([...table.heads], [1, 0, 0, 1]);
  });
});

describe('a text of the tool in the name of the user', () => {
  const reminder = '\n<system-reminder>\none\ntwo\n</system-reminder>';

  it('keeps the line by which it is told', () => {
    assert.equal(settled([['user', said(reminder)]], '00010'), '01010');
    assert.equal(settled([['user', said(reminder)]], '00000'), '00000');
    assert.equal(settled([['user', said(`${reminder}\nWhy?`)]], '000001'), '010001');
    assert.equal(settled([['assistant', said(reminder)]], '00010'), '00010');
  });

  it('is not opened for that line alone, unless there is no other', () => {
    for (const [text, expected] of [
      [reminder, [false, true, false, false, false]],
      ['[Request interrupted by user]', [false]],
      ['Why?\nHow?', [false, false]],
    ] as const) {
      const { table } = chatOf([['user', said(text)]]);
      assert.deepEqual(
        Array.from(table.partOfLine, (_, line) => isBareHead(table, line)),
        expected,
      );
    }
  });

  it('is words of the user where those stand behind it', () => {
    const { table } = chatOf([
      ['user', said(`${reminder}\nWhy?`)],
      ['user', said(reminder)],
    ]);
    assert.deepEqual(
      table.parts.map(({ kind }) => kind),
      ['user', 'system'],
    );
  });
});

const pastedOf = (user: string) => {
  const { lineIndex, parts } = open([{ user }]);
  return [...pastedLines(parts, lineIndex)].join('');
};

describe('pasted lines', () => {
  it('are the middle of a long message', () => {
    assert.equal(pastedOf(sourceLines('x', 20)), '0'.repeat(20));
    assert.equal(pastedOf(sourceLines('x', 60)), `${'0'.repeat(10)}${'1'.repeat(47)}000`);
    assert.equal(pastedOf('x'.repeat(5000)), '1');
  });

  it('are all but the request where the tool marks it', () => {
    assert.equal(
      pastedOf('<context>\nnow\n</context>\n<userRequest>\nWhy?\nHow?\n</userRequest>\nend'),
      '11100001',
    );
    assert.equal(pastedOf('<userRequest>\nnot closed'), '00');
  });

  it('are the elements of the tool in front of what was typed', () => {
    const reminder = '<system-reminder>\none\n</system-reminder>';
    assert.equal(pastedOf(`${reminder}\n\nWhy?`), '11000');
    assert.equal(pastedOf(`${reminder} Why?\nHow?`), '1100');
    assert.equal(pastedOf('Why?\n<system-reminder>\none\n</system-reminder>'), '0000');
  });

  it('are the whole of short values of a call, and the first line of a long one', () => {
    const { lineIndex, parts } = open([
      {
        call: { path: 'a.ts', short: 'one\ntwo\nthree', long: 'a\nb\nc\nd', times: 3 },
        result: 'done',
      },
    ]);
    const kept = new Uint8Array(lineIndex.tokens.length);
    kept[kept.length - 1] = 1;
    settleLines(parts, kept);
    const lines = lineIndex.text.split('\n').filter((_, at) => kept[at] === 1);
    assert.deepEqual(lines, [
      'path: a.ts',
      'short: one',
      'two',
      'three',
      'long: a',
      'times: 3',
      'done',
    ]);
  });
});
