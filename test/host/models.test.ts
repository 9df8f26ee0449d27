import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { modelVendor } from '../../src/platform/ids';
import { type StandIn, startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import {
  closeAll,
  forgetService,
  loggedLines,
  run,
  setSetting,
  stub,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-models-test-0123456789';
const chat = 'POST /v1/chat/completions';
const messagesRoute = 'POST /v1/messages';
const router = 'POST /v1/router/multimodel';
const vendor = modelVendor;

const all = async () => vscode.lm.selectChatModels({ vendor });
const names = async () => (await all()).map(({ id }) => id);

/** Read anew by the service: the first question after a change is answered with what is known. */
async function modelNamed(id: string): Promise<vscode.LanguageModelChat> {
  return waitFor(async () => (await all()).find(model => model.id === id), `the model ${id}`);
}

interface Answer {
  readonly text: string;
  readonly calls: vscode.LanguageModelToolCallPart[];
  readonly thinking: string;
  readonly usage: Record<string, unknown> | undefined;
}

const user = (text: string | vscode.LanguageModelTextPart[]) =>
  vscode.LanguageModelChatMessage.User(text);

async function collect(response: vscode.LanguageModelChatResponse): Promise<Answer> {
  let text = '';
  let thinking = '';
  let usage: Record<string, unknown> | undefined;
  const calls: vscode.LanguageModelToolCallPart[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) text += part.value;
    else if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
    else if (part instanceof vscode.LanguageModelDataPart && part.mimeType === 'usage')
      usage = JSON.parse(new TextDecoder().decode(part.data));
    else if (isThinking(part)) thinking += part.value;
  }
  return { text: asRead(text), calls, thinking, usage };
}

function isThinking(part: unknown): part is { value: string } {
  if (!('LanguageModelThinkingPart' in vscode)) return false;
  const { LanguageModelThinkingPart: Thinking } = vscode;
  return typeof Thinking === 'function' && part instanceof Thinking;
}

async function ask(
  id: string,
  messages: vscode.LanguageModelChatMessage[] | string,
  options: vscode.LanguageModelChatRequestOptions = {},
  token?: vscode.CancellationToken,
): Promise<Answer> {
  const model = await modelNamed(id);
  const turns = typeof messages === 'string' ? [user(messages)] : messages;
  return collect(await model.sendRequest(turns, options, token));
}

/** One pixel: VS Code reads images before it hands them over. */
const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

const failure = async (asking: PromiseLike<unknown>): Promise<Error> => {
  try {
    await asking;
  } catch (error) {
    assert.ok(error instanceof Error, String(error));
    return Object.assign(error, { message: asRead(error.message) });
  }
  return assert.fail('nothing failed');
};

const tool = {
  name: 'facts_add',
  description: 'Adds a fact',
  inputSchema: {
    type: 'object',
    properties: { fact: { type: 'string' } },
    required: ['fact'],
  },
};

/** Its multiples, without what is before the point, keep away from each other. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

describe('the models in the chat of VS Code', () => {
  let standIn: StandIn;
  const bodies = (route = chat) =>
    standIn.requests.filter(request => request.route === route).map(({ body }) => body);
  const lastBody = (route = chat): Record<string, unknown> => {
    const body: unknown = bodies(route).at(-1);
    assert.ok(typeof body === 'object' && body !== null);
    return { ...body };
  };

  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, seed: false });
    await useService(standIn.url, apiKey);
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });

  it('sends nothing until somebody asks for models', async () => {
    await new Promise(resolve => setTimeout(resolve, 500));
    assert.deepEqual(standIn.requests, []);
    await modelNamed('svc-kimik3');
    await waitFor(
      async () => (await all()).length > 0 && standIn.requests.length >= 2,
      'a reading',
    );
    assert.deepEqual(
      standIn.requests.map(({ method, path }) => [method, path].join(' ')).toSorted(),
      ['GET /api/models/json', 'GET /api/v1/dedicated/endpoints'],
    );
    // Several times a second.
    for (let n = 0; n < 5; n++) await all();
    assert.equal(standIn.requests.length, 2);
  });

  it('lists the catalogue, standby and Auto, without the models that do not chat', async () => {
    const kimi = await modelNamed('svc-kimik3');
    assert.deepEqual((await names()).toSorted(), [
      'auto',
      'svc-dsv4flash',
      'svc-gemma4-31b',
      'svc-glm52-744b',
      'svc-glm52-744b:standby',
      'svc-glm53-744b',
      'svc-glm53flash',
      'svc-kimik3',
      'svc-kimik3-fast',
      'svc-minimax27-230b',
      'svc-minimax3-428b',
      'svc-qwen35-397b',
      'svc-qwen36-27b',
      'svc-qwen38-27b',
    ]);
    assert.equal(kimi.name, 'kimik3');
    assert.equal(kimi.maxInputTokens, 968_000);
  });

  it('answers with text and the usage, in pieces', async () => {
    const { text, usage } = await ask('svc-kimik3', 'say "Hello, you."');
    assert.equal(text, 'Hello, you.');
    const { prompt_tokens: input, completion_tokens: output, total_tokens: sum } = usage ?? {};
    assert.ok(Number(input) > 0 && Number(output) > 0, JSON.stringify(usage));
    assert.equal(sum, Number(input) + Number(output));
    assert.equal(lastBody()['model'], 'svc-kimik3');
    assert.equal(lastBody()['stream'], true);
  });

  it('calls a tool, and goes on with its result', async () => {
    const question = user('use tool facts_add with {"fact": "water is wet"}');
    const first = await ask('svc-kimik3', [question], { tools: [tool] });
    assert.equal(first.text, '');
    const [call] = first.calls;
    assert.deepEqual([call?.name, call?.input], ['facts_add', { fact: 'water is wet' }]);
    const callId = call?.callId ?? '';
    const second = await ask(
      'svc-kimik3',
      [
        question,
        vscode.LanguageModelChatMessage.Assistant([
          new vscode.LanguageModelToolCallPart(callId, 'facts_add', call?.input ?? {}),
        ]),
        vscode.LanguageModelChatMessage.User([
          new vscode.LanguageModelToolResultPart(callId, [
            new vscode.LanguageModelTextPart('noted as fact 7'),
          ]),
        ]),
      ],
      { tools: [tool] },
    );
    assert.match(second.text, /facts_add answered: noted as fact 7/);
  });

  it('must call a tool where VS Code says so', async () => {
    const { calls } = await ask('svc-qwen35-397b', 'anything', {
      tools: [tool],
      toolMode: vscode.LanguageModelChatToolMode.Required,
    });
    assert.equal(calls[0]?.name, 'facts_add');
    assert.equal(lastBody()['tool_choice'], 'required');
  });

  it('shows thinking, and an answer of thinking alone gets words', async () => {
    standIn.chat = () => ({ reasoning: 'I think so.', text: 'Yes.' });
    const { text, thinking } = await ask('svc-kimik3', 'well?');
    assert.equal(text, 'Yes.');
    if ('LanguageModelThinkingPart' in vscode) assert.equal(thinking, 'I think so.');
    standIn.chat = () => ({ reasoning: 'I think so.' });
    assert.match((await ask('svc-kimik3', 'well?')).text, /gave no answer/);
  });

  it('takes options that it knows, and no others', async () => {
    await ask('svc-kimik3', 'hello', {
      modelOptions: {
        temperature: 0.3,
        max_tokens: 50,
        _trace: 'x',
        logprobs: true,
        model: 'other',
      },
    });
    const body = lastBody();
    assert.deepEqual(
      [body['temperature'], body['max_tokens'], body['model']],
      [0.3, 50, 'svc-kimik3'],
    );
    assert.ok(!('_trace' in body) && !('logprobs' in body));
  });

  it('thinks as hard as it is told', async () => {
    const effort = { modelOptions: { reasoningEffort: 'high' } };
    await ask('svc-kimik3', 'hello', effort);
    assert.deepEqual(lastBody()['reasoning'], { effort: 'high' });
    await ask('svc-kimik3', 'hello', { modelOptions: { reasoningEffort: 'default' } });
    assert.ok(!('reasoning' in lastBody()), 'the model decides');
    await setSetting('splice.chat.wireFormat', 'messages');
    await ask('svc-kimik3', 'hello', effort);
    assert.ok('thinking' in lastBody(messagesRoute));
  });

  describe('a model that takes images', () => {
    const data = Buffer.from(png).toString('base64');
    const image = () => vscode.LanguageModelDataPart.image(png, 'image/png');
    const question = () =>
      vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelTextPart('What is this?'),
        image(),
      ]);
    const withResult = () => [
      user('Look'),
      vscode.LanguageModelChatMessage.Assistant([
        new vscode.LanguageModelToolCallPart('call-1', 'facts_add', { fact: 'x' }),
      ]),
      vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelToolResultPart('call-1', [
          new vscode.LanguageModelTextPart('a picture'),
          image(),
        ]),
      ]),
    ];

    beforeEach(async () => {
      standIn.inject('GET /api/models/json', {
        fault: response => {
          response.writeHead(200, { 'content-type': 'application/json' });
          const model = { id: 'svc-kimik3', object: 'model', input_modalities: ['text', 'image'] };
          response.end(JSON.stringify({ object: 'list', data: [model] }));
        },
      });
      await waitFor(async () => (await names()).join() === 'svc-kimik3', 'this model alone');
    });

    it('gets them as a data address in chat completions, those of results after the results', async () => {
      await ask('svc-kimik3', [question()]);
      const url = `data:image/png;base64,${data}`;
      assert.deepEqual(lastBody()['messages'], [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ]);
      await ask('svc-kimik3', withResult(), { tools: [tool] });
      const messages = lastBody()['messages'];
      assert.ok(Array.isArray(messages));
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'user'],
      );
      assert.ok(!JSON.stringify(messages[2]).includes(data));
      assert.deepEqual(messages[3].content.at(-1), { type: 'image_url', image_url: { url } });
    });

    it('gets them as blocks in the messages format', async () => {
      await setSetting('splice.chat.wireFormat', 'messages');
      const block = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data },
        // What was said so far is read from the cache in the next turn.
        cache_control: { type: 'ephemeral' },
      };
      await ask('svc-kimik3', [question()]);
      assert.deepEqual(lastBody(messagesRoute)['messages'], [
        { role: 'user', content: [{ type: 'text', text: 'What is this?' }, block] },
      ]);
      await ask('svc-kimik3', withResult(), { tools: [tool] });
      const messages = lastBody(messagesRoute)['messages'];
      assert.ok(Array.isArray(messages));
      assert.deepEqual(messages.at(-1).content.at(-1), block);
    });
  });

  it('leaves images out for a model that takes none, and says so to it', async () => {
    await ask('svc-kimik3', [
      vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelTextPart('What is this?'),
        vscode.LanguageModelDataPart.image(png, 'image/png'),
      ]),
    ]);
    assert.match(JSON.stringify(lastBody()['messages']), /image left out: this model takes no/);
  });

  it('speaks the messages format', async () => {
    await setSetting('splice.chat.wireFormat', 'messages');
    standIn.chat = ({ messages }) => ({ reasoning: 'Hm.', text: messages.at(-1)?.text ?? '' });
    const { text, usage } = await ask('svc-kimik3', 'echo');
    assert.equal(text, 'echo');
    assert.ok(Number(usage?.['prompt_tokens']) > 0);
    assert.equal(bodies(messagesRoute).length, 1);
    assert.equal(bodies(chat).length, 0);
  });

  it('says when an answer was stopped at its limit', async () => {
    const { text } = await ask('svc-kimik3', 'write 500 words about rivers', {
      modelOptions: { maxTokens: 40 },
    });
    assert.match(text, /stopped at its limit\. Say "continue"/);
  });

  it('keeps what came when the stream is cut, and sends it back without the note', async () => {
    standIn.inject(chat, {
      fault: response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"choices":[{"index":0,"delta":{"content":"The first half"}}]}\n\n');
        setTimeout(() => response.destroy(), 50);
      },
    });
    const { text } = await ask('svc-kimik3', 'go on');
    assert.match(text, /^The first half\n\n\*.*Say "continue" for the rest\.\*$/);

    await ask('svc-kimik3', [
      vscode.LanguageModelChatMessage.User('go on'),
      vscode.LanguageModelChatMessage.Assistant(text),
      vscode.LanguageModelChatMessage.User('continue'),
    ]);
    assert.deepEqual(lastBody()['messages'], [
      { role: 'user', content: 'go on' },
      { role: 'assistant', content: 'The first half' },
      { role: 'user', content: 'continue' },
    ]);
  });

  it('gives 50 chats at once their own answers', async () => {
    const model = await modelNamed('svc-glm53flash');
    // VS Code numbers requests at random, and never answers one of two that get the same number.
    let last = Math.random();
    stub(Math, 'random', () => (last = (last + goldenRatio) % 1));
    standIn.pauseMs = 2;
    const wanted = Array.from({ length: 50 }, (_, n) => `number ${n} of them all`);
    const answers = new Map<string, string>();
    const asking = wanted.map(async text => {
      const { text: answer } = await collect(await model.sendRequest([user(`say "${text}"`)]));
      answers.set(text, answer);
    });
    const asked = Promise.all(asking);
    const missing = () => wanted.filter(text => !answers.has(text)).join(', ');
    const answered = waitFor(
      () => answers.size === wanted.length,
      () => `answers to ${missing()}; ${bodies().length} requests were made`,
    );
    await Promise.race([asked, answered]);
    assert.deepEqual(
      wanted.map(text => answers.get(text)),
      wanted,
    );
  });

  it('closes the connection when the answer is not wanted any more', async () => {
    standIn.pauseMs = 30;
    const source = new vscode.CancellationTokenSource();
    const model = await modelNamed('svc-kimik3');
    const response = await model.sendRequest(
      [user('write 900 words about rivers')],
      {},
      source.token,
    );
    for await (const piece of response.text) {
      assert.ok(piece.length > 0);
      source.cancel();
      break;
    }
    const entry = await waitFor(
      () => standIn.requests.find(({ route, isCut }) => route === chat && isCut),
      'the cut line',
      3000,
    );
    assert.equal(entry.isCut, true);
  });

  it('says in words what failed, and what to do', async () => {
    const cases = [
      ['status401', /refused the API key\. Run "Splice: Set API Key…"/, 'NoPermissions'],
      ['status404', /Choose another model/, 'NotFound'],
      ['status402', /no credit left/, 'Blocked'],
      ['status400', /could not use this request/, undefined],
    ] as const;
    for (const [fault, words, code] of cases) {
      const model = await modelNamed('svc-kimik3');
      standIn.inject(chat, { fault });
      const error = await failure(model.sendRequest([user('x')]).then(collect));
      assert.match(error.message, words);
      if (code) assert.equal(error instanceof vscode.LanguageModelError && error.code, code);
      standIn.heal();
      await setSetting('splice.service.baseUrl', undefined);
      await setSetting('splice.service.baseUrl', standIn.url);
    }
    const logged = loggedLines().join('\n');
    assert.ok(!logged.includes(apiKey));
  });

  it('tells when standby has no room', async () => {
    standIn.switches.fleetBusy = true;
    const model = await modelNamed('svc-glm52-744b:standby');
    const error = await failure(model.sendRequest([user('x')]).then(collect));
    assert.match(
      error.message,
      /busy and takes no standby requests now\. Try again after \d\d:\d\d/,
    );
    assert.equal(lastBody()['service_tier'], 'standby');
    standIn.switches.fleetBusy = false;
    assert.equal((await ask('svc-glm52-744b:standby', 'say "now"')).text, 'now');
  });

  it('lets the router choose, once per prompt, and says who answered', async () => {
    const { text, thinking } = await ask('auto', 'say "routed"');
    assert.equal(text, 'routed');
    if ('LanguageModelThinkingPart' in vscode) assert.match(thinking, /^Auto: [\w-]+ answers/);
    const again = await ask('auto', 'say "routed"');
    assert.deepEqual([again.text, again.thinking], [text, thinking]);
    assert.equal(bodies(router).length, 1);
    const { calls, text: silent } = await ask('auto', 'use tool facts_add with {"fact": "a"}', {
      tools: [tool],
    });
    assert.deepEqual([calls.length, silent], [1, '']);
  });

  it('answers although the router fails', async () => {
    standIn.inject(router, { fault: 'status400' });
    const { text, thinking } = await ask('auto', 'say "all the same"');
    assert.equal(text, 'all the same');
    if ('LanguageModelThinkingPart' in vscode)
      assert.match(thinking, /^Auto: .*the router did not answer/);
  });

  it('counts tokens without asking anybody', async () => {
    const model = await modelNamed('svc-kimik3');
    await ask('svc-kimik3', 'say "x"');
    const sent = standIn.requests.length;
    const short = await model.countTokens('hello');
    const long = await model.countTokens('hello there, how are you doing today? '.repeat(20));
    const message = await model.countTokens(user('hello there '.repeat(100)));
    assert.ok(short > 0 && long > 100 && message > 100, String([short, long, message]));
    assert.equal(standIn.requests.length, sent);
  });

  it('shows an endpoint while it serves', async () => {
    const id = standIn.endpoints.create({ state: 'ready', modelId: 'svc-kimik3' });
    const name = `endpoint:${id}`;
    const model = await modelNamed(name);
    assert.match(model.name, / #[0-9a-f]{4}$/);
    assert.equal((await ask(name, 'say "from my own"')).text, 'from my own');
    assert.ok(standIn.requests.some(({ path }) => path.startsWith(`/endpoints/${id}/v1/chat`)));
    standIn.endpoints.play(id, 'suspended');
    const error = await failure(model.sendRequest([user('x')]).then(collect));
    assert.match(error.message, /takes no requests: its state is "suspended"/);
    // The failure makes the list be read anew.
    await waitFor(async () => !(await names()).includes(name), 'the endpoint to vanish');
  });

  it('says what is missing instead of having no models', async () => {
    await modelNamed('svc-kimik3');
    await run('splice.service.removeApiKey');
    const setup = await modelNamed('setup');
    assert.deepEqual(await names(), ['setup']);
    const { text } = await collect(await setup.sendRequest([user('hello')]));
    assert.match(text, /^No API key is set for this service\. Run "Splice: Set API Key…"/);
    await setSetting('splice.service.baseUrl', undefined);
    await waitFor(async () => {
      const [model] = await all();
      return model && /address/.test((await collect(await model.sendRequest([user('x')]))).text);
    }, 'the other reason');
  });

  it('says that a key was refused', async () => {
    standIn.inject('GET /api/v1/dedicated/endpoints', { fault: 'status401Flat' });
    await waitFor(async () => (await names()).join() === 'setup', 'the entry that explains');
  });

  it('keeps to the table while the catalogue is ill', async () => {
    standIn.inject('GET /api/models/json', { fault: 'status404' });
    await all();
    await all();
    assert.ok((await names()).includes('svc-kimik3'));
  });

  it('sends nothing in a workspace that is not trusted', async () => {
    stub(vscode.workspace, 'isTrusted', false);
    const models = await waitFor(
      async () => ((await names()).join() === 'setup' ? await all() : undefined),
      'the entry that explains',
    );
    const [setup] = models;
    assert.ok(setup);
    const { text } = await collect(await setup.sendRequest([user('hello')]));
    assert.match(text, /not trusted/);
    assert.deepEqual(standIn.requests, []);
  });

  it('explains why there are no models', async () => {
    let shown: readonly vscode.QuickPickItem[] = [];
    stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
      shown = items;
    });
    await run('splice.models.why');
    const rows = shown.map(({ label }) => label);
    assert.ok(
      rows.some(label => /VS Code knows 14 models/.test(label)),
      rows.join('\n'),
    );
    await run('splice.service.removeApiKey');
    await run('splice.models.why');
    assert.match(shown[0]?.label ?? '', /^No API key is set/);
    assert.equal(shown[0]?.description, 'Set API Key…');
  });

  it('says that there is no chat only when VS Code has had time to load it', async () => {
    let shown: readonly vscode.QuickPickItem[] = [];
    stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
      shown = items;
    });
    let looks = 0;
    stub(vscode.commands, 'getCommands', async () =>
      ++looks < 4 ? [] : ['workbench.action.chat.manage'],
    );
    await run('splice.models.why');
    assert.equal(looks, 4);
    assert.ok(!shown.some(({ label }) => /has no chat/.test(label)));
  });
});
