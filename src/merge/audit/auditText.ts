import { lowerBound } from '../../base/sorted';
import { splitLines } from '../../base/text/textLines';
import { columnsOf } from '../lines';
import { closerWithoutComment } from '../snippet/closers';

/** The lines of a text that are not blank; blank lines are only counted. */
export interface AuditText {
  /** Equal numbers mean equal lines, apart from the amount of whitespace. */
  codes: Int32Array;
  texts: string[];
  trimmed: string[];
  /** 0-based line numbers in the text. */
  rows: number[];
  /** Number of lines, including blank ones. */
  height: number;
}

/** Assigns the same number to equal lines across the texts of one audit. */
export class LineCodes {
  readonly #codes = new Map<string, number>();

  get count(): number {
    return this.#codes.size;
  }

  read(text: string): AuditText {
    const lines = splitLines(text.replace(/^\uFEFF/, ''));
    if (lines.at(-1) === '') {
      lines.pop();
    }
    return this.ofLines(lines);
  }

  ofLines(lines: readonly string[]): AuditText {
    const codes: number[] = [];
    const read: AuditText = {
      codes: new Int32Array(),
      texts: [],
      trimmed: [],
      rows: [],
      height: lines.length,
    };
    lines.forEach((text, row) => {
      const trimmed = text.trim();
      if (trimmed === '') {
        return;
      }
      const key = withSingleBlanks(closerWithoutComment(trimmed) ?? trimmed);
      let code = this.#codes.get(key);
      if (code === undefined) {
        code = this.#codes.size;
        this.#codes.set(key, code);
      }
      codes.push(code);
      read.texts.push(text);
      read.trimmed.push(trimmed);
      read.rows.push(row);
    });
    read.codes = Int32Array.from(codes);
    return read;
  }
}

/** Chats replace aligned columns by single spaces, and merges restore them. */
function withSingleBlanks(trimmed: string): string {
  return trimmed.includes('  ') || trimmed.includes('\t')
    ? trimmed.replace(/[ \t]+/g, ' ')
    : trimmed;
}

export function indentAt(text: AuditText, at: number): number {
  return columnsOf(text.texts[at] ?? '');
}

/** Lines `from` to `to` of a text. */
export function partOfText(text: AuditText, from: number, to: number): AuditText {
  return {
    codes: text.codes.subarray(from, to),
    texts: text.texts.slice(from, to),
    trimmed: text.trimmed.slice(from, to),
    rows: text.rows.slice(from, to),
    height: text.height,
  };
}

/** True when `codes` are the lines `from` to `to` of `all`. */
export function equalRange(codes: Int32Array, all: Int32Array, from: number, to: number): boolean {
  return to - from === codes.length && codes.every((code, at) => code === all[from + at]);
}

/** The positions of each line code in a text, ascending. */
export class Postings {
  readonly #starts: Int32Array;
  readonly #places: Int32Array;

  constructor(codes: Int32Array, count: number) {
    this.#starts = new Int32Array(count + 1);
    this.#places = new Int32Array(codes.length);
    for (const code of codes) {
      this.#starts[code + 1] = (this.#starts[code + 1] ?? 0) + 1;
    }
    for (let code = 0; code < count; code++) {
      this.#starts[code + 1] = (this.#starts[code + 1] ?? 0) + (this.#starts[code] ?? 0);
    }
    const next = this.#starts.slice();
    codes.forEach((code, at) => {
      const slot = next[code] ?? 0;
      this.#places[slot] = at;
      next[code] = slot + 1;
    });
  }

  count(code: number): number {
    return (this.#starts[code + 1] ?? 0) - (this.#starts[code] ?? 0);
  }

  /** The positions of a line code from `from` on. */
  from(code: number, from: number): Int32Array {
    const end = this.#starts[code + 1] ?? 0;
    const first = lowerBound(this.#places, from, this.#starts[code] ?? 0, end);
    return this.#places.subarray(first, end);
  }
}
