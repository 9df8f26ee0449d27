import {
  type Edits,
  type History,
  type HistoryMessage,
  type HistoryPart,
  isPlainId,
  type Item,
  type ItemList,
  type NewSession,
  type Span,
  UnsupportedHistory,
} from './history';
import { type JsonNode, type JsonString, writeLiteral } from './json';

/** Stands where a tool needs some text and no line was kept. */
export const marker = '(left out to shorten this chat)';

export interface Patch extends Span {
  readonly text: string;
}

export interface EditPlan {
  readonly patches: readonly Patch[];
  /** What goes as a whole: spans of items. */
  readonly removed: ReadonlySet<Span>;
}

/** What becomes of a part: its new text; `true` as it is; `false` gone. */
type Fate = string | boolean;

/**
 * Turns what is left of the parts into changes of the file's text. A call and its results stay or go
 * together, and nothing that a tool must find is left empty.
 * @throws {RangeError} when the edits have not the shape of the messages.
 * @throws {UnsupportedHistory} when an edit changes a part that must stay whole.
 */
export function planEdits({ label, messages, file }: History, edits: Edits): EditPlan {
  const fates = fatesOf(label, messages, edits);
  dropPairs(messages, fates);
  const patches: Patch[] = [];
  const removals = new Removals();
  let left = 0;
  for (const [at, message] of messages.entries()) {
    const own = fates[at] ?? [];
    if (own.length > 0 && message.items.length > 0 && own.every(fate => fate === false)) {
      // Of a part, more may go than what stands in the message.
      const items = message.parts.flatMap(({ slot }) => slot.items ?? []);
      for (const item of [...message.items, ...items]) removals.add(item);
      continue;
    }
    left++;
    markEmpty(message, own);
    for (const [index, part] of message.parts.entries())
      writePart(label, file.text, part, own[index] ?? true, patches, removals);
  }
  if (left === 0)
    throw new UnsupportedHistory(label, 'nothing of the chat would be left', 'Keep some of it.');
  return { patches: [...removals.patches(), ...patches], removed: removals.removed };
}

function fatesOf(label: string, messages: readonly HistoryMessage[], edits: Edits): Fate[][] {
  if (edits.length !== messages.length) throw new RangeError('one list of edits for each message');
  return messages.map(({ parts }, at) => {
    const own = edits[at] ?? [];
    if (own.length !== parts.length) throw new RangeError('one edit for each part');
    return parts.map((part, index) => fateOf(label, part, own[index] ?? null));
  });
}

function fateOf(label: string, part: HistoryPart, edit: string | null): Fate {
  // Whoever counts in lines may end the last one.
  if (edit !== null && (edit === part.text || edit === `${part.text}\n`)) return true;
  if (part.isEditable && edit !== null) return edit === '' ? '' : withoutAddedEnd(part.text, edit);
  if (part.type !== 'summary' && (edit === null || edit === '')) return false;
  throw new UnsupportedHistory(
    label,
    `a part that must stay whole (${part.type}) was changed or left out`,
    'Keep it as it is.',
  );
}

function withoutAddedEnd(text: string, edit: string): string {
  if (text.endsWith('\n') || !edit.endsWith('\n')) return edit;
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const before = edit.length - last.length - 2;
  const isLast = edit.endsWith(`${last}\n`) && (before < 0 || edit.charCodeAt(before) === 0x0a);
  return isLast ? edit.slice(0, -1) : edit;
}

/** Drops the calls whose results go, and the results whose calls go. */
function dropPairs(messages: readonly HistoryMessage[], fates: Fate[][]): void {
  const dropped = new Set<string>();
  for (const [at, { parts }] of messages.entries())
    for (const [index, { callId }] of parts.entries())
      if (callId !== undefined && fates[at]?.[index] === false) dropped.add(callId);
  if (dropped.size === 0) return;
  for (const [at, { parts }] of messages.entries())
    for (const [index, { callId }] of parts.entries()) {
      const own = fates[at];
      if (own && callId !== undefined && dropped.has(callId)) own[index] = false;
    }
}

/** Puts a marker where emptied parts would leave nothing, and lets the other emptied ones go. */
function markEmpty({ parts, items }: HistoryMessage, fates: Fate[]): void {
  for (const [index, part] of parts.entries())
    if (fates[index] === '' && part.type === 'tool_result') fates[index] = marker;
  const holdsSomething = parts.some(({ type, text }, index) => {
    const fate = fates[index] ?? true;
    return fate === true ? type !== 'text' || text !== '' : fate !== false && fate !== '';
  });
  // A message that had nothing to begin with stays as it is.
  if (holdsSomething || fates.every(fate => fate === true)) return;
  const emptied = parts.findIndex((part, index) => fates[index] === '' && canHold(part));
  if (emptied >= 0) fates[emptied] = marker;
  else if (items.length === 0) {
    const any = parts.findIndex(part => part.isEditable && canHold(part));
    if (any >= 0) fates[any] = marker;
  }
}

/** In a text, nothing has to stand where a message was. */
function canHold({ slot }: HistoryPart): boolean {
  return slot.literal !== undefined;
}

function writePart(
  label: string,
  text: string,
  part: HistoryPart,
  fate: Fate,
  patches: Patch[],
  removals: Removals,
): void {
  if (fate === true) return;
  const { literal, mirrors, span, items, mayBeEmpty } = part.slot;
  if ((fate === false || fate === '') && items && items.length > 0) {
    for (const item of items) removals.add(item);
    return;
  }
  const left = typeof fate === 'string' && fate !== '' ? fate : mayBeEmpty ? '' : marker;
  if (literal && part.isEditable) {
    for (const node of [literal, ...(mirrors ?? [])]) patches.push(rewrite(text, node, left));
  } else if (span && (part.isEditable || fate === false)) patches.push({ ...span, text: left });
  else
    throw new UnsupportedHistory(
      label,
      `a part of this place (${part.type}) cannot be left out`,
      'Keep it as it is.',
    );
}

function rewrite(text: string, node: JsonString, next: string): Patch {
  const { start, end, value } = node;
  return { start, end, text: writeLiteral(text.slice(start, end), value, next) };
}

/** Items to take out of their lists, together with lists that nothing is left in. */
class Removals {
  readonly removed = new Set<Span>();
  readonly #items = new Map<ItemList, { parent: Item | undefined; gone: Set<Span> }>();

  add({ list, node, parent }: Item): void {
    const known = this.#items.get(list) ?? { parent, gone: new Set<Span>() };
    this.#items.set(list, known);
    known.gone.add(node);
    this.removed.add(node);
    if (known.parent && known.gone.size === sizeOf(list)) this.add(known.parent);
  }

  patches(): Patch[] {
    return [...this.#items].flatMap(([list, { gone }]) =>
      list.type === 'lines' ? [...gone].map(cut) : cutItems(spansOf(list), gone),
    );
  }
}

function cut({ start, end }: Span): Patch {
  return { start, end, text: '' };
}

function sizeOf(list: ItemList): number {
  return list.type === 'object' ? list.members.size : list.items.length;
}

function spansOf(list: ItemList): readonly Span[] {
  return list.type === 'object' ? [...list.members.values()] : list.items;
}

/** Takes runs of items out with one of the commas beside them, and leaves the others' spacing. */
function cutItems(spans: readonly Span[], gone: ReadonlySet<Span>): Patch[] {
  const patches: Patch[] = [];
  for (let at = 0; at < spans.length; at++) {
    const first = spans[at];
    if (!first || !gone.has(first)) continue;
    const before = spans[at - 1];
    let last = first;
    for (let next = spans[at + 1]; next && gone.has(next); next = spans[++at + 1]) last = next;
    const after = spans[at + 1];
    if (after) patches.push({ start: startOf(first), end: startOf(after), text: '' });
    else patches.push({ start: before ? before.end : startOf(first), end: last.end, text: '' });
  }
  return patches;
}

/** With the key of a member. */
function startOf(span: Span | JsonNode): number {
  return 'keyStart' in span && span.keyStart >= 0 ? span.keyStart : span.start;
}

/** Changes that stand within another change are part of what it takes away. */
export function applyPatches(text: string, patches: readonly Patch[]): string {
  return applyWithin(text, inOrder(patches), 0, text.length);
}

/** The texts of `spans`, which are in order, with the patches that stand in them. */
export function applyToSpans(
  text: string,
  patches: readonly Patch[],
  spans: readonly Span[],
): string[] {
  const sorted = inOrder(patches);
  let next = 0;
  const skip = (offset: number) => {
    for (let patch = sorted[next]; patch && patch.start < offset; patch = sorted[next]) next++;
    return next;
  };
  return spans.map(({ start, end }) =>
    applyWithin(text, sorted.slice(skip(start), skip(end)), start, end),
  );
}

function inOrder(patches: readonly Patch[]): Patch[] {
  return [...patches].sort((a, b) => a.start - b.start || b.end - a.end);
}

function applyWithin(text: string, sorted: readonly Patch[], from: number, to: number): string {
  const pieces: string[] = [];
  let at = from;
  for (const { start, end, text: next } of sorted) {
    if (start < at) continue;
    pieces.push(text.slice(at, start), next);
    at = end;
  }
  pieces.push(text.slice(at, to));
  return pieces.join('');
}

/** Sets a string member, if there is one. */
export function setString(node: JsonNode | undefined, key: string, value: string): Patch[] {
  const member = node?.type === 'object' ? node.members.get(key) : undefined;
  if (member?.type !== 'string' || member.value === value) return [];
  return [{ start: member.start, end: member.end, text: JSON.stringify(value) }];
}

/** Replaces ids wherever a member that is named as an id holds one. */
export function replaceIds(roots: Iterable<JsonNode>, ids: ReadonlyMap<string, string>): Patch[] {
  const patches: Patch[] = [];
  const visit = (node: JsonNode, key: string): void => {
    if (node.type === 'object') for (const [name, member] of node.members) visit(member, name);
    else if (node.type === 'list') for (const item of node.items) visit(item, key);
    else if (node.type === 'string' && /ids?$/i.test(key)) {
      const next = ids.get(node.value);
      if (next !== undefined)
        patches.push({ start: node.start, end: node.end, text: JSON.stringify(next) });
    }
  };
  for (const root of roots) visit(root, '');
  return patches;
}

/** A session that a command line continues. An id that was read from a file may be anything, even a command. */
export function resumedBy(
  command: string,
  id: string | undefined,
  file: { path: string; text: string },
): NewSession {
  const shell = isPlainId(id) ? `${command} ${id}` : command;
  const sentence = `Run “${shell}” in the folder of the session.`;
  return { files: [file], continueBy: { sentence, shell } };
}

/** The session with its own name and id, for where the whole place is a copy. */
export function editedCopy(
  command: string,
  { file, sessionId }: History,
  patches: readonly Patch[],
): NewSession {
  const text = applyPatches(file.text, patches);
  return resumedBy(command, sessionId, { path: file.name, text });
}

/** A file of lines that a tool will add to: the last one has to be whole, and ended. */
export function linesToAddTo(history: History, patches: readonly Patch[]): string {
  const { file, isCut } = history;
  const tail = isCut ? file.lines.at(-1) : undefined;
  const text = applyPatches(file.text, tail ? [...patches, cut(tail)] : patches);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** `chat.json` becomes `chat-compacted.json`. */
export function compactedName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-compacted${name.slice(dot)}` : `${name}-compacted`;
}
