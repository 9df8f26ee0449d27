import { append } from '../../base/arrays';
import {
  type CallArguments,
  type CallEdit,
  type Edits,
  type History,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  type ItemList,
  isSafeId,
  type NewSession,
  type PartEdit,
  type TextSpan,
  UnsupportedHistory,
} from './history';
import type { JsonNode, JsonString } from './json';
import { writeLiteral } from './json/literal';

/** Placeholder where a tool requires text and no line was kept. */
export const omissionMarker = '(left out to shorten this chat)';

export interface Patch extends TextSpan {
  readonly text: string;
}

export interface EditPlan {
  readonly patches: readonly Patch[];
  /** Spans of the items that are removed as a whole. */
  readonly removed: ReadonlySet<TextSpan>;
}

/** What happens to a part: its new text or fields, `true` for unchanged, `false` for removed. */
type PartOutcome = string | boolean | CallEdit;

/**
 * Turns the remaining texts of the parts into patches of the file. A call and its results are kept or
 * removed together, and text that a tool requires is never left empty.
 * @throws {RangeError} when the edits do not match the shape of the messages.
 * @throws {UnsupportedHistory} when an edit changes a part that must stay whole.
 */
export function planEdits({ label, messages, file }: History, edits: Edits): EditPlan {
  if (file.isOnlyRead) throw new TypeError('a file is edited as text, not as bytes');
  const outcomes = outcomesOf(label, messages, edits);
  dropPairs(messages, outcomes);
  const patches: Patch[] = [];
  const removals = new Removals();
  let left = 0;
  for (const [at, message] of messages.entries()) {
    const own = outcomes[at] ?? [];
    if (own.length > 0 && message.items.length > 0 && own.every(outcome => outcome === false)) {
      // A part may refer to items outside of the message, which are removed as well.
      const items = message.parts.flatMap(({ location }) => location.items ?? []);
      for (const item of [...message.items, ...items]) removals.add(item);
      continue;
    }
    left++;
    markEmpty(message, own);
    for (const [index, part] of message.parts.entries()) {
      writePart(label, file.text, part, own[index] ?? true, patches, removals);
    }
  }
  if (left === 0) {
    throw new UnsupportedHistory(label, 'nothing of the chat would be left', 'Keep some of it.');
  }
  return { patches: [...removals.patches(), ...patches], removed: removals.removed };
}

function outcomesOf(
  label: string,
  messages: readonly HistoryMessage[],
  edits: Edits,
): PartOutcome[][] {
  if (edits.length !== messages.length) throw new RangeError('one list of edits for each message');
  return messages.map(({ parts }, at) => {
    const own = edits[at] ?? [];
    if (own.length !== parts.length) throw new RangeError('one edit for each part');
    return parts.map((part, index) => outcomeOf(label, part, own[index] ?? null));
  });
}

function outcomeOf(label: string, part: HistoryPart, edit: PartEdit): PartOutcome {
  if (isCallEdit(edit)) {
    if (edit.length === part.location.call?.fields.length) return edit;
    throw new RangeError('one edit for each field of a call');
  }
  // Callers that work in lines may have added a final line end.
  if (edit !== null && (edit === part.text || edit === `${part.text}\n`)) return true;
  if (part.isEditable && edit !== null) return edit === '' ? '' : withoutAddedEnd(part.text, edit);
  if (part.type !== 'summary' && (edit === null || edit === '')) return false;
  throw new UnsupportedHistory(
    label,
    `a part that must stay whole (${part.type}) was changed or left out`,
    'Keep it as it is.',
  );
}

function isCallEdit(edit: PartEdit | PartOutcome): edit is CallEdit {
  return Array.isArray(edit);
}

function withoutAddedEnd(text: string, edit: string): string {
  if (text.endsWith('\n') || !edit.endsWith('\n')) return edit;
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const before = edit.length - last.length - 2;
  const isLast = edit.endsWith(`${last}\n`) && (before < 0 || edit.charCodeAt(before) === 0x0a);
  return isLast ? edit.slice(0, -1) : edit;
}

/** Removes calls whose results are removed, and results whose calls are removed. */
function dropPairs(messages: readonly HistoryMessage[], outcomes: PartOutcome[][]): void {
  const dropped = new Set<string>();
  for (const [at, { parts }] of messages.entries()) {
    for (const [index, { callId }] of parts.entries()) {
      if (callId !== undefined && outcomes[at]?.[index] === false) dropped.add(callId);
    }
  }
  if (dropped.size === 0) return;
  for (const [at, { parts }] of messages.entries()) {
    for (const [index, { callId }] of parts.entries()) {
      const own = outcomes[at];
      if (own && callId !== undefined && dropped.has(callId)) own[index] = false;
    }
  }
}

/** Puts the placeholder where a message would be left empty, and removes other emptied parts. */
function markEmpty({ parts, items }: HistoryMessage, outcomes: PartOutcome[]): void {
  for (const [index, part] of parts.entries()) {
    if (outcomes[index] === '' && part.type === 'tool_result' && canHold(part))
      outcomes[index] = omissionMarker;
  }
  const holdsSomething = parts.some(({ type, text }, index) => {
    const outcome = outcomes[index] ?? true;
    return outcome === true ? type !== 'text' || text !== '' : outcome !== false && outcome !== '';
  });
  // A message that was empty from the start stays unchanged.
  if (holdsSomething || outcomes.every(outcome => outcome === true)) return;
  const emptied = parts.findIndex((part, index) => outcomes[index] === '' && canHold(part));
  if (emptied >= 0) {
    outcomes[emptied] = omissionMarker;
  } else if (items.length === 0) {
    const any = parts.findIndex(part => part.isEditable && canHold(part));
    if (any >= 0) outcomes[any] = omissionMarker;
  }
}

/** Whether the placeholder can be written here; plain text needs none. */
function canHold({ location }: HistoryPart): boolean {
  return location.literal !== undefined || location.written !== undefined;
}

function writePart(
  label: string,
  text: string,
  part: HistoryPart,
  outcome: PartOutcome,
  patches: Patch[],
  removals: Removals,
): void {
  if (outcome === true) return;
  const { literal, mirrors, span, written, items, mayBeEmpty, call } = part.location;
  if (isCallEdit(outcome)) {
    if (call) append(patches, callPatches(text, call, outcome));
    return;
  }
  if ((outcome === false || outcome === '') && items && items.length > 0) {
    for (const item of items) removals.add(item);
    return;
  }
  const left =
    typeof outcome === 'string' && outcome !== '' ? outcome : mayBeEmpty ? '' : omissionMarker;
  if (literal && part.isEditable) {
    for (const node of [literal, ...(mirrors ?? [])]) patches.push(rewrite(text, node, left));
  } else if (span && (part.isEditable || outcome === false)) {
    patches.push({ start: span.start, end: span.end, text: written?.(left, text) ?? left });
  } else {
    throw new UnsupportedHistory(
      label,
      `a part of this place (${part.type}) cannot be left out`,
      'Keep it as it is.',
    );
  }
}

function rewrite(text: string, node: JsonString, next: string): Patch {
  const { start, end, value } = node;
  return { start, end, text: writeLiteral(text.slice(start, end), value, next) };
}

function callPatches(text: string, { fields, quoted }: CallArguments, edit: CallEdit): Patch[] {
  const source = quoted ? quoted.value : text;
  const own = fields.flatMap(({ node }, at): Patch[] => {
    const next = edit[at] ?? null;
    return next === null || node.type !== 'string' ? [] : [rewrite(source, node, next)];
  });
  if (!quoted || own.length === 0) return own;
  return [
    { start: quoted.start, end: quoted.end, text: JSON.stringify(applyPatches(source, own)) },
  ];
}

/** Collects items to remove from their lists, together with lists that become empty. */
class Removals {
  readonly removed = new Set<TextSpan>();
  readonly #items = new Map<ItemList, { parent: Item | undefined; gone: Set<TextSpan> }>();

  add({ list, node, parent }: Item): void {
    const known = this.#items.get(list) ?? { parent, gone: new Set<TextSpan>() };
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

export function cut({ start, end }: TextSpan): Patch {
  return { start, end, text: '' };
}

/** The text of a file without some of its lines. */
export function withoutRecords(
  text: string,
  records: readonly { readonly span: TextSpan }[],
): string {
  return applyPatches(
    text,
    records.map(({ span }) => cut(span)),
  );
}

function sizeOf(list: ItemList): number {
  return list.type === 'object' ? list.members.size : list.items.length;
}

function spansOf(list: ItemList): readonly TextSpan[] {
  return list.type === 'object' ? [...list.members.values()] : list.items;
}

/** Removes consecutive items with one adjacent comma, and keeps the spacing of the others. */
export function cutItems(spans: readonly TextSpan[], gone: ReadonlySet<TextSpan>): Patch[] {
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

/** Removes the named members of an object. */
export function cutMembers(node: JsonNode | undefined, names: ReadonlySet<string>): Patch[] {
  if (node?.type !== 'object') return [];
  const members = [...node.members];
  const gone = members.filter(([name]) => names.has(name)).map(([, member]) => member);
  return cutItems(
    members.map(([, member]) => member),
    new Set(gone),
  );
}

/** The start of an item, including the key of a member. */
function startOf(span: TextSpan | JsonNode): number {
  return 'keyStart' in span && span.keyStart >= 0 ? span.keyStart : span.start;
}

/** Applies patches. A patch within another one is dropped, because the outer one replaces its text. */
export function applyPatches(text: string, patches: readonly Patch[]): string {
  return applyWithin(text, inOrder(patches), 0, text.length);
}

/** The texts of `spans`, which are in order, with the patches inside of them applied. */
export function applyToSpans(
  text: string,
  patches: readonly Patch[],
  spans: readonly TextSpan[],
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

/** Replaces ids in members whose name ends in `id` or `ids`. */
export function replaceIds(roots: Iterable<JsonNode>, ids: ReadonlyMap<string, string>): Patch[] {
  const patches: Patch[] = [];
  const visit = (node: JsonNode, key: string): void => {
    if (node.type === 'object') {
      for (const [name, member] of node.members) visit(member, name);
    } else if (node.type === 'list') {
      for (const item of node.items) visit(item, key);
    } else if (node.type === 'string' && /ids?$/i.test(key)) {
      const next = ids.get(node.value);
      if (next !== undefined) {
        patches.push({ start: node.start, end: node.end, text: JSON.stringify(next) });
      }
    }
  };
  for (const root of roots) visit(root, '');
  return patches;
}

/** A session that a shell command continues. An id from a file is untrusted, so only a safe one is in the command. */
export function resumedBy(
  command: string,
  id: string | undefined,
  file: { path: string; text: string },
): NewSession {
  const shell = isSafeId(id) ? `${command} ${id}` : command;
  const sentence = `Run “${shell}” in the folder of the session.`;
  return { files: [file], continueBy: { sentence, shell } };
}

/** The session with its original name and id, for a copy in another folder. */
export function editedCopy(
  command: string,
  { file, sessionId }: History,
  patches: readonly Patch[],
): NewSession {
  const text = applyPatches(file.text, patches);
  return resumedBy(command, sessionId, { path: file.name, text });
}

/**
 * The text of a JSON Lines file that a tool will append to: its last line has to be complete, and each object
 * is on a line of its own.
 */
export function linesToAddTo(history: History, patches: readonly Patch[]): string {
  const { file, isCut } = history;
  const tail = isCut ? file.lines.at(-1) : undefined;
  const breaks = file.joined.map(({ start }) => ({ start, end: start, text: '\n' }));
  const all = [...patches, ...breaks, ...(tail ? [cut(tail)] : [])];
  const text = applyPatches(file.text, all);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** `chat.json` becomes `chat-compacted.json`. */
export function compactedName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-compacted${name.slice(dot)}` : `${name}-compacted`;
}
