import type { Role } from '../../core/message';
import { typedCommand } from '../../core/toolTexts';
import type { Edits, History, HistoryPart, PartEdit } from '../history';
import type { JsonNode } from '../json';

/** A call that was answered. */
export interface Call {
  readonly name: string;
  /** JSON values. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
}

export type SharedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: Call };

/** What one side says at a time: two turns of the same side never follow each other. */
export type SharedTurn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly blocks: readonly SharedBlock[] };

/**
 * What is left of a history, in the terms that all tools share: words of the user, words of the assistant, and
 * calls with their results. Instructions, thoughts and images are of the tool that had them, and go.
 */
export function sharedTurns({ messages }: History, edits: Edits): SharedTurn[] {
  const results = resultsOf(messages, edits);
  const turns = new Turns();
  for (const [at, { role, parts }] of messages.entries()) {
    for (const [index, part] of parts.entries()) {
      const edit = edits[at]?.[index] ?? null;
      if (edit !== null) addPart(turns, role, part, edit, results);
    }
  }
  return turns.all();
}

function resultsOf(messages: History['messages'], edits: Edits): Map<string, string> {
  const results = new Map<string, string>();
  for (const [at, { parts }] of messages.entries()) {
    for (const [index, { type, callId }] of parts.entries()) {
      const edit = edits[at]?.[index];
      if (type === 'tool_call' || callId === undefined || typeof edit !== 'string') continue;
      const before = results.get(callId);
      results.set(callId, before === undefined ? edit : `${before}\n${edit}`);
    }
  }
  return results;
}

function addPart(
  turns: Turns,
  role: Role,
  part: HistoryPart,
  edit: PartEdit,
  results: ReadonlyMap<string, string>,
): void {
  const { type, callId, name = 'tool' } = part;
  if (type === 'tool_call') {
    const input = inputOf(part, edit);
    const result = callId === undefined ? undefined : results.get(callId);
    // A call that nobody answered cannot be sent as one.
    if (result === undefined) turns.say(textOfCall(name, input));
    else turns.call({ name, input, result });
    return;
  }
  if (typeof edit !== 'string' || edit.trim() === '') return;
  if (type !== 'text' && type !== 'context' && type !== 'summary') return;
  if (role === 'user') turns.ask(typedCommand(edit) ?? edit);
  else if (role === 'assistant') turns.say(edit);
  // What a tool noted beside its results is not of the user.
  else if (role === 'tool') turns.say(`(note of a tool)\n${edit}`);
}

class Turns {
  readonly #turns: (
    | { role: 'user'; texts: string[] }
    | { role: 'assistant'; blocks: SharedBlock[] }
  )[] = [];

  ask(text: string): void {
    const last = this.#turns.at(-1);
    if (last?.role === 'user') last.texts.push(text);
    else this.#turns.push({ role: 'user', texts: [text] });
  }

  say(text: string): void {
    this.#blocks().push({ type: 'text', text });
  }

  call(call: Call): void {
    this.#blocks().push({ type: 'call', call });
  }

  #blocks(): SharedBlock[] {
    const last = this.#turns.at(-1);
    if (last?.role === 'assistant') return last.blocks;
    const blocks: SharedBlock[] = [];
    this.#turns.push({ role: 'assistant', blocks });
    return blocks;
  }

  all(): SharedTurn[] {
    return this.#turns.map(turn =>
      turn.role === 'user' ? { role: 'user', text: turn.texts.join('\n\n') } : turn,
    );
  }
}

/** The arguments of a call, with values that were shortened. */
function inputOf({ text, location }: HistoryPart, edit: PartEdit): Call['input'] {
  const shortened = new Map<JsonNode, string>();
  if (Array.isArray(edit)) {
    for (const [at, { node }] of (location.call?.fields ?? []).entries()) {
      const value: unknown = edit[at];
      if (typeof value === 'string') shortened.set(node, value);
    }
  }
  const node = location.call?.root;
  const value = node && valueOf(node, shortened);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : { input: value ?? text };
}

function valueOf(node: JsonNode, shortened: ReadonlyMap<JsonNode, string>): unknown {
  const short = shortened.get(node);
  if (short !== undefined) return short;
  if (node.type === 'list') return node.items.map(item => valueOf(item, shortened));
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    [...node.members].map(([key, member]) => [key, valueOf(member, shortened)]),
  );
}

/** A call as words of the assistant, where the other tool has nothing like it. */
export function textOfCall(name: string, input: Call['input'], result?: string): string {
  const lines = Object.entries(input).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}: ${text ?? ''}`;
  });
  const called = [`(called ${name})`, ...lines].join('\n');
  return result === undefined ? called : `${called}\n(result)\n${result}`;
}
