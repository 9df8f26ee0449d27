import type { Clock } from '../base/async/clock';
import type { OpenLedger } from '../platform/client/client';
import { RecentCalls } from '../platform/client/recentCalls';
import { searchModel, type TokenPrice } from '../service';
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
  clock?: Pick<Clock, 'now'>,
): ReadSearchPrices {
  const calls = new RecentCalls(clock);
  return async () => {
    const { files, prices } = await openLedger();
    const price = prices.modelPrice(searchModel)?.price;
    return { price, runs: await calls.find(files, searchRuns) };
  };
}
