import { argumentsText, itemOf, joinAssistant, messageOf, partOf, textPart } from './blocks';
import { applyPatches, planEdits, replaceIds } from './edit';
import type { HistoryFile } from './file';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  isoTime,
  isPlainId,
  type NewSession,
  unknown,
  UnsupportedHistory,
} from './history';
import {
  isTrueIn,
  type JsonList,
  type JsonNode,
  listIn,
  memberOf,
  numberIn,
  stringIn,
} from './json';

const label = 'opencode';

/** Bookkeeping that the model sees nothing of, or that stands for something kept elsewhere. */
const wholeTypes = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
  'subtask',
]);

function read(file: HistoryFile): History {
  const { json } = file;
  const list = listIn(json, 'messages');
  if (!list || list.items.length === 0)
    throw new UnsupportedHistory(label, 'the session has no messages', 'Choose another session.');
  const info = memberOf(json, 'info');
  const messages = joinAssistant(
    list.items.slice(startOf(list)).map(node => readMessage(node, itemOf(list, node))),
  );
  const [sessionId, title] = [stringIn(info, 'id'), stringIn(info, 'title')];
  const workspace = stringIn(info, 'directory');
  const created = numberIn(memberOf(info, 'time'), 'created');
  return {
    tool: 'opencode',
    label,
    sessionId,
    title,
    workspace,
    startedAt: created === undefined ? undefined : isoTime(created),
    messages,
    isCut: false,
    notes: [],
    file,
    beside: [],
  };
}

/** What stands before the request for the newest summary is not sent any more. */
function startOf({ items }: JsonList): number {
  const summary = items.findLast(node => isTrueIn(memberOf(node, 'info'), 'summary'));
  const parent = stringIn(memberOf(summary, 'info'), 'parentID');
  if (parent === undefined) return 0;
  return Math.max(
    0,
    items.findIndex(node => stringIn(memberOf(node, 'info'), 'id') === parent),
  );
}

function readMessage(node: JsonNode, item: Item): HistoryMessage {
  const info = memberOf(node, 'info');
  const role = stringIn(info, 'role');
  if (role !== 'user' && role !== 'assistant') throw unknown(label, 'A role', role);
  const parts = listIn(node, 'parts');
  if (!parts) throw unknown(label, 'A message', undefined);
  const isSummary = isTrueIn(info, 'summary');
  const own = parts.items.flatMap(part => readPart(part, itemOf(parts, part, item), isSummary));
  return messageOf(role, own, { id: stringIn(info, 'id'), place: node, items: [item] });
}

function readPart(part: JsonNode, item: Item, isSummary: boolean): HistoryPart[] {
  const type = stringIn(part, 'type');
  const slot = { items: [item] };
  const text = memberOf(part, 'text');
  if (type === 'text' && text?.type === 'string')
    return [isSummary ? partOf('summary', text.value, slot) : textPart('text', text, slot)];
  if (type === 'reasoning') return [partOf('thinking', stringIn(part, 'text') ?? '', slot)];
  if (type === 'file') return [partOf('image', '', slot)];
  if (type === 'tool') {
    const callId = stringIn(part, 'callID');
    const state = memberOf(part, 'state');
    const input = memberOf(state, 'input');
    const output = memberOf(state, 'output') ?? memberOf(state, 'error');
    const details = { name: stringIn(part, 'tool'), callId };
    const call = partOf('tool_call', argumentsText(input), slot, details);
    return output ? [call, textPart('tool_result', output, slot, { callId })] : [call];
  }
  // Asks for the summary, and marks what it stands for.
  if (type === 'compaction') return [partOf('summary', '', {})];
  // Steps have to stay: they say how the answer was made, and are no words.
  if (type !== undefined && wholeTypes.has(type)) return [partOf('other', '', slot)];
  throw unknown(label, 'A part', type);
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

  write(history, edits, options) {
    const { file } = history;
    const { patches } = planEdits(history, edits);
    if (options.asCopy)
      return imported(file.name, applyPatches(file.text, patches), history.sessionId);
    const path = `session-${options.newId()}.json`;
    const ids = new Map<string, string>();
    const mint = (node: JsonNode | undefined) => {
      const id = stringIn(node, 'id');
      if (id === undefined || ids.has(id)) return;
      const fresh = options.newId().replaceAll('-', '').slice(0, freshLength);
      ids.set(id, `${idShape.exec(id)?.[1] ?? `${id}_`}${fresh}`);
    };
    mint(memberOf(file.json, 'info'));
    for (const message of listIn(file.json, 'messages')?.items ?? []) {
      mint(memberOf(message, 'info'));
      for (const part of listIn(message, 'parts')?.items ?? []) mint(part);
    }
    const own = file.json ? replaceIds([file.json], ids) : [];
    const id = ids.get(history.sessionId ?? '');
    return imported(path, applyPatches(file.text, [...patches, ...own]), id);
  },
};

function imported(path: string, text: string, id: string | undefined): NewSession {
  const shell = `opencode import ${path}`;
  const then = isPlainId(id) ? `opencode --session ${id}` : 'opencode';
  const sentence = `Run “${shell}” in the folder of the session, then “${then}”.`;
  return { files: [{ path, text }], continueBy: { sentence, shell } };
}
