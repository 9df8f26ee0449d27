import { contentParts, createMessage, createPart, createTextPart } from '../blocks';
import { applyToSpans, editedCopy, type Patch, planEdits, resumedBy, setString } from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
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

const typeOf = ({ node }: JsonRecord) => stringIn(node, 'type');
const idOf = ({ node }: JsonRecord) => stringIn(node, 'id');

interface Session {
  readonly header: JsonRecord | undefined;
  /** What the model is sent, and changes of settings, in the order of the file. */
  readonly sent: readonly JsonRecord[];
  /** It comes first in what the model is sent, before the messages that it kept. */
  readonly summary?: JsonRecord;
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
  const at = branch.findLastIndex(record => typeOf(record) === 'compaction');
  const summary = branch[at];
  if (!summary) return { header, sent: branch, hasEarlier: false, isCut };
  const keptId = stringIn(summary.node, 'firstKeptEntryId');
  const index = numberIn(summary.node, 'firstKeptEntryIndex');
  const first = branch.findIndex(record =>
    keptId === undefined ? record === records[index ?? -1] : idOf(record) === keptId,
  );
  const before = first < 0 || first > at ? [] : branch.slice(first, at);
  // Only the latest summary is sent.
  const kept = before.filter(record => typeOf(record) !== 'compaction');
  const sent = [...kept, summary, ...branch.slice(at + 1)];
  const isSent = new Set(sent);
  const hasEarlier = branch.some(record => typeOf(record) === 'message' && !isSent.has(record));
  return { header, sent, summary, hasEarlier, isCut };
}

function withEarlier(file: HistoryFile): string {
  const { records } = file.recordsFor(label, { skipsDamaged: true });
  const summaries = records.filter(record => typeOf(record) === 'compaction');
  return withoutLines(file.text, records, summaries, keys);
}

function read(file: HistoryFile): History {
  const { header, sent, summary, hasEarlier, isCut } = readSession(file);
  const others = sent.filter(record => record !== summary);
  const messages = (summary ? [summary, ...others] : others).flatMap(readEntry);
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

function readEntry(record: JsonRecord): HistoryMessage[] {
  const { node, item } = record;
  switch (typeOf(record)) {
    case 'message':
      return [readMessage(record)];
    case 'compaction':
    case 'branch_summary':
      return [readSummary(node, record)];
    case 'custom_message': {
      // An extension wrote it, not the user.
      const parts = contentParts(memberOf(node, 'content'), { tool: label, parent: item });
      return [createMessage('tool', parts, detailsOf(record))];
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

const detailsOf = (record: JsonRecord) => ({
  id: idOf(record),
  at: stringIn(record.node, 'timestamp'),
  span: record.span,
  items: [record.item],
});

function readMessage(record: JsonRecord): HistoryMessage {
  const { node, item } = record;
  const message = memberOf(node, 'message');
  const role = stringIn(message, 'role');
  const details = detailsOf(record);
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
  const callId = role === 'toolResult' ? stringIn(message, 'toolCallId') : undefined;
  const type = role === 'toolResult' ? 'tool_result' : 'text';
  // The line of a result goes as a whole, and an answer that was stopped may be empty.
  const place = role === 'toolResult' ? { items: [item] } : { parent: item };
  const parts = contentParts(memberOf(message, 'content'), { tool: label, type, callId, ...place });
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
    const usage = memberOf(memberOf(node, 'message'), 'usage');
    const tokens = ['input', 'cacheRead', 'cacheWrite']
      .map(key => numberIn(usage, key) ?? 0)
      .reduce((sum, value) => sum + value, 0);
    // An answer that was stopped has zeros.
    return usage && tokens > 0 ? [{ usage, offset: span.start, tokens }] : [];
  });
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  return noted.flatMap(({ usage, offset }) => {
    const [input, output] = [sizes.requestAt(offset), sizes.answerAt(offset)];
    const totalTokens = input + output;
    return setNumbers(usage, { input, output, cacheRead: 0, cacheWrite: 0, totalTokens });
  });
}
