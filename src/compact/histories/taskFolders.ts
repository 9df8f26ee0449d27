import { contentParts, itemOf, messageOf, partOf } from './blocks';
import { applyPatches, planEdits, setString } from './edit';
import type { HistoryFile } from './file';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type Item,
  isoTime,
  unknown,
  UnsupportedHistory,
} from './history';
import { isTrueIn, type JsonNode, listIn, memberOf, numberIn, stringIn } from './json';

const fileName = 'api_conversation_history.json';

/** A folder for each task; the messages are those of the Messages interface with members of the tool's own. */
function reader(tool: string, label: string) {
  return (file: HistoryFile, beside: readonly HistoryFile[] = []): History => {
    const list = file.json?.type === 'list' ? file.json : undefined;
    if (!list || list.items.length === 0)
      throw new UnsupportedHistory(label, 'the task has no messages', 'Choose another task.');
    const messages = sentMessages(list.items).map(node =>
      readMessage(label, node, itemOf(list, node)),
    );
    const about = beside.find(({ name }) => name === 'history_item.json')?.json;
    const [sessionId, title] = [stringIn(about, 'id'), stringIn(about, 'task')];
    const workspace = stringIn(about, 'workspace');
    const first = numberIn(list.items[0], 'ts');
    return {
      tool,
      label,
      sessionId,
      title,
      workspace,
      startedAt: first === undefined ? undefined : isoTime(first),
      messages,
      isCut: false,
      notes: [],
      file,
      beside,
    };
  };
}

/** Leaves out what a summary or a cut that is still there stands for. */
function sentMessages(nodes: readonly JsonNode[]): JsonNode[] {
  const idsIn = (key: string) => new Set(nodes.flatMap(node => stringIn(node, key) ?? []));
  const summaries = idsIn('condenseId');
  const cuts = idsIn('truncationId');
  return nodes.filter(
    node =>
      !summaries.has(stringIn(node, 'condenseParent') ?? '') &&
      !cuts.has(stringIn(node, 'truncationParent') ?? ''),
  );
}

function readMessage(label: string, node: JsonNode, item: Item): HistoryMessage {
  const role = stringIn(node, 'role');
  // Some models' thoughts are entries of their own, and encrypted.
  if (role === undefined && stringIn(node, 'type') === 'reasoning')
    return messageOf('assistant', [partOf('encrypted', '', { items: [item] })], {
      place: node,
      items: [item],
    });
  if (role !== 'user' && role !== 'assistant') throw unknown(label, 'A role', role);
  const content = memberOf(node, 'content');
  const parts = contentParts(content, { tool: label, parent: item });
  const ts = numberIn(node, 'ts');
  const details = { at: ts === undefined ? undefined : isoTime(ts), place: node, items: [item] };
  if (isTrueIn(node, 'isSummary'))
    return messageOf(
      role,
      parts.map(part => ({ ...part, type: 'summary', isEditable: false, isPinned: true })),
      details,
    );
  const isResult = parts.length > 0 && parts.every(({ callId }) => callId !== undefined);
  return messageOf(role === 'user' && isResult ? 'tool' : role, parts, details);
}

const isOldCline = ({ path }: HistoryFile) =>
  /saoudrizwan\.claude-dev|[/\\]\.cline[/\\]/.test(path);

function isTask({ name, json }: HistoryFile): boolean {
  const first = json?.type === 'list' ? json.items[0] : undefined;
  const isNamed = name === fileName && stringIn(first, 'role') !== undefined;
  const isStamped = numberIn(first, 'ts') !== undefined && listIn(first, 'content') !== undefined;
  return isNamed || (isStamped && stringIn(first, 'role') !== undefined);
}

export const roo: HistoryFormat = {
  id: 'roo',
  label: 'Roo Code or Kilo Code',
  isReadOnly: false,
  detect: file => isTask(file) && !isOldCline(file),
  read: reader('roo', 'Roo Code or Kilo Code'),

  write(history, edits, options) {
    const { file, beside, sessionId } = history;
    const text = applyPatches(file.text, planEdits(history, edits).patches);
    const sentence =
      'Choose the task in the history of the extension, after a reload of the window.';
    if (options.asCopy) return { files: [{ path: file.name, text }], continueBy: { sentence } };
    const id = options.newId();
    const others = beside.map(({ name, text: own, json }) => ({
      path: `../${id}/${name}`,
      text: applyPatches(own, name === 'history_item.json' ? setString(json, 'id', id) : []),
    }));
    const about = beside.find(({ name }) => name === 'history_item.json');
    const row = about && applyPatches(about.text, setString(about.json, 'id', id));
    return {
      files: [{ path: `../${id}/${fileName}`, text }, ...others],
      continueBy: { sentence },
      ...(row !== undefined && sessionId !== undefined
        ? { indexRow: { path: '../_index.json', json: row.trim() } }
        : {}),
    };
  },
};

export const cline: HistoryFormat = {
  id: 'cline',
  label: 'Cline',
  isReadOnly: true,
  detect: file => isTask(file) && isOldCline(file),
  read: reader('cline', 'Cline'),
};
