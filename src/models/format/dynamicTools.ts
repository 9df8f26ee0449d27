import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { dynamicToolModels, type Tool } from '../../service';
import type { Conversation, ConversationTurn } from './conversation';
import type { AddedTools, ToolHistory } from './conversion';
import { ConversionNotes, maxTools, usableTools } from './toolSchema';

interface Remembered {
  readonly first: readonly Tool[];
  readonly added: readonly (AddedTools & { readonly prefix: string })[];
}

/**
 * Remembers the tools declared in each conversation, for models that take tools within a conversation:
 * VS Code sends the whole list each time, and a changed list at the top of a request would invalidate the
 * prompt cache for everything after it.
 *
 * - A tool that is added or changed later is declared at the end of the request that introduces it.
 * - A tool that was removed stays declared. A call of it is passed to VS Code, which runs only the tools of
 *   the request and tells the model that there is no such tool.
 * - The conversation starts over with the tools of the request if most declared tools were removed, if a
 *   removed one could be the forced one, or if too many are declared.
 *
 * Keeps hashes and tools, but no content of the conversations.
 */
export class ToolMemory {
  readonly #conversations: LRUCache<string, Remembered>;

  /** @param maxConversations beyond it, the least recently used ones are forgotten. */
  constructor(maxConversations = 64) {
    this.#conversations = new LRUCache({ max: maxConversations });
  }

  get size(): number {
    return this.#conversations.size;
  }

  /** Call it once per request. `undefined` for models that take tools only at the top. */
  recall({ turns, tools, toolMode }: Conversation, model: string): ToolHistory | undefined {
    if (!dynamicToolModels.includes(model)) return undefined;
    const notes = new ConversionNotes();
    const offered = usableTools(tools, notes);
    const key = keyOf(turns, model);
    const known = this.#conversations.get(key);
    const prefixes = prefixesOf(turns, known?.added.map(one => one.afterTurns) ?? []);
    // In another conversation with the same beginning, or a truncated one, later declarations do not count.
    const held = known && {
      first: known.first,
      added: known.added.filter(one => prefixes.at(one.afterTurns) === one.prefix),
    };
    const next = (held && withNewTools(held, offered, toolMode, turns.length, prefixes.end)) ?? {
      first: offered,
      added: [],
    };
    this.#conversations.set(key, next);
    return {
      first: next.first,
      added: next.added.map(({ afterTurns, tools: more }) => ({ afterTurns, tools: more })),
      notes: notes.lines,
    };
  }
}

/** The declared tools plus the new ones; `undefined` if the conversation should start over. */
function withNewTools(
  held: Remembered,
  offered: readonly Tool[],
  toolMode: Conversation['toolMode'],
  afterTurns: number,
  prefix: string,
): Remembered | undefined {
  const allDeclared = [...held.first, ...held.added.flatMap(({ tools }) => tools)];
  // The last declaration of a name counts.
  const declared = new Map(allDeclared.map(tool => [tool.name, tool]));
  const names = new Set(offered.map(({ name }) => name));
  const gone = [...declared.keys()].filter(name => !names.has(name)).length;
  const added = offered.filter(tool => !isSame(declared.get(tool.name), tool));
  if (afterTurns === 0 || held.first.length === 0 || gone > offered.length) return undefined;
  if (toolMode === 'required' && gone > 0) return undefined;
  if (gone + offered.length > maxTools) return undefined;
  // Tools that change with every request would fill the conversation.
  if (allDeclared.length + added.length > 2 * maxTools) return undefined;
  if (added.length === 0) return held;
  return { first: held.first, added: [...held.added, { afterTurns, tools: added, prefix }] };
}

function isSame(a: Tool | undefined, b: Tool): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** Identifies a conversation by the model and the first user turn. */
function keyOf(turns: readonly ConversationTurn[], model: string): string {
  const hash = createHash('sha256').update(`${model}\n`);
  const first = turns.find(({ role }) => role === 'user');
  if (first) addTurn(hash, first);
  return hash.digest('base64');
}

/** Hashes of the conversation up to each of the given turns, and of all of it. */
function prefixesOf(
  turns: readonly ConversationTurn[],
  places: readonly number[],
): { at: (turns: number) => string | undefined; end: string } {
  const hash = createHash('sha256');
  const prefixes = new Map<number, string>();
  turns.forEach((turn, at) => {
    // VS Code's system text contains the time, so it changes with each request.
    if (turn.role !== 'system') addTurn(hash, turn);
    if (places.includes(at + 1)) prefixes.set(at + 1, hash.copy().digest('base64'));
  });
  return { at: place => prefixes.get(place), end: hash.digest('base64') };
}

/** Each text is preceded by its length, so that different turns never hash the same bytes. */
function addTurn(hash: Hash, { role, parts }: ConversationTurn): void {
  const add = (text: string): Hash => hash.update(`${text.length}:`).update(text);
  const addParts = (list: ConversationTurn['parts']): void => {
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
