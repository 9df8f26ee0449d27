import {
  argumentsText,
  contentParts,
  createCall,
  createItem,
  createMemberItem,
  createMessage,
  createPart,
} from '../blocks';
import { applyPatches, compactedName, planEdits } from '../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  UnsupportedHistory,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonList, type JsonNode, listIn, memberOf, stringIn } from '../json';

const label = 'Chat messages (JSON)';

export interface ChatMessageEntry {
  readonly node: JsonNode;
  readonly item: Item;
}

interface Found {
  readonly entries: readonly ChatMessageEntry[];
  /** A system text beside the messages. */
  readonly system?: JsonNode | undefined;
  /** A trajectory of SWE-agent or mini-swe-agent: after the task, all messages for the model are results. */
  readonly isTrajectory?: boolean;
  readonly isCut: boolean;
}

/** The messages of a file that is one JSON value. */
function listOf(json: JsonNode | undefined): JsonList | undefined {
  if (json?.type === 'list') return json;
  return listIn(json, 'messages') ?? (listIn(json, 'trajectory') && listIn(json, 'history'));
}

/** A list, an object with one, or a message on each line. */
function findEntries(file: HistoryFile): Found | undefined {
  const { json } = file;
  const list = listOf(json);
  if (list) {
    const entries = list.items.map(node => ({ node, item: createItem(list, node) }));
    const isTrajectory =
      listIn(json, 'trajectory') !== undefined ||
      stringIn(json, 'trajectory_format')?.startsWith('mini-swe-agent') === true;
    return { entries, system: memberOf(json, 'system'), isTrajectory, isCut: false };
  }
  const { first } = file;
  if (!first || !(first.members.has('role') || listIn(first, 'messages'))) return undefined;
  const { records, isCut } = file.recordsFor(label);
  // A line may be a whole conversation, as in training data.
  const entries = records.flatMap(({ node, item }) => {
    const own = listIn(node, 'messages');
    return own
      ? own.items.map(one => ({ node: one, item: createItem(own, one) }))
      : [{ node, item }];
  });
  return { entries, isCut };
}

function read(file: HistoryFile): History {
  const found = findEntries(file);
  if (!found || found.entries.length === 0) {
    throw new UnsupportedHistory(
      label,
      'there are no messages',
      'Choose a file with a list of messages.',
    );
  }
  const { entries, system, isTrajectory = false, isCut } = found;
  const before = system
    ? [createMessage('system', contentParts(system, { tool: label }), { span: system })]
    : [];
  const said = entries.map(entry => readChatMessage(entry, label, isTrajectory));
  const answer = isTrajectory ? said.findIndex(({ role }) => role === 'assistant') : -1;
  const own = said.map((message, at) => (answer >= 0 && at > answer ? asResult(message) : message));
  const messages = [...before, ...own];
  return { tool: 'openai', label, messages, isCut, notes: [], file, companions: [] };
}

/** What the environment gave, as a message of a tool. */
function asResult(message: HistoryMessage): HistoryMessage {
  if (message.role !== 'user') return message;
  const parts = message.parts.map(
    (part): HistoryPart =>
      part.type === 'text' ? { ...part, type: 'context', kind: 'tool_result' } : part,
  );
  return { ...message, role: 'tool', parts };
}

/**
 * A message in the shape of Chat Completions.
 * @throws {UnsupportedHistory} for a role or a block that is not known.
 */
export function readChatMessage(
  { node, item }: ChatMessageEntry,
  tool: string,
  isTrajectory = false,
): HistoryMessage {
  const role = stringIn(node, 'role');
  const [first] = listIn(node, 'tool_call_ids')?.items ?? [];
  const callId =
    stringIn(node, 'tool_call_id') ?? (first?.type === 'string' ? first.value : undefined);
  // Calls of the older `function_call` shape have no id: the next message is the result, and the pair is never split.
  const isPaired =
    (role === 'function' && callId === undefined) ||
    memberOf(node, 'function_call')?.type === 'object';
  const items = isPaired ? [] : [item];
  const details = { id: stringIn(node, 'id'), span: node, items };
  const isResult = role === 'tool' || role === 'function';
  const content = memberOf(node, 'content');
  const own = contentParts(content, {
    tool,
    parent: createMemberItem(node, 'content'),
    mayBeEmpty: !isResult,
    ...(isResult ? { type: 'tool_result' as const, callId } : {}),
  });
  const calls = callParts(node);
  if (isResult) {
    const parts = own.map(part => ({ ...part, location: { ...part.location, items } }));
    const whole = createPart('other', '', { items }, { callId });
    return createMessage('tool', parts.length > 0 ? parts : [whole], details);
  }
  if (role === 'system' || role === 'developer') return createMessage('system', own, details);
  if (role === 'assistant') {
    return createMessage('assistant', [...thinkingOf(node), ...own, ...calls], details);
  }
  // How a run ended.
  if (role === 'exit' && isTrajectory) return createMessage('user', own, details);
  if (role !== 'user') throw unknownEntry(tool, 'A role', role);
  const isOfTool = own.length > 0 && own.every(part => part.callId !== undefined);
  return createMessage(isOfTool ? 'tool' : 'user', own, details);
}

/** Some servers put reasoning next to the content. */
function thinkingOf(node: JsonNode): HistoryPart[] {
  return ['reasoning_content', 'reasoning'].flatMap(key => {
    const text = stringIn(node, key);
    const item = createMemberItem(node, key);
    return text === undefined || !item ? [] : [createPart('thinking', text, { items: [item] })];
  });
}

function callParts(node: JsonNode): HistoryPart[] {
  const calls = listIn(node, 'tool_calls');
  const parts = (calls?.items ?? []).map(call => {
    const made = memberOf(call, 'function') ?? memberOf(call, 'custom');
    const items = calls ? [createItem(calls, call, createMemberItem(node, 'tool_calls'))] : [];
    const details = { name: stringIn(made, 'name'), callId: stringIn(call, 'id') };
    return createCall(inputOf(made), { items }, details);
  });
  const older = memberOf(node, 'function_call');
  if (older?.type === 'object') {
    parts.push(
      createPart('tool_call', argumentsText(inputOf(older)), {}, { name: stringIn(older, 'name') }),
    );
  }
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
    const list = listOf(file.json);
    const first = list ? list.items[0] : file.first;
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
