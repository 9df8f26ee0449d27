import assert from 'node:assert/strict';
import { english } from '../../../src/base/sentence';
import { type RunPlan, type StepStates, stepOf } from '../../../src/playground/core/run';
import { type PlaygroundClient, performStep } from '../../../src/playground/performStep';
import type { EndpointTarget } from '../../../src/service';
import type { Model } from '../../../src/service/wire/catalogue';
import { VirtualTime } from '../../support/unit/virtualTime';
import { status } from '../endpoints/core/support';
import { done, plan } from './plans';

const info = { attempts: 1, ms: 700 };
const answered = {
  text: 'An answer.',
  reasoning: '',
  toolCalls: [],
  finishReason: 'stop',
  isCut: false,
  model: 'svc-a',
  usage: { promptTokens: 7, completionTokens: 3 },
  tier: undefined,
  logprobs: undefined,
  cost: { usd: 0.25, isExact: true },
  ...info,
};
const picked = {
  model: undefined,
  provider: undefined,
  difficulty: undefined,
  confidence: undefined,
  signals: {},
  ...info,
};
const unclassified = { model: 'r', mode: 'multi_label', classes: [], selected: [], ...info };
const noPieces = { text: '', reasoning: '', toolCalls: [] };
const unused = async () => Promise.reject(new Error('not to be called'));
const candidates: readonly Model[] = [1, 3, 9].map(output => ({
  id: `svc-${output}`,
  isBeta: false,
  features: [],
  price: { input: 1, output },
}));

type Client = Partial<PlaygroundClient>;

const perform = async (
  client: Client,
  runPlan: RunPlan,
  step = stepOf(0, 0),
  states: StepStates = new Map(),
  clock = new VirtualTime(),
) =>
  performStep(
    {
      client: {
        chat: unused,
        pickModel: unused,
        predict: unused,
        endpointStatus: unused,
        endpointTarget: unused,
        ...client,
      },
      clock,
      candidates,
      t: english,
    },
    runPlan,
    states,
    step,
    new AbortController().signal,
  );

describe('a call of the Playground', () => {
  const sent: unknown[] = [];
  const chat: PlaygroundClient['chat'] = async (request, { sending, stream }) => {
    sent.push({ ...request, sending, stream });
    return answered;
  };
  const common = {
    reasoning: undefined,
    responseFormat: undefined,
    maxTokens: 100,
    endpoint: undefined,
    sending: { purpose: 'playground' },
    // So that the time to the first token is known.
    stream: true,
  };
  beforeEach(() => sent.splice(0));

  it('sends the prompt to its model, and has what came of it', async () => {
    const result = await perform({ chat }, plan());
    assert.deepEqual(sent, [
      { ...common, model: 'svc-a', messages: [{ role: 'user', content: 'one' }] },
    ]);
    assert.deepEqual(result, {
      text: 'An answer.',
      ms: 700,
      firstMs: undefined,
      inTokens: 7,
      outTokens: 3,
      usd: 0.25,
      isExact: true,
      model: undefined,
      isCut: false,
    });
  });

  it('sends the system prompt, the effort and the schema of its row', async () => {
    const runPlan = plan({
      targets: [{ kind: 'model', id: 'svc-a', label: 'a', effort: 'low' }],
      rows: [
        { text: 'one', system: 'Be brief.', schema: { type: 'string' } },
        { text: 'two', system: '' },
      ],
      scoring: { kind: 'schema', schema: { type: 'object' } },
    });
    await perform({ chat }, runPlan);
    await perform({ chat }, runPlan, stepOf(1, 0));
    const reasoning = { effort: 'low' };
    assert.deepEqual(sent, [
      {
        ...common,
        model: 'svc-a',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'one' },
        ],
        reasoning,
        responseFormat: { name: 'answer', schema: { type: 'string' } },
      },
      {
        ...common,
        model: 'svc-a',
        messages: [{ role: 'user', content: 'two' }],
        reasoning,
        responseFormat: { name: 'answer', schema: { type: 'object' } },
      },
    ]);
  });

  it('goes to an endpoint at its own address, under the name that it serves', async () => {
    const target: EndpointTarget = {
      endpointId: 'e-1',
      url: new URL('https://e-1.service.test'),
      servedModelName: 'served',
    };
    const asked: unknown[] = [];
    const client: Client = {
      chat,
      endpointStatus: async id => {
        asked.push(id);
        return { ...status(id, 'ready'), ...info };
      },
      endpointTarget: async () => target,
    };
    await perform(client, plan({ targets: [{ kind: 'endpoint', id: 'e-1', label: 'e' }] }));
    assert.deepEqual(asked, ['e-1']);
    assert.deepEqual(sent, [
      {
        ...common,
        model: 'served',
        messages: [{ role: 'user', content: 'one' }],
        endpoint: target,
      },
    ]);
  });

  it('goes to the model that the router picks, which costs time and money, too', async () => {
    const clock = new VirtualTime();
    const picks: unknown[] = [];
    const pickModel: PlaygroundClient['pickModel'] = async request => {
      picks.push(request);
      await clock.advance(300);
      return { ...picked, model: 'svc-9', cost: { usd: 0.005, isExact: false } };
    };
    const runPlan = plan({ targets: [{ kind: 'auto', label: 'Auto' }] });
    const slow: PlaygroundClient['chat'] = async (request, options) => {
      await clock.advance(50);
      options.onDelta?.({ ...noPieces, text: 'An ' });
      await clock.advance(650);
      options.onDelta?.({ ...noPieces, text: 'answer.' });
      return chat(request, options);
    };
    const result = await perform(
      { chat: slow, pickModel },
      runPlan,
      stepOf(0, 0),
      new Map(),
      clock,
    );
    assert.deepEqual(picks, [
      {
        input: 'one',
        allowedModels: ['svc-1', 'svc-3', 'svc-9'],
        policy: 'balanced',
        defaultModel: 'svc-3',
      },
    ]);
    assert.deepEqual(
      [result.model, result.usd, result.ms, result.firstMs],
      ['svc-9', 0.255, 1000, 350],
    );
    const none: Client = { chat, pickModel: async () => picked };
    await assert.rejects(perform(none, runPlan), {
      kind: 'protocol',
      message: 'The router picked no model.',
    });
    assert.equal(sent.length, 1);
  });

  it('is a classification of the prompt, or of the answer where answers are scored', async () => {
    const texts: unknown[] = [];
    const predict: PlaygroundClient['predict'] = async request => {
      texts.push([request.model, request.text]);
      const selected = [
        { classId: 0, label: 'rude', score: 0.6, isSelected: true },
        { classId: 1, label: 'spam', score: 0.9, isSelected: true },
      ];
      return { ...unclassified, selected, cost: { usd: 0.001, isExact: false } };
    };
    const reflex = plan({ targets: [{ kind: 'reflex', id: 'mood', label: 'mood' }] });
    const result = await perform({ predict }, reflex);
    assert.deepEqual(result, { text: 'spam', ms: 700, usd: 0.001, isExact: false });
    const scored = plan({ scoring: { kind: 'reflex', reflex: 'tone' } });
    const states = new Map([['0.0', done('An answer.')]]);
    await perform({ predict }, scored, stepOf(0, 0, true), states);
    assert.deepEqual(texts, [
      ['mood', 'one'],
      ['tone', 'An answer.'],
    ]);
    const unsure: Client = { predict: async () => unclassified };
    assert.equal((await perform(unsure, reflex)).text, '');
  });

  it('is none that the run does not have', async () => {
    for (const step of [stepOf(2, 0), stepOf(0, 2)])
      await assert.rejects(perform({ chat }, plan(), step), RangeError);
    assert.deepEqual(sent, []);
  });
});
