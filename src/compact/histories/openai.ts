import { argumentsText, contentParts, itemOf, memberItem, messageOf, partOf } from './blocks';
import { applyPatches, compactedName, planEdits } from './edit';
import type { HistoryFile } from './file';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  unknown,
  UnsupportedHistory,
} from './history';
import { type JsonNode, listIn, memberOf, stringIn } from './json';

const label = 'Chat messages (JSON)';

interface Entry {
  readonly node: JsonNode;
  readonly item: Item;
}

interface Found {
  readonly entries: readonly Entry[];
  /** A system text beside the messages. */
  readonly system?: JsonNode | undefined;
  readonly isCut: boolean;
}

/** A list, an object with one, or a message on each line. */
function findEntries(file: HistoryFile): Found | undefined {
  const { json } = file;
  const list = json?.type === 'list' ? json : listIn(json, 'messages');
  if (list) {
    const entries = list.items.map(node => ({ node, item: itemOf(list, node) }));
    return { entries, system: memberOf(json, 'system'), isCut: false };
  }
  const [first] = file.head;
  if (!first || !(first.members.has('role') || listIn(first, 'messages'))) return undefined;
  const { records, isCut } = file.recordsFor(label);
  // A line may be a whole conversation, as in training data.
  const entries = records.flatMap(({ node, item }) => {
    const own = listIn(node, 'messages');
    return own ? own.items.map(one => ({ node: one, item: itemOf(own, one) })) : [{ node, item }];
  });
  return { entries, isCut };
}

function read(file: HistoryFile): History {
  const found = findEntries(file);
  if (!found || found.entries.length === 0)
    throw new UnsupportedHistory(
      label,
      'there are no messages',
      'Choose a file with a list of messages.',
    );
  const { entries, system, isCut } = found;
  const before = system
    ? [messageOf('system', contentParts(system, { tool: label }), { place: system })]
    : [];
  const messages = [...before, ...entries.map(readEntry)];
  return { tool: 'openai', label, messages, isCut, notes: [], file, beside: [] };
}

function readEntry({ node, item }: Entry): HistoryMessage {
  const role = stringIn(node, 'role');
  const callId = stringIn(node, 'tool_call_id');
  // Before calls had ids, the next message was the answer: such a pair is never taken apart.
  const isPaired =
    (role === 'function' && callId === undefined) ||
    memberOf(node, 'function_call')?.type === 'object';
  const items = isPaired ? [] : [item];
  const details = { id: stringIn(node, 'id'), place: node, items };
  const isResult = role === 'tool' || role === 'function';
  const content = memberOf(node, 'content');
  const own = contentParts(content, {
    tool: label,
    parent: memberItem(node, 'content'),
    mayBeEmpty: !isResult,
    ...(isResult ? { type: 'tool_result' as const, callId } : {}),
  });
  const calls = callParts(node);
  if (isResult) {
    const parts = own.map(part => ({ ...part, slot: { ...part.slot, items } }));
    const whole = partOf('other', '', { items }, { callId });
    return messageOf('tool', parts.length > 0 ? parts : [whole], details);
  }
  if (role === 'system' || role === 'developer') return messageOf('system', own, details);
  if (role === 'assistant')
    return messageOf('assistant', [...thinkingOf(node), ...own, ...calls], details);
  if (role !== 'user') throw unknown(label, 'A role', role);
  const isOfTool = own.length > 0 && own.every(part => part.callId !== undefined);
  return messageOf(isOfTool ? 'tool' : 'user', own, details);
}

/** Some servers put what the model thought beside its content. */
function thinkingOf(node: JsonNode): HistoryPart[] {
  return ['reasoning_content', 'reasoning'].flatMap(key => {
    const text = stringIn(node, key);
    const item = memberItem(node, key);
    return text === undefined || !item ? [] : [partOf('thinking', text, { items: [item] })];
  });
}

function callParts(node: JsonNode): HistoryPart[] {
  const calls = listIn(node, 'tool_calls');
  const parts = (calls?.items ?? []).map(call => {
    const made = memberOf(call, 'function') ?? memberOf(call, 'custom');
    const items = calls ? [itemOf(calls, call, memberItem(node, 'tool_calls'))] : [];
    const details = { name: stringIn(made, 'name'), callId: stringIn(call, 'id') };
    return partOf('tool_call', argumentsText(inputOf(made)), { items }, details);
  });
  const older = memberOf(node, 'function_call');
  if (older?.type === 'object')
    parts.push(
      partOf('tool_call', argumentsText(inputOf(older)), {}, { name: stringIn(older, 'name') }),
    );
  return parts;
}

function inputOf(made: JsonNode | undefined): JsonNode | undefined {
  return memberOf(made, 'arguments') ?? memberOf(made, 'input');
}

const roles = new Set(['user', 'assistant', 'system', 'developer', 'tool', 'function']);

export const openai: HistoryFormat = {
  id: 'openai',
  label,
  isReadOnly: false,

  detect(file) {
    const { json } = file;
    const list = json?.type === 'list' ? json : listIn(json, 'messages');
    const first = list ? list.items[0] : file.head[0];
    const one = listIn(first, 'messages')?.items[0] ?? first;
    return roles.has(stringIn(one, 'role') ?? '');
  },

  read,

  write(history, edits, options) {
    const { file } = history;
    const text = applyPatches(file.text, planEdits(history, edits).patches);
    const path = options.asCopy ? file.name : compactedName(file.name);
    return {
      files: [{ path, text }],
      continueBy: {
        sentence: 'Send the messages of the new file instead of those of the old one.',
      },
    };
  },
};
