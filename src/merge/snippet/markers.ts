import { trimEndOf, trimStartOf, whiteSpace } from '../../base/text/scan';
import { splitLines } from '../../base/text/textLines';
import { type Dots, isOmissionText } from './omissionText';

/** Comment openers and closers of markers, in any language. */
const commentOpener =
  /^(?:\{\s*\/\*+|\/\*+|<!-{2,}|\{\{!--|\{\{!|\{\{-? ?\/\*|\{#|\{\*|\{-|<%#|<%--|@\*|\(\*|--\[=*\[|<#|#\||\/\/+[!-]?|#+|--+|-#|;+|%+|"""|'''|"|'|\*+|!+|⍝|rem\s|dnl\s|nb\.\s|::)\s*/i;
const commentCloser =
  /(?:\*\/\s*(?:-?\}\}|\})?|-->|--\}\}|\}\}|#\}|\*\}|-\}|--%>|%>|\*@|\*\)|\]=*\]|\|#|#>|"""|''')$/;
const rulerCharacters = `-=~*_#${whiteSpace}`;
const minRulerLength = 3;
const boxed = /^(?:\[(.*)\]|\((.*)\)|\{(.*)\}|<(.*)>)$/;

const ellipsis = '(?:\\.(?: ?\\.){2,}|…|⋯|⋮)';
const anyDot = /[.…⋯⋮]/;
const noDots: Dots = { leading: false, trailing: false };
const anyEllipsis = new RegExp(ellipsis, 'g');
const onlyEllipsis = new RegExp(`^${ellipsis}$`);
const leadingEllipsis = new RegExp(`^(?:${ellipsis}|\\.\\.\\s)`);
/** The last three of any number of dots are enough. */
const trailingEllipsis = /(?:\.(?: ?\.){2}|[…⋯⋮]|\s\.\.)[.!]?$/;
/** Code that was commented out: `// ...props,`. */
const spread = /^\.{3}[\w$]\S*$/;

/** First words of a marker without a comment opener: `The rest of the file is unchanged`. */
const bareWord =
  /^(?:rem|dnl|nb|the|rest|remaining|remainder|everything|all|keep|other|no|same|code|existing|unchanged|previous|your)\b/i;
/** Without dots, a marker needs four words; shorter texts cannot have them. */
const minBareLength = 14;
const dotsOrComment = /\.\.|\. \.|[…⋯⋮]|^(?:rem|dnl|nb)/i;
const maxLength = 160;
const usualMarker = /^[^\w"'`]{0,6}\.\.\. existing code \.\.\.[^\w"'`]{0,6}$/;
const dotsOrWord =
  /\.\.|\. \.|[…⋯⋮]|unchang|unmodif|untouch|unalter|omit|snip|truncat|elided|skipped|preserv|collaps|intact|exist|rest |remain|same|previous|prior|original|other|no change|not (?:change|modif)|as is/i;

/** True when the line is a comment (or a bare ellipsis) that stands for unchanged code. */
export function isMarkerLine(line: string): boolean {
  if (line.length > maxLength * 2) {
    return false;
  }
  const trimmed = line.trim();
  if (trimmed.length > maxLength || !mayBeMarker(trimmed)) {
    return false;
  }
  if (trimmed.includes('...') && usualMarker.test(trimmed)) {
    return true;
  }
  const opener = commentOpener.exec(trimmed)?.[0] ?? '';
  const body = withoutCloser(trimmed.slice(opener.length), opener);
  if (body === '') {
    return false;
  }
  const bare = withoutRulers(body).trim();
  const unboxed = unbox(bare);
  const hasDots = anyDot.test(unboxed);
  if (hasDots && onlyEllipsis.test(unboxed)) {
    return true;
  }
  const dots = hasDots ? dotsOf(unboxed) : noDots;
  const plain = unbox((hasDots ? withoutDots(unboxed) : unboxed).trim());
  const isComment = opener !== '' || unboxed !== bare;
  // A line of a block comment or a string may be any prose; only dots make it a marker.
  const isProse = /^(?:\*|["'](?!["']))/.test(opener);
  return (!isProse || dots.leading || dots.trailing) && isOmissionText(plain, dots, isComment);
}

function dotsOf(text: string): Dots {
  const trailing = trailingEllipsis.test(text);
  return { leading: leadingEllipsis.test(text) && (trailing || !spread.test(text)), trailing };
}

function withoutDots(text: string): string {
  return text.replace(anyEllipsis, ' ').replace(/^\.\.\s|\s\.\.$/g, '');
}

/** True when any line of the snippet is a marker. */
export function hasMarkers(update: string): boolean {
  // Repeated lines are examined once.
  const seen = new Set<string>();
  return splitLines(update).some(line => {
    if (!mayBeMarker(line.trim()) || seen.has(line)) {
      return false;
    }
    seen.add(line);
    return isMarkerLine(line);
  });
}

/** A fast check: most lines of code start with a letter or a bracket and need no regular expression. */
function mayBeMarker(trimmed: string): boolean {
  const first = trimmed.charCodeAt(0);
  const isLetter = (first >= 65 && first <= 90) || (first >= 97 && first <= 122);
  if (isLetter) {
    if (trimmed.length < minBareLength && !dotsOrComment.test(trimmed)) {
      return false;
    }
    return bareWord.test(trimmed) && dotsOrWord.test(trimmed);
  }
  const mayStart = trimmed.startsWith('@*') || !neverFirst.has(trimmed.charAt(0));
  return mayStart && dotsOrWord.test(trimmed);
}

const neverFirst = new Set('@0123456789$_=&+?,)]}|^`');

/** The closing characters of a comment may be repeated: `****` + `/`, `----` + `>`. */
function bodyBefore(text: string, closer: RegExpExecArray | null): string {
  if (!closer) {
    return text;
  }
  const body = text.slice(0, closer.index);
  const [sign] = closer;
  return trimEndOf(body, sign.startsWith('*/') ? '*' : sign === '-->' ? '-' : '');
}

/** Removes ruler characters such as `-----` at both ends of a text. */
function withoutRulers(text: string): string {
  const rest = trimStartOf(text, rulerCharacters);
  const start = text.length - rest.length < minRulerLength ? text : rest;
  const left = trimEndOf(start, rulerCharacters);
  return start.length - left.length < minRulerLength ? start : left;
}

function withoutCloser(text: string, opener: string): string {
  // A fast path: most comments end with a word.
  const closer = /\w$/.test(text.slice(-1)) ? null : commentCloser.exec(text);
  const body = bodyBefore(text, closer).trim();
  const quote = opener.trim();
  return (quote === '"' || quote === "'") && body.endsWith(quote) ? body.slice(0, -1).trim() : body;
}

function unbox(text: string): string {
  if (!'[({<'.includes(text.charAt(0))) {
    return text;
  }
  const [, ...inner] = boxed.exec(text) ?? [];
  return inner.find(part => part !== undefined)?.trim() ?? text;
}
