import { type Header, maxHeaderChars, readHeaders } from './headerLines';
import { chooseStyle, frequentNames, outsideFences } from './headerStyle';
import {
  isQuoted,
  promptSegments,
  quotedSegments,
  sectionSegments,
  sessionStart,
} from './logSegments';
import { conversationBits, type Segment, speakerBit } from './segment';
/**
 * Finds who wrote which lines of a plain text. A header style is accepted when it names both sides of a
 * conversation. Of several such styles the first in the text is used, because a transcript quoted in a
 * message comes after the header of that message.
 */
export function findSegments(text: string): Segment[] {
  const segments = segmentsOf(text);
  if (segments[0]?.start === 0) return segments;
  const opening = { start: 0, startsTurn: false, hasHeader: false, isPinned: false };
  return [{ ...opening, speaker: speakerBit.assistant }, ...segments];
}

function segmentsOf(text: string): Segment[] {
  if (text.slice(0, maxHeaderChars).trimStart().startsWith(sessionStart)) {
    return quotedSegments(text);
  }
  const { headers, fences } = readHeaders(text);
  for (const [style, found] of headers) {
    headers.set(style, outsideFences(frequentNames(found), fences));
  }
  const style = chooseStyle(headers);
  if (style !== undefined) return headerSegments(headers.get(style) ?? []);
  if (isQuoted(text)) return quotedSegments(text);
  const prompts = promptSegments(text);
  return prompts.length > 0 ? prompts : sectionSegments(text);
}

function headerSegments(headers: Header[]): Segment[] {
  const segments: Segment[] = [];
  let last: Header | undefined;
  for (const header of headers) {
    const { start, speaker, isCall, hasText } = header;
    const follows = isCall && last !== undefined && last.speaker === speakerBit.assistant;
    const startsTurn = !follows && (speaker & conversationBits) !== 0;
    segments.push({ start, speaker, startsTurn, hasHeader: !hasText, isPinned: false });
    last = header;
  }
  return segments;
}
