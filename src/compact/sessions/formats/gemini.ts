import {
  argumentsText,
  createCall,
  createItem,
  createMemberItem,
  createMessage,
  createPart,
  createTextPart,
} from '../blocks';
import {
  applyToSpans,
  type EditPlan,
  editedCopy,
  linesToAddTo,
  type Patch,
  planEdits,
  resumedBy,
  setString,
} from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  type PartLocation,
  requireMessages,
  requireSessionId,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonList, type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';
import { SessionSizes, setNumbers } from '../sizes';

const label = 'Gemini CLI';
const command = 'gemini --resume';
/** Tokens of the instructions and tools of version 0.61. */
const usualOverhead = 10_000;

/** Types that are shown to the user and not sent to the model. */
const shownTypes = new Set(['info', 'error', 'warning']);

/** Texts with the role `user` that the tool wrote, and sends anew each time. */
const ownTexts = /^\s*<(?:session_context|hook_context)>/;

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
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const about: JsonNode[] = [];
  const entries = new Entries();
  for (const { node, item } of records) {
    const set = memberOf(node, '$set');
    const rewind = stringIn(node, '$rewindTo');
    if (rewind !== undefined) {
      entries.rewind(rewind);
    } else if (stringIn(node, 'id') !== undefined) {
      entries.add(node, item);
    } else if (set) {
      about.push(set);
      const own = listIn(set, 'messages');
      if (own) entries.replace(own);
    } else if (node.members.has('sessionId')) {
      about.push(node);
      const own = listIn(node, 'messages');
      if (own) entries.addAll(own);
    } else {
      throw unknownEntry(label, 'A line', [...node.members.keys()][0]);
    }
  }
  return { about, entries: entries.all(), isCut };
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

  addAll(list: JsonList): void {
    for (const node of list.items) this.add(node, createItem(list, node));
  }

  /** A list of messages in a change replaces what came before; lines after it add to it. */
  replace(list: JsonList): void {
    this.#byId.clear();
    this.#ids.length = 0;
    this.addAll(list);
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
  const { messages } = foldRepeats(entries.flatMap(readEntry));
  requireMessages(label, messages);
  const last = (key: string) => about.flatMap(node => stringIn(node, key) ?? []).at(-1);
  const [sessionId, startedAt, title] = [last('sessionId'), last('startTime'), last('summary')];
  const workspaceHash = last('projectHash');
  return {
    tool: 'gemini',
    label,
    sessionId,
    title,
    startedAt,
    workspaceHash,
    messages,
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

/** Each time that a session is resumed, the tool may note the results of a call once more, and sends both. */
function foldRepeats(all: readonly HistoryMessage[]): {
  readonly messages: readonly HistoryMessage[];
  /** Offsets of those that only repeat. */
  readonly repeats: ReadonlySet<number>;
} {
  const known = new Map<string, HistoryPart>();
  const repeats = new Set<number>();
  const messages: HistoryMessage[] = [];
  for (const message of all) {
    const keys = message.parts.map(({ type, callId, text }) =>
      type === 'tool_result' && callId !== undefined ? `${callId}\n${text}` : undefined,
    );
    const same = keys.map(key => (key === undefined ? undefined : known.get(key)));
    if (same.length > 0 && same.every(part => part !== undefined)) {
      repeats.add(message.offset);
      for (const [at, part] of same.entries()) joinPart(part, message.parts[at], message.items);
      continue;
    }
    const parts = message.parts.map(part => ({ ...part, location: { ...part.location } }));
    for (const [at, key] of keys.entries()) {
      const part = parts[at];
      if (key !== undefined && part) known.set(key, part);
    }
    messages.push({ ...message, parts });
  }
  return { messages, repeats };
}

/** What happens to a part happens to its repetition. */
function joinPart(
  part: HistoryPart & { location: PartLocation },
  repeat: HistoryPart | undefined,
  items: readonly Item[],
): void {
  const literal = repeat?.location.literal;
  part.location = {
    ...part.location,
    mirrors: [...(part.location.mirrors ?? []), ...(literal ? [literal] : [])],
    items: [...(part.location.items ?? []), ...(repeat?.location.items ?? []), ...items],
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
    const isOwn = ownTexts.test(parts[0]?.text ?? '');
    return [createMessage(isResult ? 'tool' : isOwn ? 'system' : 'user', parts, details)];
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
  if (content.type === 'object')
    return [geminiPart(label, content, createMemberItem(node, 'content'))];
  if (content.type !== 'list') throw unknownEntry(label, 'Content', content.type);
  const parent = createMemberItem(node, 'content');
  return content.items.map(block => geminiPart(label, block, createItem(content, block, parent)));
}

/** A part in the shape of Gemini's interface. */
export function geminiPart(tool: string, block: JsonNode, item: Item | undefined): HistoryPart {
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
    return createCall(args, location, details);
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
    tool,
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
    return [createCall(args, { items }, details), ...results];
  });
}

export const gemini: HistoryFormat = {
  id: 'gemini',
  label,
  isReadOnly: false,

  detect: file =>
    [file.first, file.json].some(
      node =>
        node?.type === 'object' && node.members.has('sessionId') && node.members.has('projectHash'),
    ),

  read,

  write(history, edits, options) {
    const { file } = history;
    const plan = planEdits(history, edits);
    if (options.asCopy) return editedCopy(command, history, plan.patches);
    requireSessionId(history);
    const id = options.newId();
    const session = readSession(file);
    const sizes = usagePatches(history, edits, session.entries);
    const time = options.now.toISOString().slice(0, 16).replaceAll(':', '-');
    const isLines = !listIn(file.json, 'messages');
    const path = `session-${time}-${id.slice(0, 8)}.${isLines ? 'jsonl' : 'json'}`;
    const ids = session.about.flatMap(node => setString(node, 'sessionId', id));
    const patches = [...plan.patches, ...sizes];
    const text = isLines
      ? linesOf(file, session, { ...plan, patches }, { sessionId: id, lastUpdated: options.now })
      : linesToAddTo(history, [...patches, ...ids]);
    return resumedBy(command, id, { path, text });
  },
};

/** A log without what was replaced or taken back: its header, and each message that is left. */
function linesOf(
  { text }: HistoryFile,
  { about, entries }: Session,
  { patches, removed }: EditPlan,
  own: Readonly<Record<string, unknown>>,
): string {
  const members = new Map<string, string>();
  for (const node of about) {
    for (const [key, member] of node.type === 'object' ? node.members : []) {
      if (key !== 'messages') members.set(key, text.slice(member.start, member.end));
    }
  }
  for (const [key, value] of Object.entries(own)) members.set(key, JSON.stringify(value));
  const header = [...members].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',');
  const { repeats } = foldRepeats(entries.flatMap(readEntry));
  const kept = entries.filter(
    ({ node, items }) => !repeats.has(node.start) && !items.every(one => removed.has(one.node)),
  );
  const nodes = kept.map(({ node }) => node);
  const inFile = nodes.toSorted((a, b) => a.start - b.start);
  const texts = applyToSpans(text, patches, inFile);
  const textOf = new Map(inFile.map((node, at) => [node, texts[at] ?? '']));
  return [`{${header}}`, ...nodes.map(node => textOf.get(node) ?? ''), ''].join('\n');
}

/** Figures of the size that is left. */
function usagePatches(history: History, edits: Edits, entries: readonly Entry[]): Patch[] {
  const noted = entries.flatMap(({ node }) => {
    const usage = memberOf(node, 'tokens');
    const tokens = numberIn(usage, 'input');
    return usage && tokens !== undefined ? [{ usage, offset: node.start, tokens }] : [];
  });
  const sent = entries.flatMap(readEntry);
  const sizes = new SessionSizes(history, edits, noted, usualOverhead, sent);
  return noted.flatMap(({ usage, offset }) => {
    const [input, output] = [sizes.requestAt(offset), sizes.answerAt(offset)];
    const total = input + output;
    return setNumbers(usage, { input, output, cached: 0, thoughts: 0, tool: 0, total });
  });
}
