import { trimEndOf, trimStartOf, whiteSpace } from '../../base/text/scan';
import { splitLines } from '../../base/text/textLines';
import { andSoOn } from './omission/languages';
import { type Dots, isOmissionText } from './omission/omissionText';

/** Comment openers and closers of markers, in any language. */
const commentOpener =
  /^(?:\{\s*\/\*+|\/\*+|<!-{2,}|\{\{!--|\{\{!|\{\{-? ?\/\*|\{#|\{\*|\{-|<%#|<%--|@\*|\(\*|--\[=*\[|<#|#\||\/\/+[!-]?|#+|--+|-#|@@+|;+|%+|"""|'''|"|'|\*+|!+|⍝|rem\s|dnl\s|nb\.\s|::)\s*/i;
const commentCloser =
  /(?:\*\/\s*(?:-?\}\}|\})?|-->|--\}\}|\}\}|#\}|\*\}|-\}|--%>|%>|\*@|\*\)|\]=*\]|\|#|#>|@@|"""|''')$/;
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
  /^(?:rem|dnl|nb|the|rest|remaining|remainder|everything|all|keep|other|no|same|code|existing|unchanged|previous|your|der|alles|restlicher|le|reste|el|resto|o|il)\b/i;
/** Without dots, a marker needs four words; shorter texts cannot have them. */
const minBareLength = 14;
const dotsOrComment = /\.\.|\. \.|[…⋯⋮]|^(?:rem|dnl|nb)/i;
const maxLength = 160;
const usualMarker = /^[^\w"'`]{0,6}\.\.\. existing code \.\.\.[^\w"'`]{0,6}$/;
const dotsOrWord =
  /\.\.|\. \.|[…⋯⋮]|unchang|unmodif|untouch|unalter|omit|snip|truncat|elided|skipped|preserv|collaps|intact|exist|rest |remain|same|previous|prior|original|other|no change|not (?:change|modif)|as is/i;

/** Parts of such words in other languages, as far as they are ASCII. */
const foreignWord =
  /rest|besteh|vorhand|bleib|gleich|unver|ausgel|weggel|nderung|bisher|beibeh|inchang|omis|omess|tronq|identi|sans |sin c|sin m|sem |senza|igual|mism|inalter|invari|cambi|permane|manten|mantien|conserv|existant|existent|esistent/i;
const nonAscii = /[^\0-\x7f]/;
/** A text that is about code which is to stay, where `TODO` alone would be about code to write. */
const toKeep =
  /\b(?:keep|leave|retain|preserve|unchang|untouch|omit|behalten|unver|mantener|conserv|garder|manter|mantenere)|оставить|без измен|保持|保留|不变|不變|そのまま|変更なし|유지|그대로/i;
const tag = /^(?:todo|fixme|note|注意|注)\b ?[:(-] ?|^(?:注意|注)[:(]? ?/i;

/** True when the line is a comment (or a bare ellipsis) that stands for unchanged code. */
export function isMarkerLine(line: string): boolean {
  if (line.length > maxLength * 2) {
    return false;
  }
  const shown = line.trim();
  if (shown.length > maxLength || !mayBeMarker(shown)) {
    return false;
  }
  const trimmed = nonAscii.test(shown) ? withPlainSigns(shown) : shown;
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
  const said = unbox((hasDots ? withoutDots(unboxed) : unboxed).trim());
  const isComment = opener !== '' || unboxed !== bare;
  const plain = said.replace(tag, '');
  if (plain !== said && !toKeep.test(plain)) {
    return false;
  }
  // A line of a block comment or a string may be any prose; only dots make it a marker.
  const isProse = /^(?:\*|["'](?!["']))/.test(opener);
  return (
    (!isProse || dots.leading || dots.trailing) &&
    ((isComment && saysAndSoOn(plain)) || isOmissionText(plain, dots, isComment))
  );
}

/** True when the line at `at` is a marker, and no line of a longer comment. */
export function isMarkerAt(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return isMarkerLine(line) && !continuesComment(lines, at, line.trim());
}

/** True when a marker at `at` is a line of a longer comment: `# lists, tuples,` above `# etc.` */
export function continuesComment(lines: readonly string[], at: number, line: string): boolean {
  const sign = commentSign.exec(line)?.[0];
  if (sign === undefined || dotsOrComment.test(line)) return false;
  const isOther = (other = ''): boolean =>
    other.trim().startsWith(sign) && /\w/.test(other) && !isMarkerLine(other);
  const above = at > 0 ? lines[at - 1] : undefined;
  const below = lines[at + 1];
  const text = line.slice(sign.length).trim();
  if (saysAndSoOn(text)) return isOther(above) || isOther(below);
  // The middle of a sentence: its first letter is small, and the line above has no end.
  return (
    isOther(above) && isOther(below) && /^[a-z]/.test(text) && !/[.:!?;]\s*$/.test(above ?? '')
  );
}

const commentSign = /^(?:\/\/|#|--|;|%|'|\*)/;

/** `etc.`, `usw.`, `и т. д.` */
function saysAndSoOn(text: string): boolean {
  return text.length <= maxAndSoOn && andSoOn.has(text.toLowerCase().replace(/[\s.,()]/g, ''));
}

/** Characters of the longest of these, with blanks and dots. */
const maxAndSoOn = 18;

/** Full-width signs, brackets and dots of other scripts as the ASCII ones that say the same. */
function withPlainSigns(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[。、，「」『』〔〕【】〖〗《》〈〉]/g, sign => plainSigns.get(sign) ?? sign)
    .replace(/[·・‧⋅∙•](?: ?[·・‧⋅∙•]){1,5}/g, '...');
}

const plainSigns = new Map([
  ['。', '.'],
  ['、', ','],
  ['，', ','],
  ...['「」', '『』', '〔〕', '【】', '〖〗', '《》', '〈〉'].flatMap(
    ([open = '', close = '']) =>
      [
        [open, '['],
        [close, ']'],
      ] as const,
  ),
]);

function dotsOf(text: string): Dots {
  const trailing = trailingEllipsis.test(text);
  return { leading: leadingEllipsis.test(text) && (trailing || !spread.test(text)), trailing };
}

function withoutDots(text: string): string {
  return text.replace(anyEllipsis, ' ').replace(/^\.\.\s|\s\.\.$/g, '');
}

/** True when any line of the snippet is a marker. */
export function hasMarkers(update: string): boolean {
  const lines = splitLines(update);
  // Repeated lines are examined once.
  const seen = new Set<string>();
  return lines.some((line, at) => {
    if (!mayBeMarker(line.trim()) || seen.has(line)) {
      return false;
    }
    if (isMarkerLine(line)) return !continuesComment(lines, at, line.trim());
    seen.add(line);
    return false;
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
    return bareWord.test(trimmed) && saysSomething(trimmed);
  }
  const mayStart = /^@[*@]/.test(trimmed) || !neverFirst.has(trimmed.charAt(0));
  return mayStart && saysSomething(trimmed);
}

function saysSomething(trimmed: string): boolean {
  return (
    dotsOrWord.test(trimmed) ||
    foreignWord.test(trimmed) ||
    nonAscii.test(trimmed) ||
    (trimmed.length <= maxAndSoOn + 8 && /\b(?:etc|and so |usw|ecc)/i.test(trimmed))
  );
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
