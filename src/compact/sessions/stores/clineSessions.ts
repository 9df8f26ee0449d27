import { contentParts, createItem, createMessage, createPart, createTextPart } from '../blocks';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  isoTime,
  requireMessages,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonList, type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';

const label = 'Cline 3';

/** A session is listed by a database of the tool, so that a new one cannot be put beside it. */
function read(file: HistoryFile, companions: readonly HistoryFile[] = []): History {
  const list = listIn(file.json, 'messages');
  requireMessages(label, list?.items ?? []);
  const messages = (list?.items ?? []).map(node =>
    readMessage(node, list && createItem(list, node)),
  );
  const about = companions[0]?.json;
  const started = numberIn(list?.items[0], 'ts');
  return {
    tool: 'clineSession',
    label,
    sessionId: stringIn(file.json, 'sessionId'),
    title: stringIn(memberOf(about, 'metadata'), 'title'),
    workspace: stringIn(about, 'workspace_root') ?? stringIn(about, 'cwd'),
    startedAt: started === undefined ? undefined : isoTime(started),
    messages,
    isCut: false,
    notes: [],
    file,
    companions,
  };
}

function readMessage(node: JsonNode, item: Item | undefined): HistoryMessage {
  const role = stringIn(node, 'role');
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const ts = numberIn(node, 'ts');
  const details = {
    id: stringIn(node, 'id'),
    at: ts === undefined ? undefined : isoTime(ts),
    span: node,
    items: item ? [item] : [],
  };
  const content = memberOf(node, 'content');
  const parts =
    content?.type === 'list'
      ? content.items.flatMap(block => blockParts(block, createItem(content, block, item)))
      : contentParts(content, { tool: label, parent: item });
  const isResult = parts.length > 0 && parts.every(({ callId }) => callId !== undefined);
  return createMessage(role === 'user' && isResult ? 'tool' : role, parts, details);
}

/** A result may be a list of what each command gave. */
function blockParts(block: JsonNode, item: Item): HistoryPart[] {
  const results = listIn(block, 'content');
  const isOwn =
    stringIn(block, 'type') === 'tool_result' &&
    (results?.items.some(one => stringIn(one, 'type') === undefined) ?? false);
  if (!isOwn || !results) {
    const { start, end, keyStart } = block;
    const alone: JsonList = { type: 'list', start, end, keyStart, items: [block] };
    return contentParts(alone, { tool: label, items: [item] });
  }
  const callId = stringIn(block, 'tool_use_id');
  return results.items.map(one => {
    const text = memberOf(one, 'result') ?? memberOf(one, 'error');
    return text?.type === 'string'
      ? createTextPart('tool_result', text, { items: [item] }, { callId })
      : createPart('other', '', { items: [item] }, { callId });
  });
}

export const clineSession: HistoryFormat = {
  id: 'clineSession',
  label,
  isReadOnly: true,
  detect: ({ json }) =>
    stringIn(json, 'sessionId') !== undefined &&
    stringIn(json, 'agent') !== undefined &&
    (listIn(json, 'messages')?.items.every(node => stringIn(node, 'role') !== undefined) ?? false),
  read,
};
