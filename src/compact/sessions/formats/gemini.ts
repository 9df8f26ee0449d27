import {
  argumentsText,
  createItem,
  createMemberItem,
  createMessage,
  createPart,
  createTextPart,
} from '../blocks';
import { editedCopy, linesToAddTo, planEdits, resumedBy, setString } from '../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  requireMessages,
  requireSessionId,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonNode, listIn, memberOf, stringIn } from '../json';

const label = 'Gemini CLI';
const command = 'gemini --resume';

/** Types that are shown to the user and not sent to the model. */
const shownTypes = new Set(['info', 'error', 'warning']);

/** The latest version of a message, and every item that contains a version of it. */
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
    const entries = list.items.map(node => ({ node, items: [createItem(list, node)] }));
    return { about: [whole], entries, isCut: false };
  }
  const { records, isCut } = file.recordsFor(label);
  const about: JsonNode[] = [];
  const lines = new Entries();
  let replaced: readonly Entry[] = [];
  for (const { node, item } of records) {
    const set = memberOf(node, '$set');
    const rewind = stringIn(node, '$rewindTo');
    if (rewind !== undefined) {
      lines.rewind(rewind);
    } else if (stringIn(node, 'id') !== undefined) {
      lines.add(node, item);
    } else if (set) {
      about.push(set);
      const own = listIn(set, 'messages');
      // A list of messages replaces all message lines, including later ones.
      if (own) replaced = own.items.map(one => ({ node: one, items: [createItem(own, one)] }));
    } else if (node.members.has('sessionId')) {
      about.push(node);
    } else {
      throw unknownEntry(label, 'A line', [...node.members.keys()][0]);
    }
  }
  return { about, entries: replaced.length > 0 ? replaced : lines.all(), isCut };
}

/** Message lines: a later one with the same id replaces the earlier one. */
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

  /** Removes the named message and all later ones; an unknown id removes all messages. */
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
    companions: [],
  };
}

function readEntry({ node, items }: Entry): HistoryMessage[] {
  const type = stringIn(node, 'type');
  if (type !== undefined && shownTypes.has(type)) return [];
  if (type !== 'user' && type !== 'gemini') throw unknownEntry(label, 'A message', type);
  const details = { id: stringIn(node, 'id'), at: stringIn(node, 'timestamp'), span: node, items };
  const parts = contentOf(node);
  if (type === 'user') {
    const isResult = parts.length > 0 && parts.every(part => part.type === 'tool_result');
    return [createMessage(isResult ? 'tool' : 'user', parts, details)];
  }
  const thoughts = listIn(node, 'thoughts');
  const thinking = (thoughts?.items ?? []).map(thought => {
    const text = [stringIn(thought, 'subject'), stringIn(thought, 'description')];
    const location = thoughts ? { items: [createItem(thoughts, thought)] } : {};
    return createPart('thinking', text.filter(line => line !== undefined).join('\n'), location);
  });
  return [createMessage('assistant', [...thinking, ...parts, ...callParts(node)], details)];
}

function contentOf(node: JsonNode): HistoryPart[] {
  const content = memberOf(node, 'content');
  if (!content || (content.type === 'plain' && content.value === null)) return [];
  if (content.type === 'string') return [createTextPart('text', content, { mayBeEmpty: true })];
  if (content.type === 'object') return [blockPart(content, createMemberItem(node, 'content'))];
  if (content.type !== 'list') throw unknownEntry(label, 'Content', content.type);
  const parent = createMemberItem(node, 'content');
  return content.items.map(block => blockPart(block, createItem(content, block, parent)));
}

function blockPart(block: JsonNode, item: Item | undefined): HistoryPart {
  const location = item ? { items: [item] } : {};
  if (block.type === 'string') return createTextPart('text', block, location);
  const text = memberOf(block, 'text');
  if (text) {
    const thought = memberOf(block, 'thought');
    const isThought = thought?.type === 'plain' && thought.value === true;
    return isThought && text.type === 'string'
      ? createPart('thinking', text.value, location)
      : createTextPart('text', text, location);
  }
  const call = memberOf(block, 'functionCall');
  if (call) {
    const args = memberOf(call, 'args');
    const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'id') };
    return createPart('tool_call', argumentsText(args), location, details);
  }
  const response = memberOf(block, 'functionResponse');
  if (response) return responsePart(response, stringIn(response, 'id'), location.items ?? []);
  if (memberOf(block, 'inlineData') ?? memberOf(block, 'fileData')) {
    return createPart('image', '', location);
  }
  if (memberOf(block, 'executableCode') ?? memberOf(block, 'codeExecutionResult')) {
    return createPart('other', '', location);
  }
  throw unknownEntry(
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
    ? createTextPart('tool_result', text, { items }, { callId })
    : createPart('other', argumentsText(body), { items }, { callId });
}

/** A call has its result in the same object. */
function callParts(node: JsonNode): HistoryPart[] {
  const calls = listIn(node, 'toolCalls');
  if (!calls) return [];
  const parent = createMemberItem(node, 'toolCalls');
  return calls.items.flatMap(call => {
    const items = [createItem(calls, call, parent)];
    const callId = stringIn(call, 'id');
    const args = memberOf(call, 'args');
    const details = { name: stringIn(call, 'name'), callId };
    const results = (listIn(call, 'result')?.items ?? []).map(block => {
      const response = memberOf(block, 'functionResponse');
      return response
        ? responsePart(response, callId, items)
        : createPart('image', '', { items }, { callId });
    });
    return [createPart('tool_call', argumentsText(args), { items }, details), ...results];
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
