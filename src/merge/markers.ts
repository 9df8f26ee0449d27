import { splitLines } from './text';

/** Comment openers and closers a marker may be written with, in any language. */
const OPENER =
  /^(?:\{\/\*+|\/\*+|<!--+|\{\{!--|\{\{!|\{#|<%#|<%--|@\*|\(\*|--\[\[|<#|\/\/+!?|#+|--+|;+|%+|"""|'''|"|'|\*|rem\s|dnl\s|::)\s*/i;
const CLOSER = /\s*(?:\*+\/\}?|--+>|--\}\}|\}\}|#\}|%>|\*@|\*\)|\]\]|#>|"""|''')$/;

/** Words that say "what stood here still stands here". */
const KEPT =
  /\b(?:existing|unchanged|remain(?:s|ing|der)?|rest|other|others|previous|same|omitted|keep|kept|snip(?:ped)?|truncated|unmodified|untouched|as before|as is|no changes?)\b/i;
const PROMISE =
  /^(?:(?:the |all |your )?(?:rest|remainder) of (?:the |your |this |my )?(?:\w+ ){0,2}?(?:code|file|function|method|class|content|contents|component|implementation|module|body|script|document|logic|imports?|tests?|config(?:uration)?|styles?|page|template)\b(?: body)?(?: (?:goes |stays |is |are |remains? |here|unchanged|the same|as before|as is|not changed|omitted).*)?|(?:keep )?(?:the |all |your )?existing (?:\w+ ){0,2}?(?:code|content|contents|imports?|methods?|functions?|fields?|implementation|logic|body|properties|props|tests?|styles?|rules|config(?:uration)?)(?: (?:here|above|below|unchanged|remains?.*|stays?.*|goes here|continues?.*))?|(?:code |everything |all )?(?:else |other \w+ )?(?:is |are )?(?:unchanged|no changes?(?: here)?)(?: (?:code|content|part|section|lines?))?(?: omitted.*)?|(?:previous|other|remaining|same|unchanged|unmodified) (?:code|content|imports?|methods?|functions?|fields?|implementation|lines)(?: (?:here|above|below|unchanged|remains?.*|omitted.*|as before))?|same as (?:before|above|existing|original)|(?:code |content )?(?:omitted|truncated)(?: for brevity)?|\.?snip(?:ped)?)[.!]?$/i;

const DOTS = /\.{3,}|\u2026/;
const MAX_WORDS = 10;

/** True when the line is a comment (or a bare ellipsis) that stands for unchanged code. */
export function isMarkerLine(line: string): boolean {
  if (line.length > 140) {
    return false;
  }
  const trimmed = line.trim();
  if (trimmed === '') {
    return false;
  }
  const opener = OPENER.exec(trimmed)?.[0] ?? '';
  let body = trimmed.slice(opener.length).replace(CLOSER, '').trim();
  if (/^["']$/.test(opener.trim())) {
    body = body.replace(/["']$/, '').trim();
  }
  if (body === '') {
    return false;
  }
  const bare = body.replace(/^[-=~*\s]{3,}|[-=~*\s]{3,}$/g, '').trim();
  const unboxed = bare.replace(/^[[(<{]\s*(.*?)\s*[\])>}]$/, '$1').trim();
  if (/^(?:\.{3,}|\u2026)$/.test(unboxed)) {
    // An ellipsis without a comment opener is a marker only when it stands alone.
    return true;
  }
  const leading = /^(?:\.{3,}|\u2026)/.test(unboxed);
  const trailing = /(?:\.{3,}|\u2026)$/.test(unboxed);
  const words = unboxed
    .replace(DOTS, ' ')
    .replace(/^(?:\.{3,}|\u2026)|(?:\.{3,}|\u2026)$/g, '')
    .trim();
  const plain = words.replace(/^[[(]\s*(.*?)\s*[\])]$/, '$1').trim();
  if (plain.split(/\s+/).length > MAX_WORDS) {
    return false;
  }
  const commented = opener !== '' || unboxed !== bare;
  if (leading && trailing) {
    return KEPT.test(plain) || (commented && /^[\w\s,()'/-]+$/.test(plain));
  }
  if (!commented && !leading) {
    return false;
  }
  if (leading || trailing) {
    return (
      KEPT.test(plain) && /^[\w\s,.:()'/-]+$/.test(plain) && (commented || PROMISE.test(plain))
    );
  }
  return commented && PROMISE.test(plain);
}

/** True when any line of the snippet is a marker. */
export function hasMarkers(update: string): boolean {
  return splitLines(update).some(isMarkerLine);
}
