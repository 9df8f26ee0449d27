import type { Chat } from '../sessions/chat';
import type { SessionLineIndex } from '../worker/sessionLineIndex';
import { isAnyKept, keepHead, type SessionPart, type SessionParts } from './parts';

/** A note on a line of its own that says which lines were left out. */
export interface GapMarker {
  /** The note stands before this line, or after the line before it if `isAfter`. */
  readonly line: number;
  readonly isAfter: boolean;
  /** Index of the part that the note is written into. */
  readonly part: number;
  /** Without a line end. */
  readonly text: string;
  /** Recalls the lines; undefined where the note after it does, or nothing can. */
  readonly id: string | undefined;
  /** Identifies the text of the lines. */
  readonly check: string;
  /** The lines that the note stands for, and kept lines between them; `end` is exclusive. */
  readonly first: number;
  readonly end: number;
}

/** Share of the kept tokens that markers may use. */
export const markerShare = 0.018;
/** Estimated tokens of a marker, and of one without an id. */
const markerTokens = { full: 12, short: 4 };

/** Consecutive lines that are left out. */
interface Gap {
  readonly first: number;
  end: number;
  tokens: number;
  place: Place | undefined;
  /** In a part that would look complete or broken without a note of its own. */
  readonly isOwn: boolean;
}

interface Place {
  readonly line: number;
  readonly isAfter: boolean;
  readonly part: number;
}

type PlacedGap = Gap & { readonly place: Place };

const isPlaced = (gap: Gap): gap is PlacedGap => gap.place !== undefined;

/**
 * Notes on the lines that are not kept. Each such line belongs to a note with an id. Notes stand in
 * results and in the text of the assistant, within a message of the user only where a paste was
 * shortened. When there are more gaps than notes would be worth, a note stands for several gaps.
 * @param canRecall false when the original will not be there to recall lines from.
 */
export function markGaps(
  chat: Chat,
  lineIndex: SessionLineIndex,
  table: SessionParts,
  kept: Uint8Array,
  canRecall: boolean,
): GapMarker[] {
  const { tokens } = lineIndex;
  const gaps = findGaps(chat, table, kept, tokens);
  let budget = 0;
  for (let line = 0; line < kept.length; line++) if (kept[line] === 1) budget += tokens[line] ?? 0;
  budget *= markerShare;
  const own = gaps.filter(({ isOwn }) => isOwn);
  const others = gaps.filter(gap => !gap.isOwn && isPlaced(gap));
  budget -= own.length * markerTokens.short;
  const ownCount = others.length === 0 ? own.length : (budget * 0.4) / markerTokens.full;
  const full = new Set(largest(own, ownCount));
  const sites = new Set(largest(others, Math.max(1, budget / markerTokens.full - full.size)));
  const writer = new MarkerWriter(lineIndex, table, kept, canRecall);
  const markers: GapMarker[] = [];
  /** Gaps since the last note with an id. */
  let open: Gap[] = [];
  let last: { gap: PlacedGap; gaps: Gap[] } | undefined;
  for (const gap of gaps) {
    if (isPlaced(gap) && full.has(gap)) {
      markers.push(writer.write(gap, [gap]));
      continue;
    }
    open.push(gap);
    if (!isPlaced(gap)) continue;
    if (gap.isOwn) markers.push(shortMarker(gap));
    if (!sites.has(gap)) continue;
    if (last) markers.push(writer.write(last.gap, last.gaps));
    last = { gap, gaps: open };
    open = [];
  }
  // What comes after the last place for a note belongs to that note.
  if (last) markers.push(writer.write(last.gap, [...last.gaps, ...open]));
  return markers.sort((a, b) => a.line - b.line || Number(b.isAfter) - Number(a.isAfter));
}

/** The gaps with the most tokens; of equal ones, the first. There may be hundreds of thousands. */
function largest<T extends Gap>(gaps: readonly T[], count: number): readonly T[] {
  const most = Math.max(0, Math.floor(count));
  if (most >= gaps.length) return gaps;
  if (most === 0) return [];
  const sizes = Int32Array.from(gaps, ({ tokens }) => tokens).sort();
  const least = sizes[sizes.length - most] ?? 0;
  let equal = most - (sizes.length - 1 - sizes.lastIndexOf(least));
  return gaps.filter(({ tokens }) => tokens > least || (tokens === least && equal-- > 0));
}

class MarkerWriter {
  readonly #lineIndex: SessionLineIndex;
  readonly #table: SessionParts;
  readonly #kept: Uint8Array;
  readonly #canRecall: boolean;
  readonly #ids = new Set<string>();

  constructor(
    lineIndex: SessionLineIndex,
    table: SessionParts,
    kept: Uint8Array,
    canRecall: boolean,
  ) {
    this.#canRecall = canRecall;
    this.#lineIndex = lineIndex;
    this.#table = table;
    this.#kept = kept;
  }

  /** A note at one gap that stands for all of `gaps`, which are in order. */
  write(gap: PlacedGap, gaps: readonly Gap[]): GapMarker {
    this.#keepHeader(gap.place.part);
    const first = gaps[0]?.first ?? gap.first;
    const end = gaps.at(-1)?.end ?? gap.end;
    const { text, starts } = this.#lineIndex;
    const check = idOf(text.slice(starts[first], starts[end]));
    let id = check;
    while (this.#ids.has(id)) id = idOf(`${id}+`);
    this.#ids.add(id);
    const what = gaps.length === 1 ? this.#describe(gap) : this.#count(first, end);
    const { line, isAfter, part } = gap.place;
    const note = this.#canRecall ? `[${what} left out; recall ${id}]` : `[${what} left out]`;
    const shown = this.#canRecall ? id : undefined;
    return { line, isAfter, part, text: note, id: shown, check, first, end };
  }

  /** Without the header of its message in a transcript, a note would be in the message before. */
  #keepHeader(part: number): void {
    const { parts, heads } = this.#table;
    for (const at of parts[part]?.needs ?? []) {
      const header = parts[at];
      if (header?.kind !== 'system') continue;
      keepHead(header, heads, line => {
        this.#kept[line] = 1;
      });
    }
  }

  /** Names the lines by their numbers within a part of which other lines are kept. */
  #describe({ first, end }: Gap): string {
    const part = this.#table.parts[this.#table.partOfLine[first] ?? 0];
    if (!part || end > part.endLine || (first === part.firstLine && end === part.endLine)) {
      return this.#count(first, end);
    }
    const [from, to] = [first - part.firstLine + 1, end - part.firstLine];
    return from === to ? `line ${from}` : `lines ${from}-${to}`;
  }

  #count(first: number, end: number): string {
    let lines = 0;
    for (let line = first; line < end; line++) if (this.#kept[line] === 0) lines++;
    return lines === 1 ? '1 line' : `${lines} lines`;
  }
}

function findGaps(chat: Chat, table: SessionParts, kept: Uint8Array, tokens: Int32Array): Gap[] {
  const gaps: Gap[] = [];
  const { parts, partOfLine } = table;
  const { isTranscript } = chat;
  const isOpen = parts.map(({ firstLine, endLine }) => isAnyKept(kept, firstLine, endLine));
  // A call whose lines are left out in part, and a result without lines whose call is kept.
  const holdsOwn = parts.map(({ kind, isWhole, needs }, at) =>
    kind === 'call'
      ? isOpen[at] === true && !isWhole
      : kind === 'result' && !isTranscript && !isOpen[at] && needs.some(other => isOpen[other]),
  );
  let gap: Gap | undefined;
  let field = -1;
  for (const [at, part] of parts.entries()) {
    const isOwn = holdsOwn[at] === true;
    const fields = isOwn ? fieldStarts(chat, part) : [];
    let nextField = 0;
    if (isOwn) gap = undefined;
    for (let line = part.firstLine; line < part.endLine; line++) {
      if (fields[nextField] === line) {
        nextField++;
        field = line;
        gap = undefined;
      }
      if (kept[line] === 1) {
        gap = undefined;
        continue;
      }
      if (!gap) {
        gap = { first: line, end: line, tokens: 0, place: undefined, isOwn };
        if (isOwn) gap.place = { line, isAfter: line > field && part.kind === 'call', part: at };
        gaps.push(gap);
      }
      gap.end = line + 1;
      gap.tokens += tokens[line] ?? 0;
    }
    if (isOwn) gap = undefined;
  }
  for (const one of gaps) {
    if (one.isOwn) continue;
    const before = one.first > 0 ? (partOfLine[one.first - 1] ?? -1) : -1;
    const after = one.end < kept.length ? (partOfLine[one.end] ?? -1) : -1;
    one.place = placeOf(chat, parts, one, before, after);
  }
  return gaps;
}

/** A note that only tells that something is missing; the note after it recalls it. */
function shortMarker({ first, end, place: { line, isAfter, part } }: PlacedGap): GapMarker {
  return { line, isAfter, part, text: '[left out]', id: undefined, check: '', first, end };
}

/** First line of each value of a call. */
function fieldStarts(chat: Chat, { message, part, firstLine }: SessionPart): number[] {
  let line = firstLine;
  return (chat.messages[message]?.parts[part]?.fields ?? []).map(({ lineCount }) => {
    const start = line;
    line += lineCount;
    return start;
  });
}

/** Results can take a note anywhere, the assistant as well; the user only where the gap is. */
function placeOf(
  chat: Chat,
  parts: readonly SessionPart[],
  { first, end }: Gap,
  before: number,
  after: number,
): Place | undefined {
  const canHold = (at: number, isInside = false): boolean => {
    const part = parts[at];
    if (!part || part.isLocked) return false;
    const own = chat.messages[part.message]?.parts[part.part];
    // Next to an element of a transcript, a note would be text of its own.
    if (own?.isEditable !== true || (chat.isTranscript && own.type !== 'text' && !isInside)) {
      return false;
    }
    return part.kind === 'result' || part.kind === 'assistant' || part.kind === 'system';
  };
  const isPaste = before >= 0 && before === after && parts[before]?.kind === 'user';
  if (before === after && before >= 0) {
    return isPaste || canHold(before, true) ? placeBehind(first, before) : undefined;
  }
  if (canHold(before) && parts[before]?.kind === 'result') return placeBehind(first, before);
  if (canHold(after) && parts[after]?.kind === 'result') return placeBefore(end, after);
  if (canHold(before)) return placeBehind(first, before);
  if (canHold(after)) {
    // A text of the tool is told by how it starts.
    const own = parts[after];
    return own?.kind === 'system' ? placeBehind(own.endLine, after) : placeBefore(end, after);
  }
  // Between messages of the user, a note takes the place of an answer.
  for (let at = before + 1; (parts[at]?.endLine ?? end + 1) <= end; at++) {
    const line = parts[at]?.firstLine ?? first;
    if (parts[at]?.kind === 'assistant' && canHold(at)) return placeBefore(line, at);
  }
  return undefined;
}

const placeBefore = (line: number, part: number): Place => ({ line, isAfter: false, part });
const placeBehind = (line: number, part: number): Place => ({ line, isAfter: true, part });

/** Characters at the start and at the end of a text from which its id is made. */
const idChars = 500;

/** Five characters that identify a text. */
export function idOf(text: string): string {
  let low = 0x811c9dc5 ^ text.length;
  let high = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    if (at === idChars) at = Math.max(at, text.length - idChars);
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  const number = (low >>> 0) * 8 + ((high >>> 0) & 7);
  return number.toString(36).slice(-5).padStart(5, '0');
}
