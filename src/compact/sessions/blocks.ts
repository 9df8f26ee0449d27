import { append } from '../../base/arrays';
import type { Role } from '../core/message';
import {
  type ArgumentField,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  type PartLocation,
  type PartType,
  type TextSpan,
  type Unfinished,
  unknownEntry,
} from './history';
import {
  type JsonList,
  type JsonNode,
  type JsonObject,
  memberOf,
  parseJsonNode,
  stringIn,
} from './json';

const kinds: Record<PartType, HistoryPart['kind']> = {
  text: 'text',
  context: 'tool_result',
  tool_call: 'other',
  tool_result: 'tool_result',
  thinking: 'thinking',
  encrypted: 'other',
  image: 'other',
  summary: 'text',
  other: 'other',
};

interface PartDetails {
  readonly name?: string | undefined;
  readonly callId?: string | undefined;
  readonly isEditable?: boolean;
}

export function createPart(
  type: PartType,
  text: string,
  location: PartLocation,
  details: PartDetails = {},
): HistoryPart {
  const { name, callId, isEditable = false } = details;
  const part: Unfinished<HistoryPart> = { kind: kinds[type], type, text, isEditable, location };
  if (type === 'summary') part.isPinned = true;
  if (name !== undefined) part.name = name;
  if (callId !== undefined) part.callId = callId;
  return part;
}

/** A part whose lines may be left out, provided that the node is a string. */
export function createTextPart(
  type: PartType,
  node: JsonNode,
  location: Omit<PartLocation, 'literal'>,
  details: PartDetails = {},
): HistoryPart {
  return node.type === 'string'
    ? createPart(
        type,
        node.value,
        { ...location, literal: node },
        { name: details.name, callId: details.callId, isEditable: details.isEditable ?? true },
      )
    : createPart(type, '', location, details);
}

/** What the tool added to a message, such as an attached text below its path. */
export function createContext(...lines: readonly string[]): HistoryPart {
  return createPart('context', lines.join('\n'), {}, { isEditable: true });
}

/** A command that the user ran beside the chat, as tools send it to the model. */
export function createShellContext(command: string, output: string, exitCode: number): HistoryPart {
  return createContext(`$ ${command}`, output, `(exit code ${exitCode})`);
}

/** A part of a summary that the tool wrote in place of earlier messages. */
export function asSummary(part: HistoryPart): HistoryPart {
  return { ...part, type: 'summary', isEditable: false, isPinned: true };
}

export interface MessageDetails {
  readonly id?: string | undefined;
  readonly at?: string | undefined;
  readonly span: TextSpan;
  readonly items?: readonly Item[];
}

export function createMessage(
  role: Role,
  parts: readonly HistoryPart[],
  { id, at, span, items = [] }: MessageDetails,
): HistoryMessage {
  const message: Unfinished<HistoryMessage> = {
    role,
    // What the system said is never shortened.
    parts: role === 'system' ? parts.map(part => ({ ...part, isEditable: false })) : parts,
    offset: span.start,
    items,
  };
  if (id !== undefined) message.id = id;
  if (at !== undefined) message.at = at;
  return message;
}

/** Joins several messages into one; an empty group yields none. */
export function joinGroup(group: readonly HistoryMessage[]): HistoryMessage[] {
  const [first] = group;
  if (!first || group.length === 1) return first ? [first] : [];
  const parts = group.flatMap(message => message.parts);
  // Where one of them has to stay, the whole does.
  const canGo = group.every(({ items }) => items.length > 0);
  return [{ ...first, parts, items: canGo ? group.flatMap(({ items }) => items) : [] }];
}

/** Joins consecutive messages of the assistant, which are one turn. */
export function joinAssistant(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const groups: HistoryMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role === 'assistant' && last?.[0]?.role === 'assistant') last.push(message);
    else groups.push([message]);
  }
  return groups.flatMap(joinGroup);
}

/** The calls of one id, as far as they are apart from each other. */
interface RepeatedId {
  /** How many calls with this id were answered before. */
  answered: number;
  hasCall: boolean;
  hasResult: boolean;
  /** What the parts of each of them are removed with. */
  readonly nodes: Map<TextSpan, number>;
  /** Some of them can only be removed together. */
  isShared: boolean;
}

/**
 * Gives each call with its results an id of its own. Some servers count the calls of each answer from 0, so that one
 * that is left out would take all others with it.
 */
export function separateCalls(messages: readonly HistoryMessage[]): readonly HistoryMessage[] {
  if (!hasRepeatedCall(messages)) return messages;
  const ids = new Map<string, RepeatedId>();
  const turns = messages.map(({ parts }) => parts.map(part => turnOf(part, ids)));
  // A copy of a call, without a result of its own, goes and stays with the call.
  const isRepeated = ({ answered, hasResult, isShared }: RepeatedId): boolean =>
    answered > 0 && hasResult && !isShared;
  return messages.map((message, at) => ({
    ...message,
    parts: message.parts.map((part, index) => {
      const { callId } = part;
      const turn = turns[at]?.[index] ?? 0;
      const id = callId === undefined ? undefined : ids.get(callId);
      return turn > 0 && id && isRepeated(id) ? { ...part, callId: `${callId} ${turn}` } : part;
    }),
  }));
}

function hasRepeatedCall(messages: readonly HistoryMessage[]): boolean {
  const known = new Set<string>();
  return messages.some(({ parts }) =>
    parts.some(({ type, callId }) => {
      if (type !== 'tool_call' || callId === undefined) return false;
      const isKnown = known.has(callId);
      known.add(callId);
      return isKnown;
    }),
  );
}

/** How many calls with the id of a part were answered before it. */
function turnOf({ type, callId, location }: HistoryPart, ids: Map<string, RepeatedId>): number {
  if (callId === undefined) return 0;
  const first = {
    answered: 0,
    hasCall: false,
    hasResult: false,
    nodes: new Map(),
    isShared: false,
  };
  const id: RepeatedId = ids.get(callId) ?? first;
  ids.set(callId, id);
  if (type === 'tool_call') {
    if (id.hasCall && id.hasResult) {
      id.answered++;
      id.hasResult = false;
    }
    id.hasCall = true;
  } else {
    id.hasResult = true;
  }
  for (const { node } of location.items ?? []) {
    const known = id.nodes.get(node);
    if (known !== undefined && known !== id.answered) id.isShared = true;
    id.nodes.set(node, id.answered);
  }
  return id.answered;
}

export function createItem(list: JsonList | JsonObject, node: JsonNode, parent?: Item): Item {
  return parent ? { list, node, parent } : { list, node };
}

/** A member that can be removed from its object. */
export function createMemberItem(object: JsonNode, key: string): Item | undefined {
  const node = memberOf(object, key);
  return node && object.type === 'object' ? createItem(object, node) : undefined;
}

interface ContentOptions {
  readonly tool: string;
  /** Removed together with the last block of its list. */
  readonly parent?: Item | undefined;
  readonly mayBeEmpty?: boolean;
  /** Type of text parts. */
  readonly type?: PartType;
  readonly callId?: string | undefined;
  /** Removed together with each part, in place of its block. */
  readonly items?: readonly Item[];
}

/**
 * The parts of a message's content in the two common shapes: a string, or a list of blocks as the
 * Messages, Chat Completions and Responses interfaces have them.
 * @throws {UnsupportedHistory} for a block of an unknown type.
 */
export function contentParts(
  content: JsonNode | undefined,
  options: ContentOptions,
): HistoryPart[] {
  const { tool, parent, mayBeEmpty = false, type = 'text', callId, items } = options;
  if (!content || (content.type === 'plain' && content.value === null)) return [];
  if (content.type === 'string') {
    const location = items ? { mayBeEmpty, items } : { mayBeEmpty };
    return [createTextPart(type, content, location, { callId })];
  }
  if (content.type !== 'list') throw unknownEntry(tool, 'Content', content.type);
  const parts: HistoryPart[] = [];
  const own = { tool, type, callId };
  for (const block of content.items) {
    addBlock(parts, block, items ?? [createItem(content, block, parent)], own);
  }
  return parts;
}

/** The parts of one block, as in the content of a message. */
export function partsOfBlock(
  block: JsonNode,
  { tool, items, type = 'text', callId }: ContentOptions & { readonly items: readonly Item[] },
): HistoryPart[] {
  const parts: HistoryPart[] = [];
  addBlock(parts, block, items, { tool, type, callId });
  return parts;
}

const textTypes = new Set(['text', 'input_text', 'output_text']);
const thoughtTypes = new Set(['thinking', 'reasoning', 'think']);
const imageTypes = new Set(['image', 'image_url', 'input_image', 'imageUrl']);
const fileTypes = new Set(
  'document file input_file input_audio audio audio_url video_url refusal fallback'.split(' '),
);
const callTypes = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use', 'toolCall']);
const resultTypes = /^(?:tool_result|(?:\w+_)?tool_result)$/;
const encryptedTypes = new Set([
  'redacted_thinking',
  'redactedThinking',
  'encrypted_content',
  'thoughtSignature',
]);

function addBlock(
  parts: HistoryPart[],
  block: JsonNode,
  items: readonly Item[],
  { tool, type, callId }: { tool: string; type: PartType; callId: string | undefined },
): void {
  const location = { items };
  // A bare string in a list of blocks is text.
  if (block.type === 'string') {
    parts.push(createTextPart(type, block, location, { callId }));
    return;
  }
  const blockType = stringIn(block, 'type');
  if (blockType === undefined) throw unknownEntry(tool, 'A block', undefined);
  const inner = blockType === 'anthropicServerTool' ? memberOf(block, 'block') : undefined;
  if (inner) {
    // What the provider ran, as it was.
    addBlock(parts, inner, items, { tool, type, callId });
  } else if (textTypes.has(blockType)) {
    const text = memberOf(block, 'text');
    parts.push(
      text
        ? createTextPart(type, text, location, { callId })
        : createPart('other', '', location, { callId }),
    );
  } else if (thoughtTypes.has(blockType)) {
    const keys = ['thinking', 'think', 'text'];
    const text = keys.map(key => stringIn(block, key)).find(own => own !== undefined) ?? '';
    parts.push(createPart('thinking', text, location));
  } else if (encryptedTypes.has(blockType)) {
    parts.push(createPart('encrypted', '', location));
  } else if (imageTypes.has(blockType)) {
    parts.push(createPart('image', '', location, { callId }));
  } else if (fileTypes.has(blockType) || blockType === 'tool_reference') {
    parts.push(createPart('other', '', location, { callId }));
  } else if (callTypes.has(blockType)) {
    const input = memberOf(block, 'input') ?? memberOf(block, 'arguments');
    const details = { name: stringIn(block, 'name'), callId: stringIn(block, 'id') };
    parts.push(createCall(input, location, details));
  } else if (resultTypes.test(blockType)) {
    append(parts, resultParts(tool, block, items, blockType));
  } else {
    throw unknownEntry(tool, 'A block', blockType);
  }
}

function resultParts(
  tool: string,
  block: JsonNode,
  items: readonly Item[],
  blockType: string,
): HistoryPart[] {
  const callId = stringIn(block, 'tool_use_id');
  const content = memberOf(block, 'content');
  // Results of tools that the provider runs are signed or structured. The whole block is removed, never
  // a single block of its content.
  const own =
    blockType === 'tool_result'
      ? contentParts(content, { tool, type: 'tool_result', callId, items })
      : [];
  return own.length > 0 ? own : [createPart('other', '', { items }, { callId })];
}

/** A call as a part: its arguments as text, one line for each line of a value. */
export function createCall(
  input: JsonNode | undefined,
  location: Omit<PartLocation, 'call'>,
  details: Omit<PartDetails, 'isEditable'> = {},
): HistoryPart {
  if (!input) return createPart('tool_call', '', location, details);
  const inner = input.type === 'string' ? parseJsonNode(input.value) : undefined;
  const root = inner ?? input;
  const lines: string[] = [];
  const fields: ArgumentField[] = [];
  visitFields(root, '', (node, name) => {
    const prefix = name === '' ? '' : `${name}: `;
    const text = `${prefix}${String(node.value)}`;
    lines.push(text);
    fields.push({ node, lineCount: countLines(text), nameLength: prefix.length });
  });
  const quoted = inner && input.type === 'string' ? { quoted: input } : {};
  const text = lines.join('\n');
  return createPart('tool_call', text, { ...location, call: { root, fields, ...quoted } }, details);
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

type Leaf = Extract<JsonNode, { value: unknown }>;

function visitFields(
  node: JsonNode,
  name: string,
  visit: (node: Leaf, name: string) => void,
): void {
  if (node.type === 'object') {
    for (const [key, member] of node.entries()) visitFields(member, key, visit);
  } else if (node.type === 'list') {
    for (const one of node.items) visitFields(one, name, visit);
  } else {
    visit(node, name);
  }
}

/**
 * The arguments of a call as text, one line each, to estimate its tokens and to search in it. Many tools
 * keep arguments as JSON in a string.
 */
export function argumentsText(input: JsonNode | undefined): string {
  if (!input) return '';
  const lines: string[] = [];
  const inner = input.type === 'string' ? parseJsonNode(input.value) : undefined;
  visitFields(inner ?? input, '', ({ value }, name) =>
    lines.push(name === '' ? String(value) : `${name}: ${String(value)}`),
  );
  return lines.join('\n');
}
