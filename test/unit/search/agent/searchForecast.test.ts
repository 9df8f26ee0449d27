import assert from 'node:assert/strict';
import {
  maxTurnTokens,
  searchForecast,
  searchRuns,
} from '../../../../src/search/agent/searchForecast';
import { estimateTokens, type LedgerEntry, searchTurns } from '../../../../src/service';

const call = (at: number, promptTokens: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at,
  operation: 'chat',
  purpose: 'search',
  promptTokens,
  completionTokens: 100,
  usd: promptTokens / 1e6,
  ms: 1,
  attempts: 1,
  result: 'ok',
  ...more,
});

const price = { input: 1, output: 2 };
const longest = 107_200;

describe('the forecast of a search', () => {
  it('tells the searches of a ledger apart by their growing prompts and their time', () => {
    const runs = searchRuns([
      call(2000, 3000),
      call(1000, 1000),
      // The prompt of another search is shorter.
      call(3000, 1500),
      call(80_000, 2500),
      // Longer, but too late for the same search.
      call(200_000, 4000),
      // No calls of the search model, or not answered.
      call(201_000, 9000, { purpose: 'chat' }),
      call(202_000, 9000, { operation: 'rerank' }),
      call(203_000, 0, { promptTokens: undefined, usd: undefined, result: 'network' }),
      call(204_000, 5000, { usd: undefined, noPrice: 'notPublished' }),
    ]);
    assert.deepEqual(runs, [
      { tokens: 4200, usd: 0.004 },
      { tokens: 4200, usd: 0.004 },
      { tokens: 9200, usd: undefined },
    ]);
  });

  it('has the first turn as it is sent, and the others as long as they can be', () => {
    const prompt = 'where is a line removed from the cart? '.repeat(50);
    const { maxTokens, maxUsd, usual } = searchForecast(prompt, price, []);
    const [sent, answered] = [
      estimateTokens(prompt) + (searchTurns - 1) * longest,
      searchTurns * maxTurnTokens,
    ];
    assert.equal(maxTokens, sent + answered);
    assert.equal(maxUsd, (sent + 2 * answered) / 1e6);
    assert.equal(usual, undefined);
  });

  it('takes no prompt for the longest', () => {
    const all = searchTurns * (longest + maxTurnTokens);
    assert.equal(searchForecast(undefined, price, []).maxTokens, all);
    assert.equal(searchForecast('x '.repeat(1_000_000), price, []).maxTokens, all);
  });

  it('knows no price where there is none', () => {
    const { maxUsd, usual } = searchForecast('', undefined, [{ tokens: 5000, usd: undefined }]);
    assert.equal(maxUsd, undefined);
    assert.deepEqual(usual, { tokens: 5000, usd: undefined });
  });

  it('has the median of the newest searches as the usual', () => {
    const runs = Array.from({ length: 30 }, (_, n) => ({ tokens: 1000 * (n + 1), usd: n + 1 }));
    // Those from 11 to 30.
    assert.deepEqual(searchForecast('', price, runs).usual, { tokens: 20_500, usd: 20.5 });
    const mixed = [
      { tokens: 3000, usd: undefined },
      { tokens: 1000, usd: 7 },
      { tokens: 9000, usd: 8 },
    ];
    assert.deepEqual(searchForecast('', price, mixed).usual, { tokens: 3000, usd: 7.5 });
  });
});
