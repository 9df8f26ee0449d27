import { isRecord } from '../../base/typeGuards';
import { rangesOf } from '../core/ranges';
import type { Compaction, CompactPlan } from '../worker/engine';
import type { Receipt } from './receipt';

/** What is stored of a receipt, so that it can be shown again after a reload. The chat itself stays in its file. */
export interface ReceiptRecord {
  readonly file: string;
  readonly title: string;
  /** Modification time of the file when it was read, in milliseconds since the epoch. */
  readonly modified: number;
  /** See `ChatFile`. */
  readonly includesEarlier?: boolean;
  readonly lines: number;
  readonly plan: CompactPlan;
  readonly engine: Compaction['engine'];
  readonly isOverBudget: boolean;
  /** Lines that the compaction kept: start and count of each range, from 0. */
  readonly kept: readonly number[];
  /** Lines that are kept after the decisions of the user. */
  readonly left: readonly number[];
}

/** So that a window stores no more than a few megabytes. */
const maxRanges = 50_000;
export const maxReceiptRecords = 8;

/** @returns undefined for a receipt with too many ranges to store. */
export function recordOfReceipt(
  { compaction, kept }: Receipt,
  plan: CompactPlan,
  source: Pick<ReceiptRecord, 'file' | 'title' | 'modified' | 'includesEarlier'>,
): ReceiptRecord | undefined {
  const record: ReceiptRecord = {
    ...source,
    lines: kept.length,
    plan,
    engine: compaction.engine,
    isOverBudget: compaction.isOverBudget,
    kept: pairsOf(compaction.kept),
    left: pairsOf(kept),
  };
  return record.kept.length + record.left.length > 2 * maxRanges ? undefined : record;
}

/** Reads what was stored, which another version may have written. */
export function readReceiptRecords(value: unknown): ReadonlyMap<string, ReceiptRecord> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([uri, record]) => (isReceiptRecord(record) ? [[uri, record] as const] : [])),
  );
}

function isReceiptRecord(value: unknown): value is ReceiptRecord {
  if (!isRecord(value) || !isRecord(value['plan'])) return false;
  const { file, title, modified, lines, engine, kept, left, plan } = value;
  return (
    typeof file === 'string' &&
    typeof title === 'string' &&
    typeof modified === 'number' &&
    Number.isSafeInteger(lines) &&
    (engine === 'local' || engine === 'service') &&
    isPairs(kept) &&
    isPairs(left) &&
    typeof plan['ratio'] === 'number' &&
    typeof plan['query'] === 'string' &&
    Array.isArray(plan['pins'])
  );
}

const isPairs = (value: unknown): boolean =>
  Array.isArray(value) && value.every(each => Number.isSafeInteger(each) && Number(each) >= 0);

/** 1 for each line of the ranges. */
export function linesOfPairs(pairs: readonly number[], count: number): Uint8Array {
  const lines = new Uint8Array(count);
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const start = pairs[at] ?? 0;
    lines.fill(1, start, start + (pairs[at + 1] ?? 0));
  }
  return lines;
}

/** 1 for each line that the user left out. */
export function leftOutLines(receipt: Receipt): Uint8Array {
  return receipt.kept.map((_, line) => (receipt.stateOf(line) === 'leftOut' ? 1 : 0));
}

/** Start and count of each range of lines, from 0. */
export function pairsOf(lines: Uint8Array): number[] {
  return rangesOf(lines).flatMap(([first, last]) => [first - 1, last - first + 1]);
}
