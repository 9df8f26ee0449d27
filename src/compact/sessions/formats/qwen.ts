import { createItem, createMessage, createPart } from '../blocks';
import { applyToSpans, editedCopy, type Patch, planEdits, resumedBy, setString } from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type Item,
  requireMessages,
  unknownEntry,
} from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';
import { endLine, lastBranch, linkLines, relinkLines, withoutLines } from '../lineTree';
import { SessionSizes, setNumbers } from '../sizes';
import { geminiPart } from './gemini';

const label = 'Qwen Code';
const command = 'qwen --resume';
const keys = { id: 'uuid', parent: 'parentUuid' };
/** Tokens of the instructions and tools of version 0.24. */
const usualOverhead = 18_000;

const subtypeOf = ({ node }: JsonRecord) => stringIn(node, 'subtype');
const isMessage = ({ node }: JsonRecord) => memberOf(node, 'message')?.type === 'object';

interface Session {
  /** What the model is sent, and notes of the tool, oldest first. */
  readonly sent: readonly JsonRecord[];
  readonly hasEarlier: boolean;
  readonly title: JsonRecord | undefined;
  readonly isCut: boolean;
}

/** A summary of the tool holds the messages that it kept; what is before it is no longer sent. */
function readSession(file: HistoryFile): Session {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const branch = lastBranch(records, keys);
  const at = branch.findLastIndex(isSummary);
  const title = records.findLast(record => subtypeOf(record) === 'custom_title');
  const hasEarlier = branch.slice(0, Math.max(0, at)).some(isMessage);
  return { sent: branch.slice(Math.max(0, at)), hasEarlier, title, isCut };
}

function isSummary(record: JsonRecord): boolean {
  return subtypeOf(record) === 'chat_compression' && compressedIn(record)?.type === 'list';
}

function withEarlier(file: HistoryFile): string {
  const { records } = file.recordsFor(label, { skipsDamaged: true });
  const summaries = records.filter(isSummary);
  return withoutLines(file.text, records, summaries, keys);
}

function compressedIn({ node }: JsonRecord): JsonNode | undefined {
  return memberOf(memberOf(node, 'systemPayload'), 'compressedHistory');
}

function read(file: HistoryFile): History {
  const { sent, hasEarlier, title, isCut } = readSession(file);
  const messages = sent.flatMap(readRecord);
  requireMessages(label, messages);
  const [first] = sent;
  return {
    tool: 'qwen',
    label,
    sessionId: stringIn(first?.node, 'sessionId'),
    title: stringIn(memberOf(title?.node, 'systemPayload'), 'customTitle'),
    workspace: stringIn(first?.node, 'cwd'),
    startedAt: stringIn(first?.node, 'timestamp'),
    messages,
    hasEarlier,
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

function readRecord(record: JsonRecord): HistoryMessage[] {
  const { node, item } = record;
  const at = stringIn(node, 'timestamp');
  const compressed = compressedIn(record);
  if (compressed?.type === 'list') {
    return compressed.items.map(one => readContent(one, createItem(compressed, one), one, at));
  }
  const message = memberOf(node, 'message');
  return message?.type === 'object' && subtypeOf(record) !== 'realtime_message'
    ? [readContent(message, item, record.span, at)]
    : [];
}

function readContent(
  message: JsonNode,
  item: Item,
  span: { readonly start: number; readonly end: number },
  at: string | undefined,
): HistoryMessage {
  const role = stringIn(message, 'role');
  const list = listIn(message, 'parts');
  const parts = (list?.items ?? []).map(block =>
    geminiPart(label, block, list && createItem(list, block, item)),
  );
  const own = parts.length > 0 ? parts : [createPart('other', '', { items: [item] })];
  const details = { at, span, items: [item] };
  if (role === 'model') return createMessage('assistant', own, details);
  if (role !== 'user') throw unknownEntry(label, 'A role', role);
  const isResult = own.every(({ type }) => type === 'tool_result');
  return createMessage(isResult ? 'tool' : 'user', own, details);
}

export const qwen: HistoryFormat = {
  id: 'qwen',
  label,
  isReadOnly: false,

  detect: file =>
    file.hasLine(
      node =>
        stringIn(node, 'sessionId') !== undefined &&
        stringIn(node, 'uuid') !== undefined &&
        listIn(memberOf(node, 'message'), 'parts') !== undefined,
    ),

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
    const { sent, title } = readSession(file);
    const id = options.newId();
    // Notes about calls and answers repeat their text.
    const kept = sent.filter(
      record =>
        !plan.removed.has(record.span) &&
        (isMessage(record) || compressedIn(record) !== undefined || record === title),
    );
    const records = title && !kept.includes(title) ? [...kept, title] : kept;
    records.sort((a, b) => a.span.start - b.span.start);
    const patches = [
      ...plan.patches,
      ...linkLines(records, keys),
      ...records.flatMap(({ node }) => setString(node, 'sessionId', id)),
      ...usagePatches(history, edits, records),
    ];
    const spans = records.map(({ span }) => span);
    return resumedBy(command, id, {
      path: `${id}.jsonl`,
      text: applyToSpans(file.text, patches, spans).map(endLine).join(''),
    });
  },
};

/** Figures of the size that is left: the tool compacts by those of the last answer. */
function usagePatches(history: History, edits: Edits, records: readonly JsonRecord[]): Patch[] {
  const noted = records.flatMap(({ node, span }) => {
    const usage = memberOf(node, 'usageMetadata');
    const tokens = numberIn(usage, 'promptTokenCount') ?? 0;
    return usage && tokens > 0 ? [{ usage, offset: span.start, tokens }] : [];
  });
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  return noted.flatMap(({ usage, offset }) => {
    const [input, output] = [sizes.requestAt(offset), sizes.answerAt(offset)];
    return setNumbers(usage, {
      promptTokenCount: input,
      candidatesTokenCount: output,
      thoughtsTokenCount: 0,
      cachedContentTokenCount: 0,
      totalTokenCount: input + output,
    });
  });
}
