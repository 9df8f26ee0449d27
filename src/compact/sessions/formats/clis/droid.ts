import { isToolText } from '../../../core/toolTexts';
import { contentParts, createMemberItem, createMessage, createPart } from '../../blocks';
import {
  applyPatches,
  applyToSpans,
  cutMembers,
  editedCopy,
  type Patch,
  planEdits,
  resumedBy,
  setString,
} from '../../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  requireMessages,
  unknownEntry,
} from '../../history';
import type { HistoryFile, JsonRecord } from '../../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, stringIn } from '../../json';
import { endLine, linkLines, relinkLines, withoutLines } from '../../lineTree';
import { SessionSizes, setNumbers } from '../../sizes';

const label = 'Droid';
const command = 'droid --resume';
const keys = { id: 'id', parent: 'parentId' };
/** Tokens of the instructions and tools of version 0.215. */
const usualOverhead = 10_500;
/** The end of the name of the file beside a session that has its settings and figures. */
export const droidSettingsEnd = '.settings.json';

const typeOf = ({ node }: JsonRecord) => stringIn(node, 'type');
const idOf = ({ node }: JsonRecord) => stringIn(node, 'id');
const messageOf = ({ node }: JsonRecord) => memberOf(node, 'message');
const isSummary = (record: JsonRecord) => typeOf(record) === 'compaction_state';

interface Session {
  readonly header: JsonRecord | undefined;
  /** It comes before the messages. */
  readonly summary: JsonRecord | undefined;
  /** Messages that the model is sent, oldest first. */
  readonly sent: readonly JsonRecord[];
  readonly hasEarlier: boolean;
  readonly isCut: boolean;
}

function readSession(file: HistoryFile): Session {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const header = records.find(record => typeOf(record) === 'session_start');
  const all = records.filter(record => typeOf(record) === 'message' && !isOnlyShown(record));
  const summary = records.findLast(isSummary);
  const start = summary ? startAfter(summary, all) : 0;
  return { header, summary, sent: all.slice(start), hasEarlier: start > 0, isCut };
}

/** Notes for the user, and hooks that ran; a result is sent in any case. */
function isOnlyShown(record: JsonRecord): boolean {
  const message = messageOf(record);
  return stringIn(message, 'visibility') === 'user_only' && !hasResult(message);
}

function hasResult(message: JsonNode | undefined): boolean {
  const blocks = listIn(message, 'content')?.items ?? [];
  return blocks.some(block => stringIn(block, 'type') === 'tool_result');
}

/** The index of the first message that is sent beside a summary, which names the last one that it is about. */
function startAfter({ node }: JsonRecord, all: readonly JsonRecord[]): number {
  const anchor = memberOf(node, 'anchorMessage');
  const id = stringIn(anchor, 'id');
  const index = numberIn(anchor, 'index') ?? -1;
  const last = id === undefined ? index : all.findIndex(record => idOf(record) === id);
  if (last >= all.length) return 0;
  const after = all.findIndex((record, at) => at > last && !hasResult(messageOf(record)));
  return after < 0 ? all.length : after;
}

function withEarlier(file: HistoryFile): string {
  const { records } = file.recordsFor(label, { skipsDamaged: true });
  return withoutLines(file.text, records, records.filter(isSummary), keys);
}

function read(file: HistoryFile, companions: readonly HistoryFile[] = []): History {
  const { header, summary, sent, hasEarlier, isCut } = readSession(file);
  const messages = [...(summary ? [readSummary(summary)] : []), ...sent.map(readMessage)];
  requireMessages(label, messages);
  const about = header?.node;
  return {
    tool: 'droid',
    label,
    sessionId: stringIn(about, 'id'),
    title: stringIn(about, 'title'),
    workspace: stringIn(about, 'lastCwd') ?? stringIn(about, 'cwd'),
    startedAt: stringIn(sent[0]?.node, 'timestamp'),
    isOfSubAgent: stringIn(about, 'callingSessionId') !== undefined,
    messages,
    hasEarlier,
    isCut,
    notes: [],
    file,
    companions,
  };
}

const detailsOf = (record: JsonRecord) => ({
  id: idOf(record),
  at: stringIn(record.node, 'timestamp'),
  span: record.span,
  items: [record.item],
});

function readSummary(record: JsonRecord): HistoryMessage {
  const text = stringIn(record.node, 'summaryText') ?? '';
  const parts = [createPart('summary', text, { items: [record.item] })];
  return createMessage('user', parts, detailsOf(record));
}

function readMessage(record: JsonRecord): HistoryMessage {
  const message = messageOf(record);
  const role = stringIn(message, 'role');
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const content = contentParts(memberOf(message, 'content'), { tool: label, parent: record.item });
  const found = [...thinkingOf(message), ...content];
  const parts = found.length > 0 ? found : [createPart('other', '', { items: [record.item] })];
  const details = detailsOf(record);
  if (role === 'assistant') return createMessage(role, parts, details);
  if (parts.every(({ callId }) => callId !== undefined))
    return createMessage('tool', parts, details);
  const isOwn = parts.every(({ type, text }) => type === 'text' && isToolText(text));
  return createMessage(isOwn ? 'system' : 'user', parts, details);
}

/** The text of what a model thought, beside the content, and what stands for it in the next request. */
const thoughts = [
  ['chatCompletionReasoningContent', 'chatCompletionReasoningField'],
  ['openaiReasoningSummary', 'openaiEncryptedContent', 'openaiReasoningId'],
] as const;

function thinkingOf(message: JsonNode | undefined): HistoryPart[] {
  return thoughts.flatMap(([key, ...others]) => {
    const text = stringIn(message, key);
    if (!message || text === undefined) return [];
    const items = [key, ...others].flatMap((name): Item[] => {
      const item = createMemberItem(message, name);
      return item ? [item] : [];
    });
    return [createPart('thinking', text, { items })];
  });
}

/** What makes a session one of a sub-agent or of a mission, or a fork of another one. */
const originKeys = new Set([
  'parent',
  'forkedAtMessageId',
  'callingSessionId',
  'callingToolUseId',
  'decompSessionType',
  'decompMissionId',
]);
/** The message that a summary is about to; without it, all messages are sent. */
const anchorKeys = new Set(['anchorMessage', 'uiRenderCutoffMessageId']);

export const droid: HistoryFormat = {
  id: 'droid',
  label,
  isReadOnly: false,

  detect: ({ first }) =>
    stringIn(first, 'type') === 'session_start' && stringIn(first, 'id') !== undefined,

  read,
  withEarlier,

  write(history, edits, options) {
    const { file, companions } = history;
    const plan = planEdits(history, edits);
    if (options.asCopy) {
      const { records } = file.recordsFor(label, { skipsDamaged: true });
      const links = relinkLines(records, plan.removed, keys);
      return editedCopy(command, history, [...plan.patches, ...links]);
    }
    const { header, summary, sent } = readSession(file);
    const id = options.newId();
    const kept = sent.filter(({ span }) => !plan.removed.has(span));
    const patches = [
      ...plan.patches,
      ...(header
        ? [...setString(header.node, 'id', id), ...cutMembers(header.node, originKeys)]
        : []),
      ...(summary ? cutMembers(summary.node, anchorKeys) : []),
      ...linkLines(kept, keys).slice(1),
      ...cutMembers(kept[0]?.node, new Set([keys.parent])),
    ];
    const spans = [header, summary, ...kept]
      .flatMap(record => record?.span ?? [])
      .sort((a, b) => a.start - b.start);
    const text = applyToSpans(file.text, patches, spans).map(endLine).join('');
    const session = resumedBy(command, id, { path: `${id}.jsonl`, text });
    const settings = companions.find(({ name }) => name.endsWith(droidSettingsEnd));
    if (!settings) return session;
    const own = settingsPatches(history, edits, settings);
    const figures = { path: `${id}${droidSettingsEnd}`, text: applyPatches(settings.text, own) };
    return { ...session, files: [...session.files, figures] };
  },
};

/** Totals of the session that was compacted, and that it is archived. */
const totalKeys = new Set([
  'tokenUsage',
  'inclusiveTokenUsage',
  'childInclusiveTokenUsageBySessionId',
  'archivedAt',
]);

/** Figures of the size that is left: the tool shows and compacts by those of the last request. */
function settingsPatches(history: History, edits: Edits, { json }: HistoryFile): Patch[] {
  const usage = memberOf(json, 'lastCallTokenUsage');
  const offset = history.messages.findLast(({ role }) => role === 'assistant')?.offset ?? 0;
  const tokens = (numberIn(usage, 'inputTokens') ?? 0) + (numberIn(usage, 'cacheReadTokens') ?? 0);
  const noted = tokens > 0 ? [{ offset, tokens }] : [];
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  return [
    ...cutMembers(json, totalKeys),
    ...setNumbers(json, { assistantActiveTimeMs: 0 }),
    ...setNumbers(usage, {
      inputTokens: sizes.requestAt(offset),
      outputTokens: sizes.answerAt(offset),
      cacheReadTokens: 0,
    }),
  ];
}
