import { Buffer, isUtf8 } from 'node:buffer';
import { type Item, type TextSpan, UnsupportedHistory } from './history';
import { type JsonNode, type JsonObject, parseJsonNode } from './json';

/** More lines than this that are no objects are not those of a JSON Lines file. */
const maxOtherLines = 20;

/** One line of a JSON Lines file. */
export interface JsonRecord {
  readonly node: JsonObject;
  /** With its line end. */
  readonly span: TextSpan;
  readonly item: Item;
}

export interface JsonRecords {
  readonly records: readonly JsonRecord[];
  /** The last line is incomplete. */
  readonly isCut: boolean;
}

/** The text of one file, parsed lazily and once. */
export class HistoryFile {
  /** 0, or 1 after a byte order mark. */
  readonly start: number;
  #json: { node: JsonNode | undefined } | undefined;
  #lines: readonly TextSpan[] | undefined;
  readonly #parsed = new Map<TextSpan, JsonNode | undefined>();

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    this.start = text.startsWith('\uFEFF') ? 1 : 0;
  }

  get name(): string {
    return this.path.slice(Math.max(this.path.lastIndexOf('/'), this.path.lastIndexOf('\\')) + 1);
  }

  /** The whole text as one JSON value. */
  get json(): JsonNode | undefined {
    if (!this.#json) {
      const only = this.lines.length === 1 ? this.lines[0] : undefined;
      const node = only ? this.#parse(only) : parseJsonNode(this.text, this.start);
      this.#json = { node };
    }
    return this.#json.node;
  }

  /** Lines that are not blank, including their line ends. */
  get lines(): readonly TextSpan[] {
    this.#lines ??= linesOf(this.text, this.start);
    return this.#lines;
  }

  /** The object on the first line. */
  get first(): JsonObject | undefined {
    const line = this.lines[0];
    const node = line && this.#parse(line);
    return node?.type === 'object' ? node : undefined;
  }

  /** Whether an object on a line of its own passes. Some tools write much before the first message. */
  hasLine(test: (node: JsonObject) => boolean): boolean {
    let others = 0;
    for (const line of this.lines) {
      const node = this.#parse(line);
      if (node?.type === 'object') {
        if (test(node)) return true;
      } else if (++others > maxOtherLines) return false;
    }
    return false;
  }

  /** @throws {UnsupportedHistory} for a line that is no object, except the last one. */
  recordsFor(tool: string): JsonRecords {
    const { lines } = this;
    const list = { type: 'lines' as const, items: [...lines] };
    const records: JsonRecord[] = [];
    for (const [at, span] of lines.entries()) {
      const node = this.#parse(span);
      if (node?.type === 'object') {
        records.push({ node, span, item: { list, node: span } });
      } else if (at === lines.length - 1 && at > 0) {
        return { records, isCut: true };
      } else {
        throw new UnsupportedHistory(
          tool,
          `line ${this.lineAt(span.start)} is damaged`,
          'Take that line out of a copy of the file, then open the copy.',
        );
      }
    }
    return { records, isCut: false };
  }

  /** The number of a line, from 1. */
  lineAt(offset: number): number {
    let line = 1;
    for (
      let at = this.text.indexOf('\n');
      at >= 0 && at < offset;
      at = this.text.indexOf('\n', at + 1)
    ) {
      line++;
    }
    return line;
  }

  #parse(line: TextSpan): JsonNode | undefined {
    if (!this.#parsed.has(line)) {
      this.#parsed.set(line, parseJsonNode(this.text, line.start, line.end));
    }
    return this.#parsed.get(line);
  }
}

function linesOf(text: string, first: number): TextSpan[] {
  const lines: TextSpan[] = [];
  for (let start = first; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    if (!isBlank(text, start, end)) lines.push({ start, end });
    start = end;
  }
  return lines;
}

/** True for white space, and for the NUL bytes that a crash can leave in a file. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20 || (code > 0x00 && code < 0x09)) return false;
  }
  return true;
}

/** @throws {UnsupportedHistory} when the bytes are not UTF-8: they could not be written back as they are. */
export function decodeHistory(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    throw new UnsupportedHistory(
      'Chat history',
      'the file is not UTF-8 text',
      'Save it as UTF-8, or choose another file.',
    );
  }
  // Several times as fast as a TextDecoder, and keeps a byte order mark.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
