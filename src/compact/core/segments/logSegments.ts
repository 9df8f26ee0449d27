import { conversationBits, type Segment, type Speaker, segmentOf, speakerBit } from './segment';

export const sessionStart = '# aider chat started at ';

export function isQuoted(text: string): boolean {
  return (
    text.includes(`\n${sessionStart}`) ||
    (/^#### /m.test(text) && /^> (?:Tokens: |Applied edit to )/m.test(text))
  );
}

/** An aider log: `#### ` before lines of the user, `> ` before notices, and lines of the assistant as they are. */
export function quotedSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let last: Speaker = 0;
  let turn: Speaker = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const code = text.charCodeAt(start);
    let speaker: Speaker = speakerBit.assistant;
    if (code === 35 && text.startsWith('#### ', start)) speaker = speakerBit.user;
    else if (code === 62 && text.charCodeAt(start + 1) === 32) speaker = speakerBit.tool;
    else if (code === 35 && text.startsWith(sessionStart, start)) speaker = speakerBit.system;
    else if (end - start < 3 && text.slice(start, end).trim() === '') speaker = last;
    if (speaker !== last) {
      const startsTurn = (speaker & conversationBits) !== 0 && speaker !== turn;
      if (startsTurn) turn = speaker;
      segments.push({ start, speaker, startsTurn, hasHeader: false, isPinned: false });
      last = speaker;
    }
    start = end + 1;
  }
  return segments;
}

/** Shell and agent prompts, which precede what the user typed into a terminal. */
const promptLine = /^(?:>>> |[❯›] |> |[\w.-]+@[\w.-]+:[^\n$#]{0,80}[$#] |\$ )/;
const promptStyles = ['>>> ', '❯ ', '› ', '> ', '@', '$ '];

/** Terminal output: the line after a prompt is of the user, the rest is its output. */
export function promptSegments(text: string): Segment[] {
  const found = new Map<string, number[]>();
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const match =
      end - start > 2 ? promptLine.exec(text.slice(start, Math.min(end, start + 120))) : null;
    if (match) {
      const style = promptStyles.find(known => match[0] === known) ?? '@';
      const known = found.get(style);
      if (known) known.push(start);
      else found.set(style, [start]);
    }
    start = end + 1;
  }
  const isAgent = /^[⏺●] /m.test(text);
  const style = promptStyles.find(
    known => (found.get(known)?.length ?? 0) > 1 && (known !== '> ' || isAgent),
  );
  const segments: Segment[] = [];
  let last = -1;
  for (const start of (style && found.get(style)) || []) {
    const next = text.indexOf('\n', start) + 1;
    if (start !== last) segments.push(segmentOf(start, speakerBit.user));
    else segments.pop();
    if (next === 0) break;
    segments.push(segmentOf(next, speakerBit.tool));
    last = next;
  }
  return segments;
}

const sectionLine = /^={3,} \S.{0,100} ={3,}\r?$/gm;

/** A test log: each section with a title such as `=== FAILURES ===` is a turn. */
export function sectionSegments(text: string): Segment[] {
  return Array.from(text.matchAll(sectionLine), ({ index }) => ({
    ...segmentOf(index, speakerBit.tool),
    startsTurn: true,
  }));
}
