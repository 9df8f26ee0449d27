import { Buffer, isUtf8 } from 'node:buffer';
import { type Item, type TextSpan, UnsupportedHistory } from './history';
import { type JsonNode, type JsonObject, JsonText } from './json';

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

/** A line that is not blank, including its line end. */
class Line implements TextSpan {
  /** `null` until it is parsed. */
  #node: JsonNode | undefined | null = null;

  constructor(
    private readonly source: JsonText,
    readonly start: number,
    readonly end: number,
  ) {}

  get node(): JsonNode | undefined {
    if (this.#node === null) this.#node = this.source.parse(this.start, this.end);
    return this.#node;
  }
}

/** The text of one file, parsed lazily and once. */
export class HistoryFile {
  readonly #content: string | Uint8Array;
  /** What is parsed: the text, or the bytes as characters, which takes less memory and no time to decode. */
  readonly #source: JsonText;
  /** 0, or 1 after a byte order mark. */
  readonly start: number;
  #text: string | undefined;
  #json: { node: JsonNode | undefined } | undefined;
  /** The lines that were found so far, and where to look for more. */
  readonly #lines: Line[] = [];
  #next: number;
  /** The objects of lines that have several: a removed one is known by its identity. */
  readonly #objects = new Map<Line, readonly Line[]>();
  #damaged: readonly TextSpan[] = [];
  #joined: readonly TextSpan[] = [];

  /** @param content text, or UTF-8 of a file that is only read: see `isOnlyRead`. */
  constructor(
    readonly path: string,
    content: string | Uint8Array,
  ) {
    const written = withoutNulTail(content);
    // Without a byte order mark, positions in bytes and in text start at the same place.
    this.#content = startsWithMark(written) ? decode(written) : written;
    this.#source =
      typeof this.#content === 'string'
        ? new JsonText(this.#content)
        : new JsonText(bufferOf(this.#content));
    this.start = this.#source.text.startsWith('\uFEFF') ? 1 : 0;
    this.#next = this.start;
  }

  /** Positions are those of bytes, and not of the text, so patches cannot be made from them. */
  get isOnlyRead(): boolean {
    return this.#source.isBytes;
  }

  /** The same file, with nothing parsed yet. */
  get unread(): HistoryFile {
    return new HistoryFile(this.path, this.#content);
  }

  get name(): string {
    return this.path.slice(Math.max(this.path.lastIndexOf('/'), this.path.lastIndexOf('\\')) + 1);
  }

  get text(): string {
    this.#text ??= typeof this.#content === 'string' ? this.#content : decode(this.#content);
    return this.#text;
  }

  /** The whole text as one JSON value. */
  get json(): JsonNode | undefined {
    this.#json ??= { node: this.#parseAll() };
    return this.#json.node;
  }

  #parseAll(): JsonNode | undefined {
    const [first, second] = [this.#line(0), this.#line(1)];
    if (!second) return first?.node;
    // After a value on a line of its own, a further line makes the whole no JSON.
    if (first?.node) return undefined;
    return this.#source.parse(this.start, this.#source.text.length);
  }

  /** Whether each line is blank. */
  get isBlank(): boolean {
    return this.#line(0) === undefined;
  }

  /** Lines that are not blank, including their line ends. */
  get lines(): readonly Line[] {
    this.#line(Number.POSITIVE_INFINITY);
    return this.#lines;
  }

  /** A line that is not blank. Most files that are no JSON Lines are told by the first few. */
  #line(at: number): Line | undefined {
    const { text } = this.#source;
    while (this.#lines.length <= at && this.#next < text.length) {
      const start = this.#next;
      const newline = text.indexOf('\n', start);
      this.#next = newline < 0 ? text.length : newline + 1;
      if (!isBlank(text, start, this.#next)) {
        this.#lines.push(new Line(this.#source, start, this.#next));
      }
    }
    return this.#lines[at];
  }

  /** The object on the first line. */
  get first(): JsonObject | undefined {
    const node = this.#line(0)?.node;
    return node?.type === 'object' ? node : undefined;
  }

  /** Whether an object on a line of its own passes. Some tools write much before the first message. */
  hasLine(test: (node: JsonObject) => boolean): boolean {
    let others = 0;
    for (let at = 0; ; at++) {
      const line = this.#line(at);
      if (!line) return false;
      const { node } = line;
      if (node?.type === 'object') {
        if (test(node)) return true;
      } else if (++others > maxOtherLines) return false;
    }
  }

  /**
   * The objects of all lines. A tool that was ended while it wrote leaves a line that is cut off, or two objects
   * on one line.
   * @param skipsDamaged leaves out damaged lines, as the tool itself does, unless they are most of the file.
   * @throws {UnsupportedHistory} for a damaged line, except the last one.
   */
  recordsFor(tool: string, { skipsDamaged = false } = {}): JsonRecords {
    const { lines } = this;
    const list = { type: 'lines' as const, items: [] as TextSpan[] };
    const records: JsonRecord[] = [];
    const damaged: TextSpan[] = [];
    const joined: TextSpan[] = [];
    let isCut = false;
    for (const [at, line] of lines.entries()) {
      const parts = line.node ? [line] : this.#objectsIn(line);
      for (const [part, span] of parts.entries()) {
        const { node } = span;
        list.items.push(span);
        if (node?.type === 'object') {
          records.push({ node, span, item: { list, node: span } });
          if (part > 0) joined.push(span);
        } else if (at === lines.length - 1 && at > 0) {
          isCut = true;
        } else {
          damaged.push(span);
        }
      }
    }
    const [first] = damaged;
    if (first && !(skipsDamaged && damaged.length <= records.length)) {
      throw new UnsupportedHistory(
        tool,
        `line ${this.lineAt(first.start)} is damaged`,
        'Take that line out of a copy of the file, then open the copy.',
      );
    }
    [this.#damaged, this.#joined] = [damaged, joined];
    return { records, isCut };
  }

  /** The lines that `recordsFor` left out. */
  get damaged(): readonly TextSpan[] {
    return this.#damaged;
  }

  /** The objects of `recordsFor` that follow another one on the same line. */
  get joined(): readonly TextSpan[] {
    return this.#joined;
  }

  #objectsIn(line: Line): readonly Line[] {
    const known = this.#objects.get(line) ?? this.#joinedIn(line);
    this.#objects.set(line, known);
    return known;
  }

  /** The objects of a line that is nothing but several of them; otherwise the line. */
  #joinedIn(line: Line): readonly Line[] {
    const found: Line[] = [];
    for (let start = line.start; start < line.end; ) {
      const end = endOfObject(this.#source.text, start, line.end);
      const isLast = end < 0 || isBlank(this.#source.text, end, line.end);
      const object = new Line(this.#source, start, isLast ? line.end : end);
      if (object.node?.type !== 'object') return [line];
      found.push(object);
      start = object.end;
    }
    return found;
  }

  /** The number of a line, from 1. */
  lineAt(offset: number): number {
    const { text } = this.#source;
    let line = 1;
    for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
      line++;
    }
    return line;
  }
}

/** The end of the object that starts at `start`, by its braces; -1 where it has none before `end`. */
function endOfObject(text: string, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      for (at++; at < end && text.charCodeAt(at) !== 0x22; at++) {
        if (text.charCodeAt(at) === 0x5c) at++;
      }
    } else if (code === 0x7b) {
      depth++;
    } else if (code === 0x7d && --depth === 0) {
      return at + 1;
    }
  }
  return -1;
}

/** True for white space, and for the NUL bytes that a crash can leave in a file. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20 || (code > 0x00 && code < 0x09)) return false;
  }
  return true;
}

/** A file that was being written when the power went out can end in NUL bytes. */
function withoutNulTail(content: string | Uint8Array): string | Uint8Array {
  const codeAt = (at: number): number | undefined =>
    typeof content === 'string' ? content.charCodeAt(at) : content[at];
  let end = content.length;
  while (end > 0 && codeAt(end - 1) === 0) end--;
  if (end === content.length) return content;
  return typeof content === 'string' ? content.slice(0, end) : content.subarray(0, end);
}

function startsWithMark(content: string | Uint8Array): content is Uint8Array {
  return (
    typeof content !== 'string' && [0xef, 0xbb, 0xbf].every((byte, at) => content[at] === byte)
  );
}

/** @throws {UnsupportedHistory} when the bytes are not UTF-8: they could not be written back as they are. */
export function decodeHistory(bytes: Uint8Array): string {
  requireUtf8(bytes);
  return decode(bytes);
}

/** @throws {UnsupportedHistory} */
export function requireUtf8(bytes: Uint8Array): void {
  if (isUtf8(bytes)) return;
  throw new UnsupportedHistory(
    'Chat history',
    'the file is not UTF-8 text',
    'Save it as UTF-8, or choose another file.',
  );
}

/** Several times as fast as a TextDecoder, and keeps a byte order mark. */
function decode(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('utf8');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
