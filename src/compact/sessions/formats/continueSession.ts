import {
  contentParts,
  createCall,
  createItem,
  createMemberItem,
  createMessage,
  createPart,
  createTextPart,
} from '../blocks';
import { applyPatches, type Patch, planEdits, setString } from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  UnsupportedHistory,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonNode, type JsonString, listIn, memberOf, numberIn, stringIn } from '../json';
import { SessionSizes, setNumbers } from '../sizes';
import { namedLine } from '../titles';

const label = 'Continue';
/** Tokens of the instructions and tools of version 1.5 of the command line. */
const usualOverhead = 3000;

/** Copies of the result of a call: messages that Continue rebuilds from the state of the call. */
interface Copies {
  readonly contents: JsonString[];
  readonly items: Item[];
}

function read(file: HistoryFile): History {
  const { json } = file;
  const list = listIn(json, 'history');
  if (!json || !list || list.items.length === 0) {
    throw new UnsupportedHistory(label, 'the session has no messages', 'Choose another session.');
  }
  const copies = new Map<string, Copies>();
  for (const entry of list.items) {
    for (const state of statesOf(entry)) {
      copies.set(stringIn(state, 'toolCallId') ?? '', { contents: [], items: [] });
    }
  }
  for (const entry of list.items) {
    const message = memberOf(entry, 'message');
    const copy = copies.get(stringIn(message, 'toolCallId') ?? '');
    if (stringIn(message, 'role') !== 'tool' || !copy) continue;
    const content = memberOf(message, 'content');
    if (content?.type === 'string') copy.contents.push(content);
    copy.items.push(createItem(list, entry));
  }
  // Messages before the latest summary are no longer sent.
  const last = list.items.findLastIndex(
    entry => (stringIn(entry, 'conversationSummary') ?? '') !== '',
  );
  const summary = memberOf(list.items[last], 'conversationSummary');
  const messages = list.items
    .slice(last + 1)
    .flatMap(entry => readEntry(entry, createItem(list, entry), copies));
  if (summary?.type === 'string') {
    messages.unshift(
      createMessage('user', [createPart('summary', summary.value, {})], { span: summary }),
    );
  }
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
    companions: [],
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
  const details = { id: stringIn(message, 'id'), span: entry, items: [item] };
  const callId = stringIn(message, 'toolCallId');
  if (!message || role === undefined) throw unknownEntry(label, 'A message', undefined);
  if (role === 'tool') {
    if (callId !== undefined && copies.has(callId)) return [];
    const options = { tool: label, type: 'tool_result' as const, callId, items: [item] };
    const parts = contentParts(memberOf(message, 'content'), options);
    return [createMessage('tool', parts, details)];
  }
  if (role === 'thinking') {
    const text = stringIn(message, 'content') ?? '';
    return [createMessage('assistant', [createPart('thinking', text, { items: [item] })], details)];
  }
  const options = { tool: label, mayBeEmpty: true };
  const parts = contentParts(memberOf(message, 'content'), options);
  if (role === 'system') return [createMessage('system', parts, details)];
  if (role === 'user') return [createMessage('user', [...contextParts(entry), ...parts], details)];
  if (role !== 'assistant') throw unknownEntry(label, 'A role', role);
  return [createMessage('assistant', [...parts, ...callParts(entry, message, copies)], details)];
}

/** Files and search results that go with a question. */
function contextParts(entry: JsonNode): HistoryPart[] {
  const list = listIn(entry, 'contextItems');
  return (list?.items ?? []).flatMap(one => {
    const content = memberOf(one, 'content');
    if (!list || !content) return [];
    return [
      createTextPart(
        'context',
        content,
        { items: [createItem(list, one)] },
        { name: stringIn(one, 'name') },
      ),
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
  for (const call of calls?.items ?? []) {
    if (calls) {
      add(stringIn(call, 'id'), createItem(calls, call, createMemberItem(message, 'toolCalls')));
    }
  }
  for (const state of states?.items ?? []) {
    if (states) {
      add(
        stringIn(state, 'toolCallId'),
        createItem(states, state, createMemberItem(entry, 'toolCallStates')),
      );
    }
  }
  const made = (calls?.items ?? []).map(call => {
    const callId = stringIn(call, 'id');
    const called = memberOf(call, 'function');
    const input = memberOf(called, 'arguments');
    const details = { name: stringIn(called, 'name'), callId };
    return createCall(input, { items: items.get(callId ?? '') ?? [] }, details);
  });
  const results = (states?.items ?? []).flatMap(state => {
    const callId = stringIn(state, 'toolCallId');
    const location = { items: items.get(callId ?? '') ?? [] };
    const contents = copies.get(callId ?? '')?.contents ?? [];
    return (listIn(state, 'output')?.items ?? []).flatMap(output => {
      const content = memberOf(output, 'content');
      if (content?.type !== 'string') return [];
      const mirrors = contents.filter(({ value }) => value === content.value);
      return [createTextPart('tool_result', content, { ...location, mirrors }, { callId })];
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
    const { file, workspace } = history;
    const { patches } = planEdits(history, edits);
    const sentence = 'Choose the session in the history of Continue.';
    if (options.asCopy) {
      return {
        files: [{ path: file.name, text: applyPatches(file.text, patches) }],
        continueBy: { sentence },
      };
    }
    const sessionId = options.newId();
    const name = namedLine(history, /^(?:Untitled|New) Session$/);
    const own = [
      ...setString(file.json, 'sessionId', sessionId),
      ...setString(file.json, 'title', name),
    ];
    const usage = usagePatches(history, edits);
    const row = {
      sessionId,
      title: name,
      dateCreated: String(options.now.getTime()),
      workspaceDirectory: workspace ?? '',
      messageCount: history.messages.length,
    };
    return {
      files: [
        {
          path: `${sessionId}.json`,
          text: applyPatches(file.text, [...patches, ...own, ...usage]),
        },
      ],
      continueBy: { sentence },
      indexRow: { path: 'sessions.json', json: JSON.stringify(row), key: 'sessionId' },
    };
  },
};

/** Figures of the size that is left, of each answer and of the session. */
function usagePatches(history: History, edits: Edits): Patch[] {
  const { json } = history.file;
  const noted = (listIn(json, 'history')?.items ?? []).flatMap(entry => {
    const usage = memberOf(memberOf(entry, 'message'), 'usage');
    const tokens = numberIn(usage, 'prompt_tokens') ?? numberIn(usage, 'promptTokens') ?? 0;
    return usage && tokens > 0 ? [{ usage, offset: entry.start, tokens }] : [];
  });
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  const patches = noted.flatMap(({ usage, offset }) =>
    figures(usage, sizes.requestAt(offset), sizes.answerAt(offset)),
  );
  const last = noted.at(-1);
  const total = memberOf(json, 'usage');
  return last && total
    ? [...patches, ...figures(total, sizes.requestAt(last.offset), sizes.answerAt(last.offset))]
    : patches;
}

/** The command line and the editors name them differently. */
function figures(usage: JsonNode, input: number, output: number): Patch[] {
  return setNumbers(usage, {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    promptTokens: input,
    completionTokens: output,
  });
}
