import { trimEndOf } from '../../base/text/scan';
import { estimateTokens } from '../../service';
import type { Chat, ParsedPart } from '../sessions/chat';
import type { Edits, PartEdit } from '../sessions/history';
import type { SessionLineIndex } from '../worker/sessionLineIndex';
import { fieldLinesOf } from './fieldLines';
import { type GapMarker, markGaps } from './gaps';
import { sessionParts, settleLines } from './parts';

/** What is left of a chat. */
export interface KeptLines {
  /** 1 for each line that is kept. */
  readonly kept: Uint8Array;
  readonly markers: readonly GapMarker[];
}

/**
 * Completes a choice of lines: adds those that have to stay with the kept ones, and a marker for those
 * that are left out.
 */
export function completeLines(
  chat: Chat,
  lineIndex: SessionLineIndex,
  chosen: Uint8Array,
  canRecall: boolean,
): KeptLines {
  const table = sessionParts(chat, lineIndex);
  const kept = chosen.slice();
  settleLines(table, kept);
  return { kept, markers: markGaps(chat, lineIndex, table, kept, canRecall) };
}

/** Markers for more tokens than these that are left out are shorter than what they stand for. */
const maxShort = 200;

/** Whether it is worth leaving lines out: of a few short ones, the markers would be longer. */
export function savesTokens(chat: Chat, lineIndex: SessionLineIndex, chosen: Uint8Array): boolean {
  const { tokens } = lineIndex;
  let left = 0;
  for (let line = 0; line < chosen.length && left <= maxShort; line++) {
    if (chosen[line] === 0) left += tokens[line] ?? 0;
  }
  if (left > maxShort) return true;
  const { markers } = completeLines(chat, lineIndex, chosen, true);
  return left > markers.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

/** The remaining text of each part of each message, with the markers. */
export function keptParts(chat: Chat, lineIndex: SessionLineIndex, left: KeptLines): string[][] {
  const texts = chat.messages.map(({ parts }) => parts.map(() => ''));
  const markers = markersByPart(left.markers);
  for (const [at, { message, part, firstLine, lineCount }] of lineIndex.parts.entries()) {
    const whole = chat.messages[message]?.parts[part]?.text ?? '';
    const own = texts[message];
    if (!own) continue;
    own[part] = remaining(
      lineIndex,
      left.kept,
      markers.get(at) ?? [],
      firstLine,
      firstLine + lineCount,
    );
    // The index adds a line end to a part that has none.
    if (!whole.endsWith('\n') && own[part].endsWith('\n')) own[part] = own[part].slice(0, -1);
  }
  return texts;
}

function markersByPart(markers: readonly GapMarker[]): Map<number, GapMarker[]> {
  const byPart = new Map<number, GapMarker[]>();
  for (const marker of markers) {
    const known = byPart.get(marker.part);
    if (known) known.push(marker);
    else byPart.set(marker.part, [marker]);
  }
  return byPart;
}

/** The kept lines of a range and its markers, each with a line end. */
function remaining(
  { text, starts }: SessionLineIndex,
  kept: Uint8Array,
  markers: readonly GapMarker[],
  first: number,
  end: number,
): string {
  if (markers.length === 0) {
    const isKept = kept[first] === 1;
    let line = first + 1;
    while (line < end && (kept[line] === 1) === isKept) line++;
    if (line >= end) return isKept ? text.slice(starts[first], starts[end]) : '';
  }
  const pieces: string[] = [];
  let next = 0;
  let from = -1;
  const flush = (line: number): void => {
    if (from >= 0) pieces.push(text.slice(starts[from], starts[line]));
    from = -1;
  };
  for (let line = first; line <= end; line++) {
    for (let one = markers[next]; one && one.line <= line; one = markers[++next]) {
      flush(line);
      pieces.push(`${one.text}\n`);
    }
    if (line < end && kept[line] === 1) {
      if (from < 0) from = line;
    } else {
      flush(line);
    }
  }
  return pieces.join('');
}

/** What the writer of a format has to change, so that only the kept lines and the markers remain. */
export function editsOf(chat: Chat, lineIndex: SessionLineIndex, left: KeptLines): Edits {
  const texts = keptParts(chat, lineIndex, left);
  const callEdits = fieldEdits(chat, lineIndex, left);
  const pairs = pairsOf(chat, texts);
  return chat.messages.map(({ parts, isRemovable }, message): PartEdit[] => {
    const own = texts[message] ?? [];
    const isGone = own.every(text => text === '') && parts.some(({ text }) => text !== '');
    const isWhole = parts.every(({ text }, part) => own[part] === text);
    return parts.map((part, at): PartEdit => {
      const text = own[at] ?? '';
      const edit = callEdits.get(part);
      if (edit) return edit;
      const pair = part.callId === undefined ? undefined : pairs.get(part.callId);
      if (pair?.hadText === true) return pair.hasText ? text : part.isRemovable ? null : text;
      if (isGone && isRemovable) return null;
      if (text !== '' || !part.isRemovable) return text;
      if (part.text !== '') return null;
      // What a provider signed or encrypted goes with the rest of its message.
      const isSealed = part.type === 'thinking' || part.type === 'encrypted';
      return isSealed && !isWhole ? null : text;
    });
  });
}

/** Whether each call and its results had text, and have some left. */
function pairsOf(
  { messages }: Chat,
  texts: readonly (readonly string[])[],
): Map<string, { hadText: boolean; hasText: boolean }> {
  const pairs = new Map<string, { hadText: boolean; hasText: boolean }>();
  for (const [message, { parts }] of messages.entries()) {
    for (const [part, { callId, text }] of parts.entries()) {
      if (callId === undefined) continue;
      const pair = pairs.get(callId) ?? { hadText: false, hasText: false };
      pair.hadText ||= text !== '';
      pair.hasText ||= (texts[message]?.[part] ?? '') !== '';
      pairs.set(callId, pair);
    }
  }
  return pairs;
}

/** The edits of calls that lost some of their lines. */
function fieldEdits(
  chat: Chat,
  lineIndex: SessionLineIndex,
  { kept, markers }: KeptLines,
): Map<ParsedPart, PartEdit> {
  const byPart = markersByPart(markers);
  const edits = new Map<ParsedPart, PartEdit>();
  for (const [at, { message, part, firstLine, lineCount }] of lineIndex.parts.entries()) {
    const own = chat.messages[message]?.parts[part];
    const lines = kept.subarray(firstLine, firstLine + lineCount);
    if (own?.type !== 'tool_call' || !own.fields || !lines.includes(1) || !lines.includes(0))
      continue;
    const ownMarkers = byPart.get(at) ?? [];
    const fields = fieldLinesOf(own.fields, firstLine, firstLine + lineCount);
    edits.set(
      own,
      fields.map(({ first, end, nameLength, isText, endsPart }) => {
        const range = kept.subarray(first, end);
        if (!isText || !range.includes(0)) return null;
        const within = ownMarkers.filter(marker => marker.first >= first && marker.first < end);
        const text = remaining(lineIndex, kept, within, first, end);
        const left = endsPart ? text : text.slice(0, -1);
        return range[0] === 1 ? left.slice(nameLength) : left;
      }),
    );
  }
  return edits;
}

/** Names of speakers and parts for headers. */
export interface PartLabels {
  readonly turn: (role: Chat['messages'][number]['role'], at?: string) => string;
  /** The name of a part that is not plain text, such as a tool call; undefined for text. */
  readonly part: (part: Chat['messages'][number]['parts'][number]) => string | undefined;
}

/** The kept lines for reading or pasting: unchanged for a transcript, otherwise Markdown with a header per turn. */
export function keptText(
  chat: Chat,
  lineIndex: SessionLineIndex,
  left: KeptLines,
  partLabels: PartLabels,
): string {
  return partsText(chat, keptParts(chat, lineIndex, left), partLabels);
}

/** The same from the remaining text of each part, see {@link keptParts}. */
export function partsText(
  chat: Chat,
  texts: readonly (readonly string[])[],
  partLabels: PartLabels,
): string {
  if (chat.isTranscript) return texts.flat().join('');
  const pieces: string[] = [];
  for (const [at, { role, parts }] of chat.messages.entries()) {
    let isFirst = true;
    for (const [index, part] of parts.entries()) {
      const text = texts[at]?.[index] ?? '';
      if (text === '') continue;
      if (pieces.length > 0) pieces.push('\n');
      if (isFirst) pieces.push(`## ${partLabels.turn(role)}\n\n`);
      isFirst = false;
      const name = partLabels.part(part);
      if (name !== undefined) pieces.push(`### ${name}\n\n`);
      pieces.push(trimEndOf(text, '\n'), '\n');
    }
  }
  return pieces.join('');
}
