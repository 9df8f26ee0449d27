import {
  asSummary,
  createCall,
  createContext,
  createMessage,
  createPart,
  createShellContext,
  createTextPart,
  joinAssistant,
} from '../blocks';
import { applyPatches, cut, setString } from '../edit';
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
import { isTrueIn, type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';

const label = 'Crush';

/** What Crush calls a session until it has named it. */
const unnamed = /^(?:New|Untitled) Session$/;

/** The rows of `crushDatabase.ts`: the first line has the session, the others a message each. */
function read(file: HistoryFile): History {
  const about = memberOf(file.first, 'crush');
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const rows = records.filter(({ node }) => listIn(node, 'parts') !== undefined);
  const start = startOf(rows, about);
  const sent = rows.slice(Math.max(0, start));
  const messages = joinAssistant(
    sent.map((row, at) => readRow(row, at === 0 && start >= 0)).filter(({ parts }) => parts.length),
  );
  requireMessages(label, messages);
  const title = stringIn(about, 'title') ?? '';
  const created = numberIn(about, 'created_at');
  return {
    tool: 'crush',
    label,
    sessionId: stringIn(about, 'id'),
    title: title === '' || unnamed.test(title) ? undefined : title,
    workspace: stringIn(about, 'directory'),
    startedAt: isoTime(created),
    messages,
    hasEarlier: start > 0,
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

/** Index of the summary, from which on Crush sends the session; -1 without one. */
function startOf(rows: readonly JsonRecord[], about: JsonNode | undefined): number {
  const id = stringIn(about, 'summary_message_id') ?? '';
  return id === '' ? -1 : rows.findIndex(({ node }) => stringIn(node, 'id') === id);
}

/** Without the summaries. */
function withEarlier(file: HistoryFile): string {
  const about = memberOf(file.first, 'crush');
  const { records } = file.recordsFor(label, { skipsDamaged: true });
  const summaries = records.filter(({ node }) => isTrueIn(node, 'is_summary_message'));
  return applyPatches(file.text, [
    ...setString(about, 'summary_message_id', ''),
    ...summaries.map(({ span }) => cut(span)),
  ]);
}

function readRow({ node, span }: JsonRecord, isSummary: boolean): HistoryMessage {
  const role = stringIn(node, 'role');
  const created = numberIn(node, 'created_at');
  const details = {
    id: stringIn(node, 'id'),
    at: isoTime(created),
    span,
  };
  const parts = (listIn(node, 'parts')?.items ?? []).flatMap(readPart);
  // Crush sends its summary as if the user had written it.
  if (isSummary) {
    return createMessage(
      'user',
      parts.filter(({ type }) => type === 'text').map(asSummary),
      details,
    );
  }
  if (role !== 'user' && role !== 'assistant' && role !== 'tool' && role !== 'system') {
    throw unknownEntry(label, 'A role', role);
  }
  // A command that the user ran beside the chat is alone in its message.
  const isOfTool = role === 'user' && parts.every(({ type }) => type === 'context');
  return createMessage(isOfTool ? 'tool' : role, parts, details);
}

function readPart(part: JsonNode): HistoryPart[] {
  const type = stringIn(part, 'type');
  const data = memberOf(part, 'data');
  switch (type) {
    case 'text':
      return textPart('text', memberOf(data, 'text'));
    case 'reasoning': {
      const thinking = stringIn(data, 'thinking') ?? '';
      return thinking === '' ? [] : [createPart('thinking', thinking, {})];
    }
    case 'tool_call': {
      const details = { name: stringIn(data, 'name'), callId: stringIn(data, 'id') };
      return [createCall(memberOf(data, 'input'), {}, details)];
    }
    case 'tool_result': {
      const callId = stringIn(data, 'tool_call_id');
      const images = stringIn(data, 'data') ? [createPart('image', '', {}, { callId })] : [];
      return [...textPart('tool_result', memberOf(data, 'content'), callId), ...images];
    }
    case 'shell_command':
      return [
        createShellContext(
          stringIn(data, 'command') ?? '',
          stringIn(data, 'output') ?? '',
          numberIn(data, 'exit_code') ?? 0,
        ),
      ];
    case 'binary':
      return [filePart(data)];
    case 'image_url':
      return [createPart('image', '', {})];
    // How an answer ended.
    case 'finish':
      return [];
    default:
      throw unknownEntry(label, 'A part', type);
  }
}

function textPart(
  type: 'text' | 'tool_result',
  node: JsonNode | undefined,
  callId?: string,
): HistoryPart[] {
  const isEmpty = node?.type !== 'string' || node.value === '';
  // A result without text still answers its call.
  if (isEmpty) return callId === undefined ? [] : [createPart('other', '', {}, { callId })];
  return [createTextPart(type, node, {}, { callId })];
}

/** A text that was attached is sent as one; its members are named as in Go. */
function filePart(data: JsonNode | undefined): HistoryPart {
  if (!(stringIn(data, 'MIMEType') ?? '').startsWith('text/')) return createPart('image', '', {});
  const text = Buffer.from(stringIn(data, 'Data') ?? '', 'base64').toString('utf8');
  return createContext(stringIn(data, 'Path') ?? '', text);
}

export const crush: HistoryFormat = {
  id: 'crush',
  label,
  isReadOnly: true,
  detect: ({ first }) => memberOf(first, 'crush')?.type === 'object',
  read,
  withEarlier,
};
