import { splitLines } from './text';

/** Columns per tab when indentation is compared. */
const TAB_COLUMNS = 4;

/** A line of the original or of the snippet, with what the alignment asks of it. */
export interface Line {
  text: string;
  trimmed: string;
  /** Columns of leading white space; -1 for a blank line. */
  indent: number;
}

export function toLine(text: string): Line {
  const trimmed = text.trim();
  return { text, trimmed, indent: trimmed === '' ? -1 : columnsOf(text) };
}

export function columnsOf(text: string, tabColumns = TAB_COLUMNS): number {
  let columns = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) {
      columns++;
    } else if (code === 9) {
      columns += tabColumns - (columns % tabColumns);
    } else {
      break;
    }
  }
  return columns;
}

/** The original as lines, each with its own line end, so that mixed line ends survive. */
export interface OriginalText {
  lines: Line[];
  /** Line end of each line; '' for a last line without one. */
  ends: string[];
  eol: string;
  bom: string;
}

export function readOriginal(text: string): OriginalText {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(bom.length);
  const texts = splitLines(body);
  const ends: string[] = body.match(/\r\n|\n|\r/g) ?? [];
  if (texts.at(-1) === '') {
    texts.pop();
  } else {
    ends.push('');
  }
  const tally = new Map<string, number>();
  for (const end of ends) {
    tally.set(end, (tally.get(end) ?? 0) + 1);
  }
  tally.delete('');
  let eol = '\n';
  let most = 0;
  for (const [end, count] of tally) {
    if (count > most) {
      most = count;
      eol = end;
    }
  }
  return { lines: texts.map(toLine), ends, eol, bom };
}

const FILLER =
  /^(?:else:?|end;?|return;?|break;?|pass|fi|done|try:?|finally:?|continue;?|else \{|\} else \{|try \{|do|then|begin|return (?:nil|null|none|true|false|self|this);?|\/\/|#|\*|--|@override)$/i;

/** True for lines that many places of a file share: brackets, `else`, `end`. */
export function isFiller(trimmed: string): boolean {
  return !/[\p{L}\p{N}_$]/u.test(trimmed) || FILLER.test(trimmed);
}
