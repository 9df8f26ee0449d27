import type { Language } from './languages';
import type { SyntaxFault } from './syntaxFault';

/** Elements without a closing tag, or with one that may be left out. */
const mayStayOpen = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option optgroup colgroup html head body rt rp'.split(
    ' ',
  ),
);
/** Elements whose text is no markup. */
const rawElements = new Set(['script', 'style', 'textarea', 'title', 'pre', 'code']);

interface Element {
  readonly name: string;
  readonly at: number;
}

/** Finds the first tag without a partner. */
export function readMarkup(text: string, { braces }: Language): SyntaxFault | undefined {
  const open: Element[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      if (end < 0) return { at, kind: 'openComment', sign: '<!--' };
      at = end;
      continue;
    }
    const isClosing = text.charCodeAt(at + 1) === 47;
    const name = nameAt(text, at + (isClosing ? 2 : 1));
    if (name === '') continue;
    const tag = endOfTag(text, at, braces ?? false);
    if (tag < 0) return { at, kind: 'unclosed', sign: `<${name}` };
    const isKept = !mayStayOpen.has(name.toLowerCase());
    if (isClosing && isKept) {
      if (open.pop()?.name !== name) return { at, kind: 'unexpected', sign: `</${name}>` };
    } else if (!isClosing && isKept && !closesItself(text, tag)) {
      open.push({ name, at });
      at = rawElements.has(name) ? endOfRawElement(text, name, tag) : tag;
      continue;
    }
    at = tag;
  }
  const last = open.at(-1);
  return last && { at: last.at, kind: 'unclosed', sign: `<${last.name}>` };
}

function nameAt(text: string, from: number): string {
  let end = from;
  while (end < text.length && /[\w:.-]/.test(text.charAt(end))) end++;
  return /^[A-Za-z]/.test(text.charAt(from)) ? text.slice(from, end) : '';
}

/** `<a href=docs/>` ends with an attribute. */
function closesItself(text: string, tag: number): boolean {
  if (text.charCodeAt(tag - 1) !== 47) return false;
  const near = text.slice(Math.max(0, tag - maxAttribute), tag);
  return !/^=[^\s"'{}]*$/.test(near.slice(near.lastIndexOf('=')));
}

/** Characters of an attribute without quotes. */
const maxAttribute = 300;

/** The index of the `>` of a tag, outside of quotes. */
function endOfTag(text: string, from: number, hasBraces: boolean): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (hasBraces && (code === 123 || code === 125)) depth += code === 123 ? 1 : -1;
    if (depth > 0) continue;
    if (code === 62 && text.charCodeAt(at - 1) !== 61) return at;
    if (code === 34 || code === 39) {
      at = text.indexOf(text.charAt(at), at + 1);
      if (at < 0) return -1;
    } else if (code === 60 && at > from) return -1;
  }
  return -1;
}

/** Where the closing tag of the element starts, less one. */
function endOfRawElement(text: string, name: string, from: number): number {
  const end = text.indexOf(`</${name}`, from);
  return end < 0 ? text.length : end - 1;
}
