import { type Clock, systemClock } from '../../base/async/clock';
import { type LedgerEntry, monthOf } from '../../service';
import type { LedgerFiles } from './ledgerFiles';
import { MonthReader } from './monthReader';

/** What earlier calls say of later ones, such as what they usually cost. Reads only what the ledger has gained. */
export class RecentCalls {
  readonly #clock: Pick<Clock, 'now'>;
  #readers: readonly MonthReader[] = [];

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /** What `pick` finds in the calls of this month, or in those of the one before where it finds nothing. */
  async find<T>(
    files: Pick<LedgerFiles, 'read'>,
    pick: (entries: readonly LedgerEntry[]) => readonly T[],
  ): Promise<readonly T[]> {
    const now = new Date(this.#clock.now());
    const months = [now, new Date(now.getFullYear(), now.getMonth() - 1)].map(date =>
      monthOf(date.getTime()),
    );
    if (this.#readers[0]?.month !== months[0]) {
      this.#readers = months.map(month => new MonthReader(files, month));
    }
    try {
      for (const reader of this.#readers) {
        const found = pick((await reader.read()).entries);
        if (found.length > 0) return found;
      }
    } catch {
      // The files of the ledger tell the user themselves that they cannot be read.
    }
    return [];
  }
}
