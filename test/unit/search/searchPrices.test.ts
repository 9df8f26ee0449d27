import assert from 'node:assert/strict';
import { searchPriceReader } from '../../../src/search/searchPrices';
import { type LedgerEntry, searchModel } from '../../../src/service';
import { ledgerLine } from '../../../src/service/billing/ledger';

const price = { input: 1, output: 2 };
/** A search with one call. */
const searched = (promptTokens: number): string =>
  ledgerLine({
    at: promptTokens * 1_000_000,
    operation: 'chat',
    purpose: 'search',
    promptTokens,
    completionTokens: 0,
    usd: 0.5,
    ms: 1,
    attempts: 1,
    result: 'ok',
  } satisfies LedgerEntry);

describe('what is known of the costs of a search', () => {
  let months: Record<string, string>;
  let asked: string[];
  let now: number;
  let isBroken: boolean;
  const basis = () =>
    searchPriceReader(
      async () => ({
        files: {
          async read(month, from) {
            asked.push(`${month} ${from}`);
            if (isBroken) throw new Error('cannot be read');
            const text = months[month] ?? '';
            return { text: text.slice(from), next: text.length, unwritten: '' };
          },
        },
        prices: {
          modelPrice: id => (id === searchModel ? { price, isLive: true } : undefined),
        },
      }),
      { now: () => now },
    );
  const tokensOf = async (read: ReturnType<typeof basis>): Promise<number[]> =>
    (await read()).runs.map(({ tokens }) => tokens);

  beforeEach(() => {
    [months, asked, isBroken] = [{}, [], false];
    now = new Date(2026, 10, 30, 12).getTime();
  });

  it('is the price, and the searches of this month', async () => {
    months = { '2026-11': searched(1000) + searched(2000), '2026-10': searched(9000) };
    assert.deepEqual(await basis()(), {
      price,
      runs: [
        { tokens: 1000, usd: 0.5 },
        { tokens: 2000, usd: 0.5 },
      ],
    });
    assert.deepEqual(asked, ['2026-11 0']);
  });

  it('is of the month before where this one has no search, also in January', async () => {
    months = { '2026-10': searched(9000) };
    assert.deepEqual(await tokensOf(basis()), [9000]);
    now = new Date(2027, 0, 31).getTime();
    months = { '2026-12': searched(3000), '2027-01': '' };
    assert.deepEqual(await tokensOf(basis()), [3000]);
    // The last day of a month that is longer than the one before.
    now = new Date(2026, 2, 31).getTime();
    months = { '2026-02': searched(4000) };
    assert.deepEqual(await tokensOf(basis()), [4000]);
    months = { '2025-12': searched(4000) };
    assert.deepEqual(await tokensOf(basis()), []);
  });

  it('is read on where it was left, until the month is over', async () => {
    const first = searched(1000);
    months = { '2026-11': first };
    const read = basis();
    await read();
    months = { '2026-11': first + searched(2000) };
    assert.deepEqual(await tokensOf(read), [1000, 2000]);
    assert.deepEqual(asked, ['2026-11 0', `2026-11 ${first.length}`]);
    now = new Date(2026, 11, 1).getTime();
    months['2026-12'] = searched(3000);
    assert.deepEqual(await tokensOf(read), [3000]);
  });

  it('is the price alone where the ledger cannot be read', async () => {
    isBroken = true;
    assert.deepEqual(await basis()(), { price, runs: [] });
  });
});
