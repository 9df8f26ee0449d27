import assert from 'node:assert/strict';
import { isRecord } from '../../../../src/base/typeGuards';
import type { Edits, History } from '../../../../src/compact/sessions';
import { type ChatFile, readChat, writeChat } from '../../../../src/compact/sessions/chat';
import type { PartEdit } from '../../../../src/compact/sessions/history';
import { parseJsonNode } from '../../../../src/compact/sessions/json';
import { clearList, SessionSizes, setNumbers } from '../../../../src/compact/sessions/sizes';
import { estimateTokens } from '../../../../src/service';

const text = (words: number): string => 'word '.repeat(words);
const tokens = (words: number): number => estimateTokens(text(words));

/** Messages of so many words, a hundred characters apart. */
function historyOf(...words: readonly number[]): Pick<History, 'messages'> {
  return {
    messages: words.map((count, at) => ({
      role: 'user',
      offset: at * 100,
      items: [],
      parts: [{ kind: 'text', type: 'text', text: text(count), isEditable: true, location: {} }],
    })),
  };
}

const editsOf = (...words: readonly number[]): Edits => words.map(count => [text(count)]);

describe('the sizes of a session', () => {
  it('are what is left, with what the tool sent besides', () => {
    const history = historyOf(1000, 8000, 10);
    const noted = [
      { offset: 100, tokens: 5000 + tokens(1000) },
      { offset: 200, tokens: 5000 + tokens(1000) + tokens(8000) },
    ];
    const sizes = new SessionSizes(history, editsOf(1000, 500, 10), noted, 9000);
    assert.equal(sizes.requestAt(100), 5000 + tokens(1000));
    assert.equal(sizes.requestAt(200), 5000 + tokens(1000) + tokens(500));
    assert.equal(sizes.answerAt(100), tokens(500));
    assert.equal(sizes.answerAt(101), 0);
  });

  it('are in the tokens of the model, which differ from estimated ones', () => {
    const noted = [
      { offset: 100, tokens: 4000 },
      { offset: 200, tokens: 4000 + tokens(8000) * 1.5 },
    ];
    const sizes = new SessionSizes(historyOf(0, 8000, 10), editsOf(0, 2000, 10), noted, 9000);
    assert.equal(sizes.requestAt(200), Math.round(4000 + tokens(2000) * 1.5));
  });

  for (const [why, ...figures] of [
    ['that are the same each time', 190_000, 190_000],
    ['that are too small', 10, 20],
    ['that nobody noted'],
  ] as const) {
    it(`do not follow figures ${why}`, () => {
      const noted = figures.map((figure, at) => ({ offset: (at + 1) * 100, tokens: figure }));
      const sizes = new SessionSizes(historyOf(1000, 8000, 1), editsOf(1000, 100, 1), noted, 9000);
      assert.equal(sizes.requestAt(200), 9000 + tokens(1000) + tokens(100));
    });
  }

  it('count what a tool sends twice', () => {
    const history = historyOf(1000, 10);
    const sent = [...history.messages, ...history.messages];
    const noted = [{ offset: 100, tokens: 5000 + 2 * tokens(1000) }];
    const sizes = new SessionSizes(history, editsOf(100, 10), noted, 9000, sent);
    assert.equal(sizes.requestAt(100), 5000 + tokens(100));
  });
});

/** A message as Codex stores it. */
const said = (role: string, type: string, words: number) => ({
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type, text: text(words) }] },
});

describe('figures in a file', () => {
  const node = parseJsonNode('{"input":12,"note":"12","cache":[1,2]}');

  it('change where there are numbers', () => {
    const patches = setNumbers(node, { input: 3, note: 4, none: 5 });
    assert.deepEqual(patches, [{ start: 9, end: 11, text: '3' }]);
    assert.deepEqual(setNumbers(undefined, { input: 3 }), []);
  });

  it('go out of lists', () => {
    const list = node?.type === 'object' ? node.members.get('cache') : undefined;
    assert.deepEqual(clearList(list), [{ start: 32, end: 37, text: '[]' }]);
    assert.deepEqual([clearList(undefined), clearList(parseJsonNode('[]'))], [[], []]);
  });

  it('count the instructions that Codex sends again', () => {
    const usage = { input_tokens: 30_000, total_tokens: 30_000 };
    const entries = [
      { type: 'session_meta', payload: { id: '0199-a', cwd: '/home/ada/kettle' } },
      said('developer', 'input_text', 2000),
      said('user', 'input_text', 10),
      said('assistant', 'output_text', 3000),
      said('user', 'input_text', 20),
      {
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { total_token_usage: usage, last_token_usage: usage },
        },
      },
    ];
    const file = {
      path: 'rollout-2026-11-20T10-00-00-0199-a.jsonl',
      text: entries
        .map(entry => `${JSON.stringify({ timestamp: '2026-11-20T10:00:00Z', ...entry })}\n`)
        .join(''),
    };
    const { messages } = readChat(file);
    const figureWithout = (...gone: readonly number[]): number => {
      const edits = messages.map(({ parts }, at) =>
        parts.map(part => (gone.includes(at) ? null : part.text)),
      );
      const request = { edits, asCopy: false, now: new Date(0) };
      const [own] = writeChat(file, request, () => '0199-b').files;
      return Number(/"last_token_usage":\{"input_tokens":(\d+)/.exec(own?.text ?? '')?.[1]);
    };
    assert.equal(figureWithout(0), figureWithout());
    assert.equal(figureWithout() - figureWithout(2), tokens(3000));
  });
});

const jsonLines = (entries: readonly object[]): string =>
  entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

/** The figures of each answer in the new session, after one part of one message has changed. */
function figuresAfter(file: ChatFile, changed: number, edit: PartEdit): unknown[] {
  const edits = readChat(file).messages.map(({ parts }, at) =>
    parts.map((part): PartEdit => (at === changed ? edit : part.text)),
  );
  let id = 0;
  const request = { edits, asCopy: false, now: new Date(0) };
  const [own] = writeChat(file, request, () => `new-${++id}`).files;
  const lines = (own?.text ?? '').split('\n').filter(line => line !== '');
  return lines.flatMap(line => {
    const record: unknown = JSON.parse(line);
    if (!isRecord(record)) return [];
    const message = isRecord(record['message']) ? record['message'] : {};
    return [record['usageMetadata'] ?? message['usage'] ?? []].flat();
  });
}

/** A line of a session of Claude Code: the user and the assistant in turns. */
const ofClaude = (at: number, parent: string | null, message: object) => ({
  parentUuid: parent,
  sessionId: 's',
  uuid: `u${at}`,
  type: at % 2 === 0 ? 'user' : 'assistant',
  message: { role: at % 2 === 0 ? 'user' : 'assistant', ...message },
});

const inputs = (figures: readonly unknown[]): number[] =>
  figures.map(each => (isRecord(each) ? Number(each['input_tokens']) : Number.NaN));

/** A part of a message of opencode. */
const part = (type: string, more: object) => ({ id: `prt_${type}`, type, ...more });

describe('the figures that a new session starts with', () => {
  const cached = 30_000;
  const claude = {
    path: 'claude.jsonl',
    text: jsonLines([
      ofClaude(0, null, { content: text(6000) }),
      ofClaude(1, 'u0', {
        id: 'm1',
        content: [
          {
            type: 'tool_use',
            id: 't1',
            name: 'Write',
            input: { file_path: 'a.txt', content: text(4000) },
          },
        ],
        usage: {
          input_tokens: 7,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: cached,
          output_tokens: tokens(4000),
          cache_creation: { ephemeral_5m_input_tokens: 9, ephemeral_1h_input_tokens: 9 },
          iterations: [{ input_tokens: cached }],
        },
      }),
      ofClaude(2, 'u1', {
        content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Done.' }],
      }),
      ofClaude(3, 'u2', {
        id: 'm2',
        content: [{ type: 'text', text: 'It is written.' }],
        usage: { input_tokens: 40_000, output_tokens: 5 },
      }),
    ]),
  };
  it('of Claude Code are those of the messages that are left, with nothing in a cache', () => {
    const before = inputs(figuresAfter(claude, -1, null));
    const [first, second] = figuresAfter(claude, 0, text(100));
    assert.ok(isRecord(first));
    assert.deepEqual(first['iterations'], []);
    assert.deepEqual(first['cache_read_input_tokens'], 0);
    assert.deepEqual(first['cache_creation'], {
      ephemeral_5m_input_tokens: 0,
      ephemeral_1h_input_tokens: 0,
    });
    for (const [at, input] of inputs([first, second]).entries()) {
      const saved = (before[at] ?? 0) - input;
      const expected = tokens(6000) - tokens(100);
      assert.ok(saved > 0.5 * expected && saved < 2 * expected, `${saved} of ${expected}`);
    }
  });

  it('of Claude Code count what is left of a call, and not what it wrote', () => {
    const before = inputs(figuresAfter(claude, -1, null));
    const after = inputs(figuresAfter(claude, 1, [null, text(100)]));
    assert.equal(after[0], before[0]);
    const saved = (before[1] ?? 0) - (after[1] ?? 0);
    const expected = tokens(4000) - tokens(100);
    assert.ok(saved > 0.5 * expected && saved < 2 * expected, `${saved} of ${expected}`);
  });

  it('of Qwen Code add up', () => {
    const ofQwen = (at: number, words: number, more: object = {}) => ({
      uuid: `q${at}`,
      parentUuid: at === 0 ? null : `q${at - 1}`,
      sessionId: 's',
      type: at % 2 === 0 ? 'user' : 'assistant',
      message: { role: at % 2 === 0 ? 'user' : 'model', parts: [{ text: text(words) }] },
      ...more,
    });
    const usage = {
      promptTokenCount: 18_000 + tokens(3000),
      candidatesTokenCount: 10,
      thoughtsTokenCount: 4,
      totalTokenCount: 18_014 + tokens(3000),
      cachedContentTokenCount: 4,
    };
    const entries = [ofQwen(0, 3000), ofQwen(1, 20, { usageMetadata: usage })];
    const file = { path: 'qwen.jsonl', text: jsonLines(entries) };
    const input = 18_000 + tokens(100);
    assert.deepEqual(figuresAfter(file, 0, text(100)), [
      {
        promptTokenCount: input,
        candidatesTokenCount: tokens(20),
        thoughtsTokenCount: 0,
        totalTokenCount: input + tokens(20),
        cachedContentTokenCount: 0,
      },
    ]);
  });

  it('of Claude Code are the same in all lines of an answer', () => {
    const usage = { input_tokens: 40_000, output_tokens: 5 };
    const saidInLine = (at: number, parent: string | null, kind: string, words: number) => ({
      ...ofClaude(at, parent, { id: 'm1', content: [{ type: kind, [kind]: text(words) }], usage }),
      type: 'assistant',
      message: {
        role: 'assistant',
        id: 'm1',
        content: [
          { type: kind, [kind]: text(words), ...(kind === 'thinking' && { signature: 's' }) },
        ],
        usage,
      },
    });
    const file = {
      path: 'claude.jsonl',
      text: jsonLines([
        ofClaude(0, null, { content: text(3000) }),
        saidInLine(1, 'u0', 'thinking', 2000),
        saidInLine(2, 'u1', 'text', 20),
      ]),
    };
    const [first, second] = inputs(figuresAfter(file, 0, text(100)));
    assert.ok(first !== undefined && first > 0);
    assert.equal(second, first);
  });

  it('of pi add up, and leave an answer alone that was stopped', () => {
    const saidToPi = (at: number, role: string, words: number, usage?: object) => ({
      type: 'message',
      id: `p${at}`,
      parentId: `p${at - 1}`,
      timestamp: '2026-03-02T12:00:01.000Z',
      message: { role, content: [{ type: 'text', text: text(words) }], ...(usage && { usage }) },
    });
    const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
    const file = {
      path: 'pi.jsonl',
      text: jsonLines([
        { type: 'session', version: 3, id: 's', timestamp: '2026-03-02T12:00:00.000Z', cwd: '/k' },
        saidToPi(1, 'user', 3000),
        saidToPi(2, 'assistant', 5, noUsage),
        saidToPi(3, 'assistant', 20, {
          ...noUsage,
          input: 9,
          cacheRead: 3000 + tokens(3000),
          output: 25,
          totalTokens: 3034 + tokens(3000),
        }),
      ]),
    };
    const [stopped, last] = figuresAfter(file, 0, text(100));
    assert.deepEqual(stopped, noUsage);
    assert.ok(isRecord(last));
    const input = Number(last['input']);
    assert.ok(input > tokens(100) && input < 3034 + tokens(3000) - tokens(2000), `${input}`);
    const output = tokens(20);
    assert.deepEqual(last, { ...noUsage, input, output, totalTokens: input + output });
  });

  it('of opencode are those of the answer and of its steps', () => {
    const noted = {
      total: tokens(3000) + 30,
      input: tokens(3000),
      output: 30,
      reasoning: 4,
      cache: { read: 12_000, write: 3 },
    };
    const file = {
      path: 'opencode.json',
      text: JSON.stringify({
        info: { id: 'ses_1', directory: '/k', title: 'Whistle' },
        messages: [
          { info: { id: 'msg_1', role: 'user' }, parts: [part('text', { text: text(3000) })] },
          {
            info: { id: 'msg_2', role: 'assistant', parentID: 'msg_1', tokens: noted },
            parts: [
              part('step-start', { tokens: noted }),
              part('text', { text: text(20) }),
              part('step-finish', { reason: 'stop', tokens: noted }),
            ],
          },
        ],
      }),
    };
    const edits = readChat(file).messages.map(({ parts }, at) =>
      parts.map((own): PartEdit => (at === 0 ? text(100) : own.text)),
    );
    const request = { edits, asCopy: false, now: new Date(0) };
    let id = 0;
    const [own] = writeChat(file, request, () => `id_${++id}`).files;
    const figures = [...(own?.text ?? '').matchAll(/"tokens":(\{[^{}]*\{[^{}]*\}\})/g)].map(
      ([, found = '']): unknown => JSON.parse(found),
    );
    const [answer, start, step] = figures;
    assert.ok(isRecord(answer));
    const input = Number(answer['input']);
    assert.ok(input < 12_000 + tokens(1000), `${input}`);
    const output = tokens(20);
    const wanted = {
      total: input + output,
      input,
      output,
      reasoning: 0,
      cache: { read: 0, write: 0 },
    };
    assert.deepEqual(answer, wanted);
    assert.deepEqual(step, wanted);
    assert.deepEqual(start, noted, 'which is no end of a step');
  });
});
