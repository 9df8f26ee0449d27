import { type Sentence, sentence, verbatim } from '../../../base/sentence';
import {
  argumentsText,
  createCall,
  createContext,
  createMessage,
  createPart,
  createTextPart,
  joinAssistant,
} from '../blocks';
import { applyPatches, cutItems } from '../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  quoteName,
  requireMessages,
  UnsupportedHistory,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonNode, listIn, memberOf, stringIn } from '../json';
import { readOldZedMessage, zedResultParts } from './zedOld';

const label = 'Zed';

/** What Zed calls a thread until it has named it. */
const unnamed = 'New Thread';

/** Bytes of the user's messages before a summary that Zed still sends. */
const maxRetainedBytes = 80_000;

/** The row of `zedDatabase.ts`: what is beside the thread, and the thread as it is stored. */
function read(file: HistoryFile): History {
  const { json } = file;
  const about = memberOf(json, 'zed');
  const thread = memberOf(json, 'thread');
  const isOld = isOldVersion(stringIn(thread, 'version'));
  const items = listIn(thread, 'messages')?.items ?? [];
  const start = items.findLastIndex(isSummary);
  const sent = start < 0 ? items : [...retainedBefore(items, start), ...items.slice(start)];
  const numbers = new Map(items.map((node, at) => [node, at + 1]));
  const skipped = new Map<number, UnsupportedHistory>();
  const messages = joinAssistant(
    sent.flatMap(node => {
      const number = numbers.get(node) ?? 0;
      const skip: Skip = error => skipped.set(number, skipped.get(number) ?? error);
      return readEach(
        [node],
        one => (isOld ? readOldZedMessage(one) : readMessage(one, skip)),
        skip,
      );
    }),
  );
  const [reason] = skipped.values();
  if (messages.length === 0 && reason) throw reason;
  requireMessages(label, messages);
  const title = stringIn(about, 'title');
  return {
    tool: 'zed',
    label,
    sessionId: stringIn(about, 'id'),
    title: title === unnamed ? undefined : title,
    workspace: stringIn(about, 'directory'),
    messages,
    hasEarlier: sent.length < items.length,
    isCut: false,
    notes: skippedNotes(skipped),
    file,
    companions: [],
  };
}

type Skip = (error: UnsupportedHistory) => void;

/** Reads what is known. A thread is never written, so what is not known need not be placed. */
function readEach<T>(
  nodes: readonly JsonNode[],
  readOne: (node: JsonNode) => readonly T[],
  skip: Skip,
): T[] {
  return nodes.flatMap(node => {
    try {
      return readOne(node);
    } catch (error) {
      if (!(error instanceof UnsupportedHistory)) throw error;
      skip(error);
      return [];
    }
  });
}

function skippedNotes(skipped: ReadonlyMap<number, UnsupportedHistory>): Sentence[] {
  const [first] = skipped;
  if (!first) return [];
  const [number, { what }] = first;
  return [
    skipped.size === 1
      ? sentence('Message {0} of the thread is not read completely: {1}.', number, verbatim(what))
      : sentence(
          'Messages of the thread that are not read completely: {0}. The first is message {1}: {2}.',
          skipped.size,
          number,
          verbatim(what),
        ),
  ];
}

/** @throws {UnsupportedHistory} for a version that is not known. */
function isOldVersion(version: string | undefined): boolean {
  // The first one had no version.
  if (version === undefined || version === '0.1.0' || version === '0.2.0') return true;
  if (/^0\.3\.\d/.test(version)) return false;
  throw new UnsupportedHistory(
    label,
    `version ${quoteName(version)} of a thread is not known`,
    'Update Splice.',
  );
}

/** Zed sends the latest summary in place of what the assistant said before it. */
function isSummary(node: JsonNode): boolean {
  return memberOf(node, 'Compaction') !== undefined;
}

/** Where a provider made the summary, Zed sends nothing else. */
function retainedBefore(items: readonly JsonNode[], end: number): JsonNode[] {
  const summary = items[end];
  if (!summary || memberOf(memberOf(summary, 'Compaction'), 'Summary') === undefined) return [];
  const retained: JsonNode[] = [];
  let left = maxRetainedBytes;
  for (const node of items.slice(0, end).toReversed()) {
    const asked = memberOf(node, 'User');
    if (!asked) continue;
    left -= asked.end - asked.start;
    if (left < 0) break;
    retained.unshift(node);
  }
  return retained;
}

/** Without the summaries. */
function withEarlier({ json, text }: HistoryFile): string {
  const items = listIn(memberOf(json, 'thread'), 'messages')?.items ?? [];
  return applyPatches(text, cutItems(items, new Set(items.filter(isSummary))));
}

function readMessage(node: JsonNode, skip: Skip): HistoryMessage[] {
  const asked = memberOf(node, 'User');
  if (asked) {
    const parts = readEach(listIn(asked, 'content')?.items ?? [], readUserContent, skip);
    const details = { id: stringIn(asked, 'id'), span: node };
    return parts.length > 0 ? [createMessage('user', parts, details)] : [];
  }
  const answer = memberOf(node, 'Agent');
  if (answer) {
    const said = readEach(listIn(answer, 'content')?.items ?? [], readAgentContent, skip);
    return [
      ...(said.length > 0 ? [createMessage('assistant', said, { span: node })] : []),
      ...resultMessage(node, memberOf(answer, 'tool_results')),
    ];
  }
  if (isSummary(node)) {
    const summary = stringIn(memberOf(node, 'Compaction'), 'Summary') ?? '';
    return [createMessage('user', [createPart('summary', summary, {})], { span: node })];
  }
  // A request to go on, which Zed words itself.
  if (node.type === 'string' && node.value === 'Resume') return [];
  throw unknownEntry(label, 'A message', firstKey(node));
}

const firstKey = (node: JsonNode): string | undefined =>
  node.type === 'object' ? [...node.members.keys()][0] : undefined;

function readUserContent(content: JsonNode): HistoryPart[] {
  const text = memberOf(content, 'Text');
  if (text) return [createTextPart('text', text, {})];
  if (memberOf(content, 'Image')) return [createPart('image', '', {})];
  const mention = memberOf(content, 'Mention');
  if (!mention) throw unknownEntry(label, 'Content', firstKey(content));
  const added = stringIn(mention, 'content') ?? '';
  const named = argumentsText(memberOf(mention, 'uri'));
  return [createContext(named, added)];
}

function readAgentContent(content: JsonNode): HistoryPart[] {
  const text = memberOf(content, 'Text');
  if (text) return [createTextPart('text', text, {})];
  const thinking = memberOf(content, 'Thinking');
  if (thinking) return [createPart('thinking', stringIn(thinking, 'text') ?? '', {})];
  if (memberOf(content, 'RedactedThinking')) return [createPart('encrypted', '', {})];
  if (memberOf(content, 'Image')) return [createPart('image', '', {})];
  const call = memberOf(content, 'ToolUse');
  if (!call) throw unknownEntry(label, 'Content', firstKey(content));
  const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'id') };
  return [createCall(inputOf(memberOf(call, 'input')), {}, details)];
}

/** Newer versions tell whether the input is JSON or a text. */
function inputOf(input: JsonNode | undefined): JsonNode | undefined {
  const type = stringIn(input, 'type');
  const isTold =
    input?.type === 'object' && input.members.size === 2 && (type === 'json' || type === 'text');
  return isTold ? memberOf(input, 'value') : input;
}

/** The results of the calls of one answer, by the ids of the calls. */
function resultMessage(span: JsonNode, results: JsonNode | undefined): HistoryMessage[] {
  if (results?.type !== 'object') return [];
  const parts = [...results.entries()].flatMap(([callId, result]) =>
    zedResultParts(memberOf(result, 'content'), callId),
  );
  return parts.length > 0 ? [createMessage('tool', parts, { span })] : [];
}

export const zed: HistoryFormat = {
  id: 'zed',
  label,
  isReadOnly: true,
  detect: ({ json }) =>
    memberOf(json, 'zed')?.type === 'object' && memberOf(json, 'thread')?.type === 'object',
  read,
  withEarlier,
};
