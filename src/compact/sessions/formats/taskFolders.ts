import { isToolText } from '../../core/toolTexts';
import { asSummary, contentParts, createItem, createMessage, createPart } from '../blocks';
import { applyPatches, type Patch, planEdits, setString } from '../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  isoTime,
  UnsupportedHistory,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import {
  isTrueIn,
  type JsonNode,
  listIn,
  memberOf,
  numberIn,
  parseJsonNode,
  stringIn,
} from '../json';
import { SessionSizes, setNumbers } from '../sizes';

/** The files of a task: what is sent, what is shown, and what is told of it. */
export const taskFiles = {
  sent: 'api_conversation_history.json',
  shown: 'ui_messages.json',
  about: 'history_item.json',
  metadata: 'task_metadata.json',
} as const;
/** Tokens of the instructions and tools. */
const usualOverhead = 15_000;

/** A folder per task. Messages have the shape of the Messages API, with additional members. */
function reader(tool: string, label: string) {
  return (file: HistoryFile, companions: readonly HistoryFile[] = []): History => {
    if (file.name === taskFiles.shown) {
      const advice = `Choose ${taskFiles.sent} in the same folder.`;
      throw new UnsupportedHistory(label, 'this file is what the extension shows', advice);
    }
    const list = file.json?.type === 'list' ? file.json : undefined;
    if (!list || list.items.length === 0) {
      throw new UnsupportedHistory(label, 'the task has no messages', 'Choose another task.');
    }
    const messages = sentMessages(list.items).map(node =>
      readMessage(label, node, createItem(list, node)),
    );
    const about = companions.find(({ name }) => name === taskFiles.about)?.json;
    const [sessionId, title] = [stringIn(about, 'id'), stringIn(about, 'task')];
    const workspace = stringIn(about, 'workspace');
    const first = numberIn(list.items[0], 'ts');
    return {
      tool,
      label,
      sessionId,
      title,
      workspace,
      startedAt: isoTime(first),
      messages,
      isCut: false,
      notes: [],
      file,
      companions,
    };
  };
}

/** Leaves out messages that a summary or a truncation marker in the file replaces. */
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
  // Some models write encrypted reasoning as separate entries.
  if (role === undefined && stringIn(node, 'type') === 'reasoning') {
    return createMessage('assistant', [createPart('encrypted', '', { items: [item] })], {
      span: node,
      items: [item],
    });
  }
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const content = memberOf(node, 'content');
  const own = contentParts(content, { tool: label, parent: item });
  const parts = role === 'user' ? withResults(own) : own;
  const ts = numberIn(node, 'ts');
  const details = { at: isoTime(ts), span: node, items: [item] };
  if (isTrueIn(node, 'isSummary')) {
    return createMessage(role, parts.map(asSummary), details);
  }
  const isResult = parts.length > 0 && parts.every(({ callId }) => callId !== undefined);
  return createMessage(role === 'user' && isResult ? 'tool' : role, parts, details);
}

/** `[read_file for 'a.ts'] Result:`, before what a model that calls tools in its text gets of them. */
const resultHead = /^\[[a-z]+(?:_[a-z]+)+[\] ]/;
const headEnd = '] Result:';
/** What the user says to a tool is in an element. */
const userElement = /<(?:answer|feedback|task|user_message)>/;

/** Results in texts of the user are no words of the user. */
function withResults(parts: readonly HistoryPart[]): HistoryPart[] {
  let isResult = false;
  return parts.map(part => {
    const { type, text } = part;
    if (type !== 'text') return part;
    isResult ||= resultHead.test(text) && text.includes(headEnd);
    if (!isResult || userElement.test(text) || isToolText(text)) return part;
    // Without its head, a result would be taken for words of the user.
    const isPinned = text.trimEnd().endsWith(headEnd);
    return { ...part, type: 'context', kind: 'tool_result', isPinned };
  });
}

const isOldCline = ({ path }: HistoryFile) =>
  /saoudrizwan\.claude-dev|[/\\]\.cline[/\\]/.test(path);

function isTask({ name, json }: HistoryFile): boolean {
  const first = json?.type === 'list' ? json.items[0] : undefined;
  const isNamed = name === taskFiles.sent && stringIn(first, 'role') !== undefined;
  const isStamped = numberIn(first, 'ts') !== undefined && listIn(first, 'content') !== undefined;
  return (
    isNamed || name === taskFiles.shown || (isStamped && stringIn(first, 'role') !== undefined)
  );
}

export const roo: HistoryFormat = {
  id: 'roo',
  label: 'Roo Code or Kilo Code',
  isReadOnly: false,
  detect: file => isTask(file) && !isOldCline(file),
  read: reader('roo', 'Roo Code or Kilo Code'),

  write(history, edits, options) {
    const { file, companions } = history;
    const text = applyPatches(file.text, planEdits(history, edits).patches);
    const sentence = 'Choose the task in the history of the extension.';
    if (options.asCopy) return { files: [{ path: file.name, text }], continueBy: { sentence } };
    const id = options.newId();
    const size = new SessionSizes(history, edits, [], usualOverhead).requestAt(file.text.length);
    const others = companions.map(({ name, text: own, json }) => ({
      path: `../${id}/${name}`,
      text: applyPatches(own, [
        ...(name === taskFiles.about
          ? // The extension lists each folder that has this file.
            [...setString(json, 'id', id), ...setNumbers(json, { ts: options.now.getTime() })]
          : []),
        ...(name === taskFiles.shown ? shownFigures(json, size) : []),
      ]),
    }));
    return {
      files: [{ path: `../${id}/${taskFiles.sent}`, text }, ...others],
      continueBy: { sentence },
    };
  },
};

const figures = ['tokensIn', 'cacheWrites', 'cacheReads'];

/** What is shown of a request has its figures as JSON in a text: the extension condenses by the latest. */
function shownFigures(json: JsonNode | undefined, size: number): Patch[] {
  return (json?.type === 'list' ? json.items : []).flatMap(entry => {
    const shown = memberOf(entry, 'text');
    if (stringIn(entry, 'say') !== 'api_req_started' || shown?.type !== 'string') return [];
    const about = parseJsonNode(shown.value);
    const total = figures.reduce((sum, key) => sum + (numberIn(about, key) ?? 0), 0);
    if (total <= size) return [];
    const next = setNumbers(about, { tokensIn: size, cacheWrites: 0, cacheReads: 0 });
    const text = JSON.stringify(applyPatches(shown.value, next));
    return [{ start: shown.start, end: shown.end, text }];
  });
}

export const cline: HistoryFormat = {
  id: 'cline',
  label: 'Cline',
  isReadOnly: true,
  detect: file => isTask(file) && isOldCline(file),
  read: reader('cline', 'Cline'),
};
