import { median } from '../../base/median';
import {
  estimateTokens,
  type LedgerEntry,
  searchConversationChars,
  searchTurns,
  type TokenPrice,
  tokenUsd,
} from '../../service';

/** Output tokens of one turn, which only consists of tool calls. */
export const maxTurnTokens = 2048;

/** Code and paths have more characters per token. */
const minCharsPerToken = 3;
/** A search ends after that time, in milliseconds, so that what follows later belongs to another one. */
const maxRunMs = 90_000;
/** The newest searches say what one usually takes. */
const maxRuns = 20;

/** What a search with the search model took. */
export interface SearchRun {
  readonly tokens: number;
  /** Undefined where the price was not known. */
  readonly usd: number | undefined;
}

/** What a search with the search model will take; the sums are undefined where the price is not known. */
export interface SearchForecast {
  readonly maxTokens: number;
  readonly maxUsd: number | undefined;
  /** Undefined without earlier searches. */
  readonly usual: SearchRun | undefined;
}

/**
 * The searches of a ledger, oldest first. Their calls have no common id; but the prompt grows from turn to turn, and
 * a search has a time limit.
 */
export function searchRuns(entries: readonly LedgerEntry[]): SearchRun[] {
  const runs: { readonly startedAt: number; lastPrompt: number; tokens: number; usd?: number }[] =
    [];
  const calls = entries.filter(
    ({ purpose, operation }) => purpose === 'search' && operation === 'chat',
  );
  for (const call of calls.toSorted((a, b) => a.at - b.at)) {
    const { at, promptTokens = 0, completionTokens = 0, usd } = call;
    // A call that failed was not charged.
    if (promptTokens === 0) continue;
    const tokens = promptTokens + completionTokens;
    const run = runs.at(-1);
    if (run && promptTokens > run.lastPrompt && at - run.startedAt < maxRunMs) {
      run.lastPrompt = promptTokens;
      run.tokens += tokens;
      if (run.usd !== undefined && usd !== undefined) run.usd += usd;
      else delete run.usd;
    } else {
      runs.push({
        startedAt: at,
        lastPrompt: promptTokens,
        tokens,
        ...(usd !== undefined && { usd }),
      });
    }
  }
  return runs.map(({ tokens, usd }) => ({ tokens, usd }));
}

/**
 * At most, each turn after the first sends a conversation as long as its limit allows.
 * @param prompt the first messages as they are sent; undefined while they are not known
 */
export function searchForecast(
  prompt: string | undefined,
  price: TokenPrice | undefined,
  runs: readonly SearchRun[],
): SearchForecast {
  const longest = Math.ceil(searchConversationChars / minCharsPerToken);
  const first = prompt === undefined ? longest : Math.min(estimateTokens(prompt), longest);
  const usage = {
    promptTokens: first + (searchTurns - 1) * longest,
    completionTokens: searchTurns * maxTurnTokens,
  };
  const newest = runs.slice(-maxRuns);
  const known = newest.flatMap(({ usd }) => usd ?? []);
  const tokens = median(newest.map(run => run.tokens));
  return {
    maxTokens: usage.promptTokens + usage.completionTokens,
    maxUsd: price && tokenUsd(usage, price),
    usual: tokens === undefined ? undefined : { tokens: Math.round(tokens), usd: median(known) },
  };
}
