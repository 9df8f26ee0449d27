import { columnsOf } from '../lines';

/** The lines that an anchor may stand for: the line that it names, and the block below that. */
export interface AnchorSpan {
  readonly row: number;
  /** The line after the block. */
  readonly end: number;
}

export interface Anchored {
  readonly spans: readonly AnchorSpan[];
  /** False when an anchor and its line differ in more than blanks and closing signs, or one is not in the block of the other. */
  readonly isSure: boolean;
}

/** More lines than that cannot tell where a change goes. */
const maxRows = 100;
/** Anchors that are no line of the file cost a look at all lines. */
const maxSearches = 200;

/** Finds the lines that the anchors of hunks name, as in `@@ class A` above `@@ def b():`. */
export class AnchorFinder {
  readonly #lines: readonly string[];
  readonly #rows = new Map<string, NamedRows>();
  #byText: Map<string, number[]> | undefined;
  #searches = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Undefined when an anchor is not in the file, or not behind the one before it. */
  find(anchors: readonly string[]): Anchored | undefined {
    let spans: readonly AnchorSpan[] | undefined;
    let isSure = true;
    for (const anchor of anchors) {
      const named = this.#named(anchor);
      if (named.spans.length === 0) return undefined;
      isSure &&= named.isSure;
      if (!spans) {
        ({ spans } = named);
        continue;
      }
      const inside = within(named.spans, spans);
      const first = spans[0]?.row ?? 0;
      const next = inside.length > 0 ? inside : named.spans.filter(({ row }) => row > first);
      if (next.length === 0) return undefined;
      isSure &&= inside.length > 0;
      spans = next;
    }
    return spans && { spans, isSure };
  }

  #named(anchor: string): NamedRows {
    const key = anchor.trim();
    let found = this.#rows.get(key);
    if (!found) {
      const { rows, isSure } = this.#search(key);
      const spans = rows.slice(0, maxRows).map(row => ({ row, end: this.#blockEnd(row) }));
      found = { spans, isSure };
      this.#rows.set(key, found);
    }
    return found;
  }

  #search(anchor: string): { rows: readonly number[]; isSure: boolean } {
    const equal = this.#rowsOf(anchor);
    if (equal.length > 0) return { rows: equal, isSure: true };
    if (++this.#searches > maxSearches) return { rows: [], isSure: false };
    const [plain, head] = [plainOf(anchor), headOf(anchor)];
    const levels: readonly ((line: string) => boolean)[] = [
      line => startsWithName(line, anchor),
      line => startsWithName(plainOf(line), plain),
      line => line.startsWith(anchor),
      line => head !== undefined && headOf(line) === head,
      line => declares(line, plain),
    ];
    for (const [level, isNamed] of levels.entries()) {
      const rows = this.#lines.flatMap((line, row) => (isNamed(line.trim()) ? [row] : []));
      if (rows.length > 0) return { rows, isSure: level < sureLevels };
    }
    return { rows: [], isSure: false };
  }

  #rowsOf(text: string): readonly number[] {
    if (!this.#byText) {
      this.#byText = new Map();
      for (const [row, line] of this.#lines.entries()) {
        const key = line.trim();
        const rows = this.#byText.get(key);
        if (rows) rows.push(row);
        else this.#byText.set(key, [row]);
      }
    }
    return this.#byText.get(text) ?? [];
  }

  /** The first line below that is not indented more, apart from what still belongs to the header. */
  #blockEnd(row: number): number {
    const depth = columnsOf(this.#lines[row] ?? '');
    for (let at = row + 1; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? '';
      const text = line.trim();
      if (text !== '' && columnsOf(line) <= depth && !continuesHeader(text)) return at;
    }
    return this.#lines.length;
  }
}

interface NamedRows {
  readonly spans: readonly AnchorSpan[];
  readonly isSure: boolean;
}

/** The levels of likeness at which a line is surely the one that an anchor names. */
const sureLevels = 3;

/** Only the nearest span around counts, so both lists are walked once. */
function within(spans: readonly AnchorSpan[], outer: readonly AnchorSpan[]): AnchorSpan[] {
  return spans.filter(({ row }) => outer.some(span => row > span.row && row < span.end));
}

/** `) -> int {`, `{` on a line of its own, comments and directives at the edge. */
const continuesHeader = (text: string): boolean =>
  /^(?:\)|\{$|#|\/\/|where\b)/.test(text) || /^\w+:$/.test(text);

const wordCharacter = /[\p{L}\p{N}_]/u;

/** True when the text starts with the name and no longer word. */
function startsWithName(text: string, name: string): boolean {
  if (name === '' || !text.startsWith(name)) return false;
  const isWord = wordCharacter.test(name.at(-1) ?? '');
  return !isWord || !wordCharacter.test(text.charAt(name.length));
}

/** With single blanks, and without the signs that open a block. */
function plainOf(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t{(:;,'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(/[ \t]+/g, ' ');
}

/** A declaration up to its parameters; undefined for a text of one word, which may be anything. */
function headOf(text: string): string | undefined {
  const end = text.search(/[(<{:=[]/);
  const head = (end < 0 ? text : text.slice(0, end)).trim().replace(/[ \t]+/g, ' ');
  return head.includes(' ') ? head : undefined;
}

const declaration =
  /^(?:(?:export|default|public|private|protected|static|async|abstract|final|override|pub|unsafe|inline|virtual) )*(?:class|interface|struct|enum|trait|impl|module|namespace|def|func|function|fn|fun|sub|type) /;

/** True when the line declares what the anchor names, in whole or by its name alone. */
function declares(line: string, plain: string): boolean {
  if (plain.length < 3 || line.length > 400 || !line.includes(plain)) return false;
  const intro = declaration.exec(line)?.[0];
  if (intro === undefined) return false;
  const at = line.indexOf(plain);
  const isStart = at === 0 || !wordCharacter.test(line.charAt(at - 1));
  return isStart && startsWithName(line.slice(at), plain) && at <= intro.length;
}
