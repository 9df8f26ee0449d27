import { createHash, type Hash } from 'node:crypto';
import type { Tool } from '../service/wire/answer';
import { dynamicToolModels } from '../service/wire/chatRequest';
import type { Conversation, Turn } from './conversation';
import type { AddedTools, ToolHistory } from './conversion';
import { Notes, mostTools, usableTools } from './toolSchema';

interface Remembered {
  readonly first: readonly Tool[];
  readonly added: readonly (AddedTools & { readonly prefix: string })[];
}

/**
 * Which tools each conversation has been told of, for models that take tools within a conversation:
 * VS Code sends the whole list each time, and a list that changes at the top of a request would change
 * all that comes after it, so nothing of an earlier request could be used again.
 *
 * - A tool that comes later, or changes, is declared at the end of the request in which it came.
 * - A tool that is gone stays declared. A call of it goes to VS Code like any other; it runs only the
 *   tools of the request and tells the model that there is no such tool.
 * - When most of what is declared is gone, one that is gone could be the forced one, or too much is
 *   declared, the conversation begins anew with the tools of the request.
 *
 * Keeps hashes and tools, and nothing of the conversations' content.
 */
export class ToolMemory {
  readonly #most: number;
  /** Least recently used first. */
  readonly #conversations = new Map<string, Remembered>();

  /** @param most conversations to remember */
  constructor(most = 64) {
    this.#most = most;
  }

  get size(): number {
    return this.#conversations.size;
  }

  /** Call it once per request. `undefined` for models that take tools at the top only. */
  recall({ turns, tools, toolMode }: Conversation, model: string): ToolHistory | undefined {
    if (!dynamicToolModels.includes(model)) return undefined;
    const notes = new Notes();
    const offered = usableTools(tools, notes);
    const key = keyOf(turns, model);
    const known = this.#conversations.get(key);
    const prefixes = prefixesOf(turns, known?.added.map(one => one.afterTurns) ?? []);
    // Another conversation with the same beginning, or one that was cut: what came later does not count.
    const held = known && {
      first: known.first,
      added: known.added.filter(one => prefixes.at(one.afterTurns) === one.prefix),
    };
    const next = (held && grown(held, offered, toolMode, turns.length, prefixes.end)) ?? {
      first: offered,
      added: [],
    };
    this.#conversations.delete(key);
    this.#conversations.set(key, next);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > this.#most && oldest !== undefined)
      this.#conversations.delete(oldest);
    return {
      first: next.first,
      added: next.added.map(({ afterTurns, tools: more }) => ({ afterTurns, tools: more })),
      notes: notes.lines,
    };
  }
}

/** What was declared, with what is new; `undefined` where it is better to begin anew. */
function grown(
  held: Remembered,
  offered: readonly Tool[],
  toolMode: Conversation['toolMode'],
  afterTurns: number,
  prefix: string,
): Remembered | undefined {
  const told = [...held.first, ...held.added.flatMap(({ tools }) => tools)];
  // The later declaration of a name counts.
  const declared = new Map(told.map(tool => [tool.name, tool]));
  const names = new Set(offered.map(({ name }) => name));
  const gone = [...declared.keys()].filter(name => !names.has(name)).length;
  const added = offered.filter(tool => !isSame(declared.get(tool.name), tool));
  if (afterTurns === 0 || held.first.length === 0 || gone > offered.length) return undefined;
  if (toolMode === 'required' && gone > 0) return undefined;
  if (gone + offered.length > mostTools) return undefined;
  // Tools that change with every request would fill the conversation with themselves.
  if (told.length + added.length > 2 * mostTools) return undefined;
  if (added.length === 0) return held;
  return { first: held.first, added: [...held.added, { afterTurns, tools: added, prefix }] };
}

function isSame(a: Tool | undefined, b: Tool): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** The model and the first turn of the user. */
function keyOf(turns: readonly Turn[], model: string): string {
  const hash = createHash('sha256').update(`${model}\n`);
  const first = turns.find(({ role }) => role === 'user');
  if (first) addTurn(hash, first);
  return hash.digest('base64');
}

/** Hashes of the conversation up to each of some places, and of all of it. */
function prefixesOf(
  turns: readonly Turn[],
  places: readonly number[],
): { at: (turns: number) => string | undefined; end: string } {
  const hash = createHash('sha256');
  const prefixes = new Map<number, string>();
  turns.forEach((turn, at) => {
    // VS Code writes the system text anew, with the time in it.
    if (turn.role !== 'system') addTurn(hash, turn);
    if (places.includes(at + 1)) prefixes.set(at + 1, hash.copy().digest('base64'));
  });
  return { at: place => prefixes.get(place), end: hash.digest('base64') };
}

/** Each text after its length, so that no two turns have the same bytes. */
function addTurn(hash: Hash, { role, parts }: Turn): void {
  const add = (text: string): Hash => hash.update(`${text.length}:`).update(text);
  const addParts = (list: Turn['parts']): void => {
    hash.update(`[${list.length}`);
    for (const part of list) {
      hash.update(`\n${part.type} `);
      if (part.type === 'text') add(part.text);
      else if (part.type === 'image') hash.update(part.data);
      else if (part.type === 'toolCall') add(part.callId);
      else if (part.type === 'toolResult') {
        add(part.callId);
        addParts(part.parts);
      }
    }
  };
  hash.update(`\n${role} `);
  addParts(parts);
}
