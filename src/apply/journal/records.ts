import { crc32 } from 'node:zlib';
import { isRecord } from '../../service/guards';

/**
 * What a journal says. `steps` are edits of the file, each in the lines that the one before left; `hash` names its text
 * after them. What is read from a disk may be of any shape, so `replay` checks it where it is used.
 */
export type JournalRecord =
  /** All that is known; what stands before it in the journal does not count. */
  | { readonly kind: 'checkpoint'; readonly meta: unknown; readonly state: unknown }
  /** The user typed. */
  | { readonly kind: 'edited'; readonly steps: unknown; readonly hash: unknown }
  /** These changes are about to be written into the editor's text. */
  | { readonly kind: 'accepting'; readonly ids: readonly unknown[] }
  | {
      readonly kind: 'decided';
      readonly steps: unknown;
      readonly hash: unknown;
      readonly state: unknown;
    }
  /** The file on disk holds the text of now. */
  | { readonly kind: 'saved' }
  /** Another review took the place of this one. */
  | { readonly kind: 'replaced' };

/** A record as it stands in a journal. */
export interface Entry {
  /** Who wrote it: each window has a name of its own. */
  readonly writer: string;
  /** Counts the records of a writer: a number that is missing was lost, one that comes again says nothing new. */
  readonly number: number;
  /** When, in milliseconds since 1970. */
  readonly time: number;
  readonly record: JournalRecord;
}

export interface DecodedJournal {
  readonly entries: readonly Entry[];
  /** Lines that are no records. A last one that was cut off does not count: the window died while it was written. */
  readonly damagedLines: number;
}

/** One line: a checksum, then JSON. */
export function encodeEntry(entry: Entry): string {
  const json = JSON.stringify(entry);
  return `${checksum(json)} ${json}\n`;
}

/** Reads what can be read, line by line; the shape of records is checked where they are used. */
export function decodeJournal(text: string): DecodedJournal {
  const entries: Entry[] = [];
  let damagedLines = 0;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const entry = decodeEntry(line);
    if (entry) entries.push(entry);
    else if (index < lines.length - 1) damagedLines++;
  }
  return { entries, damagedLines };
}

function decodeEntry(line: string): Entry | undefined {
  const json = line.slice(9);
  if (line[8] !== ' ' || checksum(json) !== line.slice(0, 8)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { writer, number, time, record } = value;
  if (typeof writer !== 'string' || !Number.isSafeInteger(number) || typeof time !== 'number')
    return undefined;
  const known = readRecord(record);
  return known && { writer, number: Number(number), time, record: known };
}

function readRecord(value: unknown): JournalRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, meta, state, steps, hash, ids } = value;
  switch (kind) {
    case 'checkpoint':
      return { kind, meta, state };
    case 'edited':
      return { kind, steps, hash };
    case 'accepting':
      return { kind, ids: Array.isArray(ids) ? ids : [] };
    case 'decided':
      return { kind, steps, hash, state };
    case 'saved':
    case 'replaced':
      return { kind };
    default:
      return undefined;
  }
}

const checksum = (json: string): string => crc32(json).toString(16).padStart(8, '0');
