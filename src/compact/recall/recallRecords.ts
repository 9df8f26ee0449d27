import { isRecord, parseJson } from '../../base/typeGuards';
import type { GapMarker } from '../session/gaps';

/** A range of lines of a chat, and the id of their text; `end` is exclusive. */
export type RecallRange = readonly [first: number, end: number, check: string];

/** Which lines of a file the markers of a compaction stand for. The lines themselves stay in the file. */
export interface RecallRecord {
  readonly file: string;
  readonly ranges: Readonly<Record<string, RecallRange>>;
}

/** Older records are forgotten. */
const maxRecords = 100;

export function recordOf(file: string, markers: readonly GapMarker[]): RecallRecord {
  const own = markers.flatMap(({ id, check, first, end }) =>
    id === undefined ? [] : [[id, [first, end, check]] as const],
  );
  return { file, ranges: Object.fromEntries(own) };
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
export function findRange(
  records: readonly RecallRecord[],
  id: string,
): { readonly file: string; readonly range: RecallRange } | undefined {
  for (const { file, ranges } of records) {
    const range = Object.hasOwn(ranges, id) ? ranges[id] : undefined;
    if (range) return { file, range };
  }
  return undefined;
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
    return [{ file: one['file'], ranges: Object.fromEntries(ranges) }];
  });
}

function isRange(value: unknown): value is RecallRange {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [first, end, check]: unknown[] = value;
  return Number.isInteger(first) && Number.isInteger(end) && typeof check === 'string';
}
