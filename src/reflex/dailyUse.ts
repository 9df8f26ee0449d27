import { isRecord } from '../service/guards';
import { dayOf } from '../service/billing/ledger';

/** What the indicator used on one day. */
export interface DayUse {
  readonly day: string;
  readonly calls: number;
  /** One for each reflex of a call: what is paid for. */
  readonly events: number;
  readonly tokens: number;
  readonly usd: number;
}

export interface UseStore {
  readonly get: () => unknown;
  readonly set: (use: DayUse) => void;
}

/** The daily limit of the indicator, kept over reloads and shared by windows as far as their store is. */
export class UsedToday {
  readonly #store: UseStore;
  readonly #now: () => number;
  readonly #limit: () => number;

  constructor(store: UseStore, now: () => number, limit: () => number) {
    this.#store = store;
    this.#now = now;
    this.#limit = limit;
  }

  get today(): DayUse {
    const day = dayOf(this.#now());
    const kept = this.#store.get();
    const empty = { day, calls: 0, events: 0, tokens: 0, usd: 0 };
    if (!isRecord(kept) || kept['day'] !== day) return empty;
    const number = (name: keyof DayUse): number => {
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

  mayAsk(): boolean {
    return this.today.calls < this.#limit();
  }

  /** Counted before the answer: a request that fails may be billed. */
  asked(events: number): void {
    const use = this.today;
    this.#store.set({ ...use, calls: use.calls + 1, events: use.events + events });
  }

  answered(usd: number, tokens: number): void {
    const use = this.today;
    this.#store.set({ ...use, usd: use.usd + usd, tokens: use.tokens + tokens });
  }
}
