import assert from 'node:assert/strict';
import { AbortError, isAbortError } from '../../../../src/base/async/clock';
import type { AgentMessage } from '../../../../src/search/agent/conversation';
import {
  type AgentAnswer,
  type AgentEvent,
  type AgentOptions,
  runSearchAgent,
  SearchFailure,
} from '../../../../src/search/agent/searchAgent';
import { callsInText, objectOf } from '../../../../src/search/agent/textCalls';
import { searchTurns } from '../../../../src/service/assumptions';
import { ServiceError } from '../../../../src/service/errors';
import { TestWorkspace } from '../workspace';

type Call = [name: string, args: object | string];

/** An answer that calls tools. */
function calling(...calls: Call[]): Partial<AgentAnswer> {
  return {
    toolCalls: calls.map(([name, args], at) => ({
      id: `id${at}`,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  };
}

const slow: AgentOptions['ask'] = (_, signal) =>
  new Promise((_resolve, reject) => {
    // On a busy machine the time may be over before anybody asks.
    if (signal.aborted) reject(new AbortError());
    signal.addEventListener('abort', () => reject(new AbortError()));
  });

const finish = (files: string) => calling(['finish', { files }]);
const read = (lines: string) => calling(['read', { path: 'src/a.ts', lines }]);

describe('the search agent', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({
      'src/a.ts': Array.from({ length: 40 }, (_, n) => `const line${n + 1} = ${n};`).join('\n'),
      'src/deep/er/b.ts': 'export {};\n',
    });
  });
  after(() => files.remove());

  interface Played {
    readonly conversations: AgentMessage[][];
    readonly events: AgentEvent[];
  }

  /** The model gives these answers, the last one again and again. */
  async function play(
    answers: (Partial<AgentAnswer> | Error)[],
    options: Partial<Omit<AgentOptions, 'onEvent'>> & { signal?: AbortSignal } = {},
    isHeard = true,
  ) {
    const played: Played = { conversations: [], events: [] };
    const { signal, ...more } = options;
    const pending = runSearchAgent({
      query: 'where is it?',
      context: await files.scope(signal ? { signal } : {}),
      ask: async messages => {
        played.conversations.push([...messages]);
        const next = answers[Math.min(played.conversations.length, answers.length) - 1];
        if (next instanceof Error) throw next;
        return { text: '', toolCalls: [], attempts: 1, ms: 1, ...next };
      },
      ...(isHeard && { onEvent: event => played.events.push(event) }),
      ...more,
    });
    return { played, outcome: await pending };
  }

  it('begins with the structure and the question', async () => {
    const { played } = await play([finish('')]);
    const [first, note] = played.conversations[0] ?? [];
    assert.equal(
      first?.content,
      `<repo_structure>\n${files.root}\n${files.root}/src\n${files.root}/src/a.ts\n${files.root}/src/deep\n</repo_structure>\n\n<search_string>\nwhere is it?\n</search_string>`,
    );
    assert.match(
      note?.content ?? '',
      /^You have used 0 turns and have 6 remaining\n<context_budget>0%/,
    );
  });

  it('gives the model what the local search found, in short', async () => {
    const known = Array.from({ length: 60 }, (_, n) => `/root/${n}.ts:1-2 ${'name'.repeat(100)}`);
    const { played } = await play([finish('')], { known });
    const [first] = played.conversations[0] ?? [];
    const [, block = ''] =
      /<local_results>\n([^]*)\n<\/local_results>/.exec(first?.content ?? '') ?? [];
    const lines = block.split('\n');
    assert.equal(lines.length, 50);
    assert.ok(lines.every((line, at) => line.startsWith(`/root/${at}.ts:1-2 `)));
    assert.ok(lines.every(({ length }) => length === 300));
    assert.match(first?.content ?? '', /finish at once\.\n<local_results>/);
  });

  it('says of which named files it saw code', async () => {
    const { outcome } = await play([
      calling(['grep', { pattern: 'line7 ' }], ['list_directory', { path: 'src' }]),
      finish(`${files.root}/src/a.ts:7-7\nsrc/deep/er/b.ts:1-1`),
    ]);
    assert.deepEqual(
      outcome.files.map(({ path, isSeen }) => [path.replace(files.root, ''), isSeen]),
      [
        ['/src/a.ts', true],
        ['src/deep/er/b.ts', undefined],
      ],
    );
  });

  it('tells the model what is wrong with its answer, and takes the next one', async () => {
    const { played, outcome } = await play([finish('src/a.ts:5-2'), finish('src/a.ts:2-5')]);
    assert.deepEqual(outcome, {
      end: 'finished',
      files: [{ path: 'src/a.ts', ranges: [[2, 5]] }],
      turns: 2,
    });
    const said = played.conversations[1]?.find(({ role }) => role === 'tool')?.content;
    assert.match(said ?? '', /^\[ARGUMENT ERROR\] "5-2" is no range of lines/);
  });

  it('keeps what a model named that never learns the form', async () => {
    const { outcome } = await play([read('1'), finish('src/a.ts:5-2\nsrc/deep/er/b.ts')]);
    assert.equal(outcome.end, 'repeats');
    assert.deepEqual(
      outcome.files.map(({ path }) => path),
      ['src/a.ts', 'src/deep/er/b.ts', 'src/a.ts'],
    );
  });

  it('sends back no more of what the model says than a turn needs', async () => {
    const talk = 'blah '.repeat(100_000);
    const { played } = await play([
      { text: talk },
      { text: talk, ...calling(['grep_search', { pattern: 'x'.repeat(100_000) }]) },
      finish(''),
    ]);
    const chars = JSON.stringify(played.conversations.at(-1)).length;
    assert.ok(chars < 20_000, String(chars));
    const own = played.conversations.at(-1)?.filter(({ role }) => role === 'assistant') ?? [];
    for (const { content } of own) assert.match(content, /\[492000 characters left out\]$/);
    const [, called] = own;
    assert.equal(called?.role === 'assistant' && called.toolCalls[0]?.arguments, '{}');
  });

  it('gives back one message per call, in order, and ends with finish', async () => {
    const { played, outcome } = await play([
      calling(
        ['read', { path: 'src/a.ts', lines: '1' }],
        ['read', { path: 'nope' }],
        ['read', { path: 'src/a.ts', lines: '2' }],
      ),
      finish('src/a.ts:3-5'),
    ]);
    assert.deepEqual(outcome, {
      end: 'finished',
      files: [{ path: 'src/a.ts', ranges: [[3, 5]], isSeen: true }],
      turns: 2,
    });
    const [, , assistant, ...tools] = played.conversations[1] ?? [];
    assert.equal(assistant?.role, 'assistant');
    assert.deepEqual(
      tools.map(message => [
        message.role,
        message.role === 'tool' ? message.toolCallId : '',
        message.content.split('\n')[0],
      ]),
      [
        ['tool', 'id0', '1|const line1 = 0;'],
        ['tool', 'id1', '[FILE NOT FOUND] There is no "nope" in the workspace.'],
        ['tool', 'id2', '2|const line2 = 1;'],
        ['user', '', ''],
      ],
    );
    assert.equal(played.events.filter(({ kind }) => kind === 'result').length, 4);
  });

  it('ends with what was read when the turns are used up', async () => {
    let line = 0;
    const answers = Array.from({ length: 9 }, () => read(String(++line)));
    const { played, outcome } = await play(answers);
    assert.equal(outcome.end, 'turns');
    assert.equal(played.conversations.length, searchTurns);
    assert.deepEqual(outcome.files[0]?.path, 'src/a.ts');
    assert.deepEqual(
      outcome.files[0]?.ranges,
      [1, 2, 3, 4, 5, 6].map(n => [n, n]),
    );
    assert.match(
      played.conversations.at(-1)?.at(-1)?.content ?? '',
      /MUST call the finish tool now/,
    );
  });

  it('tells of each turn, each call and each result, for the trace', async () => {
    const { played } = await play([
      calling(['read_file', { path: 'src/a.ts', lines: '2' }], ['grep', { pattern: 'line7' }]),
      finish('src/a.ts:1'),
    ]);
    const results = played.events.filter(event => event.kind === 'result');
    assert.deepEqual(
      played.events.flatMap(event =>
        event.kind === 'turn'
          ? `turn ${event.turn}`
          : event.kind === 'call'
            ? `call ${event.turn} ${event.call.key} ${event.call.name}`
            : [],
      ),
      ['turn 1', 'call 1 1.id0 read', 'call 1 1.id1 grep_search', 'turn 2', 'call 2 2.id0 finish'],
    );
    // The calls of one turn run in parallel, so that their results have no order.
    assert.deepEqual(results.map(({ turn, call }) => `${turn} ${call.key}`).toSorted(), [
      '1 1.id0',
      '1 1.id1',
      '2 2.id0',
    ]);
    assert.ok(results.every(({ ms, result }) => ms >= 0 && !result.isError && result.hits > 0));
  });

  it('takes for the answer what was read without an error, the latest first', async () => {
    const { outcome } = await play([
      calling(
        ['read', { path: 'src/a.ts', lines: '1-2' }],
        ['read', { path: 'src/deep/er/b.ts' }],
        ['read', { path: 'src/none.ts' }],
        ['grep', { pattern: 'line7' }],
      ),
      read('5-6'),
      calling(),
    ]);
    assert.deepEqual(outcome.files, [
      {
        path: 'src/a.ts',
        ranges: [
          [1, 2],
          [5, 6],
        ],
      },
      { path: 'src/deep/er/b.ts', ranges: '*' },
    ]);
    assert.deepEqual([outcome.end, outcome.turns], ['silent', 4]);
  });

  it('reads more of a file of which it has read all', async () => {
    const whole = calling(['read', { path: 'src/a.ts' }]);
    const { outcome } = await play([whole, read('2-3'), calling()]);
    assert.deepEqual(outcome.files, [{ path: 'src/a.ts', ranges: [[2, 3]] }]);
  });

  it('answers no more calls than any model needs', async () => {
    const calls = Array.from({ length: 100 }, (_, n): Call => ['grep', { pattern: `line${n}` }]);
    const { played } = await play([calling(...calls), finish('')]);
    const [, , assistant, ...others] = played.conversations[1] ?? [];
    const tools = others.filter(({ role }) => role === 'tool');
    assert.equal(assistant?.role === 'assistant' && assistant.toolCalls.length, 64);
    assert.equal(tools.length, 64);
    assert.match(tools.at(-1)?.content ?? '', /^\[TOO MANY CALLS\]/);
  });

  const used = async (pattern: string): Promise<number> => {
    const { played } = await play([calling(['grep', { pattern }]), finish('')]);
    const note = played.conversations[1]?.at(-1);
    assert.equal(note?.role, 'user');
    return Number(/<context_budget>(\d+)%/.exec(note?.content ?? '')?.[1]);
  };

  it('tells the model how much of the conversation is used, with its own arguments', async () => {
    assert.ok((await used('x'.repeat(7_900))) > (await used('x')));
  });

  it('needs nobody who listens', async () => {
    const { outcome } = await play([read('1'), finish('src/a.ts:1')], {}, false);
    assert.equal(outcome.end, 'finished');
  });

  it('fails with what the model failed with where the user has stopped it', async () => {
    const stop = new AbortController();
    const ask = async (messages: readonly AgentMessage[]): Promise<AgentAnswer> => {
      if (messages.length < 3) return { text: '', toolCalls: [], attempts: 1, ms: 1, ...read('1') };
      stop.abort();
      throw new Error('the connection was closed');
    };
    await assert.rejects(play([], { ask, signal: stop.signal }), {
      message: 'the connection was closed',
    });
  });

  it('knows a call again, whatever the order of its arguments', async () => {
    const { outcome } = await play([
      calling(['grep', { pattern: 'line7', path: 'src' }]),
      calling(['grep_search', { path: 'src', pattern: 'line7' }]),
      calling(['search', { path: 'src', pattern: 'line7' }]),
    ]);
    assert.deepEqual([outcome.end, outcome.turns], ['repeats', 3]);
  });

  it('sends back no arguments that are not JSON, and ids that differ', async () => {
    const { played } = await play([
      {
        toolCalls: [
          { id: 'same', name: 'read', arguments: '{"path"' },
          { id: 'same', name: 'read', arguments: '{"path":"src/a.ts"}' },
          { id: '', name: 'read', arguments: '{}' },
        ],
      },
      finish('src/a.ts'),
    ]);
    const sent = played.conversations[1]?.find(({ role }) => role === 'assistant');
    assert.ok(sent?.role === 'assistant');
    assert.deepEqual(
      sent.toolCalls.map(call => [call.id, call.arguments]),
      [
        ['same', '{}'],
        ['call_1_2', '{"path":"src/a.ts"}'],
        ['call_1_3', '{}'],
      ],
    );
  });

  it('stops a model that repeats itself', async () => {
    const { played, outcome } = await play([read('1-2')]);
    assert.equal(outcome.end, 'repeats');
    assert.ok(played.conversations.length < searchTurns);
  });

  it('lets the model mend bad arguments and unknown tools', async () => {
    const { played, outcome } = await play([
      calling(['read', '{"path": '], ['rm', { path: '/' }]),
      finish('src/a.ts'),
    ]);
    assert.equal(outcome.end, 'finished');
    const sent = JSON.stringify(played.conversations[1]);
    assert.match(sent, /no JSON object/);
    assert.match(sent, /Unknown tool: rm/);
    // What was no JSON does not go back as arguments.
    assert.doesNotMatch(sent, /\{\\"path\\": "/);
  });

  it('reads calls from the text of an answer', async () => {
    const { outcome } = await play([
      { text: '<tool_call>\n{"name": "grep", "arguments": {"pattern": "line7 "}}\n</tool_call>' },
      {
        text: '<tool_call>\n<function=finish>\n<parameter=files>\nsrc/a.ts:7-7\n</parameter>\n</function>\n</tool_call>',
      },
    ]);
    assert.deepEqual(outcome.files, [{ path: 'src/a.ts', ranges: [[7, 7]], isSeen: true }]);
  });

  it('asks once more when nothing is called, and then ends', async () => {
    const { played, outcome } = await play([{ text: 'I think it is in src.' }]);
    assert.equal(outcome.end, 'silent');
    assert.equal(played.conversations.length, 2);
    assert.match(played.conversations[1]?.at(-1)?.content ?? '', /^Call a tool, or finish/);
  });

  it('runs eight calls of a turn and tells the others so', async () => {
    const many = Array.from(
      { length: 200 },
      (_, n): Call => ['read', { path: 'src/a.ts', lines: `${n + 1}` }],
    );
    const { played } = await play([calling(...many), finish('')]);
    const tools = played.conversations[1]?.filter(({ role }) => role === 'tool') ?? [];
    assert.equal(tools.filter(({ content }) => /^\d+\|/.test(content)).length, 8);
    assert.ok(tools.slice(8).every(({ content }) => content.startsWith('[TOO MANY CALLS]')));
    const assistant = played.conversations[1]?.find(({ role }) => role === 'assistant');
    assert.equal(assistant?.role === 'assistant' && assistant.toolCalls.length, tools.length);
    assert.equal(
      new Set(tools.map(message => message.role === 'tool' && message.toolCallId)).size,
      tools.length,
    );
  });

  it('obeys finish wherever it stands among many calls', async () => {
    const many = Array.from(
      { length: 20 },
      (_, n): Call => ['read', { path: 'src/a.ts', lines: `${n + 1}` }],
    );
    const { outcome } = await play([calling(...many, ['finish', { files: 'src/a.ts:1-1' }])]);
    assert.equal(outcome.end, 'finished');
  });

  it('forgets the oldest results when the conversation grows too long', async () => {
    const text = `${'x'.repeat(380)}\n`.repeat(120);
    const answers = Array.from({ length: 5 }, (_, turn) =>
      calling(
        ...Array.from(
          { length: 8 },
          (_unused, n): Call => ['read', { path: `big${turn}_${n}.txt` }],
        ),
      ),
    );
    for (let turn = 0; turn < 5; turn++)
      for (let n = 0; n < 8; n++) files.write(`big${turn}_${n}.txt`, text);
    const { played } = await play([...answers, finish('')]);
    for (const messages of played.conversations) {
      const chars = messages.reduce((sum, { content }) => sum + content.length, 0);
      assert.ok(chars < 330_000, `${chars} characters`);
    }
    const last = played.conversations.at(-1) ?? [];
    assert.equal(
      last.find(({ role }) => role === 'tool')?.content,
      '[truncated for context limit]',
    );
    assert.match(last[0]?.content ?? '', /where is it\?/);
  });

  it('hands on a failure at the start, and what was read with a later one', async () => {
    const failure = new ServiceError('rateLimited', 'HTTP 429');
    await assert.rejects(play([failure]), error => error === failure);
    await assert.rejects(
      play([read('4-6'), failure]),
      error =>
        error instanceof SearchFailure &&
        error.cause === failure &&
        error.files[0]?.path === 'src/a.ts',
    );
  });

  it('ends by time with what was read', async () => {
    const { outcome } = await play([], { ask: slow, timeoutMs: 30 });
    assert.deepEqual(outcome, { end: 'time', files: [], turns: 0 });
  });

  it('cancels in every phase', async () => {
    for (const phase of ['before', 'while it thinks', 'while tools run'] as const) {
      const controller = new AbortController();
      if (phase === 'before') controller.abort();
      const ask: AgentOptions['ask'] = async (_, signal) => {
        if (phase === 'while it thinks') controller.abort();
        if (signal.aborted) throw new AbortError();
        if (phase === 'while tools run') setTimeout(() => controller.abort(), 1);
        return {
          text: '',
          attempts: 1,
          ms: 1,
          toolCalls:
            calling(['grep_search', { pattern: 'line' }], ['glob', { pattern: '**' }]).toolCalls ??
            [],
        };
      };
      await assert.rejects(play([], { ask, signal: controller.signal }), isAbortError, phase);
    }
  });
});

describe('calls in text', () => {
  it('reads the forms and leaves prose alone', () => {
    assert.deepEqual(callsInText('Let me grep for <b>x</b>.'), []);
    assert.deepEqual(
      callsInText('<tool_call>{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}</tool_call>'),
      [{ name: 'read', args: { path: 'a' } }],
    );
    assert.deepEqual(
      callsInText(
        '<function=read>\n<parameter=path>\na b\n</parameter>\n<parameter=lines>1-2</parameter>\n</function>',
      ),
      [{ name: 'read', args: { path: 'a b', lines: '1-2' } }],
    );
    assert.deepEqual(
      [objectOf(''), objectOf('[1]'), objectOf('"{\\"a\\":1}"'), objectOf(7)],
      [{}, undefined, { a: 1 }, undefined],
    );
  });
});
