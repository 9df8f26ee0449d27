import { csvCell, inertText } from '../../base/text/csv';
import { JsonValues } from '../../base/text/jsonValues';
import { trimEndOf } from '../../base/text/scan';
import { isRecord, textOf } from '../../base/typeGuards';
import type { OperationName } from '../http/operation';
import { type CostPurpose, isCostPurpose } from './costPurpose';
import type { NoPrice } from './pricing';

/** One call. Numbers and names only: never a prompt, an answer, a key or a path. */
export interface LedgerEntry {
  /** ms since the epoch. */
  readonly at: number;
  readonly operation: string;
  readonly model?: string | undefined;
  /** Absent in what older versions wrote. */
  readonly purpose?: CostPurpose | undefined;
  /** An id that the calls of one chat share. */
  readonly chat?: string | undefined;
  /** The name of the workspace, without its path. */
  readonly workspace?: string | undefined;
  /** Counted by the service, or estimated from characters when `isExact` is not set. */
  readonly promptTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Reflex events or router requests. */
  readonly events?: number | undefined;
  readonly usd?: number | undefined;
  readonly isExact?: boolean | undefined;
  /** Only where the call may be billed and no price is known. */
  readonly noPrice?: NoPrice | undefined;
  readonly ms: number;
  readonly attempts: number;
  readonly requestId?: string | undefined;
  /** `ok`, `canceled` or the kind of the error. */
  readonly result: string;
}

/** A warning that was shown; stored with the calls so that all windows know of it. */
export interface BudgetNotice {
  readonly at: number;
  readonly percent: number;
  readonly budgetUsd: number;
}

export interface Ledger {
  readonly entries: LedgerEntry[];
  readonly notices: BudgetNotice[];
  /** Lines that could not be read: cut off by a crash or a full disk, or edited by hand. */
  readonly damaged: number;
}

/** Free operations, which are too frequent to be recorded. */
export const freeOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'catalogue',
  'listEndpoints',
  'endpointStatus',
  'listBatches',
  'listFineTuningJobs',
  'pollBatch',
  'batchResults',
  'traces',
  'countTokens',
]);

/** One line of the ledger file, with its line break. */
export function ledgerLine(item: LedgerEntry | BudgetNotice): string {
  return `${JSON.stringify(item)}\n`;
}

/** Lines that are parsed before the event loop may run: about 25 ms of work. */
const linesAtOnce = 5000;

/** Parses the lines of a month, which can be 100,000, without blocking the event loop. */
export async function parseLedger(text: string): Promise<Ledger> {
  const entries: LedgerEntry[] = [];
  const notices: BudgetNotice[] = [];
  let damaged = 0;
  const values = new JsonValues();
  let read = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    const newline = text.indexOf('\n', start);
    end = newline < 0 ? text.length : newline;
    if (++read % linesAtOnce === 0) await new Promise(setImmediate);
    const line = text.slice(start, end).trim();
    if (line === '') continue;
    const value = line.startsWith('{') ? values.parse(line) : undefined;
    const notice = noticeOf(value);
    const entry = notice ? undefined : entryOf(value);
    if (notice) notices.push(notice);
    else if (entry) entries.push(entry);
    else damaged++;
  }
  return { entries, notices, damaged };
}

function noticeOf(value: unknown): BudgetNotice | undefined {
  if (!isRecord(value)) return undefined;
  const at = amount(value['at']);
  const percent = amount(value['percent']);
  const budgetUsd = amount(value['budgetUsd']);
  if (at === undefined || percent === undefined || budgetUsd === undefined) return undefined;
  return { at, percent, budgetUsd };
}

function entryOf(value: unknown): LedgerEntry | undefined {
  if (!isRecord(value)) return undefined;
  const at = amount(value['at']);
  const operation = textOf(value['operation']);
  const result = textOf(value['result']);
  if (at === undefined || operation === undefined || result === undefined) return undefined;
  const { noPrice } = value;
  return {
    at,
    operation,
    model: textOf(value['model']),
    purpose: isCostPurpose(value['purpose']) ? value['purpose'] : undefined,
    chat: textOf(value['chat']),
    workspace: textOf(value['workspace']),
    promptTokens: amount(value['promptTokens']),
    cachedTokens: amount(value['cachedTokens']),
    completionTokens: amount(value['completionTokens']),
    events: amount(value['events']),
    usd: amount(value['usd']),
    isExact: value['isExact'] === true,
    noPrice: noPrice === 'notPublished' || noPrice === 'unknownModel' ? noPrice : undefined,
    ms: amount(value['ms']) ?? 0,
    attempts: amount(value['attempts']) ?? 1,
    requestId: textOf(value['requestId']),
    result,
  };
}

/** A finite, non-negative number; any other would spoil the sums. */
function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const two = (value: number): string => String(value).padStart(2, '0');

/**
 * `2026-11`, in local time. When the billing month of the service begins is not shown; the calendar month
 * is assumed, also for its price tiers.
 */
export function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}`;
}

/** `2026-11-21`, in local time. */
export function dayOf(at: number): string {
  return `${monthOf(at)}-${two(new Date(at).getDate())}`;
}

export interface CostSums {
  readonly calls: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly events: number;
  readonly usd: number;
  /** Part of `usd`. */
  readonly exactUsd: number;
  /** Calls by what is known about their cost; `unbilled`: failed without an answer. */
  readonly exact: number;
  readonly estimated: number;
  readonly notPublished: number;
  readonly unknownModel: number;
  readonly unbilled: number;
}

/** What a ledger can be summed by. */
export type CostDimension = 'purpose' | 'model' | 'chat' | 'workspace';

/** The calls that have one value of a dimension; `value` is undefined where it is not known. */
export interface CostGroup extends CostSums {
  readonly value: string | undefined;
  /** ms since the epoch: the first and the last of its calls. */
  readonly from: number;
  readonly to: number;
}

/** Sums by one dimension, most expensive first. */
export function costsBy(entries: readonly LedgerEntry[], dimension: CostDimension): CostGroup[] {
  const groups = groupBy(entries, entry => entry[dimension] ?? '');
  return [...groups]
    .map(([value, group]): CostGroup => {
      const times = group.map(({ at }) => at);
      return {
        value: value === '' ? undefined : value,
        from: times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
        to: times.reduce((a, b) => Math.max(a, b), 0),
        ...sumCosts(group),
      };
    })
    .toSorted((a, b) => b.usd - a.usd || b.calls - a.calls);
}

export interface CostRow extends CostSums {
  readonly operation: string;
  readonly model: string | undefined;
}

export interface CostDay {
  /** `2026-11-21`. */
  readonly day: string;
  readonly total: CostSums;
  /** Most expensive first. */
  readonly rows: readonly CostRow[];
}

/** Sums by day, latest first, and within a day by operation and model. */
export function costsByDay(entries: readonly LedgerEntry[]): CostDay[] {
  const days = groupBy(entries, ({ at }) => dayOf(at));
  return [...days]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, ofDay]) => {
      const groups = groupBy(ofDay, ({ operation, model }) => `${operation}\n${model ?? ''}`);
      const rows = [...groups.values()].map(
        (group): CostRow => ({
          operation: group[0]?.operation ?? '',
          model: group[0]?.model,
          ...sumCosts(group),
        }),
      );
      return {
        day,
        total: sumCosts(ofDay),
        rows: rows.toSorted((a, b) => b.usd - a.usd || b.calls - a.calls),
      };
    });
}

function groupBy(
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => string,
): Map<string, LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

export function sumCosts(entries: readonly LedgerEntry[]): CostSums {
  const sums = {
    calls: entries.length,
    failed: 0,
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    events: 0,
    usd: 0,
    exactUsd: 0,
    exact: 0,
    estimated: 0,
    notPublished: 0,
    unknownModel: 0,
    unbilled: 0,
  };
  for (const entry of entries) {
    const { usd, isExact, noPrice } = entry;
    if (entry.result !== 'ok') sums.failed++;
    sums.promptTokens += entry.promptTokens ?? 0;
    sums.cachedTokens += entry.cachedTokens ?? 0;
    sums.completionTokens += entry.completionTokens ?? 0;
    sums.events += entry.events ?? 0;
    sums.usd += usd ?? 0;
    if (usd === undefined) sums[noPrice ?? 'unbilled']++;
    else if (isExact) {
      sums.exact++;
      sums.exactUsd += usd;
    } else sums.estimated++;
  }
  return sums;
}

const columns: readonly (readonly [string, (entry: LedgerEntry) => string | number | undefined])[] =
  [
    ['time', ({ at }) => new Date(at).toISOString()],
    ['operation', ({ operation }) => operation],
    ['model', ({ model }) => model],
    ['prompt_tokens', ({ promptTokens }) => promptTokens],
    ['cached_tokens', ({ cachedTokens }) => cachedTokens],
    ['completion_tokens', ({ completionTokens }) => completionTokens],
    ['events', ({ events }) => events],
    ['usd', ({ usd }) => usd && decimal(usd)],
    ['cost', certaintyOf],
    ['ms', ({ ms }) => ms],
    ['attempts', ({ attempts }) => attempts],
    ['request_id', ({ requestId }) => requestId],
    ['result', ({ result }) => result],
    ['purpose', ({ purpose }) => purpose],
    ['chat', ({ chat }) => chat],
    ['workspace', ({ workspace }) => workspace],
  ];

function certaintyOf({ usd, isExact, noPrice }: LedgerEntry): string {
  if (usd !== undefined) return isExact ? 'exact' : 'estimate';
  if (noPrice === undefined) return 'no answer';
  return noPrice === 'notPublished' ? 'price not published' : 'model without a known price';
}

/** Without an exponent (`5e-7`), which not every spreadsheet reads. */
function decimal(usd: number): string {
  return trimEndOf(trimEndOf(usd.toFixed(8), '0'), '.');
}

/** CSV by RFC 4180: a header and one record per call. */
export function ledgerCsv(entries: readonly LedgerEntry[]): string {
  const records = [
    columns.map(([name]) => name),
    ...entries.map(entry =>
      columns.map(([, value]) => csvCell(inertText(String(value(entry) ?? '')))),
    ),
  ];
  return records.map(record => `${record.join(',')}\r\n`).join('');
}
