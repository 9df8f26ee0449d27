import { argumentsText, itemOf, memberItem, messageOf, partOf, textPart } from './blocks';
import { editedCopy, linesToAddTo, planEdits, resumedBy, setString } from './edit';
import type { HistoryFile } from './file';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  requireMessages,
  requireSessionId,
  unknown,
} from './history';
import { type JsonNode, listIn, memberOf, stringIn } from './json';

const label = 'Gemini CLI';
const command = 'gemini --resume';

/** Shown to the user only. */
const shownTypes = new Set(['info', 'error', 'warning']);

/** A message as it was last written, and every place that has it. */
interface Entry {
  readonly node: JsonNode;
  readonly items: readonly Item[];
}

interface Session {
  readonly about: readonly JsonNode[];
  readonly entries: readonly Entry[];
  readonly isCut: boolean;
}

/** One JSON object, or lines: a header, messages, and changes of what came before. */
function readSession(file: HistoryFile): Session {
  const whole = file.json;
  const list = listIn(whole, 'messages');
  if (whole && list) {
    const entries = list.items.map(node => ({ node, items: [itemOf(list, node)] }));
    return { about: [whole], entries, isCut: false };
  }
  const { records, isCut } = file.recordsFor(label);
  const about: JsonNode[] = [];
  const lines = new Entries();
  let replaced: readonly Entry[] = [];
  for (const { node, item } of records) {
    const set = memberOf(node, '$set');
    const rewind = stringIn(node, '$rewindTo');
    if (rewind !== undefined) lines.rewind(rewind);
    else if (stringIn(node, 'id') !== undefined) lines.add(node, item);
    else if (set) {
      about.push(set);
      const own = listIn(set, 'messages');
      // A list of messages stands for all lines, even for those that come later.
      if (own) replaced = own.items.map(one => ({ node: one, items: [itemOf(own, one)] }));
    } else if (node.members.has('sessionId')) about.push(node);
    else throw unknown(label, 'A line', [...node.members.keys()][0]);
  }
  return { about, entries: replaced.length > 0 ? replaced : lines.all(), isCut };
}

/** Lines with messages: a later one with the same id takes the place of the earlier. */
class Entries {
  readonly #byId = new Map<string, { node: JsonNode; items: Item[] }>();
  readonly #ids: string[] = [];

  add(node: JsonNode, item: Item): void {
    const id = stringIn(node, 'id') ?? '';
    const known = this.#byId.get(id);
    if (known) {
      known.node = node;
      known.items.push(item);
    } else {
      this.#byId.set(id, { node, items: [item] });
      this.#ids.push(id);
    }
  }

  /** The message that is named goes, too; a name that is not there leaves nothing. */
  rewind(id: string): void {
    const end = this.#byId.has(id) ? id : undefined;
    for (let last = this.#ids.pop(); last !== undefined; last = this.#ids.pop()) {
      this.#byId.delete(last);
      if (last === end) break;
    }
  }

  all(): readonly Entry[] {
    return [...this.#byId.values()];
  }
}

function read(file: HistoryFile): History {
  const { about, entries, isCut } = readSession(file);
  const messages = entries.flatMap(readEntry);
  requireMessages(label, messages);
  const last = (key: string) => about.flatMap(node => stringIn(node, key) ?? []).at(-1);
  const [sessionId, startedAt, title] = [last('sessionId'), last('startTime'), last('summary')];
  return {
    tool: 'gemini',
    label,
    sessionId,
    title,
    startedAt,
    messages,
    isCut,
    notes: [],
    file,
    beside: [],
  };
}

function readEntry({ node, items }: Entry): HistoryMessage[] {
  const type = stringIn(node, 'type');
  if (type !== undefined && shownTypes.has(type)) return [];
  if (type !== 'user' && type !== 'gemini') throw unknown(label, 'A message', type);
  const details = { id: stringIn(node, 'id'), at: stringIn(node, 'timestamp'), place: node, items };
  const parts = contentOf(node);
  if (type === 'user') {
    const isResult = parts.length > 0 && parts.every(part => part.type === 'tool_result');
    return [messageOf(isResult ? 'tool' : 'user', parts, details)];
  }
  const thoughts = listIn(node, 'thoughts');
  const thinking = (thoughts?.items ?? []).map(thought => {
    const text = [stringIn(thought, 'subject'), stringIn(thought, 'description')];
    const slot = thoughts ? { items: [itemOf(thoughts, thought)] } : {};
    return partOf('thinking', text.filter(line => line !== undefined).join('\n'), slot);
  });
  return [messageOf('assistant', [...thinking, ...parts, ...callParts(node)], details)];
}

function contentOf(node: JsonNode): HistoryPart[] {
  const content = memberOf(node, 'content');
  if (!content || (content.type === 'plain' && content.value === null)) return [];
  if (content.type === 'string') return [textPart('text', content, { mayBeEmpty: true })];
  if (content.type === 'object') return [blockPart(content, memberItem(node, 'content'))];
  if (content.type !== 'list') throw unknown(label, 'Content', content.type);
  const parent = memberItem(node, 'content');
  return content.items.map(block => blockPart(block, itemOf(content, block, parent)));
}

function blockPart(block: JsonNode, item: Item | undefined): HistoryPart {
  const slot = item ? { items: [item] } : {};
  if (block.type === 'string') return textPart('text', block, slot);
  const text = memberOf(block, 'text');
  if (text) {
    const thought = memberOf(block, 'thought');
    const isThought = thought?.type === 'plain' && thought.value === true;
    return isThought && text.type === 'string'
      ? partOf('thinking', text.value, slot)
      : textPart('text', text, slot);
  }
  const call = memberOf(block, 'functionCall');
  if (call) {
    const args = memberOf(call, 'args');
    const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'id') };
    return partOf('tool_call', argumentsText(args), slot, details);
  }
  const response = memberOf(block, 'functionResponse');
  if (response) return responsePart(response, stringIn(response, 'id'), slot.items ?? []);
  if (memberOf(block, 'inlineData') ?? memberOf(block, 'fileData'))
    return partOf('image', '', slot);
  if (memberOf(block, 'executableCode') ?? memberOf(block, 'codeExecutionResult'))
    return partOf('other', '', slot);
  throw unknown(
    label,
    'A part',
    block.type === 'object' ? [...block.members.keys()][0] : undefined,
  );
}

function responsePart(
  response: JsonNode,
  callId: string | undefined,
  items: readonly Item[],
): HistoryPart {
  const body = memberOf(response, 'response');
  const text = memberOf(body, 'output') ?? memberOf(body, 'error');
  return text?.type === 'string'
    ? textPart('tool_result', text, { items }, { callId })
    : partOf('other', argumentsText(body), { items }, { callId });
}

/** A call has its result in the same object. */
function callParts(node: JsonNode): HistoryPart[] {
  const calls = listIn(node, 'toolCalls');
  if (!calls) return [];
  const parent = memberItem(node, 'toolCalls');
  return calls.items.flatMap(call => {
    const items = [itemOf(calls, call, parent)];
    const callId = stringIn(call, 'id');
    const args = memberOf(call, 'args');
    const details = { name: stringIn(call, 'name'), callId };
    const results = (listIn(call, 'result')?.items ?? []).map(block => {
      const response = memberOf(block, 'functionResponse');
      return response
        ? responsePart(response, callId, items)
        : partOf('image', '', { items }, { callId });
    });
    return [partOf('tool_call', argumentsText(args), { items }, details), ...results];
  });
}

export const gemini: HistoryFormat = {
  id: 'gemini',
  label,
  isReadOnly: false,

  detect: file =>
    [file.head[0], file.json].some(
      node =>
        node?.type === 'object' && node.members.has('sessionId') && node.members.has('projectHash'),
    ),

  read,

  write(history, edits, options) {
    const { file } = history;
    const { patches } = planEdits(history, edits);
    if (options.asCopy) return editedCopy(command, history, patches);
    requireSessionId(history);
    const id = options.newId();
    const ids = readSession(file).about.flatMap(node => setString(node, 'sessionId', id));
    const time = options.now.toISOString().slice(0, 16).replaceAll(':', '-');
    const end = file.name.endsWith('.json') ? 'json' : 'jsonl';
    const path = `session-${time}-${id.slice(0, 8)}.${end}`;
    return resumedBy(command, id, {
      path: path,
      text: linesToAddTo(history, [...patches, ...ids]),
    });
  },
};
