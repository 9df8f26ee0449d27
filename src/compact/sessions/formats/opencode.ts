import {
  createCall,
  createItem,
  createMessage,
  createPart,
  createTextPart,
  joinAssistant,
} from '../blocks';
import { applyPatches, cutItems, type Patch, planEdits, replaceIds, setString } from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  isoTime,
  isSafeId,
  type NewSession,
  UnsupportedHistory,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import {
  isTrueIn,
  type JsonList,
  type JsonNode,
  listIn,
  memberOf,
  numberIn,
  stringIn,
} from '../json';
import { SessionSizes, setNumbers } from '../sizes';
import { namedLine } from '../titles';

const label = 'opencode';
/** Tokens of the instructions and tools of version 1.18. */
const usualOverhead = 12_000;

/** Bookkeeping that is not sent to the model, or that refers to something stored elsewhere. */
const wholeTypes = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
  'subtask',
]);

/** Versions of Kilo Code, which was made from opencode and has its format, begin at 7; those of opencode are 1. */
const firstKiloVersion = 7;

/** The tool that has written a session, and how it is started. */
function programOf(info: JsonNode | undefined): {
  readonly name: string;
  readonly command: string;
} {
  const version = Number.parseInt(stringIn(info, 'version') ?? '', 10);
  return version >= firstKiloVersion
    ? { name: 'Kilo Code', command: 'kilo' }
    : { name: label, command: 'opencode' };
}

function read(file: HistoryFile): History {
  const { json } = file;
  const list = listIn(json, 'messages');
  if (!list || list.items.length === 0) {
    throw new UnsupportedHistory(label, 'the session has no messages', 'Choose another session.');
  }
  const info = memberOf(json, 'info');
  const messages = joinAssistant(
    list.items.slice(startOf(list)).map(node => readMessage(node, createItem(list, node))),
  );
  const [sessionId, title] = [stringIn(info, 'id'), stringIn(info, 'title')];
  const workspace = stringIn(info, 'directory');
  const created = numberIn(memberOf(info, 'time'), 'created');
  return {
    tool: 'opencode',
    label: programOf(info).name,
    sessionId,
    title,
    workspace,
    startedAt: isoTime(created),
    messages,
    hasEarlier: startOf(list) > 0,
    isCut: false,
    notes: [],
    file,
    companions: [],
  };
}

/** Index of the request for the latest summary. Earlier messages are no longer sent. */
function startOf({ items }: JsonList): number {
  const summary = items.findLast(node => isTrueIn(memberOf(node, 'info'), 'summary'));
  const parent = stringIn(memberOf(summary, 'info'), 'parentID');
  if (parent === undefined) return 0;
  return Math.max(
    0,
    items.findIndex(node => stringIn(memberOf(node, 'info'), 'id') === parent),
  );
}

/** Without the summaries, and the requests for them. */
function withEarlier({ json, text }: HistoryFile): string {
  const list = listIn(json, 'messages');
  if (!list) return text;
  const summaries = list.items.filter(node => isTrueIn(memberOf(node, 'info'), 'summary'));
  const asked = new Set(
    summaries.flatMap(node => stringIn(memberOf(node, 'info'), 'parentID') ?? []),
  );
  const isAsking = (node: JsonNode) => asked.has(stringIn(memberOf(node, 'info'), 'id') ?? '');
  const gone = new Set(list.items.filter(node => summaries.includes(node) || isAsking(node)));
  return applyPatches(text, cutItems(list.items, gone));
}

function readMessage(node: JsonNode, item: Item): HistoryMessage {
  const info = memberOf(node, 'info');
  const role = stringIn(info, 'role');
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const parts = listIn(node, 'parts');
  if (!parts) throw unknownEntry(label, 'A message', undefined);
  const isSummary = isTrueIn(info, 'summary');
  const own = parts.items.flatMap(part => readPart(part, createItem(parts, part, item), isSummary));
  return createMessage(role, own, { id: stringIn(info, 'id'), span: node, items: [item] });
}

function readPart(part: JsonNode, item: Item, isSummary: boolean): HistoryPart[] {
  const type = stringIn(part, 'type');
  const location = { items: [item] };
  const text = memberOf(part, 'text');
  if (type === 'text' && text?.type === 'string') {
    return [
      isSummary
        ? createPart('summary', text.value, location)
        : createTextPart('text', text, location),
    ];
  }
  if (type === 'reasoning') return [createPart('thinking', stringIn(part, 'text') ?? '', location)];
  if (type === 'file') return [createPart('image', '', location)];
  if (type === 'tool') {
    const callId = stringIn(part, 'callID');
    const state = memberOf(part, 'state');
    const input = memberOf(state, 'input');
    const output = memberOf(state, 'output') ?? memberOf(state, 'error');
    const details = { name: stringIn(part, 'tool'), callId };
    const call = createCall(input, location, details);
    return output ? [call, createTextPart('tool_result', output, location, { callId })] : [call];
  }
  // The request for the summary, which marks what it replaces.
  if (type === 'compaction') return [createPart('summary', '', {})];
  // Steps are kept: they record how the answer was made and have no text.
  if (type !== undefined && wholeTypes.has(type)) return [createPart('other', '', location)];
  throw unknownEntry(label, 'A part', type);
}

/** Ids sort by time in their first 12 digits; the rest is random. */
const idShape = /^((?:ses|msg|prt)_[0-9a-f]{12})[0-9A-Za-z]{4,}$/;
const freshLength = 14;

export const opencode: HistoryFormat = {
  id: 'opencode',
  label,
  isReadOnly: false,

  detect: ({ json }) =>
    memberOf(json, 'info')?.type === 'object' &&
    (listIn(json, 'messages')?.items.every(
      node => memberOf(node, 'info')?.type === 'object' && listIn(node, 'parts') !== undefined,
    ) ??
      false),

  read,
  withEarlier,

  write(history, edits, options) {
    const { file } = history;
    const { patches } = planEdits(history, edits);
    if (options.asCopy) {
      return imported(file, file.name, applyPatches(file.text, patches), history.sessionId);
    }
    const path = `session-${options.newId()}.json`;
    const ids = new Map<string, string>();
    const assignId = (node: JsonNode | undefined) => {
      const id = stringIn(node, 'id');
      if (id === undefined || ids.has(id)) return;
      const fresh = options.newId().replaceAll('-', '').slice(0, freshLength);
      ids.set(id, `${idShape.exec(id)?.[1] ?? `${id}_`}${fresh}`);
    };
    assignId(memberOf(file.json, 'info'));
    for (const message of listIn(file.json, 'messages')?.items ?? []) {
      assignId(memberOf(message, 'info'));
      for (const part of listIn(message, 'parts')?.items ?? []) assignId(part);
    }
    const own = file.json ? replaceIds([file.json], ids) : [];
    const id = ids.get(history.sessionId ?? '');
    const title = namedLine(history, /^New session\b/);
    const named = setString(memberOf(file.json, 'info'), 'title', title);
    const all = [...patches, ...own, ...named, ...usagePatches(history, edits)];
    return imported(file, path, applyPatches(file.text, all), id);
  },
};

/** Figures of the size that is left: the tool compacts by those of the last answer. */
function usagePatches(history: History, edits: Edits): Patch[] {
  const answers = (listIn(history.file.json, 'messages')?.items ?? []).flatMap(node => {
    const info = memberOf(node, 'info');
    const tokens = memberOf(info, 'tokens');
    const input = numberIn(tokens, 'input');
    if (!tokens || input === undefined) return [];
    const cache = memberOf(tokens, 'cache');
    const cached = (numberIn(cache, 'read') ?? 0) + (numberIn(cache, 'write') ?? 0);
    return [{ node, figures: tokens, offset: node.start, tokens: input + cached }];
  });
  // An answer that failed has zeros.
  const noted = answers.filter(({ tokens }) => tokens > 0);
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  return noted.flatMap(({ node, figures, offset }) => {
    const steps = (listIn(node, 'parts')?.items ?? []).flatMap(part =>
      stringIn(part, 'type') === 'step-finish' ? [memberOf(part, 'tokens')] : [],
    );
    const input = sizes.requestAt(offset);
    const output = sizes.answerAt(offset);
    return [figures, ...steps].flatMap(own => [
      ...setNumbers(own, { input, output, reasoning: 0, total: input + output }),
      ...setNumbers(memberOf(own, 'cache'), { read: 0, write: 0 }),
    ]);
  });
}

function imported(
  { json }: HistoryFile,
  path: string,
  text: string,
  id: string | undefined,
): NewSession {
  const { command } = programOf(memberOf(json, 'info'));
  const shell = `${command} import ${path}`;
  const then = isSafeId(id) ? `${command} --session ${id}` : command;
  const sentence = `Run “${shell}” in the folder of the session, then “${then}”.`;
  return { files: [{ path, text }], continueBy: { sentence, shell } };
}
