import {
  asSummary,
  createCall,
  createMessage,
  createPart,
  createTextPart,
  joinAssistant,
} from '../blocks';
import { applyPatches, cut, type Patch } from '../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  isoTime,
  requireMessages,
  unknownEntry,
} from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';
import { epochMs } from './storedSession';

const label = 'goose';

/**
 * The files of goose before version 1.10, and the rows of `gooseDatabase.ts`: the first line is about the session,
 * the others have a message each.
 */
function read(file: HistoryFile): History {
  const { first } = file;
  const { rows, isCut } = rowsOf(file);
  const sent = rows.filter(({ isSent }) => isSent);
  const earlier = rows.filter(({ isSent }) => !isSent).flatMap(({ record }) => partsOf(record));
  const messages = joinAssistant(sent.flatMap(readRow));
  requireMessages(label, messages);
  const title = stringIn(first, 'description') ?? '';
  const started = numberIn(rows[0]?.record.node, 'created');
  return {
    tool: 'goose',
    label,
    sessionId: stringIn(first, 'id'),
    title: title === '' ? undefined : title,
    workspace: stringIn(first, 'working_dir'),
    startedAt: started === undefined ? undefined : isoTime(epochMs(started)),
    messages,
    hasEarlier: earlier.length > 0,
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

interface Row {
  readonly record: JsonRecord;
  /** The model gets it. */
  readonly isSent: boolean;
  /** The user saw it. */
  readonly isShown: boolean;
  /** Written by goose in place of what it no longer sends. */
  readonly isSummary: boolean;
}

function rowsOf(file: HistoryFile): { rows: Row[]; isCut: boolean } {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const rows: Row[] = [];
  for (const record of records) {
    if (listIn(record.node, 'content') === undefined) continue;
    const metadata = memberOf(record.node, 'metadata');
    const isSent = isNotFalse(metadata, 'agentVisible');
    const isShown = isNotFalse(metadata, 'userVisible');
    const last = rows.at(-1);
    // It follows what it is about, and is itself followed by a request to go on.
    const isSummary = isSent && !isShown && last !== undefined && (!last.isSent || last.isSummary);
    rows.push({ record, isSent, isShown, isSummary });
  }
  return { rows, isCut };
}

function isNotFalse(node: JsonNode | undefined, key: string): boolean {
  const member = memberOf(node, key);
  return member?.type !== 'plain' || member.value !== false;
}

/** The session without its summaries, and without messages that neither the model nor the user gets. */
function withEarlier(file: HistoryFile): string {
  const { rows } = rowsOf(file);
  const patches = rows.flatMap(({ record, isSent, isShown, isSummary }): Patch[] => {
    if (isSummary || (!isSent && !isShown)) return [cut(record.span)];
    const visible = memberOf(memberOf(record.node, 'metadata'), 'agentVisible');
    return isSent || !visible ? [] : [{ start: visible.start, end: visible.end, text: 'true' }];
  });
  return applyPatches(file.text, patches);
}

function readRow({ record, isSummary }: Row): HistoryMessage[] {
  const { node, span } = record;
  const role = stringIn(node, 'role');
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const parts = partsOf(record);
  if (parts.length === 0) return [];
  const created = numberIn(node, 'created');
  const details = {
    id: stringIn(node, 'id'),
    at: created === undefined ? undefined : isoTime(epochMs(created)),
    span,
  };
  if (isSummary) return [createMessage(role, parts.map(asSummary), details)];
  const isOfTool = role === 'user' && parts.every(({ callId }) => callId !== undefined);
  return [createMessage(isOfTool ? 'tool' : role, parts, details)];
}

function partsOf({ node }: JsonRecord): HistoryPart[] {
  return (listIn(node, 'content')?.items ?? []).flatMap(readContent);
}

/** Questions to the user and notices of goose, which the model does not get. */
const shownTypes = new Set([
  'toolConfirmationRequest',
  'actionRequired',
  'systemNotification',
  'conversationCompacted',
  'contextLengthExceeded',
  'summarizationRequested',
]);

function readContent(content: JsonNode): HistoryPart[] {
  const type = stringIn(content, 'type');
  switch (type) {
    case 'text': {
      const text = memberOf(content, 'text');
      return text ? [createTextPart('text', text, {})] : [];
    }
    case 'image':
      return [createPart('image', '', {})];
    case 'toolRequest':
    case 'frontendToolRequest':
      return [readCall(content)];
    case 'toolResponse':
      return readResult(content);
    case 'thinking':
      return [createPart('thinking', stringIn(content, 'thinking') ?? '', {})];
    case 'reasoning':
      return [createPart('thinking', stringIn(content, 'text') ?? '', {})];
    case 'redactedThinking':
      return [createPart('encrypted', '', {})];
    default:
      if (type !== undefined && shownTypes.has(type)) return [];
      throw unknownEntry(label, 'Content', type);
  }
}

/** A call that could not be parsed has an error in its place. */
function readCall(content: JsonNode): HistoryPart {
  const made = memberOf(content, 'toolCall');
  const call = memberOf(made, 'value');
  const details = { name: stringIn(call, 'name'), callId: stringIn(content, 'id') };
  const error = stringIn(made, 'error');
  return error === undefined
    ? createCall(memberOf(call, 'arguments'), {}, details)
    : createPart('tool_call', error, {}, details);
}

/** Older versions have the content itself as the value. */
function readResult(content: JsonNode): HistoryPart[] {
  const callId = stringIn(content, 'id');
  const result = memberOf(content, 'toolResult');
  const error = memberOf(result, 'error');
  if (error) return [createTextPart('tool_result', error, {}, { callId })];
  const value = memberOf(result, 'value');
  const list = value?.type === 'list' ? value : listIn(value, 'content');
  const parts = (list?.items ?? []).filter(isForModel).map(one => {
    const text = memberOf(one, 'text') ?? memberOf(memberOf(one, 'resource'), 'text');
    if (text) return createTextPart('tool_result', text, {}, { callId });
    return createPart(stringIn(one, 'type') === 'image' ? 'image' : 'other', '', {}, { callId });
  });
  // A result without content still answers its call.
  return parts.length > 0 ? parts : [createPart('other', '', {}, { callId })];
}

/** Tools give some results twice: as the model gets them, and as they are shown. */
function isForModel(content: JsonNode): boolean {
  const audience =
    listIn(memberOf(content, 'annotations'), 'audience') ?? listIn(content, 'audience');
  return (
    !audience ||
    audience.items.some(one => one.type === 'string' && one.value.toLowerCase() === 'assistant')
  );
}

export const goose: HistoryFormat = {
  id: 'goose',
  label,
  isReadOnly: true,
  detect: ({ first }) =>
    stringIn(first, 'working_dir') !== undefined && stringIn(first, 'description') !== undefined,
  read,
  withEarlier,
};
