/** Who speaks; bits, so that a set of speakers is one number. */
export const SPEAKER = { user: 1, assistant: 2, tool: 4, system: 8 } as const;

/** One of {@link SPEAKER}. */
export type Speaker = number;

/** The lines that one speaker wrote in a row. The first starts at 0; each ends where the next starts. */
export interface Segment {
  /** Offset of the first character, at the start of a line. */
  start: number;
  speaker: Speaker;
  /** False for what belongs to the turn before: a tool's output, a call after the words that announce it. */
  startsTurn: boolean;
  /** The first line names the speaker and says little else. */
  hasHeader: boolean;
  /** Kept whole, whatever the ratio. */
  isPinned: boolean;
}

/** A line that may name a speaker. `style` is how it is written: only one style of a text is believed. */
interface Header {
  start: number;
  style: string;
  name: string;
  speaker: Speaker;
  isCall: boolean;
  hasText: boolean;
  /** Says which step it is: `agent (step 3):`. */
  isStep?: boolean;
}

/** A line of three or more backticks or tildes. */
interface Fence {
  start: number;
  length: number;
  isBare: boolean;
}

const longestHeader = 200;
const longestName = 40;
/** Messages as short as this on average, by the thousand, are no conversation. */
const shortestMessages = 32;
const fewHeaders = 1000;

const speakerOfName = new Map<string, Speaker>(
  (
    [
      [SPEAKER.user, 'user human me you customer prompt request'],
      [
        SPEAKER.assistant,
        'assistant agent ai model bot claude chatgpt gpt gemini copilot codex cursor cline roo aider llm thinking reasoning',
      ],
      [SPEAKER.tool, 'tool observation function output stdout stderr environment terminal'],
      [SPEAKER.system, 'system developer'],
    ] as const
  ).flatMap(([speaker, names]) => names.split(' ').map(name => [name, speaker] as const)),
);
/** Words that may stand before or after the one that tells the speaker: "GitHub Copilot", "You said". */
const sideWords = new Set(
  'github said message messages turn response reply result results output outputs call calls use input code'.split(
    ' ',
  ),
);
const callWords = /\b(?:call|calls|use|input)\b/;

/** `## User`, `**User:**`, `_**Agent (model x)**_`, `[tool_result]`, `<user>`, `=== USER ===`. */
const decoratedHeader =
  /^(#{1,6} *|[*_]{1,4}|\[|<\|?|[=-]{2,} *|\u{1F464} *|\u{1F916} *)[*_]{0,3}([A-Za-z][\w -]{0,38}?)(?:: [^*\]>:()]*)?(?: [|·–-] [^*\]>()]*)?(?: ?\([^()]*\)){0,3}(?:(:?[*_]{1,4}:?(?![A-Za-z0-9])|\]:?|\|?>|:| *[=-]{2,})[ \t]*(\S.*)?)?\s*$/u;
/** `User: text`, `mini-agent (step 3, $0.02):`. */
const plainHeader = /^([A-Za-z][\w. @-]{0,39}?)( \([^()]*\))?:(?:[ \t]+(.*))?[\r]?$/;
/** A message of JSON: `{"role": "user", …` or a line of its own in printed JSON. */
const jsonHeader = /^[ \t]*[{,]?[ \t]*(?:"[\w-]{1,24}": ?"[^"]{0,80}", ?)*"role": ?"(\w+)"/;
const sessionStart = '# aider chat started at ';

/**
 * Finds who wrote which lines of a plain text. A style of headers counts when it names both sides of a
 * conversation; of several, the first in the text does, because a transcript within a message comes
 * after the header of that message.
 */
export function findSegments(text: string): Segment[] {
  const segments = segmentsOf(text);
  if (segments[0]?.start === 0) return segments;
  const opening = { start: 0, startsTurn: false, hasHeader: false, isPinned: false };
  return [{ ...opening, speaker: SPEAKER.assistant }, ...segments];
}

function segmentsOf(text: string): Segment[] {
  if (text.slice(0, longestHeader).trimStart().startsWith(sessionStart))
    return quotedSegments(text);
  const { headers, fences } = readHeaders(text);
  for (const [style, found] of headers)
    headers.set(style, outsideFences(frequentNames(found), fences));
  const style = chooseStyle(headers);
  if (style !== undefined) return headerSegments(headers.get(style) ?? []);
  if (isQuoted(text)) return quotedSegments(text);
  const prompts = promptSegments(text);
  return prompts.length > 0 ? prompts : sectionSegments(text);
}

function readHeaders(text: string): { headers: Map<string, Header[]>; fences: Fence[] } {
  const most = Math.max(fewHeaders, text.length / shortestMessages);
  let count = 0;
  const headers = new Map<string, Header[]>();
  const fences: Fence[] = [];
  const firstLabel = /^\s*([\w.@-]{1,40}(?: [\w.@-]{1,20})?): /.exec(text.slice(0, 200))?.[1];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const code = text.charCodeAt(start);
    if (isNameStart(code)) {
      const header = plainHeaderAt(text, start, end, firstLabel);
      if (header) {
        addHeader(headers, header);
        count++;
      }
    } else if (code === 96 || code === 126) {
      const length = runLength(text, start, code);
      if (length >= 3)
        fences.push({ start, length, isBare: text.slice(start + length, end).trim() === '' });
    } else if (isDecoration(code) && end - start <= longestHeader) {
      const header = decoratedHeaderAt(text, start, end);
      if (header) {
        addHeader(headers, header);
        count++;
      }
    } else if (code === 123 || code === 32 || code === 9) {
      const header = jsonHeaderAt(text, start, end);
      if (header) {
        addHeader(headers, header);
        count++;
      }
    }
    if (count > most) return { headers: new Map(), fences: [] };
    start = end + 1;
  }
  return { headers, fences };
}

function addHeader(headers: Map<string, Header[]>, header: Header): void {
  const known = headers.get(header.style);
  if (known) known.push(header);
  else headers.set(header.style, [header]);
}

function isNameStart(code: number): boolean {
  const letter = code | 32;
  return letter >= 97 && letter <= 122;
}

/** Letters, digits, `_`, space, `.`, `@`, `-`. */
function isNamePart(code: number): boolean {
  return (
    isNameStart(code) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 32 ||
    code === 46 ||
    code === 64 ||
    code === 45
  );
}

/** `#`, `*`, `_`, `[`, `<`, `=`, `-`, and the halves of an emoji. */
function isDecoration(code: number): boolean {
  return (
    code === 35 ||
    code === 42 ||
    code === 95 ||
    code === 91 ||
    code === 60 ||
    code === 61 ||
    code === 45 ||
    code === 0xd83d ||
    code === 0xd83e
  );
}

function runLength(text: string, start: number, code: number): number {
  let end = start;
  while (text.charCodeAt(end) === code) end++;
  return end - start;
}

function plainHeaderAt(
  text: string,
  start: number,
  end: number,
  firstLabel: string | undefined,
): Header | undefined {
  const most = Math.min(end, start + longestName);
  let colon = start;
  while (colon < most && isNamePart(text.charCodeAt(colon))) colon++;
  // What follows in parentheses may be longer: `agent (step 3, $0.02):`.
  if (text.charCodeAt(colon) === 40 && text.charCodeAt(colon - 1) === 32) {
    const close = text.indexOf(')', colon);
    if (close < 0 || close >= end || close - start > longestHeader) return undefined;
    colon = close + 1;
  }
  if (colon >= end || text.charCodeAt(colon) !== 58) return undefined;
  const match = plainHeader.exec(text.slice(start, Math.min(end, colon + 3)));
  const name = match?.[1];
  if (name === undefined) return undefined;
  const speaker = name === firstLabel ? (speakerOf(name) ?? SPEAKER.user) : speakerOf(name);
  if (speaker === undefined) return undefined;
  const hasText = colon + 2 < end;
  const key = name.toLowerCase();
  return {
    start,
    style: ':',
    name: key,
    speaker,
    isCall: callWords.test(key),
    hasText,
    isStep: match?.[2] !== undefined,
  };
}

function decoratedHeaderAt(text: string, start: number, end: number): Header | undefined {
  const match = decoratedHeader.exec(text.slice(start, end));
  if (!match) return undefined;
  const [, open = '', name = '', close = '', rest = ''] = match;
  const key = name.toLowerCase().replaceAll(/[_-]/g, ' ').trim();
  const speaker = speakerOf(key);
  if (speaker === undefined) return undefined;
  // Words after a heading make it one of the text; words after `**User:**` are what was said.
  const isClosed = close.includes('*') || close.includes(']') || close.includes(':');
  if (rest !== '' && !isClosed) return undefined;
  const style = open.trim().slice(0, 6) + close.trim().slice(0, 3).replaceAll(':', '');
  return { start, style, name: key, speaker, isCall: callWords.test(key), hasText: rest !== '' };
}

function jsonHeaderAt(text: string, start: number, end: number): Header | undefined {
  const match = jsonHeader.exec(text.slice(start, Math.min(end, start + 300)));
  const name = match?.[1]?.toLowerCase();
  const speaker = name === undefined ? undefined : speakerOf(name);
  if (name === undefined || speaker === undefined) return undefined;
  // Printed JSON has the brace of the message on the line before.
  const isPrinted = text.charCodeAt(start) !== 123;
  const brace = isPrinted ? text.lastIndexOf('\n', start - 2) + 1 : start;
  const isBrace = isPrinted && text.slice(brace, start).trim() === '{';
  return {
    start: isBrace ? brace : start,
    style: isPrinted ? '"' : '{',
    name,
    speaker,
    isCall: false,
    hasText: true,
  };
}

/** The speaker that a label names: one known name, with words beside it that change nothing. */
function speakerOf(label: string): Speaker | undefined {
  const words = label.toLowerCase().split(/[ _-]+/);
  let speaker: Speaker | undefined;
  for (const word of words) {
    const known = speakerOfName.get(word);
    // The first name tells: in "Tool output" and "Function result" it is the tool.
    if (known !== undefined) speaker ??= known;
    else if (!sideWords.has(word) && words.at(-1) !== 'agent') return undefined;
  }
  if (words.at(-1) === 'agent') return SPEAKER.assistant;
  return speaker === SPEAKER.tool && callWords.test(label) ? SPEAKER.assistant : speaker;
}

const conversation = SPEAKER.user | SPEAKER.assistant;
/** A style with so many times the changes of speaker of an earlier one is taken instead of it. */
const manyTimes = 4;
const fewChanges = 6;

function chooseStyle(headers: Map<string, Header[]>): string | undefined {
  let best: { style: string; start: number; changes: number } | undefined;
  let lonely: { style: string; count: number } | undefined;
  for (const [style, found] of headers) {
    const start = found[0]?.start ?? 0;
    let speakers = 0;
    let changes = 0;
    let last = 0;
    for (const { speaker } of found) {
      speakers |= speaker;
      if (speaker !== last) changes++;
      last = speaker;
    }
    const isPlain = style === ':';
    const hasTools = (speakers & SPEAKER.assistant) !== 0 && (speakers & SPEAKER.tool) !== 0;
    // `Model:` and `Output:` stand in many a text; `[tool_call]` and `[tool_result]` do not.
    const isAgent = hasTools && changes > (isPlain ? 5 : 1);
    if ((speakers & conversation) === conversation || isAgent) {
      const isBetter =
        !best ||
        (start < best.start
          ? best.changes <= changes * manyTimes || changes >= fewChanges
          : best.changes < fewChanges && changes > best.changes * manyTimes);
      if (isBetter) best = { style, start, changes };
    } else if (
      // One side only: a label such as `Model:` is too common to be believed then.
      (speakers & (isPlain ? SPEAKER.user : conversation) || found.every(({ isStep }) => isStep)) &&
      found.length > (lonely?.count ?? 2)
    )
      lonely = { style, count: found.length };
  }
  return best?.style ?? lonely?.style;
}

/** Drops names that are rare in their style: `Model: x` in a text whose assistant is called `Assistant`. */
function frequentNames(headers: Header[]): Header[] {
  const counts = new Map<string, number>();
  const most = new Map<Speaker, number>();
  for (const { name, speaker } of headers) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    most.set(speaker, Math.max(count, most.get(speaker) ?? 0));
  }
  const isPlain = headers[0]?.style === ':';
  return headers.filter(({ name, speaker }) => {
    const isFrequent = (counts.get(name) ?? 0) * 5 >= (most.get(speaker) ?? 0);
    return isFrequent && !(isPlain && (name === 'output' || name === 'system' || name === 'model'));
  });
}

/** Drops headers within a fenced block, unless the block is never closed. */
function outsideFences(headers: Header[], fences: Fence[]): Header[] {
  let next = 0;
  let open: Fence | undefined;
  return headers.filter(({ start }) => {
    for (let fence = fences[next]; fence && fence.start < start; fence = fences[++next]) {
      if (!open) open = fence;
      else if (fence.isBare && fence.length >= open.length) open = undefined;
      else if (!fence.isBare && fence.length >= open.length) open = fence;
    }
    if (!open) return true;
    const { length } = open;
    for (let at = next; at < fences.length; at++) {
      const fence = fences[at];
      if (fence && fence.length >= length) {
        // A bare fence closes the block after this line; another opening says it was closed before.
        if (fence.isBare) return false;
        break;
      }
    }
    open = undefined;
    return true;
  });
}

function headerSegments(headers: Header[]): Segment[] {
  const segments: Segment[] = [];
  let last: Header | undefined;
  for (const header of headers) {
    const { start, speaker, isCall, hasText } = header;
    const follows = isCall && last !== undefined && last.speaker === SPEAKER.assistant;
    const startsTurn = !follows && (speaker & conversation) !== 0;
    segments.push({ start, speaker, startsTurn, hasHeader: !hasText, isPinned: false });
    last = header;
  }
  return segments;
}

function isQuoted(text: string): boolean {
  return (
    text.includes(`\n${sessionStart}`) ||
    (/^#### /m.test(text) && /^> (?:Tokens: |Applied edit to )/m.test(text))
  );
}

/** A session log that quotes: `#### ` before the user's lines, `> ` before notices, the assistant's as they are. */
function quotedSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let last: Speaker = 0;
  let turn: Speaker = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const code = text.charCodeAt(start);
    let speaker: Speaker = SPEAKER.assistant;
    if (code === 35 && text.startsWith('#### ', start)) speaker = SPEAKER.user;
    else if (code === 62 && text.charCodeAt(start + 1) === 32) speaker = SPEAKER.tool;
    else if (code === 35 && text.startsWith(sessionStart, start)) speaker = SPEAKER.system;
    else if (end - start < 3 && text.slice(start, end).trim() === '') speaker = last;
    if (speaker !== last) {
      const startsTurn = (speaker & conversation) !== 0 && speaker !== turn;
      if (startsTurn) turn = speaker;
      segments.push({ start, speaker, startsTurn, hasHeader: false, isPinned: false });
      last = speaker;
    }
    start = end + 1;
  }
  return segments;
}

/** Marks before what the user typed into a terminal. */
const promptLine = /^(?:>>> |[❯›] |> |[\w.-]+@[\w.-]+:[^\n$#]{0,80}[$#] |\$ )/;
const promptStyles = ['>>> ', '❯ ', '› ', '> ', '@', '$ '];

/** A terminal: what stands after a prompt is the user's, the rest answers it. */
function promptSegments(text: string): Segment[] {
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
    if (start !== last) segments.push(segmentOf(start, SPEAKER.user));
    else segments.pop();
    if (next === 0) break;
    segments.push(segmentOf(next, SPEAKER.tool));
    last = next;
  }
  return segments;
}

function segmentOf(start: number, speaker: Speaker): Segment {
  return {
    start,
    speaker,
    startsTurn: speaker === SPEAKER.user,
    hasHeader: false,
    isPinned: false,
  };
}

const sectionLine = /^={3,} \S.{0,100} ={3,}\r?$/gm;

/** A log: its sections, as `=== FAILURES ===` names them, are its turns. */
function sectionSegments(text: string): Segment[] {
  return Array.from(text.matchAll(sectionLine), ({ index }) => ({
    ...segmentOf(index, SPEAKER.tool),
    startsTurn: true,
  }));
}
