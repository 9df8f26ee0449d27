import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readChat, writeChat } from '../../../../../src/compact/sessions/chat';
import { linesOfChat } from './databaseFiles';

/** A thread as Amp 0.0.1769425000 (npm `@sourcegraph/amp`) writes it. */
const thread = (messages: readonly object[], more: object = {}): string =>
  JSON.stringify(
    {
      v: 12,
      id: 'T-019b9d03-62e3-772f-9780-3e637f90eaec',
      created: 1_772_445_600_000,
      title: 'The kettle',
      env: { initial: { trees: [{ displayName: 'kettle', uri: 'file:///home/ada/kettle' }] } },
      messages,
      ...more,
    },
    null,
    2,
  );

const text = (words: string) => ({ type: 'text', text: words });
const asked = (words: string, more: object = {}) => ({
  role: 'user',
  messageId: 0,
  content: [text(words)],
  meta: { sentAt: 1_772_445_601_000 },
  ...more,
});
const said = (words: string) => ({
  role: 'assistant',
  messageId: 1,
  content: [text(words)],
  state: { type: 'complete', stopReason: 'end_turn' },
  usage: { model: 'm', inputTokens: 3, timestamp: '2026-03-02T10:00:02.000Z' },
});
const call = (id: string, name: string, input: object, more: object = {}) => ({
  type: 'tool_use',
  complete: true,
  id,
  name,
  input,
  ...more,
});
const result = (toolUseID: string, run: object) => ({ type: 'tool_result', toolUseID, run });
const summary = (words: string) => ({
  role: 'info',
  content: [{ type: 'summary', summary: { type: 'message', summary: words } }],
});

const read = (messages: readonly object[], includesEarlier = false) =>
  readChat({ path: 'T-1.json', text: thread(messages), includesEarlier });

const ran = (more: object) => ({
  role: 'info',
  content: [
    {
      type: 'manual_bash_invocation',
      args: { cmd: 'ls' },
      toolRun: { status: 'done', result: { output: 'kettle', exitCode: 1 } },
      ...more,
    },
  ],
});

describe('threads of Amp', () => {
  it('are read with calls, their results, thoughts and files that were named', () => {
    const chat = read([
      asked('Is the @kettle on?', {
        fileMentions: { files: [{ uri: 'file:///home/ada/kettle/on', content: '1\n0' }] },
      }),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Look first.', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          text('I look.'),
          call('a', 'Bash', { cmd: 'cat kettle' }),
          call('b', 'Read', { path: '/a/photo.png' }),
          call('c', 'Grep', { pattern: 'on' }),
          call('d', 'oracle', { task: 'think' }),
          call('e', 'mcp', {}),
          call('f', 'Bash', {}, { complete: false, inputPartialJSON: { json: '{"cm' } }),
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          result('a', { status: 'done', result: { output: 'on\nhot', exitCode: 0 } }),
          result('b', { status: 'done', result: { content: 'AAAA', isImage: true } }),
          result('c', { status: 'done', result: ['kettle:1', 'lamp:2'] }),
          result('d', { status: 'error', error: { message: 'no time' } }),
          result('e', { status: 'done', result: [text('cold'), { type: 'image', data: 'AA' }] }),
        ],
      },
      said('It is.'),
      { role: 'user', content: [{ type: 'image', source: {} }, text('And this?')] },
      { role: 'assistant', content: [call('g', 'Bash', { cmd: 'rm x' })] },
      { role: 'user', content: [result('g', { status: 'rejected-by-user', reason: 'No.' })] },
      asked('Go on with the list.', { source: { type: 'course-correction' } }),
    ]);
    assert.deepEqual(
      [chat.label, chat.title, chat.workspace, chat.canWrite, chat.earlier],
      ['Amp', 'The kettle', 'file:///home/ada/kettle', false, 'none'],
    );
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is the @kettle on?", context "file:///home/ada/kettle/on\\n1\\n0"',
      'assistant: thinking "Look first.", encrypted "", text "I look.", tool_call Bash a "cmd: cat kettle", tool_call Read b "path: /a/photo.png", tool_call Grep c "pattern: on", tool_call oracle d "task: think", tool_call mcp e ""',
      'tool: tool_result a "output: on\\nhot\\nexitCode: 0", image b "", tool_result c "kettle:1\\nlamp:2", tool_result d "no time", tool_result e "cold", image e ""',
      'assistant: text "It is."',
      'user: image "", text "And this?"',
      'assistant: tool_call Bash g "cmd: rm x"',
      'tool: tool_result g "No."',
      'tool: text "Go on with the list."',
    ]);
    assert.deepEqual(
      chat.messages.slice(0, 4).map(({ at }) => at),
      ['2026-03-02T10:00:01.000Z', undefined, undefined, '2026-03-02T10:00:02.000Z'],
    );
  });

  it('have commands that the user ran beside the chat, but for hidden ones', () => {
    const chat = read([ran({}), ran({ hidden: true }), ran({ toolRun: {} }), asked('Is it on?')]);
    assert.deepEqual(linesOfChat(chat), [
      'tool: context "$ ls\\nkettle\\n(exit code 1)"',
      'user: text "Is it on?"',
    ]);
  });

  it('begin at the summary, and have what is before it where that is asked for', () => {
    const messages = [
      asked('Is the kettle on?'),
      said('It is.'),
      summary('The kettle is on.'),
      asked('And now?'),
      said('Still.'),
      summary('Still on.'),
      asked('And the lamp?'),
    ];
    const chat = read(messages);
    assert.equal(chat.earlier, 'left out');
    assert.deepEqual(linesOfChat(chat), [
      'user: summary "Still on."',
      'user: text "And the lamp?"',
    ]);
    const whole = read(messages, true);
    assert.equal(whole.earlier, 'included');
    assert.deepEqual(
      whole.messages.map(({ parts }) => parts[0]?.text),
      ['Is the kettle on?', 'It is.', 'And now?', 'Still.', 'And the lamp?'],
    );
  });

  it('are refused with the reason where they have what is not known', () => {
    assert.throws(() => read([{ role: 'oracle' }]), /Amp: A role "oracle" is not known/);
    for (const role of ['user', 'assistant'])
      assert.throws(
        () => read([{ role, content: [{ type: 'hologram' }] }]),
        /Amp: A block "hologram" is not known/,
      );
    assert.throws(() => read([]), /Amp: the session has no messages/);
    const file = { path: 'T-1.json', text: thread([asked('Is it on?')]).slice(0, -3) };
    assert.throws(() => readChat(file), /of no tool that is known, or it is damaged/);
  });

  it('go on in another tool, and are not written back', () => {
    const file = {
      path: 'T-1.json',
      text: thread([
        asked('Is it on?'),
        { role: 'assistant', content: [call('a', 'Bash', { cmd: 'cat kettle' })] },
        { role: 'user', content: [result('a', { status: 'done', result: 'on' })] },
        said('It is.'),
      ]),
    };
    const edits = readChat(file).messages.map(({ parts }) => parts.map(each => each.text));
    const request = { edits, asCopy: false, now: new Date(0) };
    assert.throws(() => writeChat(file, request, randomUUID), /Amp: it cannot be written/);
    const conversion = { target: 'codex', workspace: '/home/ada/kettle' } as const;
    const session = writeChat(file, { ...request, conversion }, randomUUID);
    const written = readChat({ path: 'rollout-1.jsonl', text: session.files[0]?.text ?? '' });
    const lines = linesOfChat(written).join('\n');
    assert.match(lines, /user: .*text "Is it on\?"/);
    assert.match(lines, /tool_call exec_command \S+ "cmd: cat kettle"/);
    assert.match(lines, /tool_result \S+ "on"/);
  });
});
