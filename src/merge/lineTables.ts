import { CodeBuffer } from './textCodes';

/**
 * Space for the tables of one file index after the other, since making and giving back typed arrays takes longer
 * than reading a small file.
 */
export class LineTables {
  /** For the codes of the file, and of a snippet that is read. */
  readonly file = new CodeBuffer();
  readonly snippet = new CodeBuffer();
  /** By position: its line in the file. */
  raw = new Int32Array();
  /** By position: the next position with the same id; -1 for the last one. */
  next = new Int32Array();
  /** By id: where the text of its first line starts and ends in the file, and its hash. */
  from = new Int32Array();
  to = new Int32Array();
  hashes = new Int32Array();
  /** By id: its first and its last position. */
  first = new Int32Array();
  last = new Int32Array();
  /** By id: 1 for a filler, 2 for another line, 0 as long as nobody asked. */
  fillers = new Uint8Array();
  /** By id, as far as asked for. */
  readonly texts: (string | undefined)[] = [];
  readonly places: (readonly number[] | undefined)[] = [];
  /** Ids plus 1 by hash, with linear probing; 0 for free slots. */
  slots = new Int32Array();

  /** Makes room for a file with so many lines, and removes what the last one has left. */
  clear(lines: number, slots: number): void {
    if (lines > this.raw.length) this.#grow(Math.max(lines, 2 * this.raw.length));
    this.fillers.fill(0, 0, lines);
    this.texts.fill(undefined, 0, lines);
    this.places.fill(undefined, 0, lines);
    if (slots > this.slots.length) this.slots = new Int32Array(slots);
    else this.slots.fill(0, 0, slots);
  }

  #grow(lines: number): void {
    // One buffer for all tables, since making one takes longer than reading a line.
    const size = Int32Array.BYTES_PER_ELEMENT * lines;
    const tables = new ArrayBuffer(7 * size + lines);
    let made = 0;
    const table = (): Int32Array<ArrayBuffer> => new Int32Array(tables, size * made++, lines);
    this.raw = table();
    this.next = table();
    this.from = table();
    this.to = table();
    this.hashes = table();
    this.first = table();
    this.last = table();
    this.fillers = new Uint8Array(tables, 7 * size, lines);
    while (this.texts.length < lines) {
      this.texts.push(undefined);
      this.places.push(undefined);
    }
  }
}

/** Tables for longer texts are not kept, in characters. */
const maxKept = 1 << 20;
const kept = new LineTables();

/** The tables for a merge of texts with so many characters; those of the merge before may be the same. */
export const tablesFor = (characters: number): LineTables =>
  characters <= maxKept ? kept : new LineTables();
