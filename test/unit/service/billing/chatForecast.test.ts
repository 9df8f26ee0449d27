import assert from 'node:assert/strict';
import { chatCosts, chatForecast } from '../../../../src/service/billing/chatForecast';
import type { LedgerEntry } from '../../../../src/service/billing/ledger';

const call = (chat: string | undefined, usd?: number, more: Partial<LedgerEntry> = {}) => ({
  at: 1,
  operation: 'chat',
  purpose: 'chat' as const,
  chat,
  model: 'm1',
  usd,
  ms: 1,
  attempts: 1,
  result: 'ok',
  ...more,
});

const costsOf = (...usd: readonly number[]) => usd.map(one => ({ model: 'm1', usd: one }));

describe('what earlier chats have cost', () => {
  it('is the sum over all calls of a chat, also where chats alternate', () => {
    const costs = chatCosts([call('a', 1), call('b', 4), call('a', 2)]);
    assert.deepEqual(costs, [
      { model: 'm1', usd: 3 },
      { model: 'm1', usd: 4 },
    ]);
  });

  it('is told for each model of a chat', () => {
    const costs = chatCosts([call('a', 1), call('a', 2, { model: 'm2' })]);
    assert.deepEqual(costs, [
      { model: 'm1', usd: 1 },
      { model: 'm2', usd: 2 },
    ]);
  });

  it('leaves out a chat with a call of which the price is not known', () => {
    assert.deepEqual(chatCosts([call('a', 1), call('a'), call('a', 1), call('b', 2)]), [
      { model: 'm1', usd: 2 },
    ]);
  });

  it('takes no notice of calls that failed without a cost, of other purposes and of no chat', () => {
    const calls = [
      call('a', 1),
      call('a', undefined, { result: 'rateLimit' }),
      call('a', 8, { purpose: 'edit' }),
      call(undefined, 8),
      call('a', 8, { model: undefined }),
    ];
    assert.deepEqual(chatCosts(calls), [{ model: 'm1', usd: 1 }]);
  });

  it('counts what a canceled call has cost', () => {
    const calls = [call('a', 1), call('a', 2, { result: 'canceled' })];
    assert.deepEqual(chatCosts(calls), [{ model: 'm1', usd: 3 }]);
  });
});

describe('the forecast of a chat', () => {
  it('is the usual cost and the highest one of chats with that model', () => {
    const all = [...costsOf(0.1, 0.9, 0.2), { model: 'm2', usd: 7 }];
    assert.deepEqual(chatForecast(all, 'm1'), { usualUsd: 0.2, maxUsd: 0.9 });
  });

  it('needs three chats', () => {
    assert.equal(chatForecast(costsOf(1, 2), 'm1'), undefined);
    assert.equal(chatForecast([], 'm1'), undefined);
    assert.deepEqual(chatForecast(costsOf(1, 1, 1), 'm1'), { usualUsd: 1, maxUsd: 1 });
  });

  it('goes by the newest twenty', () => {
    const all = costsOf(99, ...Array.from({ length: 20 }, () => 1));
    assert.deepEqual(chatForecast(all, 'm1'), { usualUsd: 1, maxUsd: 1 });
    assert.equal(chatForecast(all.slice(0, 20), 'm1')?.maxUsd, 99);
  });
});
