import { crc32 } from 'node:zlib';
import { isRecord } from '../../../base/typeGuards';

/**
 * A record of a journal. `steps` are edits of the file, each relative to the result of the one before; `hash` is that of
 * the text after them. Data from disk may have any shape, so `replay` validates it.
 */
export type JournalRecord =
  /** The complete state; earlier records of the journal are ignored. */
  | {
      readonly kind: 'checkpoint';
      readonly meta: unknown;
      readonly state: unknown;
      /** What the review began with. */
      readonly start?: unknown;
    }
  /** The user typed. */
  | { readonly kind: 'edited'; readonly steps: unknown; readonly hash: unknown }
  /** These changes are about to be made in the editor. */
  | { readonly kind: 'accepting'; readonly ids: readonly unknown[] }
  | {
      readonly kind: 'decided';
      readonly steps: unknown;
      readonly hash: unknown;
      readonly state: unknown;
    }
  /** The user edited the proposal, which changes the state of the last save as well. */
  | {
      readonly kind: 'proposed';
      readonly steps: unknown;
      readonly hash: unknown;
      readonly state: unknown;
      readonly saved: unknown;
    }
  /** The file on disk has the current text. */
  | { readonly kind: 'saved' }
  /** Another review replaced this one. */
  | { readonly kind: 'replaced' };

/** A record with its metadata, one line of a journal. */
export interface JournalEntry<R = JournalRecord> {
  /** The window that wrote it; each has a unique name. */
  readonly writer: string;
  /** Sequence number per writer: a gap means that records were lost, a repeated number is a duplicate. */
  readonly number: number;
  /** In milliseconds since the epoch. */
  readonly time: number;
  readonly record: R;
}

export interface DecodedJournal<R = JournalRecord> {
  readonly entries: readonly JournalEntry<R>[];
  /** Lines that are no records, except a truncated last line: the window crashed while writing it. */
  readonly damagedLines: number;
}

/** Encodes an entry as one line: a checksum, then JSON. */
export function encodeEntry<R>(entry: JournalEntry<R>): string {
  const json = JSON.stringify(entry);
  return `${checksum(json)} ${json}\n`;
}

/** Decodes all valid lines; the fields of records are validated where they are used. */
export const decodeJournal = (text: string): DecodedJournal =>
  decodeEntries(text, readReviewRecord);

/** @param readRecord validates a record; undefined when it is none. */
export function decodeEntries<R>(
  text: string,
  readRecord: (value: unknown) => R | undefined,
): DecodedJournal<R> {
  const entries: JournalEntry<R>[] = [];
  let damagedLines = 0;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const entry = decodeEntry(line, readRecord);
    if (entry) entries.push(entry);
    else if (index < lines.length - 1) damagedLines++;
  }
  return { entries, damagedLines };
}

function decodeEntry<R>(
  line: string,
  readRecord: (value: unknown) => R | undefined,
): JournalEntry<R> | undefined {
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
  if (typeof writer !== 'string' || !Number.isSafeInteger(number) || typeof time !== 'number') {
    return undefined;
  }
  const known = readRecord(record);
  return known === undefined ? undefined : { writer, number: Number(number), time, record: known };
}

function readReviewRecord(value: unknown): JournalRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, meta, state, start, steps, hash, ids, saved } = value;
  switch (kind) {
    case 'checkpoint':
      return { kind, meta, state, start };
    case 'edited':
      return { kind, steps, hash };
    case 'accepting':
      return { kind, ids: Array.isArray(ids) ? ids : [] };
    case 'decided':
      return { kind, steps, hash, state };
    case 'proposed':
      return { kind, steps, hash, state, saved };
    case 'saved':
    case 'replaced':
      return { kind };
    default:
      return undefined;
  }
}

const checksum = (json: string): string => crc32(json).toString(16).padStart(8, '0');
