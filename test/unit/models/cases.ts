import type {
  Conversation,
  ConversationTurn,
  ImagePart,
  OfferedTool,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../src/models/format/conversation';
import type { ConversionOptions } from '../../../src/models/format/conversion';

export const text = (words: string): TextPart => ({ type: 'text', text: words });
export const image = (mediaType = 'image/png', data = [137, 80, 78, 71]): ImagePart => ({
  type: 'image',
  mediaType,
  data: Uint8Array.from(data),
});
export const call = (callId: string, name: string, input: unknown = {}): ToolCallPart => ({
  type: 'toolCall',
  callId,
  name,
  input,
});
export const result = (callId: string, ...parts: ToolResultPart['parts']): ToolResultPart => ({
  type: 'toolResult',
  callId,
  parts,
});
export const user = (...parts: (Part | string)[]): ConversationTurn => turn('user', parts);
export const assistant = (...parts: (Part | string)[]): ConversationTurn =>
  turn('assistant', parts);
export const system = (...parts: (Part | string)[]): ConversationTurn => turn('system', parts);

const turn = (role: ConversationTurn['role'], parts: (Part | string)[]): ConversationTurn => ({
  role,
  parts: parts.map(part => (typeof part === 'string' ? text(part) : part)),
});

export const conversation = (
  turns: ConversationTurn[],
  tools: OfferedTool[] = [],
  toolMode: Conversation['toolMode'] = 'auto',
): Conversation => ({ turns, tools, toolMode });

export const options: ConversionOptions = {
  model: 'svc-qwen36-27b',
  takesImages: true,
  takesTools: true,
  maxTokens: 1000,
  sendsThinkingBack: true,
};

export const readTool: OfferedTool = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  },
};

const weather = call('call_1', 'read_file', { path: 'a.ts' });
const circle: Record<string, unknown> = { type: 'object', properties: {} };
circle['self'] = circle;

export interface Case {
  readonly name: string;
  readonly conversation: Conversation;
  readonly options?: Partial<ConversionOptions>;
}

/** Each with its golden file in `golden`, of the same name. */
export const cases: readonly Case[] = [
  {
    name: 'text',
    conversation: conversation([user('Hello'), assistant('Hi. ', 'What next?'), user('Go', 'on')]),
    options: { effort: 'medium', contextTokens: 131_000 },
  },
  { name: 'image', conversation: conversation([user('What is this?', image())]) },
  {
    name: 'tool round trip',
    conversation: conversation(
      [
        user('Read a.ts'),
        assistant('I look.', weather),
        user(result('call_1', text('one'), text('two'))),
        assistant('It says one, two.'),
        user('Again'),
      ],
      [readTool],
      'required',
    ),
  },
  {
    name: 'parallel tool calls',
    conversation: conversation(
      [
        user('Read both'),
        assistant(weather, call('call_2', 'read_file', { path: 'b.ts' })),
        user(result('call_2', text('b'))),
        user('In between', result('call_1', text('a'))),
        assistant('Done', call('call_1', 'read_file', { path: 'c.ts' })),
        user(result('call_1')),
      ],
      [readTool],
    ),
  },
  {
    name: 'image in tool result',
    conversation: conversation([
      user('Shoot'),
      assistant(call('s1', 'screenshot'), call('s2', 'screenshot')),
      user(result('s1', text('taken'), image()), result('s2', image('image/jpeg', [255, 216]))),
      user('And now?'),
    ]),
  },
  {
    name: 'thinking round trip',
    conversation: conversation([
      user('Think'),
      assistant(
        { type: 'thinking', text: 'First ' },
        { type: 'thinking', text: 'this.' },
        { type: 'thinking', text: '', signature: 'c2ln' },
        'I know.',
        weather,
      ),
      user(result('call_1', text('x'))),
      assistant({ type: 'thinking', text: 'Nothing else' }),
      user('Well?'),
    ]),
  },
  {
    name: 'thinking not sent back',
    conversation: conversation([
      user('Think'),
      assistant({ type: 'thinking', text: 'secret' }, 'I know.'),
      user('Well?'),
    ]),
    options: { sendsThinkingBack: false },
  },
  {
    name: 'system role',
    conversation: conversation([
      system('You help.'),
      user('Hi'),
      system('Be short.', image()),
      assistant('Yes?'),
    ]),
  },
  {
    name: 'tool names',
    conversation: conversation(
      [
        user('Go'),
        assistant(
          call('a b', 'no longer offered!', 'x'),
          call('c', `long_${'n'.repeat(80)}`, '{"a":1}'),
        ),
        user(result('a b', text('1')), result('c', text('2'))),
      ],
      [
        { ...readTool, name: `long_${'n'.repeat(80)}` },
        { ...readTool, name: 'über/tool.v2' },
        { ...readTool, name: 'plain-name_1' },
        { ...readTool, name: 'plain-name_1', description: 'again' },
      ],
    ),
  },
  {
    name: 'bad schemas',
    conversation: conversation(
      [user('Go')],
      [
        { name: 'none', description: '', schema: undefined },
        { name: 'string', description: 'no object', schema: { type: 'string' } },
        { name: 'circle', description: 'circle', schema: circle },
        {
          name: 'choices',
          description: 'choices',
          schema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            oneOf: [
              { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
              {
                type: 'object',
                properties: { a: { type: 'number', maximum: Number.NaN }, b: { enum: [1, null] } },
                required: ['b'],
              },
            ],
          },
        },
        {
          name: 'references',
          description: 'references',
          schema: {
            $ref: '#/$defs/Top',
            $defs: {
              Top: {
                type: ['object', 'null'],
                properties: {
                  $ref: { type: 'string', format: (): void => {} },
                  node: { $ref: '#/$defs/Node', description: 'the root' },
                  gone: { $ref: 'other.json' },
                },
                required: ['node', 'nowhere'],
              },
              Node: {
                type: 'object',
                properties: { children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
              },
            },
          },
        },
      ],
    ),
  },
  {
    name: 'model without images and tools',
    conversation: conversation(
      [
        user('See', image()),
        assistant('I look.', weather),
        user(result('call_1', text('words'), image())),
      ],
      [readTool],
    ),
    options: { takesImages: false, takesTools: false },
  },
  {
    name: 'unknown parts',
    conversation: conversation([
      user(
        'Hi',
        { type: 'unknown', what: 'cache_control' },
        { type: 'unknown', what: 'cache_control' },
        '  \n',
        image('image/svg+xml'),
        image('image/png', []),
      ),
      assistant('Yes?', image()),
      user({ type: 'unknown', what: 'PromptTsxPart' }),
    ]),
  },
  {
    name: 'broken pairs',
    conversation: conversation([
      assistant('Begun before', call('x', 'run')),
      assistant(call('x', 'run', { n: 2 })),
      user(result('x', text('second')), result('y', text('orphan'), image())),
      assistant(call('z', 'run', undefined)),
    ]),
  },
  { name: 'nothing', conversation: conversation([]) },
];
