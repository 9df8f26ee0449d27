import { contentParts, createItem, createMessage, createPart, createTextPart } from '../blocks';
import {
  applyToSpans,
  cutMembers,
  editedCopy,
  type Patch,
  planEdits,
  resumedBy,
  setString,
} from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  type NewSession,
  requireMessages,
  unknownEntry,
  type WriteOptions,
} from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { isTrueIn, type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';
import { endLine, linkLines, relinkLines } from '../lineTree';
import { SessionSizes, setNumbers } from '../sizes';
import {
  entryIdOf,
  entryKeys,
  isHeader,
  isSession,
  ohMyPiTool,
  readSession,
  toolOf,
  typeOf,
  withoutSummaries,
} from './pi/session';

function read(file: HistoryFile): History {
  const { id: tool, label } = toolOf(file);
  const { heads, sent, summary, edits, hasEarlier, isOfSubAgent, isCut } = readSession(file);
  const others = sent.filter(record => record !== summary);
  const messages = (summary ? [summary, ...others] : others).flatMap(record =>
    readEntry(label, record, edits.get(entryIdOf(record) ?? '')),
  );
  requireMessages(label, messages);
  const title = sent.findLast(record => typeOf(record) === 'session_info');
  const header = heads.find(({ node }) => isHeader(node));
  const titles = heads.map(({ node }) => stringIn(node, 'title'));
  return {
    tool,
    label,
    sessionId: header && entryIdOf(header),
    title: stringIn(title?.node, 'name') ?? titles.find(Boolean),
    workspace: stringIn(header?.node, 'cwd'),
    startedAt: stringIn(header?.node, 'timestamp'),
    messages,
    hasEarlier,
    ...(isOfSubAgent ? { isOfSubAgent } : {}),
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

/** @param edit has the content that the model gets in place of its own. */
function readEntry(
  label: string,
  record: JsonRecord,
  edit: JsonRecord | undefined,
): HistoryMessage[] {
  const { node } = record;
  switch (typeOf(record)) {
    case 'message':
      return readMessage(label, record, edit);
    case 'compaction':
    case 'branch_summary':
      return [readSummary(node, record)];
    case 'custom_message': {
      // An extension wrote it, not the user.
      const parts = contentOf(label, node, record, edit);
      return [createMessage('tool', parts, detailsOf(record, edit))];
    }
    default:
      // Settings, labels and state of extensions are not sent.
      return [];
  }
}

/** @param holder has the text: a line, or the message in it. */
function readSummary(holder: JsonNode | undefined, record: JsonRecord): HistoryMessage {
  const text = stringIn(holder, 'summary') ?? '';
  const parts = [createPart('summary', text, { items: [record.item] })];
  return createMessage('user', parts, detailsOf(record));
}

/** The content of a message, or that of the edit in its place, which goes together with the message. */
function contentOf(
  label: string,
  holder: JsonNode | undefined,
  { item }: JsonRecord,
  edit: JsonRecord | undefined,
  options: { readonly type?: 'tool_result' | 'text'; readonly callId?: string | undefined } = {},
): HistoryPart[] {
  if (edit) {
    const items = [item, edit.item];
    return contentParts(memberOf(edit.node, 'replacement'), { tool: label, ...options, items });
  }
  // The line of a result goes as a whole, and an answer that was stopped may be empty.
  const place = options.type === 'tool_result' ? { items: [item] } : { parent: item };
  return contentParts(memberOf(holder, 'content'), { tool: label, ...options, ...place });
}

const detailsOf = (record: JsonRecord, edit?: JsonRecord) => ({
  id: entryIdOf(record),
  at: stringIn(record.node, 'timestamp'),
  span: record.span,
  items: edit ? [record.item, edit.item] : [record.item],
});

/** The prompt by its named sections, since version 1. It stays, with the tools that it declares. */
function readSystemMessage(
  label: string,
  message: JsonNode | undefined,
  record: JsonRecord,
): HistoryMessage {
  const sections = memberOf(message, 'sections');
  const texts = sections?.type === 'object' ? [...sections.members.values()] : [];
  const parts = [
    ...contentParts(memberOf(message, 'content'), { tool: label }),
    ...texts.filter(({ type }) => type === 'string').map(text => createTextPart('text', text, {})),
  ].filter(({ text }) => text !== '');
  const own = parts.length > 0 ? parts : [createPart('other', '', {})];
  return createMessage('system', own, { ...detailsOf(record), items: [] });
}

/** Members of what the user ran beside the chat: what is sent as its input. */
const executions: Readonly<Record<string, { readonly name: string; readonly input: string }>> = {
  bashExecution: { name: 'bash', input: 'command' },
  pythonExecution: { name: 'python', input: 'code' },
};
/** Who speaks for the tool, not for the user. */
const toolRoles = new Set(['toolResult', 'custom', 'hookMessage', 'developer']);

function readMessage(
  label: string,
  record: JsonRecord,
  edit: JsonRecord | undefined,
): HistoryMessage[] {
  const { node, item } = record;
  const message = memberOf(node, 'message');
  const role = stringIn(message, 'role');
  const details = detailsOf(record, edit);
  const location = { items: [item] };
  const execution = executions[role ?? ''];
  if (execution) {
    // It was not for the model.
    if (isTrueIn(message, 'excludeFromContext')) return [];
    const { name } = execution;
    const callId = `${name}-${entryIdOf(record) ?? numberIn(message, 'timestamp') ?? ''}`;
    const input = stringIn(message, execution.input) ?? '';
    const output = memberOf(message, 'output');
    const call = createPart('tool_call', input, location, { name, callId });
    const parts = output
      ? [call, createTextPart('tool_result', output, { ...location, mayBeEmpty: true }, { callId })]
      : [call];
    return [createMessage('tool', parts, details)];
  }
  if (role === 'branchSummary' || role === 'compactionSummary')
    return [readSummary(message, record)];
  if (role === 'system') return [readSystemMessage(label, message, record)];
  if (role === 'fileMention')
    return [createMessage('tool', mentionedFiles(message, item), details)];
  const callId = role === 'toolResult' ? stringIn(message, 'toolCallId') : undefined;
  const type = role === 'toolResult' ? 'tool_result' : 'text';
  const parts = contentOf(label, message, record, edit, { type, callId });
  const own =
    parts.length > 0
      ? parts
      : [createPart('other', '', location, callId === undefined ? {} : { callId })];
  if (role !== undefined && toolRoles.has(role)) return [createMessage('tool', own, details)];
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  return [createMessage(role, own, details)];
}

/** Files that the user named in a question. */
function mentionedFiles(message: JsonNode | undefined, parent: Item): HistoryPart[] {
  const files = listIn(message, 'files');
  const parts = files?.items.map(file => {
    const items = [createItem(files, file, parent)];
    const content = memberOf(file, 'content');
    return content
      ? createTextPart('context', content, { items }, { name: stringIn(file, 'path') })
      : createPart('other', '', { items });
  });
  return parts && parts.length > 0 ? parts : [createPart('other', '', { items: [parent] })];
}

function write(history: History, edits: Edits, options: WriteOptions): NewSession {
  const { file } = history;
  const { command, label } = toolOf(file);
  const plan = planEdits(history, edits);
  if (options.asCopy) {
    const { records } = file.recordsFor(label, { skipsDamaged: true });
    const links = relinkLines(records, plan.removed, entryKeys);
    const copies = plan.patches.length > 0 ? records.flatMap(copyPatches) : [];
    return editedCopy(command, history, [...plan.patches, ...links, ...copies]);
  }
  const { heads, sent } = readSession(file);
  const id = options.newId();
  const kept = sent.filter(record => !plan.removed.has(record.span) && !isNote(record));
  const hasTree = kept.some(record => entryIdOf(record) !== undefined);
  const records = [...heads, ...kept];
  const patches = [
    ...plan.patches,
    ...heads.flatMap(({ node }) => [...setString(node, 'id', id), ...cutMembers(node, moved)]),
    ...(hasTree ? [...linkLines(kept, entryKeys), ...startPatches(kept)] : []),
    ...usagePatches(history, edits, kept),
    ...kept.flatMap(copyPatches),
  ];
  const spans = records.map(({ span }) => span).sort((a, b) => a.start - b.start);
  const lines = applyToSpans(file.text, patches, spans);
  const lineOf = new Map(spans.map((span, at) => [span, lines[at] ?? '']));
  const time = options.now.toISOString().replaceAll(/[:.]/g, '-');
  return resumedBy(command, id, {
    path: `${time}_${id}.jsonl`,
    text: records.map(({ span }) => endLine(lineOf.get(span) ?? '')).join(''),
  });
}

/** Where the file of the session was before. */
const moved = new Set(['previousSessionFiles']);
/** Copies of what was said, as the provider had it: some are sent in place of the message. */
const providerCopies = new Set(['providerPayload']);
const callCopies = new Set(['partialArgs', 'rawBlock']);

function copyPatches({ node }: JsonRecord): Patch[] {
  const message = memberOf(node, 'message');
  const blocks = listIn(message, 'content')?.items ?? [];
  return [
    ...cutMembers(message, providerCopies),
    ...blocks.flatMap(block => cutMembers(block, callCopies)),
  ];
}

/** Notes of the tool for itself: of the end of a process, of calls, and of what a sub-agent was asked. */
function isNote(record: JsonRecord): boolean {
  const custom = stringIn(record.node, 'customType');
  return (
    typeOf(record) === 'session_init' ||
    (typeOf(record) === 'custom' &&
      (custom === 'session_exit' || custom === 'tool_execution_start'))
  );
}

/** A summary names the first line before it that is still sent. */
function startPatches(kept: readonly JsonRecord[]): Patch[] {
  const summary = kept.findLast(record => typeOf(record) === 'compaction');
  const first = kept[0];
  return summary && first
    ? setString(summary.node, 'firstKeptEntryId', entryIdOf(first) ?? '')
    : [];
}

/** Figures of the size that is left: the tool compacts by those of the last answer. */
function usagePatches(history: History, edits: Edits, records: readonly JsonRecord[]): Patch[] {
  const noted = records.flatMap(({ node, span }) => {
    const message = memberOf(node, 'message');
    // That of a result is of other requests, which a tool has made.
    const usage = stringIn(message, 'role') === 'assistant' && memberOf(message, 'usage');
    if (!usage) return [];
    const tokens = ['input', 'cacheRead', 'cacheWrite']
      .map(key => numberIn(usage, key) ?? 0)
      .reduce((sum, value) => sum + value, 0);
    // An answer that was stopped has zeros.
    const snapshot = memberOf(message, 'contextSnapshot');
    return tokens > 0 ? [{ usage, snapshot, offset: span.start, tokens }] : [];
  });
  const sizes = new SessionSizes(history, edits, noted, toolOf(history.file).overhead);
  return noted.flatMap(({ usage, snapshot, offset }) => {
    const [input, output] = [sizes.requestAt(offset), sizes.answerAt(offset)];
    const totalTokens = input + output;
    return [
      ...setNumbers(usage, { input, output, cacheRead: 0, cacheWrite: 0, totalTokens }),
      ...setNumbers(snapshot, { promptTokens: input, historyRewriteTokensRemoved: 0 }),
    ];
  });
}

const common = { isReadOnly: false, read, withEarlier: withoutSummaries, write };

export const pi: HistoryFormat = {
  ...common,
  id: 'pi',
  label: 'pi',
  detect: file => isSession(file) && toolOf(file) !== ohMyPiTool,
};

export const ohMyPi: HistoryFormat = {
  ...common,
  id: ohMyPiTool.id,
  label: ohMyPiTool.label,
  detect: file => isSession(file) && toolOf(file) === ohMyPiTool,
};
