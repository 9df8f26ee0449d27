import { type Clock, systemClock } from '../base/async/clock';
import type { OpenLedger } from '../platform/client/client';
import { MonthReader } from '../platform/client/monthReader';
import { monthOf, searchModel, type TokenPrice } from '../service';
import { type SearchRun, searchRuns } from './agent/searchForecast';

/** What is known of the costs of the search model before it is asked. */
export interface SearchPriceBasis {
  readonly price: TokenPrice | undefined;
  /** Earlier searches, oldest first. */
  readonly runs: readonly SearchRun[];
}

export type ReadSearchPrices = () => Promise<SearchPriceBasis>;

type HostLedger = Awaited<ReturnType<OpenLedger>>;

/** The part of the ledger that is read. */
interface PriceLedger {
  readonly files: Pick<HostLedger['files'], 'read'>;
  readonly prices: Pick<HostLedger['prices'], 'modelPrice'>;
}

/** Reads the price of the search model, and the searches of this month, or of the one before where it has none. */
export function searchPriceReader(
  openLedger: () => Promise<PriceLedger>,
  clock: Pick<Clock, 'now'> = systemClock,
): ReadSearchPrices {
  let readers: readonly MonthReader[] = [];
  return async () => {
    const { files, prices } = await openLedger();
    const price = prices.modelPrice(searchModel)?.price;
    const now = new Date(clock.now());
    const months = [now, new Date(now.getFullYear(), now.getMonth() - 1)].map(date =>
      monthOf(date.getTime()),
    );
    if (readers[0]?.month !== months[0]) {
      readers = months.map(month => new MonthReader(files, month));
    }
    try {
      for (const reader of readers) {
        const runs = searchRuns((await reader.read()).entries);
        if (runs.length > 0) return { price, runs };
      }
    } catch {
      // The files of the ledger tell the user themselves that they cannot be read.
    }
    return { price, runs: [] };
  };
}
