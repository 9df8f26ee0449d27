import assert from 'node:assert/strict';
import type { Translate } from '../../../src/base/format/text';
import { ModelChoiceCache } from '../../../src/models/auto';
import type { Conversation, Part } from '../../../src/models/format/conversation';
import { ToolMemory } from '../../../src/models/format/dynamicTools';
import {
  runTurn,
  type TurnClient,
  type TurnRequest,
  type TurnSink,
} from '../../../src/models/turn';
import { ServiceError } from '../../../src/service/errors';
import type { Model } from '../../../src/service/wire/catalogue';
import type { ChatResult } from '../../../src/service/wire/chat/chat';

const t: Translate = (message, ...values) =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));

const model: Model = { id: 'svc-glm52-744b', isBeta: false, features: [], contextTokens: 100_000 };
const conversation: Conversation = {
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  tools: [{ name: 'look', description: 'Looks', schema: { type: 'object' } }],
  toolMode: 'auto',
};
const whole: ChatResult = {
  text: '',
  reasoning: '',
  toolCalls: [],
  finishReason: 'stop',
  isCut: false,
  model: model.id,
  usage: { promptTokens: 7, completionTokens: 3 },
  tier: undefined,
  logprobs: undefined,
};
const info = { attempts: 1, ms: 1 };
const unused = async () => Promise.reject(new Error('not to be called'));
const noPieces = { reasoning: '', toolCalls: [] };

/** What was shown, one line per piece. */
class Lines implements TurnSink {
  readonly lines: string[] = [];
  readonly text = (text: string) => void this.lines.push(text);
  readonly thinking = (text: string) => void this.lines.push(`(${text})`);
  readonly endThinking = () => void this.lines.push('()');
  readonly note = (text: string) => void this.lines.push(`note: ${text}`);
  readonly toolCall = (_id: string, name: string, input: object) =>
    void this.lines.push(`${name} ${JSON.stringify(input)}`);
  readonly usage = () => void this.lines.push('usage');
}

async function turn(
  chat: TurnClient['chat'],
  request: Partial<TurnRequest> = {},
  client: Partial<TurnClient> = {},
): Promise<string[]> {
  const sink = new Lines();
  await runTurn(
    {
      messages: unused,
      pickModel: unused,
      endpointStatus: unused,
      endpointTarget: unused,
      ...client,
      chat,
    },
    {
      conversation,
      entry: { kind: 'model', model, isStandby: false },
      format: 'chat',
      effort: undefined,
      temperature: undefined,
      maxTokens: undefined,
      promptTokens: 10,
      toolMemory: new ToolMemory(),
      choices: new ModelChoiceCache(),
      signal: new AbortController().signal,
      t,
      log: () => undefined,
      ...request,
    },
    sink,
  );
  return sink.lines;
}

/** What is shown of a prompt without tools. */
const said = async (parts: readonly Part[], more: Partial<TurnRequest> = {}) =>
  turn(
    async (_, { onDelta }) => {
      onDelta?.({ ...noPieces, text: 'Well.' });
      return { ...whole, ...info };
    },
    { conversation: { ...conversation, tools: [], turns: [{ role: 'user', parts }] }, ...more },
  );

describe('a turn', () => {
  it('shows thinking, words, calls and the usage, in this order', async () => {
    const lines = await turn(async (_, { onDelta }) => {
      onDelta?.({ ...noPieces, text: '', reasoning: 'hm' });
      onDelta?.({ ...noPieces, text: 'Let me look.' });
      const call = { id: 'c1', name: 'look', arguments: '{"at":1}', parsed: { at: 1 } };
      return { ...whole, toolCalls: [call], ...info };
    });
    assert.deepEqual(lines, ['(hm)', '()', 'Let me look.', 'look {"at":1}', 'usage']);
  });

  it('keeps what came of a broken answer, and ends without an error', async () => {
    const lines = await turn(async (_, { onDelta }) => {
      onDelta?.({ ...noPieces, text: 'Half' });
      throw new ServiceError('connection', 'reset');
    });
    assert.equal(lines[0], 'Half');
    assert.match(
      lines[1] ?? '',
      /^\n\n\*Splice: The connection to the service broke\. .*"continue"/,
    );
  });

  it('says that it waits, in a remark that no model gets to see', async () => {
    const retryAt = new Date(2026, 1, 3, 14, 5, 6).getTime();
    const busy = new ServiceError('rateLimited', 'busy', { code: 'resource_unavailable' });
    const lines = await turn(async (_, { onWait }) => {
      onWait?.({ retryAt, error: busy });
      onWait?.({ retryAt, error: new ServiceError('server', 'down') });
      return { ...whole, text: 'Now.', ...info };
    });
    assert.deepEqual(lines.slice(0, 2), [
      'note: The service is busy. Trying again at 14:05:06.',
      'note: No answer yet. Trying again at 14:05:06.',
    ]);
    assert.equal(lines[2], 'Now.');
  });

  describe('with something that the model does not take', () => {
    const image = { type: 'image', mediaType: 'image/png', data: new Uint8Array([1]) } as const;
    const words = { type: 'text', text: 'what is this' } as const;
    const pdf = { type: 'unknown', what: 'application/pdf' } as const;
    const mark = { type: 'unknown', what: 'cache_control' } as const;
    const seeing = { ...model, inputModalities: ['text', 'image'] };

    it('says so above the answer', async () => {
      assert.deepEqual((await said([words, image, image, mark])).slice(0, 2), [
        '> Left out: a picture, because this model takes none (2 times).\n\n',
        'Well.',
      ]);
      const entry = { kind: 'model', model: seeing, isStandby: false } as const;
      assert.equal((await said([words, image], { entry }))[0], 'Well.');
      const odd = { ...image, mediaType: 'image/tiff' };
      assert.match(
        (await said([words, odd, pdf], { entry }))[0] ?? '',
        /^> Left out: a picture of the type image\/tiff, .*; an attachment of the type application\/pdf/,
      );
    });

    it('says so beside the answer of an agent, once', async () => {
      const parts = [words, image];
      const asked = { ...conversation, turns: [{ role: 'user', parts }] } as const;
      const [note] = await said(parts, { conversation: asked });
      assert.equal(note, 'note: Left out: a picture, because this model takes none.');
      const result = {
        type: 'toolResult',
        callId: 'c',
        parts: [{ type: 'text', text: 'x' }],
      } as const;
      const later = {
        ...asked,
        turns: [...asked.turns, { role: 'user', parts: [result] }],
      } as const;
      assert.equal((await said(parts, { conversation: later }))[0], 'Well.');
    });

    it('sends nothing where nothing else is in the prompt', async () => {
      await assert.rejects(said([image, { type: 'text', text: ' ' }]), {
        kind: 'limit',
        message: /^Left out: a picture, .* Nothing was sent/,
      });
    });
  });

  it('fails where nothing came', async () => {
    const failing = turn(async () => Promise.reject(new ServiceError('connection', 'reset')));
    await assert.rejects(failing, { kind: 'connection' });
  });

  it('says that an answer was cut, but adds nothing to a call', async () => {
    const cut = await turn(async (_, { onDelta }) => {
      onDelta?.({ ...noPieces, text: 'So far' });
      return { ...whole, isCut: true, ...info };
    });
    assert.match(cut[1] ?? '', /^\n\n\*.*stopped at its limit/);
    const inCode = await turn(async (_, { onDelta }) => {
      onDelta?.({ ...noPieces, text: '```ts\nlet a' });
      return { ...whole, isCut: true, ...info };
    });
    assert.match(inCode[1] ?? '', /^\n```\n\n\*.*stopped at its limit/);
    const call = { id: 'c', name: 'look', arguments: '{}', parsed: {} };
    for (const text of ['', 'So far']) {
      const calls = await turn(async (_, { onDelta }) => {
        if (text !== '') onDelta?.({ ...noPieces, text });
        return { ...whole, isCut: true, toolCalls: [call], ...info };
      });
      assert.ok(!calls.some(line => /limit/.test(line)), calls.join('\n'));
    }
  });

  it('asks at the standby tier, and an endpoint at its own address', async () => {
    let sent: unknown;
    const chat: TurnClient['chat'] = async (request, { onDelta }) => {
      sent = [request.serviceTier, request.endpoint?.servedModelName];
      onDelta?.({ ...noPieces, text: 'x' });
      return { ...whole, ...info };
    };
    await turn(chat, { entry: { kind: 'model', model, isStandby: true }, format: 'messages' });
    assert.deepEqual(sent, ['standby', undefined]);
    await turn(
      chat,
      { entry: { kind: 'endpoint', endpointId: 'e', model }, format: 'messages' },
      {
        endpointStatus: async id => ({ id, state: 'ready', events: [], unreadable: 0, ...info }),
        endpointTarget: async () => ({
          endpointId: 'e',
          url: new URL('https://e.example'),
          servedModelName: 'served',
        }),
      },
    );
    assert.deepEqual(sent, [undefined, 'served']);
  });

  it('says which model the router chose, beside the answer', async () => {
    const dear: Model = { ...model, id: 'svc-dear', price: { input: 1, output: 9 } };
    const cheap: Model = { ...model, id: 'svc-cheap', price: { input: 1, output: 1 } };
    const asked: string[] = [];
    const chat: TurnClient['chat'] = async (request, { onDelta }) => {
      asked.push(request.model);
      onDelta?.({ ...noPieces, text: 'x' });
      return { ...whole, ...info };
    };
    const entry = { kind: 'auto', candidates: [dear, cheap] } as const;
    const pick = { provider: '', difficulty: 'easy', confidence: 0.8, signals: {}, ...info };
    const router = { pickModel: async () => ({ ...pick, model: 'svc-cheap' }) };
    const agent = await turn(chat, { entry }, router);
    assert.match(agent[0] ?? '', /^note: Auto: cheap answers \(difficulty: easy, 80/);
    const plain = await turn(chat, { entry, conversation: { ...conversation, tools: [] } }, router);
    // VS Code asks without tools for what it parses, such as lists, or shows as a title.
    assert.match(plain[0] ?? '', /^note: Auto: cheap answers/);
    assert.deepEqual(plain.slice(1), ['x', 'usage']);
    const broken = { pickModel: async () => Promise.reject(new ServiceError('server', 'ill')) };
    const other = await turn(chat, { entry }, broken);
    assert.match(other[0] ?? '', /dear answers \(the router did not answer\)/);
    assert.deepEqual(asked, ['svc-cheap', 'svc-cheap', 'svc-dear']);
    const refused = { pickModel: async () => Promise.reject(new ServiceError('unauthorized', '')) };
    await assert.rejects(turn(chat, { entry }, refused), { kind: 'unauthorized' });
  });
});

const failOddly = () => {
  throw new Error('odd');
};

describe('a turn with the router', () => {
  const dear: Model = { ...model, id: 'svc-dear', price: { input: 1, output: 9 } };
  const cheap: Model = { ...model, id: 'svc-cheap', price: { input: 1, output: 1 } };
  const entry = { kind: 'auto', candidates: [cheap, dear] } as const;
  const pick = { provider: '', difficulty: 'easy', confidence: 0.8, signals: {}, ...info };
  let log: string[];
  let asked: string[];
  let picks: unknown[];
  beforeEach(() => {
    log = [];
    asked = [];
    picks = [];
  });
  /** @param picked the answer of the router. */
  const run = async (
    picked: () => string | undefined,
    more: Partial<TurnRequest> = {},
  ): Promise<string[]> =>
    turn(
      async (request, { onDelta }) => {
        asked.push(request.model);
        onDelta?.({ ...noPieces, text: 'x' });
        return { ...whole, ...info };
      },
      { entry, log: line => log.push(line), ...more },
      {
        pickModel: async (_, { sending }) => {
          picks.push(sending);
          return { ...pick, model: picked() };
        },
      },
    );

  it('asks it once for each prompt, without secrets unless the user agreed', async () => {
    const choices = new ModelChoiceCache();
    for (let n = 0; n < 2; n++) await run(() => 'svc-cheap', { choices });
    await run(() => 'svc-cheap', { secrets: 'agreed' });
    assert.deepEqual(asked, ['svc-cheap', 'svc-cheap', 'svc-cheap']);
    assert.deepEqual(picks, [
      { purpose: 'pickModel', secrets: 'withhold' },
      { purpose: 'pickModel', secrets: 'agreed' },
    ]);
  });

  it('does not ask it about an empty prompt, and takes a model in the middle for an unknown one', async () => {
    const turns = [{ role: 'user', parts: [] }] as const;
    const [note] = await run(() => 'svc-cheap', { conversation: { ...conversation, turns } });
    assert.equal(note, 'note: Auto: dear answers.');
    await run(() => 'elsewhere');
    assert.deepEqual([asked, picks.length], [['svc-dear', 'svc-dear'], 1]);
  });

  for (const [kind, isFinal] of [
    ['noKey', true],
    ['noUrl', true],
    ['badUrl', true],
    ['unauthorized', true],
    ['budget', true],
    ['payment', true],
    ['offline', true],
    ['server', false],
    ['timeout', false],
  ] as const)
    it(`${isFinal ? 'ends' : 'goes on'} when the router fails: ${kind}`, async () => {
      const choices = new ModelChoiceCache();
      const fail = () => {
        throw new ServiceError(kind, 'ill');
      };
      if (isFinal) {
        await assert.rejects(run(fail, { choices }), { kind });
        return assert.deepEqual(asked, []);
      }
      await run(fail, { choices });
      assert.deepEqual(log, [`models: the router failed (${kind}); svc-dear answers`]);
      await run(() => 'svc-cheap', { choices });
      assert.deepEqual(asked, ['svc-dear', 'svc-cheap'], 'it is asked again for the prompt');
    });

  it('passes on an error that is none of the service, and says when there is no model', async () => {
    await assert.rejects(run(failOddly), /odd/);
    const none = { kind: 'auto', candidates: [] } as const;
    await assert.rejects(
      run(() => 'x', { entry: none }),
      { kind: 'limit' },
    );
  });
});

const logged = async (
  chat: TurnClient['chat'],
  more: Partial<TurnRequest> = {},
): Promise<{ lines: string[]; log: string[] }> => {
  const log: string[] = [];
  return { lines: await turn(chat, { log: line => log.push(line), ...more }), log };
};

describe('the log of a turn', () => {
  it('has what could not be sent, what was wrong with the answer, and why it broke off', async () => {
    const [tool] = conversation.tools;
    assert.ok(tool);
    const twice = { ...conversation, tools: [tool, tool] };
    const call = { id: 'c1', name: 'look', arguments: '[', parsed: undefined };
    const { log } = await logged(async () => ({ ...whole, toolCalls: [call], ...info }), {
      conversation: twice,
    });
    assert.equal(log[0], 'models: a tool left out: another one has the same name');
    assert.ok(log.length > 1 && log.every(line => line.startsWith('models: ')), log.join('\n'));
    for (const [error, reason] of [
      [new ServiceError('truncated', 'x'), 'truncated'],
      [new Error('x'), 'error'],
    ] as const) {
      const broken = await logged(async (_, { onDelta }) => {
        onDelta?.({ ...noPieces, text: '', reasoning: 'hm' });
        onDelta?.({ ...noPieces, text: 'Half' });
        onDelta?.({ ...noPieces, text: '', reasoning: 'more' });
        throw error;
      });
      assert.deepEqual(broken.log, [`models: the answer broke off (${reason})`]);
      assert.deepEqual(broken.lines.slice(0, 5), ['(hm)', '()', 'Half', '(more)', '()']);
    }
  });

  it('is not written for an answer that was stopped, and nothing is shown after that', async () => {
    const controller = new AbortController();
    const stopped = logged(
      async (_, { onDelta }) => {
        onDelta?.({ ...noPieces, text: 'Half' });
        controller.abort();
        onDelta?.({ ...noPieces, text: 'late' });
        throw new ServiceError('connection', 'x');
      },
      { signal: controller.signal },
    );
    await assert.rejects(stopped, { kind: 'connection' });
  });
});

describe('what a turn sends', () => {
  it('streams, for the chat, with the limits that are asked for or known', async () => {
    const seen: unknown[] = [];
    const chat: TurnClient['chat'] = async (request, options) => {
      const { maxTokens, temperature } = request;
      seen.push([maxTokens, temperature, options.stream, options.sending]);
      return { ...whole, text: 'x', ...info };
    };
    const withhold = { purpose: 'chat', secrets: 'withhold' };
    await turn(chat, { maxTokens: 5, temperature: 0.5 });
    await turn(chat, { secrets: 'agreed' });
    const bounded = { ...model, maxOutputTokens: 77 };
    await turn(chat, { entry: { kind: 'model', model: bounded, isStandby: false } });
    assert.deepEqual(seen, [
      [5, 0.5, true, withhold],
      [undefined, undefined, true, { purpose: 'chat', secrets: 'agreed' }],
      [77, undefined, true, withhold],
    ]);
  });
});
