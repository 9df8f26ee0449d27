import { isRecord } from '../../base/typeGuards';
import { dayOf } from '../../service';

/** The indicator's usage on one day. */
export interface DayUsage {
  readonly day: string;
  readonly calls: number;
  /** Billed events: one per reflex and call. */
  readonly events: number;
  readonly tokens: number;
  readonly usd: number;
}

export interface UseStore {
  readonly get: () => unknown;
  readonly set: (use: DayUsage) => void;
}

/** Tracks the indicator's daily usage; kept across reloads, and shared by windows that share the store. */
export class DailyUsage {
  readonly #store: UseStore;
  readonly #now: () => number;
  readonly #limit: () => number;

  constructor(store: UseStore, now: () => number, limit: () => number) {
    this.#store = store;
    this.#now = now;
    this.#limit = limit;
  }

  get today(): DayUsage {
    const day = dayOf(this.#now());
    const kept = this.#store.get();
    const empty = { day, calls: 0, events: 0, tokens: 0, usd: 0 };
    if (!isRecord(kept) || kept['day'] !== day) return empty;
    const number = (name: keyof DayUsage): number => {
      const value = kept[name];
      return typeof value === 'number' && value > 0 ? value : 0;
    };
    return {
      day,
      calls: number('calls'),
      events: number('events'),
      tokens: number('tokens'),
      usd: number('usd'),
    };
  }

  isBelowLimit(): boolean {
    return this.today.calls < this.#limit();
  }

  /** Counted before the answer arrives, because a failed request may be billed. */
  addCall(events: number): void {
    const use = this.today;
    this.#store.set({ ...use, calls: use.calls + 1, events: use.events + events });
  }

  addCost(usd: number, tokens: number): void {
    const use = this.today;
    this.#store.set({ ...use, usd: use.usd + usd, tokens: use.tokens + tokens });
  }
}
