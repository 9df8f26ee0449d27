import { trimEndOf, trimStartOf, whiteSpace } from '../../base/scan';
import { promiseIn, type Dots } from './markerWords';
import { splitLines } from '../text';

/** Comment openers and closers a marker may be written with, in any language. */
const OPENER =
  /^(?:\{\s*\/\*+|\/\*+|<!-{2,}|\{\{!--|\{\{!|\{\{-? ?\/\*|\{#|\{\*|\{-|<%#|<%--|@\*|\(\*|--\[=*\[|<#|#\||\/\/+[!-]?|#+|--+|-#|;+|%+|"""|'''|"|'|\*+|!+|⍝|rem\s|dnl\s|nb\.\s|::)\s*/i;
const CLOSER =
  /(?:\*\/\s*(?:-?\}\}|\})?|-->|--\}\}|\}\}|#\}|\*\}|-\}|--%>|%>|\*@|\*\)|\]=*\]|\|#|#>|"""|''')$/;
const RULER = `-=~*_#${whiteSpace}`;
const SHORTEST_RULER = 3;
const BOX = /^(?:\[(.*)\]|\((.*)\)|\{(.*)\}|<(.*)>)$/;

const ELLIPSIS = '(?:\\.(?: ?\\.){2,}|…|⋯|⋮)';
const ANY_DOT = /[.…⋯⋮]/;
const NO_DOTS: Dots = { leading: false, trailing: false };
const ANY_ELLIPSIS = new RegExp(ELLIPSIS, 'g');
const ONLY_ELLIPSIS = new RegExp(`^${ELLIPSIS}$`);
const LEADING_ELLIPSIS = new RegExp(`^(?:${ELLIPSIS}|\\.\\.\\s)`);
/** The last three dots of any number tell it. */
const TRAILING_ELLIPSIS = /(?:\.(?: ?\.){2}|[…⋯⋮]|\s\.\.)[.!]?$/;
/** Code that was commented out: `// ...props,`. */
const SPREAD = /^\.{3}[\w$]\S*$/;

/** Letters that a marker without any opener may start with: `The rest of the file is unchanged`. */
const BARE_WORD =
  /^(?:rem|dnl|nb|the|rest|remaining|remainder|everything|all|keep|other|no|same|code|existing|unchanged|previous|your)\b/i;
/** Without dots it takes four words, of which the shortest are `as is`, `kept` and `arg`. */
const SHORTEST_BARE = 14;
const DOTS_OR_COMMENT = /\.\.|\. \.|[…⋯⋮]|^(?:rem|dnl|nb)/i;
const LONGEST = 160;
const USUAL = /^[^\w"'`]{0,6}\.\.\. existing code \.\.\.[^\w"'`]{0,6}$/;
const DOTS_OR_WORD =
  /\.\.|\. \.|[…⋯⋮]|unchang|unmodif|untouch|unalter|omit|snip|truncat|elided|skipped|preserv|collaps|intact|exist|rest |remain|same|previous|prior|original|other|no change|not (?:change|modif)|as is/i;

/** True when the line is a comment (or a bare ellipsis) that stands for unchanged code. */
export function isMarkerLine(line: string): boolean {
  if (line.length > LONGEST * 2) {
    return false;
  }
  const trimmed = line.trim();
  if (trimmed.length > LONGEST || !mayBeMarker(trimmed)) {
    return false;
  }
  if (trimmed.includes('...') && USUAL.test(trimmed)) {
    return true;
  }
  const opener = OPENER.exec(trimmed)?.[0] ?? '';
  const body = withoutCloser(trimmed.slice(opener.length), opener);
  if (body === '') {
    return false;
  }
  const bare = withoutRulers(body).trim();
  const unboxed = unbox(bare);
  const hasDots = ANY_DOT.test(unboxed);
  if (hasDots && ONLY_ELLIPSIS.test(unboxed)) {
    return true;
  }
  const dots = hasDots ? dotsOf(unboxed) : NO_DOTS;
  const plain = unbox((hasDots ? withoutDots(unboxed) : unboxed).trim());
  const isComment = opener !== '' || unboxed !== bare;
  // A line of a block comment or of a string may be any prose; only dots make it a marker.
  const isProse = /^(?:\*|["'](?!["']))/.test(opener);
  return (!isProse || dots.leading || dots.trailing) && promiseIn(plain, dots, isComment);
}

function dotsOf(text: string): Dots {
  const trailing = TRAILING_ELLIPSIS.test(text);
  return { leading: LEADING_ELLIPSIS.test(text) && (trailing || !SPREAD.test(text)), trailing };
}

function withoutDots(text: string): string {
  return text.replace(ANY_ELLIPSIS, ' ').replace(/^\.\.\s|\s\.\.$/g, '');
}

/** True when any line of the snippet is a marker. */
export function hasMarkers(update: string): boolean {
  // A text may repeat a comment as often as it likes: each is looked at once.
  const seen = new Set<string>();
  return splitLines(update).some(line => {
    if (!mayBeMarker(line.trim()) || seen.has(line)) {
      return false;
    }
    seen.add(line);
    return isMarkerLine(line);
  });
}

/** Most lines of code start with a letter or a bracket; they need no regular expression to be told apart. */
function mayBeMarker(trimmed: string): boolean {
  const first = trimmed.charCodeAt(0);
  const isLetter = (first >= 65 && first <= 90) || (first >= 97 && first <= 122);
  if (isLetter) {
    if (trimmed.length < SHORTEST_BARE && !DOTS_OR_COMMENT.test(trimmed)) {
      return false;
    }
    return BARE_WORD.test(trimmed) && DOTS_OR_WORD.test(trimmed);
  }
  const mayStart = trimmed.startsWith('@*') || !NEVER_FIRST.has(trimmed.charAt(0));
  return mayStart && DOTS_OR_WORD.test(trimmed);
}

const NEVER_FIRST = new Set('@0123456789$_=&+?,)]}|^`');

/** A comment's last sign may be drawn out: `****` + `/`, `----` + `>`. */
function bodyBefore(text: string, closer: RegExpExecArray | null): string {
  if (!closer) {
    return text;
  }
  const body = text.slice(0, closer.index);
  const [sign] = closer;
  return trimEndOf(body, sign.startsWith('*/') ? '*' : sign === '-->' ? '-' : '');
}

/** Takes off lines that are drawn at both ends of a text. */
function withoutRulers(text: string): string {
  const rest = trimStartOf(text, RULER);
  const start = text.length - rest.length < SHORTEST_RULER ? text : rest;
  const left = trimEndOf(start, RULER);
  return start.length - left.length < SHORTEST_RULER ? start : left;
}

function withoutCloser(text: string, opener: string): string {
  // Most comments end in a word.
  const closer = /\w$/.test(text.slice(-1)) ? null : CLOSER.exec(text);
  const body = bodyBefore(text, closer).trim();
  const quote = opener.trim();
  return (quote === '"' || quote === "'") && body.endsWith(quote) ? body.slice(0, -1).trim() : body;
}

function unbox(text: string): string {
  if (!'[({<'.includes(text.charAt(0))) {
    return text;
  }
  const [, ...inner] = BOX.exec(text) ?? [];
  return inner.find(part => part !== undefined)?.trim() ?? text;
}
