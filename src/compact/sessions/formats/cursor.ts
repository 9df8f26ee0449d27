import { sentence } from '../../../base/sentence';
import {
  argumentsText,
  createCall,
  createMessage,
  createPart,
  createTextPart,
  joinAssistant,
} from '../blocks';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  isoTime,
  requireMessages,
  UnsupportedHistory,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, parseJsonNode, stringIn } from '../json';

const label = 'Cursor';
/** Supported versions of the two kinds of rows. */
const knownVersions = { composer: [1, 2, 3], bubble: [1, 2, 3] };

/**
 * The rows of the table `cursorDiskKV` that belong to one session, as JSON: `[{key, value}]` with
 * `composerData:<session>` and `bubbleId:<session>:<message>`; a value is JSON, or JSON in a string as
 * the table has it. Whoever reads the database hands in no more than these.
 */
interface Rows {
  readonly composer: JsonNode;
  readonly bubbles: ReadonlyMap<string, JsonNode>;
}

const composerPrefix = 'composerData:';
const bubblePrefix = 'bubbleId:';

function rowsOf({ json }: HistoryFile): Rows | undefined {
  if (json?.type !== 'list') return undefined;
  let composer: JsonNode | undefined;
  const bubbles = new Map<string, JsonNode>();
  for (const row of json.items) {
    const key = stringIn(row, 'key');
    const value = memberOf(row, 'value');
    if (key === undefined || !value) return undefined;
    const isComposer = key.startsWith(composerPrefix);
    if (!isComposer && !key.startsWith(bubblePrefix)) continue;
    const node = value.type === 'string' ? parseJsonNode(value.value) : value;
    if (!node) throw new UnsupportedHistory(label, 'a row is damaged', 'Choose another session.');
    if (isComposer && composer) {
      throw new UnsupportedHistory(
        label,
        'there are rows of several sessions',
        'Choose one session.',
      );
    }
    if (isComposer) composer = node;
    else bubbles.set(key.slice(key.lastIndexOf(':') + 1), node);
  }
  return composer && { composer, bubbles };
}

function read(file: HistoryFile): History {
  const rows = rowsOf(file);
  if (!rows) throw new UnsupportedHistory(label, 'there is no session', 'Choose another session.');
  const { composer, bubbles } = rows;
  check(composer, 'composer');
  const headers = listIn(composer, 'fullConversationHeadersOnly')?.items ?? [];
  // Older sessions have their messages inside.
  const inline = listIn(composer, 'conversation')?.items ?? [];
  const found = headers.map(header => bubbles.get(stringIn(header, 'bubbleId') ?? ''));
  const nodes = headers.length > 0 ? found.filter(node => node !== undefined) : inline;
  const messages = joinAssistant(nodes.flatMap(readBubble));
  requireMessages(label, messages);
  const [sessionId, title] = [stringIn(composer, 'composerId'), stringIn(composer, 'name')];
  const created = numberIn(composer, 'createdAt');
  const lost = headers.length - nodes.length;
  return {
    tool: 'cursor',
    label,
    sessionId,
    title,
    startedAt: isoTime(created),
    messages,
    isCut: false,
    notes:
      headers.length > 0 && lost > 0 ? [sentence('Messages that are missing: {0}.', lost)] : [],
    file,
    companions: [],
  };
}

function check(node: JsonNode, kind: keyof typeof knownVersions): void {
  const version = numberIn(node, '_v');
  if (version !== undefined && !knownVersions[kind].includes(version)) {
    throw new UnsupportedHistory(
      label,
      `version ${version} of a ${kind} is not known`,
      'Export the chat as Markdown and compact that.',
    );
  }
}

function readBubble(node: JsonNode): HistoryMessage[] {
  check(node, 'bubble');
  const type = numberIn(node, 'type');
  if (type !== 1 && type !== 2) throw unknownEntry(label, 'A message of type', String(type));
  const details = { id: stringIn(node, 'bubbleId'), at: stringIn(node, 'createdAt'), span: node };
  const text = memberOf(node, 'text');
  const parts =
    text?.type === 'string' && text.value !== '' ? [createTextPart('text', text, {})] : [];
  if (type === 1) return [createMessage('user', parts, details)];
  const thinking = stringIn(memberOf(node, 'thinking'), 'text');
  if (thinking !== undefined) parts.unshift(createPart('thinking', thinking, {}));
  const tool = memberOf(node, 'toolFormerData');
  if (tool?.type !== 'object') return [createMessage('assistant', parts, details)];
  const callId = stringIn(tool, 'toolCallId');
  const input = memberOf(tool, 'rawArgs') ?? memberOf(tool, 'params');
  const name = stringIn(tool, 'name');
  parts.push(createCall(input, {}, { name, callId }));
  if (stringIn(tool, 'result') === undefined) return [createMessage('assistant', parts, details)];
  // A result is JSON in a string: lines have no meaning in it.
  const own = createPart('tool_result', argumentsText(memberOf(tool, 'result')), {}, { callId });
  return [createMessage('assistant', parts, details), createMessage('tool', [own], details)];
}

export const cursor: HistoryFormat = {
  id: 'cursor',
  label,
  isReadOnly: true,
  detect: ({ json }) =>
    json?.type === 'list' &&
    json.items.some(row => stringIn(row, 'key')?.startsWith(composerPrefix) === true),
  read,
};
