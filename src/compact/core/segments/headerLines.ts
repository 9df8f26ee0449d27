import { type Speaker, speakerBit } from './segment';

/** A line that may name a speaker. Only headers of one style, the way in which they are written, count in a text. */
export interface Header {
  start: number;
  style: string;
  name: string;
  speaker: Speaker;
  isCall: boolean;
  hasText: boolean;
  /** Names a step, as in `agent (step 3):`. */
  isStep?: boolean;
}

/** A line of three or more backticks or tildes. */
export interface FenceLine {
  start: number;
  length: number;
  isBare: boolean;
}

export const maxHeaderChars = 200;
const maxNameChars = 40;
/** More than a thousand messages with a shorter average length, in characters, are no conversation. */
const minMessageChars = 32;
const fewHeaders = 1000;

const speakerOfName = new Map<string, Speaker>(
  (
    [
      [speakerBit.user, 'user human me you customer prompt request'],
      [
        speakerBit.assistant,
        'assistant agent ai model bot claude chatgpt gpt gemini copilot codex cursor cline roo aider llm thinking reasoning',
      ],
      [speakerBit.tool, 'tool observation function output stdout stderr environment terminal'],
      [speakerBit.system, 'system developer'],
    ] as const
  ).flatMap(([speaker, names]) => names.split(' ').map(name => [name, speaker] as const)),
);
/** Words that may accompany the name of a speaker: "GitHub Copilot", "You said". */
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
/** A message in JSON: `{"role": "user", …`, or the `"role"` line of pretty-printed JSON. */
const jsonHeader = /^[ \t]*[{,]?[ \t]*(?:"[\w-]{1,24}": ?"[^"]{0,80}", ?)*"role": ?"(\w+)"/;

export function readHeaders(text: string): { headers: Map<string, Header[]>; fences: FenceLine[] } {
  const most = Math.max(fewHeaders, text.length / minMessageChars);
  let count = 0;
  const headers = new Map<string, Header[]>();
  const fences: FenceLine[] = [];
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
      if (length >= 3) {
        fences.push({ start, length, isBare: text.slice(start + length, end).trim() === '' });
      }
    } else if (isDecoration(code) && end - start <= maxHeaderChars) {
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
  const most = Math.min(end, start + maxNameChars);
  let colon = start;
  while (colon < most && isNamePart(text.charCodeAt(colon))) colon++;
  // Parentheses may exceed the limit of names: `agent (step 3, $0.02):`.
  if (text.charCodeAt(colon) === 40 && text.charCodeAt(colon - 1) === 32) {
    const close = text.indexOf(')', colon);
    if (close < 0 || close >= end || close - start > maxHeaderChars) return undefined;
    colon = close + 1;
  }
  if (colon >= end || text.charCodeAt(colon) !== 58) return undefined;
  const match = plainHeader.exec(text.slice(start, Math.min(end, colon + 3)));
  const name = match?.[1];
  if (name === undefined) return undefined;
  const speaker = name === firstLabel ? (speakerOf(name) ?? speakerBit.user) : speakerOf(name);
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
  // A heading with further words belongs to the text; words after `**User:**` are the message.
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
  // Pretty-printed JSON has the opening brace on the previous line.
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

/** The speaker that a label names: a known name, possibly with {@link sideWords} around it. */
function speakerOf(label: string): Speaker | undefined {
  const words = label.toLowerCase().split(/[ _-]+/);
  let speaker: Speaker | undefined;
  for (const word of words) {
    const known = speakerOfName.get(word);
    // The first known name decides: "Tool output" and "Function result" are of the tool.
    if (known !== undefined) speaker ??= known;
    else if (!sideWords.has(word) && words.at(-1) !== 'agent') return undefined;
  }
  if (words.at(-1) === 'agent') return speakerBit.assistant;
  return speaker === speakerBit.tool && callWords.test(label) ? speakerBit.assistant : speaker;
}
