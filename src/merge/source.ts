import { endsLine } from '../base/text/textLines';
import { columnsOf } from './lines';
import { CodeBuffer, lineEnd, type TextCodes } from './textCodes';

/** A text split into lines that keeps every byte, so that kept lines are copied unchanged. */
export class Source {
  readonly bom: string;
  /** Without the byte order mark. */
  readonly body: string;
  /** The most frequent line ending. */
  readonly eol: string;
  /** True when every line except the last one ends with `eol`. */
  readonly uniform: boolean;
  readonly count: number;
  /** `body` as numbers. */
  readonly codes: TextCodes;
  /** The start of each line in `body`, followed by the length of `body`. */
  readonly #starts: readonly number[];

  /** @param buffer takes the codes, which must not be read once it is used for another text. */
  constructor(text: string, buffer = new CodeBuffer()) {
    this.bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    this.body = this.bom ? text.slice(1) : text;
    const { body } = this;
    this.codes = buffer.read(body);
    const starts: number[] = body === '' ? [] : [0];
    if (body.includes('\r')) {
      const tally = new Map<string, number>();
      for (const end of body.matchAll(/\r\n|\n|\r/g)) {
        starts.push(end.index + end[0].length);
        tally.set(end[0], (tally.get(end[0]) ?? 0) + 1);
      }
      const [most] = [...tally].sort((a, b) => b[1] - a[1]);
      this.eol = most?.[0] ?? '\n';
      this.uniform = tally.size < 2;
    } else {
      const { view } = this.codes;
      const { length } = body;
      for (let at = lineEnd(view, 0, length); at < length; at = lineEnd(view, at + 1, length)) {
        starts.push(at + 1);
      }
      this.eol = '\n';
      this.uniform = true;
    }
    if (starts.at(-1) !== body.length) starts.push(body.length);
    this.#starts = starts;
    this.count = Math.max(0, starts.length - 1);
  }

  get endsInNewline(): boolean {
    return endsLine(this.body);
  }

  /** A line without its line ending. */
  line(at: number): string {
    const start = this.#starts[at] ?? 0;
    let end = this.#starts[at + 1] ?? start;
    if (end > start && this.body.charCodeAt(end - 1) === 10) end--;
    if (end > start && this.body.charCodeAt(end - 1) === 13) end--;
    return this.body.slice(start, end);
  }

  /** True when the line, without its line ending, is exactly this text. */
  isLine(at: number, text: string): boolean {
    const start = this.#starts[at] ?? 0;
    if (!this.body.startsWith(text, start)) return false;
    const end = start + text.length;
    const next = this.body.charCodeAt(end);
    return end === this.body.length || next === 10 || next === 13;
  }

  /** A line without leading and trailing whitespace. */
  trimmed(at: number): string {
    let start = this.#starts[at] ?? 0;
    let end = this.#starts[at + 1] ?? start;
    while (start < end && this.body.charCodeAt(start) <= 32) start++;
    while (end > start && this.body.charCodeAt(end - 1) <= 32) end--;
    const text = this.body.slice(start, end);
    // Handles rare kinds of whitespace, such as a no-break space.
    const isPlain =
      text === '' || (text.charCodeAt(0) < 128 && text.charCodeAt(text.length - 1) < 128);
    return isPlain ? text : text.trim();
  }

  /** Where a line starts in `body`; its length for the line after the last one. */
  startOf(line: number): number {
    return this.#starts[line] ?? this.body.length;
  }

  /** Columns of leading whitespace. */
  indent(at: number): number {
    return columnsOf(this.body, this.#starts[at] ?? 0);
  }

  startsWithTab(line: number): boolean {
    return this.body.charCodeAt(this.#starts[line] ?? 0) === 9;
  }

  /** Lines `from` to `to` (half-open) with their line endings. */
  slice(from: number, to: number): string {
    return this.body.slice(
      this.#starts[from] ?? this.body.length,
      this.#starts[to] ?? this.body.length,
    );
  }
}
