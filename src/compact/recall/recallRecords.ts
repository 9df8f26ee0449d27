import { isRecord, parseJson } from '../../base/typeGuards';
import type { GapMarker } from '../session/gaps';

/** A range of lines of a chat, and the id of their text; `end` is exclusive. */
export type RecallRange = readonly [first: number, end: number, check: string];

/** Which lines of a file the markers of a compaction stand for. The lines themselves stay in the file. */
export interface RecallRecord {
  readonly file: string;
  readonly ranges: Readonly<Record<string, RecallRange>>;
  /** Lines that the user left out, which nothing gives back: start and count of each range, from 0. */
  readonly withheld?: readonly number[];
}

/** What an id stands for. */
export interface Recallable {
  readonly file: string;
  readonly range: RecallRange;
  readonly withheld: readonly number[];
}

/** Older records are forgotten. */
const maxRecords = 100;

export function recordOf(
  file: string,
  markers: readonly GapMarker[],
  withheld: readonly number[],
): RecallRecord {
  const own = markers.flatMap(({ id, check, first, end }) =>
    id === undefined ? [] : [[id, [first, end, check]] as const],
  );
  return {
    file,
    ranges: Object.fromEntries(own),
    ...(withheld.length > 0 ? { withheld } : {}),
  };
}

/** Adds a record as the newest one; an equal one is not repeated. */
export function addRecord(
  records: readonly RecallRecord[],
  record: RecallRecord,
): readonly RecallRecord[] {
  const own = JSON.stringify(record);
  const others = records.filter(other => JSON.stringify(other) !== own);
  return [record, ...others].slice(0, maxRecords);
}

/** The newest file and range that an id stands for. */
export function findRange(records: readonly RecallRecord[], id: string): Recallable | undefined {
  for (const { file, ranges, withheld = [] } of records) {
    const range = Object.hasOwn(ranges, id) ? ranges[id] : undefined;
    if (range) return { file, range, withheld };
  }
  return undefined;
}

/** The lines of a range, with a note in place of each that is withheld. */
export function withoutWithheld(
  lines: readonly string[],
  { range: [first, end], withheld }: Recallable,
): string[] {
  const left = [...lines];
  for (let at = 0; at + 1 < withheld.length; at += 2) {
    const start = (withheld[at] ?? 0) - first;
    const stop = Math.min(start + (withheld[at + 1] ?? 0), end - first);
    for (let line = Math.max(0, start); line < stop; line++) left[line] = '[left out by the user]';
  }
  return left;
}

/** Reads stored records; whatever is not a record is left out. */
export function parseRecords(text: string): readonly RecallRecord[] {
  const stored = parseJson(text);
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: unknown) => {
    if (!isRecord(one) || typeof one['file'] !== 'string' || !isRecord(one['ranges'])) return [];
    const ranges = Object.entries(one['ranges']).flatMap(([id, range]) =>
      isRange(range) ? [[id, range] as const] : [],
    );
    const { file, withheld } = one;
    return [
      {
        file,
        ranges: Object.fromEntries(ranges),
        ...(Array.isArray(withheld) && withheld.every(Number.isSafeInteger) ? { withheld } : {}),
      },
    ];
  });
}

function isRange(value: unknown): value is RecallRange {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [first, end, check]: unknown[] = value;
  return Number.isInteger(first) && Number.isInteger(end) && typeof check === 'string';
}
