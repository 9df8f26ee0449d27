import {
  argumentsText,
  itemOf,
  joinAssistant,
  memberItem,
  messageOf,
  partOf,
  textPart,
} from './blocks';
import { applyPatches, compactedName, planEdits } from './edit';
import { HistoryFile, type JsonRecord } from './file';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  isoTime,
  type NewSession,
  quoteName,
  type Slot,
  UnsupportedHistory,
  type WriteOptions,
} from './history';
import {
  isTrueIn,
  type JsonList,
  type JsonNode,
  type JsonObject,
  type JsonString,
  listIn,
  memberOf,
  numberIn,
  render,
  stringIn,
} from './json';

const exportLabel = 'VS Code chat export';
const sessionLabel = 'VS Code chat session';
/** The newest version of a session that this was written for. */
const knownVersion = 3;

/** Parts of an answer that say nothing to the model, and stay as they are. */
const shownKinds = new Set(
  (
    'toolInvocationSerialized toolInvocation prepareToolInvocation textEditGroup notebookEditGroup textEdit ' +
    'inlineReference codeblockUri undoStop progressMessage progressTask progressTaskSerialized reference ' +
    'codeCitation warning command confirmation treeData multiDiffData extensions pullRequest mcpServersStarting ' +
    'elicitation elicitation2 elicitationSerialized changesSummary markdownVuln move clearToPreviousToolInvocation ' +
    'questionCarousel workspaceEdit hook systemNotification externalToolInvocationUpdate disabledClaudeHooks'
  ).split(' '),
);

/** Where the messages are read from decides whether entries can be taken out. */
interface Place {
  readonly label: string;
  /** A log addresses entries by their places, so that none may go. */
  readonly canRemove: boolean;
  readonly notes: Set<string>;
}

function readRequests(list: JsonList, place: Place): HistoryMessage[] {
  let messages: HistoryMessage[] = [];
  for (const request of list.items) {
    const items = place.canRemove ? [itemOf(list, request)] : [];
    const metadata = memberOf(memberOf(request, 'result'), 'metadata');
    const rounds = listIn(metadata, 'toolCallRounds');
    const answer =
      rounds && rounds.items.length > 0
        ? readRounds(request, metadata, rounds, place)
        : [messageOf('assistant', responseParts(request, place), { place: request })];
    const user = messageOf('user', questionParts(request, metadata, place), {
      id: stringIn(request, 'requestId'),
      at: timeOf(request),
      place: request,
    });
    const isSummary = answer[0]?.parts[0]?.type === 'summary';
    // What stands before a summary is not sent any more.
    if (isSummary) messages = [];
    const all = [...(isSummary ? [] : [user]), ...answer].filter(({ parts }) => parts.length > 0);
    const isAlone = all.length === 1 && !isSummary;
    for (const one of all) messages.push(isAlone ? { ...one, items } : one);
  }
  return joinAssistant(messages);
}

function timeOf(request: JsonNode): string | undefined {
  const ms = numberIn(request, 'timestamp');
  return ms === undefined ? undefined : isoTime(ms);
}

function slotIn(list: JsonList, node: JsonNode, { canRemove }: Place): Slot {
  return canRemove ? { items: [itemOf(list, node)] } : {};
}

/** What the model was sent for the question where the file has that, else the question as it was typed. */
function questionParts(
  request: JsonNode,
  metadata: JsonNode | undefined,
  place: Place,
): HistoryPart[] {
  const rendered = listIn(metadata, 'renderedUserMessage');
  const sent = (rendered?.items ?? []).flatMap(part => {
    const text = memberOf(part, 'text');
    return rendered && text?.type === 'string'
      ? [textPart('text', text, slotIn(rendered, part, place))]
      : [];
  });
  if (sent.length > 0) return sent;
  const message = memberOf(request, 'message');
  if (message?.type === 'string') return [textPart('text', message, {})];
  const text = memberOf(message, 'text');
  if (text?.type !== 'string') return [];
  const pieces = listIn(message, 'parts')?.items ?? [];
  const copies = pieces.flatMap(piece => {
    const copy = memberOf(piece, 'text');
    return copy?.type === 'string' && copy.value === text.value ? [copy] : [];
  });
  // With commands or references in it, the pieces have places in the text.
  const isEditable = pieces.length === copies.length;
  return [textPart('text', text, { mirrors: copies }, { isEditable })];
}

function responseParts(request: JsonNode, place: Place): HistoryPart[] {
  const response = listIn(request, 'response');
  return (response?.items ?? []).flatMap(node => {
    if (!response) return [];
    const slot = slotIn(response, node, place);
    const kind = stringIn(node, 'kind');
    const text = markdownOf(node);
    if (text) return [textPart('text', text, { ...slot, mayBeEmpty: true })];
    if (kind === 'thinking') return [partOf('thinking', stringIn(node, 'value') ?? '', slot)];
    if (kind === 'toolInvocationSerialized')
      return [partOf('other', '', slot, { name: stringIn(node, 'toolId') })];
    if (kind !== undefined && !shownKinds.has(kind))
      place.notes.add(`Parts ${quoteName(kind)} are not known and stay as they are.`);
    else if (kind === undefined)
      throw new UnsupportedHistory(
        place.label,
        'a part of an answer has no kind that is known',
        'Export the chat with Chat: Export Chat… or update Splice.',
      );
    return [partOf('other', '', slot)];
  });
}

/** Markdown is the only part without a kind; older files give it one. */
function markdownOf(node: JsonNode): JsonString | undefined {
  const kind = stringIn(node, 'kind');
  const content = memberOf(node, 'content');
  const text =
    kind === undefined
      ? memberOf(node, 'value')
      : kind === 'markdownContent'
        ? (memberOf(content, 'value') ?? content)
        : undefined;
  return text?.type === 'string' ? text : undefined;
}

/** What the model is sent of an answer with tool calls stands beside what is shown of it. */
function readRounds(
  request: JsonNode,
  metadata: JsonNode | undefined,
  rounds: JsonList,
  place: Place,
): HistoryMessage[] {
  const shown = new Map<string, JsonString[]>();
  for (const node of listIn(request, 'response')?.items ?? []) {
    const text = markdownOf(node);
    if (!text) continue;
    const same = shown.get(text.value);
    if (same) same.push(text);
    else shown.set(text.value, [text]);
  }
  const summaries = summariesIn(metadata);
  const results = memberOf(metadata, 'toolCallResults');
  const messages: HistoryMessage[] = [];
  for (const round of rounds.items) {
    const details = { id: stringIn(round, 'id'), place: round };
    const summary = stringIn(round, 'summary') ?? summaries.get(stringIn(round, 'id') ?? '');
    if (summary !== undefined) {
      messages.length = 0;
      messages.push(messageOf('user', [partOf('summary', summary, {})], details));
      continue;
    }
    const parts: HistoryPart[] = [];
    const thinking = memberOf(round, 'thinking');
    if (thinking) {
      const item = place.canRemove ? memberItem(round, 'thinking') : undefined;
      parts.push(
        partOf('thinking', stringIn(thinking, 'text') ?? '', item ? { items: [item] } : {}),
      );
    }
    const text = memberOf(round, 'response');
    if (text?.type === 'string') {
      const mirrors = text.value === '' ? [] : shown.get(text.value);
      parts.push(textPart('text', text, { mirrors: mirrors ?? [], mayBeEmpty: true }));
    }
    const answers: HistoryPart[] = [];
    const calls = listIn(round, 'toolCalls');
    for (const call of calls?.items ?? []) {
      const callId = stringIn(call, 'id');
      const result = memberOf(results, callId ?? '');
      const items =
        place.canRemove && calls
          ? [
              itemOf(calls, call),
              ...(result && results?.type === 'object' ? [itemOf(results, result)] : []),
            ]
          : [];
      const args = memberOf(call, 'arguments');
      const callDetails = { name: stringIn(call, 'name'), callId };
      parts.push(partOf('tool_call', argumentsText(args), { items }, callDetails));
      for (const content of listIn(result, 'content')?.items ?? []) {
        const value = memberOf(content, 'value');
        answers.push(
          value?.type === 'string'
            ? textPart('tool_result', value, { items }, { callId })
            : partOf('other', '', { items }, { callId }),
        );
      }
    }
    messages.push(messageOf('assistant', parts, details));
    if (answers.length > 0) messages.push(messageOf('tool', answers, details));
  }
  return messages;
}

/** By the id of the round that each is attached to; a chat has one such member or the other. */
function summariesIn(metadata: JsonNode | undefined): Map<string, string> {
  const found = [memberOf(metadata, 'summary'), ...(listIn(metadata, 'summaries')?.items ?? [])];
  return new Map(
    found.flatMap(one => {
      const [id, text] = [stringIn(one, 'toolCallRoundId'), stringIn(one, 'text')];
      return id === undefined || text === undefined ? [] : [[id, text] as const];
    }),
  );
}

function historyOf(root: JsonNode, file: HistoryFile, isCut: boolean, place: Place): History {
  const requests = listIn(root, 'requests');
  const messages = requests ? readRequests(requests, place) : [];
  if (messages.length === 0)
    throw new UnsupportedHistory(place.label, 'the chat has no messages', 'Choose another chat.');
  const [sessionId, title] = [stringIn(root, 'sessionId'), stringIn(root, 'customTitle')];
  const created = numberIn(root, 'creationDate') ?? numberIn(requests?.items[0], 'timestamp');
  return {
    tool: place.label === exportLabel ? 'vscodeExport' : 'vscodeSession',
    label: place.label,
    sessionId,
    title,
    startedAt: created === undefined ? undefined : isoTime(created),
    messages,
    isCut,
    notes: [...place.notes],
    file,
    beside: [],
  };
}

const continueBy = {
  sentence: 'Open the new file with “Chat: Import Chat…”; it becomes a chat of its own.',
  command: 'workbench.action.chat.import',
} as const;

export const vscodeExport: HistoryFormat = {
  id: 'vscodeExport',
  label: exportLabel,
  isReadOnly: false,

  detect: ({ json }) =>
    listIn(json, 'requests') !== undefined &&
    stringIn(json, 'responderUsername') !== undefined &&
    stringIn(json, 'sessionId') === undefined,

  read(file) {
    const { json } = file;
    if (!json)
      throw new UnsupportedHistory(
        exportLabel,
        'the file is damaged',
        'Export the chat once more.',
      );
    return historyOf(json, file, false, { label: exportLabel, canRemove: true, notes: new Set() });
  },

  write: writeExport,
};

function writeExport(history: History, edits: Edits, options: WriteOptions): NewSession {
  const { file } = history;
  const text = applyPatches(file.text, planEdits(history, edits).patches);
  const path = options.asCopy ? file.name : compactedName(file.name);
  return { files: [{ path, text }], continueBy };
}

interface Session {
  readonly root: JsonObject;
  readonly isLog: boolean;
  readonly isCut: boolean;
}

/** A whole session, or a log of changes that starts with one. */
function readSession(file: HistoryFile): Session {
  const whole = file.json;
  if (whole?.type === 'object' && !whole.members.has('kind'))
    return { root: checkVersion(whole), isLog: false, isCut: false };
  // Replaying changes the nodes, and the file's own are shared.
  const { records, isCut } = new HistoryFile(file.path, file.text).recordsFor(sessionLabel);
  const log = new Log();
  for (const record of records) log.apply(record, file);
  if (log.root?.type !== 'object') throw damaged('it does not start with a session');
  return { root: checkVersion(log.root), isLog: true, isCut };
}

function checkVersion(root: JsonObject): JsonObject {
  const version = numberIn(root, 'version');
  if (version === knownVersion) return root;
  throw new UnsupportedHistory(
    sessionLabel,
    `version ${version ?? 'without a number'} of the format is not known`,
    'Open the chat in VS Code and save it with Chat: Export Chat…',
  );
}

function damaged(what: string): UnsupportedHistory {
  return new UnsupportedHistory(
    sessionLabel,
    `the log is damaged: ${what}`,
    'Open the chat in VS Code and save it with Chat: Export Chat…',
  );
}

/**
 * Replays `{kind: 0, v}` a whole value, `{kind: 1, k, v}` set, `{kind: 2, k, v, i}` truncate to `i` and
 * push, `{kind: 3, k}` delete; `k` is a path of keys and places.
 */
class Log {
  root: JsonNode | undefined;

  apply({ node, span }: JsonRecord, file: HistoryFile): void {
    const kind = numberIn(node, 'kind');
    const value = memberOf(node, 'v');
    const path = (listIn(node, 'k')?.items ?? []).map(keyOf);
    const at = () => `line ${file.lineAt(span.start)}`;
    if (kind === 0) this.root = value;
    else if (kind === 1 || kind === 3) {
      const key = path.pop();
      const parent = this.#find(path);
      if (key === undefined && kind === 1) this.root = value;
      else if (key === undefined || !parent || !setAt(parent, key, kind === 1 ? value : undefined))
        throw damaged(`${at()} changes something that is not there`);
    } else if (kind === 2) {
      const list = this.#list(path);
      const keep = numberIn(node, 'i');
      if (list?.type !== 'list' || !fits(keep ?? list.items.length, list))
        throw damaged(`${at()} adds to something that is no list`);
      if (keep !== undefined) list.items.length = keep;
      for (const item of value?.type === 'list' ? value.items : []) list.items.push(item);
      list.isChanged = true;
    } else throw damaged(`${at()} is an entry of kind ${kind ?? 'without a number'}`);
  }

  /** Marks what it passes: a value below it is about to change. */
  #find(path: readonly (string | number)[]): JsonNode | undefined {
    let node = this.root;
    for (const key of path) {
      if (node) node.isChanged = true;
      node = childOf(node, key);
    }
    if (node) node.isChanged = true;
    return node;
  }

  /** A list that is not there yet starts empty. */
  #list(path: readonly (string | number)[]): JsonNode | undefined {
    const found = this.#find(path);
    const key = path.at(-1);
    if (found || key === undefined) return found;
    const list: JsonList = {
      type: 'list',
      start: 0,
      end: 0,
      keyStart: -1,
      isChanged: true,
      items: [],
    };
    const parent = this.#find(path.slice(0, -1));
    return parent && setAt(parent, key, list) ? list : undefined;
  }
}

function keyOf(node: JsonNode): string | number {
  if (node.type === 'string') return node.value;
  if (node.type === 'plain' && typeof node.value === 'number') return node.value;
  throw damaged('a path is no list of keys');
}

function childOf(node: JsonNode | undefined, key: string | number): JsonNode | undefined {
  if (node?.type === 'object') return node.members.get(String(key));
  return node?.type === 'list' && typeof key === 'number' ? node.items[key] : undefined;
}

function setAt(parent: JsonNode, key: string | number, value: JsonNode | undefined): boolean {
  if (parent.type === 'object') {
    if (value) parent.members.set(String(key), value);
    else parent.members.delete(String(key));
    return true;
  }
  if (parent.type !== 'list' || typeof key !== 'number' || !fits(key, parent)) return false;
  if (value) parent.items[key] = value;
  else if (key < parent.items.length) parent.items.splice(key, 1);
  return true;
}

function fits(at: number, list: JsonList): boolean {
  return Number.isInteger(at) && at >= 0 && at <= list.items.length;
}

/** What the import reads of a session. */
const exportedKeys = ['responderUsername', 'initialLocation', 'requests'];

function exportOf({ root }: Session, file: HistoryFile): HistoryFile {
  const members = exportedKeys.flatMap(key => {
    const member = root.members.get(key);
    return member ? [`${JSON.stringify(key)}:${render(member, file.text)}`] : [];
  });
  if (!root.members.has('responderUsername')) members.unshift('"responderUsername":""');
  const name = file.name.replace(/\.jsonl?$/, '');
  return new HistoryFile(`${name}.json`, `{${members.join(',')}}`);
}

export const vscodeSession: HistoryFormat = {
  id: 'vscodeSession',
  label: sessionLabel,
  isReadOnly: false,

  detect(file) {
    const [first] = file.head;
    if (first && numberIn(first, 'kind') === 0)
      return memberOf(memberOf(first, 'v'), 'requests') !== undefined;
    const { json } = file;
    return listIn(json, 'requests') !== undefined && stringIn(json, 'sessionId') !== undefined;
  },

  read(file) {
    const { root, isLog, isCut } = readSession(file);
    const place = { label: sessionLabel, canRemove: !isLog, notes: new Set<string>() };
    if (isTrueIn(root, 'hasPendingEdits'))
      place.notes.add('The chat has edits that are not accepted.');
    return historyOf(root, file, isCut, place);
  },

  /** VS Code keeps its sessions in memory and writes over what others write, so that only an import is safe. */
  write(history, edits, options) {
    if (options.asCopy) return writeExport(history, edits, options);
    const exported = exportOf(readSession(history.file), history.file);
    return writeExport(vscodeExport.read(exported), edits, options);
  },
};
