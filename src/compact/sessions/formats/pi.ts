import { contentParts, createMessage, createPart, createTextPart } from '../blocks';
import { applyToSpans, editedCopy, type Patch, planEdits, resumedBy, setString } from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  requireMessages,
  unknownEntry,
} from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { type JsonNode, memberOf, numberIn, stringIn } from '../json';
import { endLine, lastBranch, linkLines, relinkLines, withoutLines } from '../lineTree';
import { SessionSizes, setNumbers } from '../sizes';

const label = 'pi';
const command = 'pi --session';
const keys = { id: 'id', parent: 'parentId' };
/** Tokens of the instructions and tools of version 0.73. */
const usualOverhead = 2000;

/** What an extension, or the tool after a failed answer, has the model get in place of messages, by their ids. */
type ContextEdits = ReadonlyMap<string, JsonRecord>;

const typeOf = ({ node }: JsonRecord) => stringIn(node, 'type');
const idOf = ({ node }: JsonRecord) => stringIn(node, 'id');

interface Session {
  readonly header: JsonRecord | undefined;
  /** What the model is sent, and changes of settings, in the order of the file. */
  readonly sent: readonly JsonRecord[];
  /** It comes first in what the model is sent, before the messages that it kept. */
  readonly summary?: JsonRecord;
  readonly edits: ContextEdits;
  readonly hasEarlier: boolean;
  readonly isCut: boolean;
}

function readSession(file: HistoryFile): Session {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const header = records.find(record => typeOf(record) === 'session');
  const entries = records.filter(record => typeOf(record) !== 'session');
  // The first version of the format had no tree.
  const hasTree = entries.some(record => idOf(record) !== undefined);
  const branch = hasTree ? lastBranch(entries, keys) : entries;
  const edits = contextEditsIn(branch);
  const isOut = (record: JsonRecord): boolean => isOmitted(record, edits);
  const at = branch.findLastIndex(record => typeOf(record) === 'compaction');
  const summary = branch[at];
  if (!summary) {
    const sent = branch.filter(record => !isOut(record));
    return { header, sent, edits, hasEarlier: false, isCut };
  }
  const keptId = stringIn(summary.node, 'firstKeptEntryId');
  const index = numberIn(summary.node, 'firstKeptEntryIndex');
  const first = branch.findIndex(record =>
    keptId === undefined ? record === records[index ?? -1] : idOf(record) === keptId,
  );
  const before = first < 0 || first > at ? [] : branch.slice(first, at);
  // Only the latest summary is sent.
  const kept = before.filter(record => typeOf(record) !== 'compaction');
  const sent = [...kept, summary, ...branch.slice(at + 1)].filter(record => !isOut(record));
  const isSent = new Set(sent);
  const hasEarlier = branch.some(
    record => typeOf(record) === 'message' && !isSent.has(record) && !isOut(record),
  );
  return { header, sent, summary, edits, hasEarlier, isCut };
}

/** The latest edit of a message counts. */
function contextEditsIn(branch: readonly JsonRecord[]): ContextEdits {
  return new Map(
    branch
      .filter(record => typeOf(record) === 'context_edit')
      .map(record => [stringIn(record.node, 'targetId') ?? '', record]),
  );
}

/** Whether the model no longer gets a message, or an edit says nothing of what it gets. */
function isOmitted(record: JsonRecord, edits: ContextEdits): boolean {
  const isEdit = typeOf(record) === 'context_edit';
  const target = isEdit ? stringIn(record.node, 'targetId') : idOf(record);
  const edit = edits.get(target ?? '');
  const replacement = edit && memberOf(edit.node, 'replacement');
  const isNothing = replacement?.type === 'plain' && replacement.value === null;
  return isNothing || (isEdit && edit !== record);
}

function withEarlier(file: HistoryFile): string {
  const { records } = file.recordsFor(label, { skipsDamaged: true });
  const summaries = records.filter(record => typeOf(record) === 'compaction');
  return withoutLines(file.text, records, summaries, keys);
}

function read(file: HistoryFile): History {
  const { header, sent, summary, edits, hasEarlier, isCut } = readSession(file);
  const others = sent.filter(record => record !== summary);
  const messages = (summary ? [summary, ...others] : others).flatMap(record =>
    readEntry(record, edits.get(idOf(record) ?? '')),
  );
  requireMessages(label, messages);
  const title = sent.findLast(record => typeOf(record) === 'session_info');
  return {
    tool: 'pi',
    label,
    sessionId: header && idOf(header),
    title: stringIn(title?.node, 'name'),
    workspace: stringIn(header?.node, 'cwd'),
    startedAt: stringIn(header?.node, 'timestamp'),
    messages,
    hasEarlier,
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

/** @param edit has the content that the model gets in place of its own. */
function readEntry(record: JsonRecord, edit: JsonRecord | undefined): HistoryMessage[] {
  const { node } = record;
  switch (typeOf(record)) {
    case 'message':
      return [readMessage(record, edit)];
    case 'compaction':
    case 'branch_summary':
      return [readSummary(node, record)];
    case 'custom_message': {
      // An extension wrote it, not the user.
      const parts = contentOf(node, record, edit);
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
  id: idOf(record),
  at: stringIn(record.node, 'timestamp'),
  span: record.span,
  items: edit ? [record.item, edit.item] : [record.item],
});

/** The prompt by its named sections, since version 1. It stays, with the tools that it declares. */
function readSystemMessage(message: JsonNode | undefined, record: JsonRecord): HistoryMessage {
  const sections = memberOf(message, 'sections');
  const texts = sections?.type === 'object' ? [...sections.members.values()] : [];
  const parts = [
    ...contentParts(memberOf(message, 'content'), { tool: label }),
    ...texts.filter(({ type }) => type === 'string').map(text => createTextPart('text', text, {})),
  ].filter(({ text }) => text !== '');
  const own = parts.length > 0 ? parts : [createPart('other', '', {})];
  return createMessage('system', own, { ...detailsOf(record), items: [] });
}

function readMessage(record: JsonRecord, edit: JsonRecord | undefined): HistoryMessage {
  const { node, item } = record;
  const message = memberOf(node, 'message');
  const role = stringIn(message, 'role');
  const details = detailsOf(record, edit);
  const location = { items: [item] };
  if (role === 'bashExecution') {
    const callId = `bash-${idOf(record) ?? numberIn(message, 'timestamp') ?? ''}`;
    const input = stringIn(message, 'command') ?? '';
    const output = memberOf(message, 'output');
    const call = createPart('tool_call', input, location, { name: 'bash', callId });
    const parts = output
      ? [call, createTextPart('tool_result', output, { ...location, mayBeEmpty: true }, { callId })]
      : [call];
    return createMessage('tool', parts, details);
  }
  if (role === 'branchSummary' || role === 'compactionSummary') return readSummary(message, record);
  if (role === 'system') return readSystemMessage(message, record);
  const callId = role === 'toolResult' ? stringIn(message, 'toolCallId') : undefined;
  const type = role === 'toolResult' ? 'tool_result' : 'text';
  const parts = contentOf(message, record, edit, { type, callId });
  const own =
    parts.length > 0
      ? parts
      : [createPart('other', '', location, callId === undefined ? {} : { callId })];
  if (role === 'toolResult' || role === 'custom') return createMessage('tool', own, details);
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  return createMessage(role, own, details);
}

export const pi: HistoryFormat = {
  id: 'pi',
  label,
  isReadOnly: false,

  detect: ({ first }) =>
    stringIn(first, 'type') === 'session' &&
    stringIn(first, 'id') !== undefined &&
    stringIn(first, 'cwd') !== undefined,

  read,
  withEarlier,

  write(history, edits, options) {
    const { file } = history;
    const plan = planEdits(history, edits);
    if (options.asCopy) {
      const { records } = file.recordsFor(label, { skipsDamaged: true });
      const links = relinkLines(records, plan.removed, keys);
      return editedCopy(command, history, [...plan.patches, ...links]);
    }
    const { header, sent } = readSession(file);
    const id = options.newId();
    const kept = sent.filter(({ span }) => !plan.removed.has(span));
    const hasTree = kept.some(record => idOf(record) !== undefined);
    const patches = [
      ...plan.patches,
      ...(header ? setString(header.node, 'id', id) : []),
      ...(hasTree ? [...linkLines(kept, keys), ...startPatches(kept)] : []),
      ...usagePatches(history, edits, kept),
    ];
    const records = header ? [header, ...kept] : kept;
    const spans = records.map(({ span }) => span).sort((a, b) => a.start - b.start);
    const time = options.now.toISOString().replaceAll(/[:.]/g, '-');
    return resumedBy(command, id, {
      path: `${time}_${id}.jsonl`,
      text: applyToSpans(file.text, patches, spans).map(endLine).join(''),
    });
  },
};

/** A summary names the first line before it that is still sent. */
function startPatches(kept: readonly JsonRecord[]): Patch[] {
  const summary = kept.findLast(record => typeOf(record) === 'compaction');
  const first = kept[0];
  return summary && first ? setString(summary.node, 'firstKeptEntryId', idOf(first) ?? '') : [];
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
    return tokens > 0 ? [{ usage, offset: span.start, tokens }] : [];
  });
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  return noted.flatMap(({ usage, offset }) => {
    const [input, output] = [sizes.requestAt(offset), sizes.answerAt(offset)];
    const totalTokens = input + output;
    return setNumbers(usage, { input, output, cacheRead: 0, cacheWrite: 0, totalTokens });
  });
}
