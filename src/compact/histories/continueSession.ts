import {
  argumentsText,
  contentParts,
  itemOf,
  memberItem,
  messageOf,
  partOf,
  textPart,
} from './blocks';
import { applyPatches, planEdits, setString } from './edit';
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
import { type JsonNode, type JsonString, listIn, memberOf, stringIn } from './json';

const label = 'Continue';

/** What else of a call's result is in the file: messages that are made again from the call's state. */
interface Copies {
  readonly contents: JsonString[];
  readonly items: Item[];
}

function read(file: HistoryFile): History {
  const { json } = file;
  const list = listIn(json, 'history');
  if (!json || !list || list.items.length === 0)
    throw new UnsupportedHistory(label, 'the session has no messages', 'Choose another session.');
  const copies = new Map<string, Copies>();
  for (const entry of list.items)
    for (const state of statesOf(entry))
      copies.set(stringIn(state, 'toolCallId') ?? '', { contents: [], items: [] });
  for (const entry of list.items) {
    const message = memberOf(entry, 'message');
    const copy = copies.get(stringIn(message, 'toolCallId') ?? '');
    if (stringIn(message, 'role') !== 'tool' || !copy) continue;
    const content = memberOf(message, 'content');
    if (content?.type === 'string') copy.contents.push(content);
    copy.items.push(itemOf(list, entry));
  }
  // What stands before the newest summary is not sent any more.
  const last = list.items.findLastIndex(
    entry => (stringIn(entry, 'conversationSummary') ?? '') !== '',
  );
  const summary = memberOf(list.items[last], 'conversationSummary');
  const messages = list.items
    .slice(last + 1)
    .flatMap(entry => readEntry(entry, itemOf(list, entry), copies));
  if (summary?.type === 'string')
    messages.unshift(messageOf('user', [partOf('summary', summary.value, {})], { place: summary }));
  const [sessionId, title] = [stringIn(json, 'sessionId'), stringIn(json, 'title')];
  const workspace = stringIn(json, 'workspaceDirectory');
  return {
    tool: 'continue',
    label,
    sessionId,
    title,
    workspace,
    messages,
    isCut: false,
    notes: [],
    file,
    beside: [],
  };
}

function statesOf(entry: JsonNode): readonly JsonNode[] {
  return listIn(entry, 'toolCallStates')?.items ?? [];
}

function readEntry(
  entry: JsonNode,
  item: Item,
  copies: ReadonlyMap<string, Copies>,
): HistoryMessage[] {
  const message = memberOf(entry, 'message');
  const role = stringIn(message, 'role');
  const details = { id: stringIn(message, 'id'), place: entry, items: [item] };
  const callId = stringIn(message, 'toolCallId');
  if (!message || role === undefined) throw unknown(label, 'A message', undefined);
  if (role === 'tool') {
    if (callId !== undefined && copies.has(callId)) return [];
    const place = { tool: label, type: 'tool_result' as const, callId };
    const parts = contentParts(memberOf(message, 'content'), place).map(part => ({
      ...part,
      slot: { ...part.slot, items: [item] },
    }));
    return [messageOf('tool', parts, details)];
  }
  if (role === 'thinking') {
    const text = stringIn(message, 'content') ?? '';
    return [messageOf('assistant', [partOf('thinking', text, { items: [item] })], details)];
  }
  const place = { tool: label, mayBeEmpty: true };
  const parts = contentParts(memberOf(message, 'content'), place);
  if (role === 'system') return [messageOf('system', parts, details)];
  if (role === 'user') return [messageOf('user', [...contextParts(entry), ...parts], details)];
  if (role !== 'assistant') throw unknown(label, 'A role', role);
  return [messageOf('assistant', [...parts, ...callParts(entry, message, copies)], details)];
}

/** Files and search results that go with a question. */
function contextParts(entry: JsonNode): HistoryPart[] {
  const list = listIn(entry, 'contextItems');
  return (list?.items ?? []).flatMap(one => {
    const content = memberOf(one, 'content');
    if (!list || !content) return [];
    return [
      textPart('context', content, { items: [itemOf(list, one)] }, { name: stringIn(one, 'name') }),
    ];
  });
}

function callParts(
  entry: JsonNode,
  message: JsonNode,
  copies: ReadonlyMap<string, Copies>,
): HistoryPart[] {
  const calls = listIn(message, 'toolCalls');
  const states = listIn(entry, 'toolCallStates');
  const items = new Map<string, Item[]>();
  const add = (callId: string | undefined, item: Item) => {
    const known = items.get(callId ?? '') ?? [...(copies.get(callId ?? '')?.items ?? [])];
    known.push(item);
    items.set(callId ?? '', known);
  };
  for (const call of calls?.items ?? [])
    if (calls) add(stringIn(call, 'id'), itemOf(calls, call, memberItem(message, 'toolCalls')));
  for (const state of states?.items ?? [])
    if (states)
      add(
        stringIn(state, 'toolCallId'),
        itemOf(states, state, memberItem(entry, 'toolCallStates')),
      );
  const made = (calls?.items ?? []).map(call => {
    const callId = stringIn(call, 'id');
    const called = memberOf(call, 'function');
    const input = memberOf(called, 'arguments');
    const details = { name: stringIn(called, 'name'), callId };
    return partOf(
      'tool_call',
      argumentsText(input),
      { items: items.get(callId ?? '') ?? [] },
      details,
    );
  });
  const results = (states?.items ?? []).flatMap(state => {
    const callId = stringIn(state, 'toolCallId');
    const slot = { items: items.get(callId ?? '') ?? [] };
    const contents = copies.get(callId ?? '')?.contents ?? [];
    return (listIn(state, 'output')?.items ?? []).flatMap(output => {
      const content = memberOf(output, 'content');
      if (content?.type !== 'string') return [];
      const mirrors = contents.filter(({ value }) => value === content.value);
      return [textPart('tool_result', content, { ...slot, mirrors }, { callId })];
    });
  });
  return [...made, ...results];
}

export const continueSession: HistoryFormat = {
  id: 'continue',
  label,
  isReadOnly: false,

  detect({ json }) {
    const entries = listIn(json, 'history');
    return (
      stringIn(json, 'sessionId') !== undefined &&
      (entries?.items.every(entry => memberOf(entry, 'message') !== undefined) ?? false)
    );
  },

  read,

  write(history, edits, options) {
    const { file, title, workspace } = history;
    const { patches } = planEdits(history, edits);
    const sentence = 'Choose the session in the history of Continue.';
    if (options.asCopy)
      return {
        files: [{ path: file.name, text: applyPatches(file.text, patches) }],
        continueBy: { sentence },
      };
    const sessionId = options.newId();
    const own = setString(file.json, 'sessionId', sessionId);
    const row = {
      sessionId,
      title: title ?? '',
      dateCreated: String(options.now.getTime()),
      workspaceDirectory: workspace ?? '',
    };
    return {
      files: [{ path: `${sessionId}.json`, text: applyPatches(file.text, [...patches, ...own]) }],
      continueBy: { sentence },
      indexRow: { path: 'sessions.json', json: JSON.stringify(row) },
    };
  },
};
