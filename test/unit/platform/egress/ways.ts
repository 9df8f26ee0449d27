import { EgressGate } from '../../../../src/platform/egress/gate';
import { type GatedClient, gateClient } from '../../../../src/platform/egress/gatedClient';
import { SentRecord } from '../../../../src/platform/egress/record';
import { ClearedFile } from '../../../../src/platform/egress/sending';
import { ServiceClient } from '../../../../src/service/client';
import { ServiceError } from '../../../../src/service/errors';

export const t = (message: string, ...args: (string | number)[]): string =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));

export function gateFor(options: Partial<ConstructorParameters<typeof EgressGate>[0]> = {}) {
  const record = new SentRecord();
  const gate = new EgressGate({
    isTrusted: () => true,
    origin: () => 'https://service.test',
    record,
    now: () => 1000,
    t,
    ...options,
  });
  return { gate, record };
}

/** Of the client of the service. */
export const methods = Object.getOwnPropertyNames(ServiceClient.prototype).filter(
  name => name !== 'constructor',
);

/** A service that keeps what it gets, whatever the operation. */
export function recordingClient(
  options: Partial<ConstructorParameters<typeof EgressGate>[0]> = {},
) {
  const sent: string[] = [];
  const answer = async (request: unknown): Promise<never> => {
    sent.push(JSON.stringify(request));
    throw new ServiceError('server', 'the test has no answer');
  };
  const client = new ServiceClient({
    baseUrl: () => 'https://service.test',
    siteUrl: () => undefined,
    apiKey: async () => 'none',
    transport: async () => {
      throw new Error('no network in this test');
    },
  });
  for (const operation of methods) Object.defineProperty(client, operation, { value: answer });
  const { gate, record } = gateFor(options);
  return { sent, record, gated: gateClient(client, async () => gate) };
}

export const signal = new AbortController().signal;
const file = new ClearedFile('src/a.ts', 'const a = 1;', false);

/** A request of the messages format with a text in each of its fields. */
const inMessages = (text: string) =>
  ({
    model: 'm',
    maxTokens: 9,
    system: [{ type: 'text', text }],
    tools: [
      { name: 'a', description: text, parameters: { properties: { id: { default: text } } } },
    ],
    messages: [
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: text },
          { type: 'toolUse', id: 'a', name: 'b', input: { id: text, list: [{ url: text }] } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'toolResult', toolUseId: 'a', content: [{ type: 'text', text }] }],
      },
    ],
  }) as const;

/** Each way out with a text in each of its fields, and as the features call it. */
export function waysOut(gated: GatedClient, text: string): Record<string, () => Promise<unknown>> {
  const withhold = { signal, sending: { purpose: 'chat', secrets: 'withhold' } as const };
  const refuse = (purpose: 'classify' | 'batch' | 'guard' | 'rerank') => ({
    signal,
    sending: { purpose },
  });
  const messages = [
    { role: 'system', content: text },
    { role: 'user', content: [{ type: 'text', text }] },
    {
      role: 'assistant',
      content: text,
      reasoning: text,
      toolCalls: [{ id: 'a', name: 'write', arguments: JSON.stringify({ id: text, a: [text] }) }],
    },
    { role: 'tool', toolCallId: 'a', content: text },
  ] as const;
  return {
    'apply, the file': async () =>
      gated.apply(
        { original: text, update: 'x', model: 'auto' },
        { signal, stream: true, sending: { purpose: 'apply', files: [file] } },
      ),
    'apply, the edit': async () =>
      gated.apply(
        { original: 'x', update: text, model: 'auto' },
        { signal, stream: true, sending: { purpose: 'apply', files: [file] } },
      ),
    'an edit by a chat model': async () =>
      gated.chat({ model: 'm', messages }, { signal, sending: { purpose: 'edit', files: [file] } }),
    search: async () =>
      gated.chat(
        { model: 'm', messages },
        { signal, sending: { purpose: 'search', secrets: 'withhold' } },
      ),
    chat: async () => gated.chat({ model: 'm', messages }, withhold),
    'chat, tools': async () =>
      gated.chat(
        {
          model: 'm',
          messages: [{ role: 'user', content: 'x' }],
          tools: [{ name: 'a', description: text, parameters: { id: text, enum: [text] } }],
        },
        withhold,
      ),
    'chat, the other format': async () => gated.messages(inMessages(text), withhold),
    'the count of tokens': async () => gated.countTokens(inMessages(text), withhold),
    compact: async () =>
      gated.compact(
        { input: text, route: 'compact', query: text },
        { signal, sending: { purpose: 'compact', secrets: 'withhold' } },
      ),
    predict: async () => gated.predict({ model: 'm', text }, refuse('classify')),
    predictMany: async () => gated.predictMany({ models: ['m'], text }, refuse('guard')),
    batch: async () =>
      gated.uploadReflexBatch(
        { rows: [{ id: '1', text, models: ['m'] }], idempotencyKey: 'k' },
        refuse('batch'),
      ),
    'the router': async () => gated.classifyPrompt({ input: text }, refuse('classify')),
    'the pick of a model': async () => gated.pickModel({ input: text }, withhold),
    'the raw route': async () => gated.routeRaw({ input: text }, refuse('classify')),
    'the route of a provider': async () =>
      gated.routeWithProvider({ input: text, provider: 'p' }, refuse('classify')),
    rerank: async () =>
      gated.rerank(
        { query: 'x', documents: ['y', text] },
        { ...withhold, sending: { purpose: 'rerank', secrets: 'withhold' } },
      ),
    embed: async () => gated.embed({ input: ['x', text] }, refuse('rerank')),
  };
}
