import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { toChatRequest } from '../../../../src/models/format/chatFormat';
import type {
  Conversation,
  ConversationTurn,
  OfferedTool,
  Part,
} from '../../../../src/models/format/conversation';
import type { ConversionOptions } from '../../../../src/models/format/conversion';
import { ToolMemory } from '../../../../src/models/format/dynamicTools';
import { toMessagesRequest } from '../../../../src/models/format/messagesFormat';
import { countConversation } from '../../../../src/models/tokenCount';
import { chatOperation } from '../../../../src/service/wire/chat/chat';
import { messagesOperation } from '../../../../src/service/wire/chat/messages';
import { checkChatBody, checkMessagesBody } from '../wireRules';

/** Stands in every text, so that a note with content is found out. */
const canary = 'kanarienvogel';

/** Any UTF-16, with lone surrogates. */
const units = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0xd800, 0xdc00, 0x20)), {
    maxLength: 8,
  })
  .map(codes => String.fromCharCode(...codes));
const words = fc.oneof(
  units.map(text => text + canary),
  units,
  fc.constantFrom('', ' ', '\n', '</tool>', '__proto__', '"cache_control":', '[no result]'),
);
const name = fc.oneof(
  fc.constantFrom('run', 'read_file', '', 'a b', 'tool_h0123456789abcdef', 'x'.repeat(70)),
  units,
);
const callId = fc.oneof(fc.constantFrom('call_0', 'call_1', '', 'a b', 'call_0_2'), units);

const circle: Record<string, unknown> = {};
circle['again'] = [circle];
const throwing = {
  get value(): never {
    throw new Error(canary);
  },
};
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: true, withSparseArray: true, withNullPrototype: true, maxDepth: 4 }),
  fc.constantFrom<unknown>(circle, throwing, () => canary, Symbol(canary), Number.NaN, undefined),
  fc.record({ path: words, [canary]: words }),
);

const keyword = fc.constantFrom(
  'type',
  'properties',
  'required',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  '$defs',
  'enum',
  'not',
  'if',
  'additionalProperties',
  'patternProperties',
  'default',
  '__proto__',
  'constructor',
);
const { schema } = fc.letrec<{ schema: unknown; value: unknown }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom<unknown>(
      { type: 'object' },
      { $ref: '#/$defs/a' },
      { $ref: '#' },
      true,
      circle,
    ),
    fc.dictionary(keyword, tie('value'), { maxKeys: 4 }),
    anything,
  ),
  value: fc.oneof(
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '$ref', 'type'), tie('schema'), { maxKeys: 3 }),
    fc.constantFrom<unknown>('object', ['object', 'null'], 'string', ['a'], '#/$defs/a', '#/%zz'),
  ),
}));

const text = words.map(value => ({ type: 'text' as const, text: value }));
const image = fc.record({
  type: fc.constant('image' as const),
  mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/svg+xml', '', 'text/plain'),
  data: fc.uint8Array({ maxLength: 40 }),
});
const unknownPart = fc.record({
  type: fc.constant('unknown' as const),
  what: fc.constantFrom('cache_control', 'LanguageModelDataPart', 'application/x'),
});
const part: fc.Arbitrary<Part> = fc.oneof(
  text,
  image,
  unknownPart,
  fc.record({
    type: fc.constant('thinking' as const),
    text: words,
    signature: fc.constantFrom(undefined, '', 'c2ln'),
  }),
  fc.record({ type: fc.constant('toolCall' as const), callId, name, input: anything }),
  fc.record({
    type: fc.constant('toolResult' as const),
    callId,
    parts: fc.array(fc.oneof(text, image, unknownPart), { maxLength: 3 }),
  }),
);
const turn: fc.Arbitrary<ConversationTurn> = fc.record({
  role: fc.constantFrom(
    'user' as const,
    'assistant' as const,
    'assistant' as const,
    'system' as const,
  ),
  parts: fc.array(part, { maxLength: 5 }),
});
const tools: fc.Arbitrary<OfferedTool[]> = fc.array(
  fc.record({ name, description: words, schema }),
  { maxLength: 5 },
);
const conversations: fc.Arbitrary<Conversation> = fc.record({
  turns: fc.array(turn, { maxLength: 8 }),
  tools,
  toolMode: fc.constantFrom('auto' as const, 'required' as const),
});
const allOptions: fc.Arbitrary<ConversionOptions> = fc.record({
  model: fc.constantFrom('svc-kimik3', 'svc-glm52-744b'),
  takesImages: fc.boolean(),
  takesTools: fc.boolean(),
  sendsThinkingBack: fc.boolean(),
  maxTokens: fc.constantFrom(undefined, 1, 50_000),
  effort: fc.constantFrom(undefined, 'low' as const, 'high' as const),
  serviceTier: fc.constantFrom(undefined, 'standby' as const),
});

describe('any conversation', () => {
  it('becomes a request that keeps the rules of each format, and notes without content', () => {
    let calls = 0;
    fc.assert(
      fc.property(conversations, allOptions, (conversation, options) => {
        const chat = toChatRequest(conversation, options);
        const body = JSON.stringify(chatOperation(chat.request, {}).body);
        checkChatBody(body);
        if (body.includes('"tool_call_id"')) calls++;
        const messages = toMessagesRequest(conversation, options);
        checkMessagesBody(JSON.stringify(messagesOperation(messages.request, {}).body));
        for (const note of [...chat.notes, ...messages.notes]) assert.ok(!note.includes(canary));
        for (const tool of chat.request.tools ?? [])
          assert.ok(conversation.tools.some(one => one.name === chat.names.fromWire(tool.name)));
      }),
      { numRuns: 1500 },
    );
    assert.ok(calls > 150, 'the generator makes calls');
  });

  it('keeps the rules with a memory of its tools, request after request', () => {
    let added = 0;
    fc.assert(
      fc.property(
        conversations,
        fc.array(fc.tuple(turn, tools), { minLength: 1, maxLength: 4 }),
        allOptions,
        (first, more, given) => {
          const memory = new ToolMemory();
          const options = { ...given, model: 'svc-kimik3' };
          let conversation = first;
          for (const [next, offered] of [undefined, ...more].map(one => one ?? [])) {
            if (next)
              conversation = {
                ...conversation,
                turns: [...conversation.turns, next],
                tools: [...conversation.tools, ...(offered ?? [])],
              };
            const earlierTools = memory.recall(conversation, options.model);
            added += earlierTools?.added.length ?? 0;
            const { request } = toChatRequest(conversation, { ...options, earlierTools });
            checkChatBody(JSON.stringify(chatOperation(request, {}).body));
          }
        },
      ),
      { numRuns: 400 },
    );
    assert.ok(added > 50, 'the generator adds tools');
  });

  it('has a number of tokens', () => {
    fc.assert(
      fc.property(conversations, conversation => {
        const tokens = countConversation(conversation);
        assert.ok(Number.isInteger(tokens) && tokens >= 0);
      }),
      { numRuns: 500 },
    );
  });
});
