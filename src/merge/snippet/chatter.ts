import { isText } from '../fileTypes';
import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

const sentenceShape = /^(?:[-*>]\s+|\d+[.)]\s+|#{1,6}\s+)?[\p{L}*_“(][^;{}=]*$/u;
const otherProse = /^[-*_]{3,}$|^\*\*.+\*\*:?$|^\p{Extended_Pictographic}/u;
const codeEnd = /[;{},(]$/;

/** True for a blank line, and for prose, headings and file names that are no lines of the original. */
export function isChatter(line: string, known: KnownLines): boolean {
  const text = line.trim();
  if (text === '') {
    return true;
  }
  if (known.has(text) || /^(?: {4}|\t|""")/.test(line) || isMarkerLine(line)) {
    return false;
  }
  const words = withoutQuotedCode(text);
  return (sentenceShape.test(words) && !codeEnd.test(words)) || otherProse.test(text);
}

function withoutQuotedCode(text: string): string {
  return text.replaceAll(/`[^`]*`/g, 'code');
}

const introduction =
  /^(?:sure|certainly|of course|okay|ok|absolutely|great|got it|here(?:['’]s| is| are)|below (?:is|are)|i(?:['’]ve| have|['’]ll| will)|the (?:updated|modified|following|complete|corrected|fixed|new|revised)|this is the (?:updated|modified|complete)|updated (?:code|file|version)|to (?:fix|add|implement|make))\b.*[:!.]$/i;
const aboutTheEdit =
  /\b(?:code|file|function|method|class|snippet|version|changes?|edits?|update[ds]?|implementation|component|fix)\b/i;
const farewell =
  /^(?:let me know|i hope|hope (?:this|that)|feel free|please (?:let|note|replace|make sure)|(?:this|these|the above) (?:changes?|edits?|updates?|code|version|snippet|implementation|should|will)\b|i(?:['’]ve| have) (?:added|updated|changed|modified|removed|replaced|kept)|(?:key )?changes made|explanation|note that|with (?:this|these) changes?)\b.*[.!?:]$/i;

/** Only chats end a text like this. */
const goodbye =
  /^(?:let me know if (?:you|this|there|anything)|(?:i )?hope (?:this|that) helps)\b/i;

/** Removes introductions above code without a fence and closing remarks below it. */
export function withoutChatter(lines: string[], known: KnownLines, path = ''): string[] {
  // A fast path: the first and the last line are code.
  const shown = [lines.find(hasText), lines.findLast(hasText)];
  if (!shown.some(line => line !== undefined && isProse(line, known))) return lines;
  const isCode = isCodeFile(known, path);
  const from = introductionTo(lines, known, isCode);
  const to = farewellFrom(lines, known, isCode);
  if ((from === 0 && to >= lines.length) || !lines.slice(from, to).some(hasText)) {
    return lines;
  }
  const isSure = from === 0 && lines.slice(to).every(line => !hasText(line) || goodbye.test(line));
  return isSure || !isProseFile(known) ? lines.slice(from, to) : lines;
}

function introductionTo(lines: readonly string[], known: KnownLines, isCode: boolean): number {
  let to = 0;
  for (const [at, line] of lines.entries()) {
    if (!hasText(line)) {
      continue;
    }
    if (!isProse(line, known) || !isIntroduction(line, lines[at + 1], isCode)) {
      break;
    }
    to = at + 1;
  }
  return to;
}

/** What introduces an edit, or any sentence with a blank line below it. */
const isIntroduction = (line: string, below = '', isCode: boolean): boolean =>
  (introduction.test(line) && aboutTheEdit.test(line)) ||
  (isCode && isSentence(line) && !hasText(below));

/** True when every third line of the file has signs of code, and its name does not say that it is text. */
export function isCodeFile(known: KnownLines, path: string): boolean {
  if (isText(path)) return false;
  const code = [...known].filter(line => /[;{}()=<>]|:$|^["'\w-]+:/.test(line)).length;
  return code * 3 >= known.size && code > 0;
}

const isSentence = (line: string): boolean =>
  line.includes(' ') && /^[A-Z][^;{}=]*[.:!?]$/.test(line);

/** True when the file itself contains sentences. */
export function isProseFile(known: KnownLines): boolean {
  const sentences = [...known].filter(isSentence).length;
  return sentences > 0.15 * known.size;
}

/** The start of the closing remarks; the number of lines when there are none. */
function farewellFrom(lines: readonly string[], known: KnownLines, isCode: boolean): number {
  let from = lines.length;
  for (let at = lines.length - 1; at > 0; at--) {
    const line = lines[at] ?? '';
    if (hasText(line) && !isProse(line, known)) {
      break;
    }
    if (!hasText(lines[at - 1] ?? '') && (farewell.test(line) || (isCode && isSentence(line)))) {
      from = at;
    }
  }
  return from;
}

/** Prose at the left margin, without characters that only code has. */
export function isProse(line: string, known: KnownLines): boolean {
  return (
    /^[\p{L}*-]/u.test(line) &&
    line.length < 600 &&
    !/[;{}=<>[\]]|\(\)|\w\(/.test(withoutQuotedCode(line)) &&
    /\s\S+\s/.test(line) &&
    !known.has(line.trim())
  );
}

export function hasText(line: string): boolean {
  return line.trim() !== '';
}
