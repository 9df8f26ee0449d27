import {
  argumentsText,
  createCall,
  createContext,
  createMessage,
  createPart,
  createShellContext,
  createTextPart,
  joinAssistant,
} from '../blocks';
import { applyPatches, cutItems } from '../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  isoTime,
  requireMessages,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { isTrueIn, type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';

const label = 'Amp';

/** A thread of Amp is a file; the service has it too, so the file is only read. */
function read(file: HistoryFile): History {
  const { json } = file;
  const items = listIn(json, 'messages')?.items ?? [];
  const start = Math.max(
    0,
    items.findLastIndex(node => summaryOf(node) !== undefined),
  );
  const messages = joinAssistant(items.slice(start).flatMap(readMessage));
  requireMessages(label, messages);
  const created = numberIn(json, 'created');
  const trees = listIn(memberOf(memberOf(json, 'env'), 'initial'), 'trees');
  return {
    tool: 'amp',
    label,
    sessionId: stringIn(json, 'id'),
    title: stringIn(json, 'title'),
    workspace: stringIn(trees?.items[0], 'uri'),
    startedAt: isoTime(created),
    isOfSubAgent: stringIn(json, 'mainThreadID') !== undefined,
    messages,
    hasEarlier: start > 0,
    isCut: false,
    notes: [],
    file,
    companions: [],
  };
}

/** The text of a summary, which is sent in place of all messages before it. */
function summaryOf(node: JsonNode): string | undefined {
  if (stringIn(node, 'role') !== 'info') return undefined;
  for (const block of listIn(node, 'content')?.items ?? []) {
    const summary = memberOf(block, 'summary');
    if (stringIn(summary, 'type') === 'message') return stringIn(summary, 'summary');
  }
  return undefined;
}

/** Without the summaries. */
function withEarlier({ json, text }: HistoryFile): string {
  const items = listIn(json, 'messages')?.items ?? [];
  const gone = new Set(items.filter(node => summaryOf(node) !== undefined));
  return applyPatches(text, cutItems(items, gone));
}

function readMessage(node: JsonNode): HistoryMessage[] {
  const role = stringIn(node, 'role');
  const blocks = listIn(node, 'content')?.items ?? [];
  const sent = numberIn(memberOf(node, 'meta'), 'sentAt');
  const answered = stringIn(memberOf(node, 'usage'), 'timestamp');
  const details = { at: isoTime(sent) ?? answered, span: node };
  if (role === 'assistant') {
    const parts = blocks.flatMap(readAnswer);
    return parts.length > 0 ? [createMessage('assistant', parts, details)] : [];
  }
  if (role === 'user') {
    const parts = [...blocks.flatMap(readUserBlock), ...mentionedFiles(node)];
    // What Amp itself said to the model has a source.
    const isOfTool =
      stringIn(memberOf(node, 'source'), 'type') === 'course-correction' ||
      parts.every(({ callId }) => callId !== undefined);
    return parts.length > 0 ? [createMessage(isOfTool ? 'tool' : 'user', parts, details)] : [];
  }
  if (role !== 'info') throw unknownEntry(label, 'A role', role);
  const summary = summaryOf(node);
  if (summary !== undefined) {
    return [createMessage('user', [createPart('summary', summary, {})], details)];
  }
  const parts = blocks.flatMap(readInfo);
  return parts.length > 0 ? [createMessage('tool', parts, details)] : [];
}

function readAnswer(block: JsonNode): HistoryPart[] {
  const type = stringIn(block, 'type');
  switch (type) {
    case 'text':
      return readText(block);
    case 'thinking':
      return [createPart('thinking', stringIn(block, 'thinking') ?? '', {})];
    case 'redacted_thinking':
      return [createPart('encrypted', '', {})];
    case 'tool_use': {
      const details = { name: stringIn(block, 'name'), callId: stringIn(block, 'id') };
      return isComplete(block) ? [createCall(memberOf(block, 'input'), {}, details)] : [];
    }
    // The provider ran it: Amp does not send it again.
    case 'server_tool_use':
    case 'server_tool_result':
      return [];
    default:
      throw unknownEntry(label, 'A block', type);
  }
}

/** A call that was interrupted while the model wrote it is not sent. */
function isComplete(call: JsonNode): boolean {
  const complete = memberOf(call, 'complete');
  return complete?.type === 'plain'
    ? complete.value === true
    : memberOf(call, 'inputPartialJSON') === undefined;
}

function readUserBlock(block: JsonNode): HistoryPart[] {
  const type = stringIn(block, 'type');
  if (type === 'text') return readText(block);
  if (type === 'image') return [createPart('image', '', {})];
  if (type === 'tool_result') return readResult(block);
  throw unknownEntry(label, 'A block', type);
}

function readText(block: JsonNode): HistoryPart[] {
  const text = memberOf(block, 'text');
  return text ? [createTextPart('text', text, {})] : [];
}

/** What a call gave is in its run: text, blocks, or members. */
function readResult(block: JsonNode): HistoryPart[] {
  const details = { callId: stringIn(block, 'toolUseID') };
  const run = memberOf(block, 'run');
  const result = memberOf(run, 'result');
  if (stringIn(run, 'status') !== 'done' || !result) {
    const why =
      memberOf(memberOf(run, 'error'), 'message') ??
      memberOf(run, 'reason') ??
      memberOf(run, 'status');
    return [
      why ? createTextPart('tool_result', why, {}, details) : createPart('other', '', {}, details),
    ];
  }
  if (result.type === 'string') return [createTextPart('tool_result', result, {}, details)];
  const isBlocks =
    result.type === 'list' && result.items.some(one => stringIn(one, 'type') !== undefined);
  if (!isBlocks || result.type !== 'list') {
    if (isTrueIn(result, 'isImage')) return [createPart('image', '', {}, details)];
    return [createPart('tool_result', argumentsText(result), {}, { ...details, isEditable: true })];
  }
  return result.items.map(one => {
    const text = memberOf(one, 'text');
    return text
      ? createTextPart('tool_result', text, {}, details)
      : createPart('image', '', {}, details);
  });
}

/** The files that a message names with @, as they were then. */
function mentionedFiles(node: JsonNode): HistoryPart[] {
  const files = listIn(memberOf(node, 'fileMentions'), 'files');
  return (files?.items ?? []).flatMap(file => {
    const text = stringIn(file, 'content');
    if (text === undefined) return [];
    const uri = stringIn(file, 'uri') ?? '';
    return [createContext(uri, text)];
  });
}

/** What is no message: a command that the user ran beside the chat, or a note of Amp. */
function readInfo(block: JsonNode): HistoryPart[] {
  const type = stringIn(block, 'type');
  if (type === 'text') return readText(block);
  const run = memberOf(block, 'toolRun');
  const isSent =
    type === 'manual_bash_invocation' &&
    !isTrueIn(block, 'hidden') &&
    stringIn(run, 'status') === 'done';
  if (!isSent) return [];
  const result = memberOf(run, 'result');
  return [
    createShellContext(
      stringIn(memberOf(block, 'args'), 'cmd') ?? '',
      stringIn(result, 'output') ?? '',
      numberIn(result, 'exitCode') ?? 0,
    ),
  ];
}

export const amp: HistoryFormat = {
  id: 'amp',
  label,
  isReadOnly: true,
  detect: ({ json }) =>
    (stringIn(json, 'id') ?? '').startsWith('T-') &&
    numberIn(json, 'v') !== undefined &&
    listIn(json, 'messages') !== undefined,
  read,
  withEarlier,
};
