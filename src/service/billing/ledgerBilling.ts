import type { Clock } from '../../base/async/clock';
import type {
  Billing,
  Charge,
  Cost,
  EndpointTiming,
  FinishedCall,
  OperationName,
} from '../http/operation';
import {
  type Budget,
  type BudgetWarning,
  budgetError,
  dueWarning,
  isSpent,
  purposeBudgetError,
} from './budget';
import type { CallSource, CostPurpose } from './costPurpose';
import type { EndpointCall } from './endpointCalls';
import {
  type BudgetNotice,
  freeOperations,
  type Ledger,
  type LedgerEntry,
  ledgerLine,
  monthOf,
  parseLedger,
} from './ledger';
import { estimatedUsage, type ModelPrice, priceOf } from './pricing';

/** Stores the lines of each month. Append-only: several windows write to the same file. */
export interface LedgerStore {
  /** Returns at once and never throws. */
  append(month: string, line: string): void;
  /**
   * Complete lines from the byte offset `from`. What this window appended before the call is in `text` or
   * in `unwritten`, what it appends later is in neither.
   */
  read(month: string, from: number): Promise<LedgerPart>;
}

export interface LedgerPart {
  readonly text: string;
  /** Byte offset of the next read. */
  readonly next: number;
  /** Lines of this window that could not be written yet. */
  readonly unwritten: string;
}

export interface LedgerBillingOptions {
  readonly store: LedgerStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly modelPrice: (id: string) => ModelPrice | undefined;
  readonly budget: () => Budget;
  /** Called at 80% and at 100%, each once a month for all windows. */
  readonly onWarning: (warning: BudgetWarning) => void;
  readonly log: (line: string) => void;
  /** The name of the workspace, without its path. */
  readonly workspace?: () => string | undefined;
  /** A call to a dedicated endpoint has ended. */
  readonly onEndpointCall?: (endpointId: string, call: EndpointCall) => void;
}

/** Other windows spend too; a total older than this is read again. */
const freshMs = 60_000;

interface Sums {
  usd: number;
  readonly byPurpose: Map<CostPurpose, number>;
  events: number;
  batchEvents: number;
  notices: BudgetNotice[];
}

interface Month {
  readonly name: string;
  /** What the store held at the last read. */
  readonly stored: Sums;
  /** What this window appended and the store had not written at the last read. */
  unwritten: Sums;
  /** What this window appended before the read in progress; empty when there is none. */
  inFlight: Sums;
  /** What this window has appended since the last read began. */
  since: Sums;
  next: number;
  readAt: number | undefined;
  reading: Promise<void> | undefined;
}

const noSums = (): Sums => ({
  usd: 0,
  byPurpose: new Map(),
  events: 0,
  batchEvents: 0,
  notices: [],
});

function allOf({ stored, unwritten, inFlight, since }: Month): Sums {
  const all = noSums();
  for (const part of [stored, unwritten, inFlight, since]) merge(all, part);
  return all;
}

function sumsOf({ entries, notices }: Ledger): Sums {
  const sums = noSums();
  for (const entry of entries) addTo(sums, entry);
  sums.notices.push(...notices);
  return sums;
}

/** Prices calls, records them and watches the budget. Calls neither wait for the disk nor fail with it. */
export class LedgerBilling implements Billing {
  readonly #options: LedgerBillingOptions;
  #month: Month | undefined;
  /** Until then, calls are made although a budget is spent; ms since the epoch. */
  #allowedUntil = 0;

  constructor(options: LedgerBillingOptions) {
    this.#options = options;
  }

  /** Waits for the store only when calls stop at the budget and nothing has been read yet. */
  async admit(operation: OperationName, source?: CallSource): Promise<void> {
    if (freeOperations.has(operation)) return;
    const budget = this.#options.budget();
    const month = this.#thisMonth();
    const own = (source && budget.byPurpose?.[source.purpose]) ?? 0;
    const stops = (budget.usd > 0 && budget.stops) || own > 0;
    if (budget.usd <= 0 && own <= 0 && !countsEvents(operation)) return;
    const reading = this.#refresh(month);
    if (!stops || this.#options.clock.now() < this.#allowedUntil) return;
    if (month.readAt === undefined) await reading;
    const { usd, byPurpose } = allOf(month);
    if (budget.stops && isSpent(budget, usd)) throw budgetError(budget, usd);
    const spent = source ? (byPurpose.get(source.purpose) ?? 0) : 0;
    if (source && own > 0 && spent >= own) throw purposeBudgetError(source.purpose, own, spent);
  }

  /** Lets calls be made although a budget is spent. @param until ms since the epoch. */
  allowUntil(until: number): void {
    this.#allowedUntil = until;
  }

  /** What was spent this month, by the purposes of the calls, as far as they are known. */
  async spent(): Promise<{
    readonly usd: number;
    readonly byPurpose: ReadonlyMap<CostPurpose, number>;
  }> {
    const month = this.#thisMonth();
    await this.#refresh(month);
    return allOf(month);
  }

  /** Reflex events of this month on this computer, which determine the price tier of the next ones. */
  async reflexEvents(): Promise<{ readonly realtime: number; readonly batch: number }> {
    const month = this.#thisMonth();
    await this.#refresh(month);
    const { events, batchEvents } = allOf(month);
    return { realtime: events, batch: batchEvents };
  }

  async record(call: FinishedCall): Promise<Cost | undefined> {
    if (freeOperations.has(call.operation) && !call.charge) return undefined;
    try {
      const month = this.#thisMonth();
      const entry = this.#entry(call, month);
      this.#append(month, entry);
      if (call.timing) this.#options.onEndpointCall?.(call.timing.id, callOf(call.timing, entry));
      void this.#watchBudget(month);
      const { usd, isExact = false } = entry;
      return usd === undefined ? undefined : { usd, isExact };
    } catch (error) {
      // The call itself succeeded; its result matters more than its price.
      this.#options.log(`costs: a call was not written down (${nameOf(error)})`);
      return undefined;
    }
  }

  #entry(call: FinishedCall, month: Month): LedgerEntry {
    const { at, operation, model, ms, attempts, requestId, result, sentChars, source } = call;
    const charge = call.charge ?? partialCharge(call);
    const isBatch = charge?.kind === 'reflex' && charge.isBatch;
    const { events, batchEvents } = allOf(month);
    const priced =
      charge &&
      priceOf(charge, sentChars, {
        modelPrice: this.#options.modelPrice,
        eventsBefore: isBatch ? batchEvents : events,
      });
    return {
      at,
      operation,
      model: charge?.kind === 'tokens' ? charge.model : model,
      purpose: source?.purpose,
      chat: source?.chat,
      workspace: this.#options.workspace?.(),
      ...(charge && amounts(charge, sentChars)),
      usd: priced?.cost?.usd,
      isExact: priced?.cost?.isExact,
      noPrice: priced?.noPrice,
      ms,
      attempts,
      requestId,
      result,
    };
  }

  #append(month: Month, item: LedgerEntry | BudgetNotice): void {
    this.#options.store.append(month.name, ledgerLine(item));
    if ('percent' in item) month.since.notices.push(item);
    else addTo(month.since, item);
  }

  async #watchBudget(month: Month): Promise<void> {
    try {
      const due = (): BudgetWarning | undefined => {
        const { usd, notices } = allOf(month);
        return dueWarning(this.#options.budget(), usd, notices);
      };
      if (this.#options.budget().usd <= 0) return;
      if (month.readAt === undefined) await this.#refresh(month);
      if (!due()) return;
      // Another window may have warned in the last minute.
      await this.#refresh(month, 0);
      const warning = due();
      if (!warning) return;
      const { percent, budget } = warning;
      this.#append(month, { at: this.#options.clock.now(), percent, budgetUsd: budget.usd });
      this.#options.onWarning(warning);
    } catch (error) {
      this.#options.log(`costs: the budget could not be checked (${nameOf(error)})`);
    }
  }

  /** Reads new lines of the store, unless that was done in the last `maxAgeMs`. Never rejects. */
  async #refresh(month: Month, maxAgeMs = freshMs): Promise<void> {
    const now = this.#options.clock.now();
    if (month.reading) return month.reading;
    if (month.readAt !== undefined && Math.abs(now - month.readAt) < maxAgeMs) return;
    month.inFlight = month.since;
    month.since = noSums();
    const read = this.#options.store
      .read(month.name, month.next)
      .then(async ({ text, next, unwritten }) => ({
        added: sumsOf(await parseLedger(text)),
        unwritten: sumsOf(await parseLedger(unwritten)),
        next,
      }));
    month.reading = read
      .then(
        ({ added, unwritten, next }) => {
          merge(month.stored, added);
          month.unwritten = unwritten;
          month.inFlight = noSums();
          month.next = next;
        },
        (error: unknown) => {
          // Without the other windows, the total is that of this window.
          merge(month.since, month.inFlight);
          month.inFlight = noSums();
          this.#options.log(`costs: this month could not be read (${nameOf(error)})`);
        },
      )
      .finally(() => {
        month.readAt = now;
        month.reading = undefined;
      });
    return month.reading;
  }

  #thisMonth(): Month {
    const name = monthOf(this.#options.clock.now());
    if (this.#month?.name !== name) {
      this.#month = {
        name,
        stored: noSums(),
        unwritten: noSums(),
        inFlight: noSums(),
        since: noSums(),
        next: 0,
        readAt: undefined,
        reading: undefined,
      };
    }
    return this.#month;
  }
}

function addTo(sums: Sums, { usd = 0, events, operation, purpose }: LedgerEntry): void {
  sums.usd += usd;
  if (purpose) sums.byPurpose.set(purpose, (sums.byPurpose.get(purpose) ?? 0) + usd);
  if (operation === 'predict') sums.events += events ?? 0;
  if (operation === 'uploadBatch') sums.batchEvents += events ?? 0;
}

function merge(into: Sums, from: Sums): void {
  into.usd += from.usd;
  for (const [purpose, usd] of from.byPurpose)
    into.byPurpose.set(purpose, (into.byPurpose.get(purpose) ?? 0) + usd);
  into.events += from.events;
  into.batchEvents += from.batchEvents;
  into.notices.push(...from.notices);
}

/** True for operations whose price depends on the events of the month so far. */
function countsEvents(operation: OperationName): boolean {
  return operation === 'predict' || operation === 'uploadBatch';
}

/** The charge for the part of an answer that came before the call failed, which is presumably billed. */
function partialCharge({ model, partialChars }: FinishedCall): Charge | undefined {
  if (partialChars === 0 || model === undefined) return undefined;
  return { kind: 'tokens', model, usage: undefined, answerChars: partialChars };
}

function amounts(charge: Charge, sentChars: number): Partial<LedgerEntry> {
  if (charge.kind === 'router') return { events: charge.requests };
  if (charge.kind === 'reflex') return { events: charge.events };
  const { promptTokens, completionTokens, cachedTokens } =
    charge.usage ?? estimatedUsage(sentChars, charge.answerChars);
  return { promptTokens, completionTokens, cachedTokens };
}

function callOf({ ms, firstMs }: EndpointTiming, entry: LedgerEntry): EndpointCall {
  const { at, promptTokens, cachedTokens, completionTokens, result, purpose } = entry;
  return {
    at,
    ms,
    firstMs,
    promptTokens: promptTokens ?? 0,
    cachedTokens: cachedTokens ?? 0,
    completionTokens: completionTokens ?? 0,
    isOk: result === 'ok',
    isProbe: purpose === 'test',
  };
}

/** Only the code or name of an error: its message may contain a path. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.name;
}
