import type { Role } from '../message';
import {
  type HistoryMessage,
  type HistoryPart,
  type Item,
  type PartType,
  type Slot,
  type Span,
  unknown,
} from './history';
import {
  type JsonList,
  type JsonNode,
  type JsonObject,
  memberOf,
  readJson,
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

export function partOf(
  type: PartType,
  text: string,
  slot: Slot,
  details: PartDetails = {},
): HistoryPart {
  const { name, callId, isEditable = false } = details;
  return {
    kind: kinds[type],
    type,
    text,
    isEditable,
    ...(type === 'summary' ? { isPinned: true } : {}),
    ...(name === undefined ? {} : { name }),
    ...(callId === undefined ? {} : { callId }),
    slot,
  };
}

/** A part whose lines may go, if it is a string. */
export function textPart(
  type: PartType,
  node: JsonNode,
  slot: Omit<Slot, 'literal'>,
  details: PartDetails = {},
): HistoryPart {
  return node.type === 'string'
    ? partOf(type, node.value, { ...slot, literal: node }, { isEditable: true, ...details })
    : partOf(type, '', slot, details);
}

export interface MessageDetails {
  readonly id?: string | undefined;
  readonly at?: string | undefined;
  readonly place: Span;
  readonly items?: readonly Item[];
}

export function messageOf(
  role: Role,
  parts: readonly HistoryPart[],
  { id, at, place, items = [] }: MessageDetails,
): HistoryMessage {
  return {
    role,
    // What the system said is never shortened.
    parts: role === 'system' ? parts.map(part => ({ ...part, isEditable: false })) : parts,
    ...(id === undefined ? {} : { id }),
    ...(at === undefined ? {} : { at }),
    offset: place.start,
    items,
  };
}

/** One message of several; none of none. */
export function joinGroup(group: readonly HistoryMessage[]): HistoryMessage[] {
  const [first] = group;
  if (!first || group.length === 1) return first ? [first] : [];
  const parts = group.flatMap(message => message.parts);
  return [{ ...first, parts, items: group.flatMap(({ items }) => items) }];
}

/** Joins what one turn of the assistant was written as, so that it counts as one. */
export function joinAssistant(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const groups: HistoryMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role === 'assistant' && last?.[0]?.role === 'assistant') last.push(message);
    else groups.push([message]);
  }
  return groups.flatMap(joinGroup);
}

export function itemOf(list: JsonList | JsonObject, node: JsonNode, parent?: Item): Item {
  return { list, node, ...(parent ? { parent } : {}) };
}

/** A member as something that can be taken out of its object. */
export function memberItem(object: JsonNode, key: string): Item | undefined {
  const node = memberOf(object, key);
  return node && object.type === 'object' ? itemOf(object, node) : undefined;
}

interface ContentPlace {
  readonly tool: string;
  /** Goes when a list of blocks has nothing left. */
  readonly parent?: Item | undefined;
  readonly mayBeEmpty?: boolean;
  /** What text is here. */
  readonly type?: PartType;
  readonly callId?: string | undefined;
}

/**
 * The parts of a message's content in the two common shapes: a string, or a list of blocks as the
 * Messages, Chat Completions and Responses interfaces have them.
 * @throws {UnsupportedHistory} for a block of an unknown type.
 */
export function contentParts(content: JsonNode | undefined, place: ContentPlace): HistoryPart[] {
  const { tool, parent, mayBeEmpty = false, type = 'text', callId } = place;
  if (!content || (content.type === 'plain' && content.value === null)) return [];
  if (content.type === 'string') return [textPart(type, content, { mayBeEmpty }, { callId })];
  if (content.type !== 'list') throw unknown(tool, 'Content', content.type);
  return content.items.flatMap(block =>
    blockParts(block, itemOf(content, block, parent), { tool, type, callId }),
  );
}

const textTypes = new Set(['text', 'input_text', 'output_text']);
const imageTypes = new Set(['image', 'image_url', 'input_image', 'imageUrl']);
const fileTypes = new Set(['document', 'file', 'input_file', 'input_audio', 'audio', 'refusal']);
const callTypes = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);
const resultTypes = /^(?:tool_result|(?:\w+_)?tool_result)$/;
const encryptedTypes = new Set(['redacted_thinking', 'encrypted_content', 'thoughtSignature']);

function blockParts(
  block: JsonNode,
  item: Item,
  { tool, type, callId }: { tool: string; type: PartType; callId: string | undefined },
): HistoryPart[] {
  // A bare string in a list of blocks is text.
  if (block.type === 'string') return [textPart(type, block, { items: [item] }, { callId })];
  const blockType = stringIn(block, 'type');
  const slot = { items: [item] };
  if (blockType === undefined) throw unknown(tool, 'A block', undefined);
  if (textTypes.has(blockType)) {
    const text = memberOf(block, 'text');
    return text
      ? [textPart(type, text, slot, { callId })]
      : [partOf('other', '', slot, { callId })];
  }
  if (blockType === 'thinking' || blockType === 'reasoning') {
    const text = stringIn(block, 'thinking') ?? stringIn(block, 'text') ?? '';
    return [partOf('thinking', text, slot)];
  }
  if (encryptedTypes.has(blockType)) return [partOf('encrypted', '', slot)];
  if (imageTypes.has(blockType)) return [partOf('image', '', slot, { callId })];
  if (fileTypes.has(blockType)) return [partOf('other', '', slot, { callId })];
  if (callTypes.has(blockType)) {
    const input = memberOf(block, 'input');
    const details = { name: stringIn(block, 'name'), callId: stringIn(block, 'id') };
    return [partOf('tool_call', argumentsText(input), slot, details)];
  }
  if (resultTypes.test(blockType)) return resultParts(tool, block, item, blockType);
  if (blockType === 'tool_reference') return [partOf('other', '', slot, { callId })];
  throw unknown(tool, 'A block', blockType);
}

function resultParts(tool: string, block: JsonNode, item: Item, blockType: string): HistoryPart[] {
  const callId = stringIn(block, 'tool_use_id');
  const content = memberOf(block, 'content');
  // Results of the provider's own tools are signed or structured.
  const parts =
    blockType === 'tool_result' ? contentParts(content, { tool, type: 'tool_result', callId }) : [];
  // The whole block goes, not one block of its content.
  const own = parts.map(part => ({ ...part, slot: { ...part.slot, items: [item] } }));
  return own.length > 0 ? own : [partOf('other', '', { items: [item] }, { callId })];
}

/**
 * Something to measure and search a call by: the strings of its arguments, a line each. Many tools keep
 * arguments as JSON in a string.
 */
export function argumentsText(input: JsonNode | undefined): string {
  if (!input) return '';
  const lines: string[] = [];
  const visit = (node: JsonNode, name: string): void => {
    if (node.type === 'object') for (const [key, member] of node.members) visit(member, key);
    else if (node.type === 'list') for (const one of node.items) visit(one, name);
    else lines.push(name === '' ? String(node.value) : `${name}: ${String(node.value)}`);
  };
  visit((input.type === 'string' ? readJson(input.value) : undefined) ?? input, '');
  return lines.join('\n');
}
