import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { budgetError, dueWarning, isSpent } from '../../../../src/service/billing/budget';
import { costPurposes } from '../../../../src/service/billing/costPurpose';
import {
  costsBy,
  costsByDay,
  dayOf,
  type LedgerEntry,
  ledgerCsv,
  ledgerLine,
  monthOf,
  parseLedger,
  sumCosts,
} from '../../../../src/service/billing/ledger';
import { estimatedUsage, PriceBook, priceOf } from '../../../../src/service/billing/pricing';
import { fallbackModels, type Model } from '../../../../src/service/wire/catalogue';

const at = new Date(2026, 10, 5, 9, 7).getTime();
const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at,
  operation: 'chat',
  ms: 10,
  attempts: 1,
  result: 'ok',
  ...more,
});

describe('the ledger', () => {
  it('is read as it was written', async () => {
    const full: LedgerEntry = {
      ...entry(),
      model: 'm',
      purpose: 'chat',
      chat: 'c1',
      workspace: 'shop',
      promptTokens: 1,
      cachedTokens: 2,
      completionTokens: 3,
      events: 4,
      usd: 0.5,
      isExact: true,
      noPrice: undefined,
      requestId: 'req_1',
    };
    const others = (['notPublished', 'unknownModel'] as const).map(noPrice => entry({ noPrice }));
    const notice = { at, percent: 80, budgetUsd: 10 };
    const text = [full, ...others, notice].map(ledgerLine).join('');
    assert.ok(text.endsWith('}\n'));
    const { entries, notices, damaged } = await parseLedger(text);
    assert.deepEqual(entries[0], full);
    assert.deepEqual(
      entries.map(({ noPrice, isExact }) => [noPrice, isExact]),
      [
        [undefined, true],
        ['notPublished', false],
        ['unknownModel', false],
      ],
    );
    assert.deepEqual([notices, damaged], [[notice], 0]);
  });

  it('has no other purpose than those that are known', async () => {
    const text = ['chat', 'mining', 7].map(
      purpose => `${JSON.stringify({ ...entry(), purpose })}\n`,
    );
    const { entries } = await parseLedger(text.join(''));
    assert.deepEqual(
      entries.map(({ purpose }) => purpose),
      ['chat', undefined, undefined],
    );
  });

  it('has the same sum by whatever it is grouped', () => {
    const name = fc.constantFrom(undefined, 'a', 'b', 'c');
    const entries = fc.array(
      fc.record({
        usd: fc.option(fc.double({ min: 0, max: 1e4, noNaN: true }), { nil: undefined }),
        purpose: fc.constantFrom(undefined, ...costPurposes),
        model: name,
        chat: name,
        workspace: name,
        days: fc.nat(27),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(entries, list => {
        const calls = list.map(({ days, ...more }) => entry({ ...more, at: at + days * 864e5 }));
        const { usd } = sumCosts(calls);
        for (const dimension of ['purpose', 'model', 'chat', 'workspace'] as const) {
          const groups = costsBy(calls, dimension);
          const sum = groups.reduce((total, group) => total + group.usd, 0);
          assert.ok(Math.abs(sum - usd) <= 1e-6, dimension);
          assert.equal(new Set(groups.map(({ value }) => value)).size, groups.length);
        }
        const byDay = costsByDay(calls).reduce((total, day) => total + day.total.usd, 0);
        assert.ok(Math.abs(byDay - usd) <= 1e-6);
      }),
    );
  });

  it('is grouped with the most expensive first, and the more frequent of two at the same price', () => {
    const calls = [
      entry({ model: 'free' }),
      entry({ model: 'often' }),
      entry({ model: 'often' }),
      entry({ model: 'dear', usd: 2 }),
      entry({ model: 'cheap', usd: 1 }),
    ];
    assert.deepEqual(
      costsBy(calls, 'model').map(({ value }) => value),
      ['dear', 'cheap', 'often', 'free'],
    );
  });

  it('says when a chat began and ended', () => {
    const calls = [entry({ chat: 'a', usd: 1 }), entry({ chat: 'a', at: at + 5, usd: 1 }), entry()];
    assert.deepEqual(
      costsBy(calls, 'chat').map(({ value, from, to, usd }) => [value, from - at, to - at, usd]),
      [
        ['a', 0, 5, 2],
        [undefined, 0, 0, 0],
      ],
    );
  });

  it('counts the lines that are damaged, and takes what is right of the others', async () => {
    const lines = [
      '',
      '  ',
      'x',
      '[1]',
      '"a"',
      '{"at":1,"oper',
      '{"at":1,"operation":"chat"}',
      '{"at":-1,"operation":"chat","result":"ok"}',
      '{"operation":"chat","result":"ok"}',
      '{"at":1,"percent":80}',
      ' {"at":1,"operation":"chat","result":"ok","usd":-5,"promptTokens":"7","noPrice":"x"}\r',
    ];
    const { entries, notices, damaged } = await parseLedger(lines.join('\n'));
    assert.deepEqual([entries.length, notices.length, damaged], [1, 0, 8]);
    const [read] = entries;
    assert.deepEqual(
      [read?.usd, read?.promptTokens, read?.noPrice, read?.ms, read?.attempts, read?.isExact],
      [undefined, undefined, undefined, 0, 1, false],
    );
  });

  it('takes no amount from a line that would spoil a sum', async () => {
    const { entries } = await parseLedger(
      '{"at":1,"operation":"chat","result":"ok","usd":1e999,"events":"5","ms":null}',
    );
    assert.deepEqual(
      [entries[0]?.usd, entries[0]?.events, entries[0]?.ms],
      [undefined, undefined, 0],
    );
    assert.equal(sumCosts(entries).usd, 0);
  });

  it('goes by months and days of the local time', () => {
    assert.equal(monthOf(at), '2026-11');
    assert.equal(dayOf(at), '2026-11-05');
    assert.equal(dayOf(new Date(2026, 0, 31, 23, 59).getTime()), '2026-01-31');
  });

  it('is summed, with what is known about each cost', () => {
    assert.deepEqual(
      sumCosts([
        entry({ usd: 1, isExact: true, promptTokens: 10, cachedTokens: 4, completionTokens: 2 }),
        entry({ usd: 2, events: 3, promptTokens: 5 }),
        entry({ noPrice: 'notPublished' }),
        entry({ noPrice: 'unknownModel', completionTokens: 1 }),
        entry({ result: 'server' }),
        entry({ result: 'canceled', usd: 0 }),
      ]),
      {
        calls: 6,
        failed: 2,
        promptTokens: 15,
        cachedTokens: 4,
        completionTokens: 3,
        events: 3,
        usd: 3,
        exactUsd: 1,
        exact: 1,
        estimated: 2,
        notPublished: 1,
        unknownModel: 1,
        unbilled: 1,
      },
    );
  });

  it('is shown by day, the latest first, and in it the most expensive first', () => {
    const day = 24 * 3_600_000;
    const days = costsByDay([
      entry({ at: at - day, usd: 1 }),
      entry({ model: 'a', usd: 1 }),
      entry({ model: 'b', usd: 3 }),
      entry({ model: 'a', usd: 1 }),
      entry({ operation: 'apply', usd: 2 }),
      entry({ operation: 'compact' }),
    ]);
    assert.deepEqual(
      days.map(({ day: name, total, rows }) => [
        name,
        total.usd,
        rows.map(({ operation, model, calls, usd }) => `${operation} ${model} ${calls} ${usd}`),
      ]),
      [
        [
          '2026-11-05',
          7,
          ['chat b 1 3', 'chat a 2 2', 'apply undefined 1 2', 'compact undefined 1 0'],
        ],
        ['2026-11-04', 1, ['chat undefined 1 1']],
      ],
    );
  });

  it('is a table for a spreadsheet', () => {
    const csv = ledgerCsv([
      entry({
        at: Date.UTC(2026, 10, 5, 9, 7),
        model: '=m,1',
        promptTokens: 1,
        cachedTokens: 0,
        completionTokens: 2,
        events: 3,
        usd: 5e-7,
        isExact: true,
        requestId: 'req_1',
      }),
    ]);
    assert.equal(
      csv,
      'time,operation,model,prompt_tokens,cached_tokens,completion_tokens,events,usd,cost,ms,attempts,request_id,result,purpose,chat,workspace\r\n' +
        '2026-11-05T09:07:00.000Z,chat,"\'=m,1",1,0,2,3,0.0000005,exact,10,1,req_1,ok,,,\r\n',
    );
    const costOf = (more: Partial<LedgerEntry>): string =>
      ledgerCsv([entry(more)])
        .split('\r\n')[1]
        ?.split(',')
        .slice(7, 9)
        .join(' ') ?? '';
    for (const [more, text] of [
      [{ usd: 2 }, '2 estimate'],
      [{ usd: 0 }, '0 estimate'],
      [{}, ' no answer'],
      [{ noPrice: 'notPublished' }, ' price not published'],
      [{ noPrice: 'unknownModel' }, ' model without a known price'],
    ] as const)
      assert.equal(costOf(more), text);
  });
});

const notice = (percent: number, budgetUsd = 10) => ({ at, percent, budgetUsd });

describe('the budget of a month', () => {
  const budget = { usd: 10, stops: true };

  it('warns at 80 % and at 100 %, each once', () => {
    for (const [spent, given, percent] of [
      [7.99, [], undefined],
      [8, [], 80],
      [8, [notice(80)], undefined],
      [8, [notice(80, 20)], 80],
      [10, [notice(80)], 100],
      [10, [notice(100)], undefined],
      [9, [notice(100)], undefined],
    ] as const)
      assert.equal(dueWarning(budget, spent, given)?.percent, percent, `${spent}`);
    assert.deepEqual(dueWarning(budget, 8, []), { percent: 80, budget, spentUsd: 8 });
    assert.equal(dueWarning({ usd: 0, stops: true }, 5, []), undefined);
  });

  it('is spent at its amount, and never without one', () => {
    assert.deepEqual(
      [9.99, 10, 11].map(usd => isSpent(budget, usd)),
      [false, true, true],
    );
    assert.equal(isSpent({ usd: 0, stops: true }, 5), false);
    assert.equal(budgetError(budget, 12.5).kind, 'budget');
  });
});

describe('the price of a call', () => {
  const price = { input: 2, output: 10, cachedInput: 1 };
  const none = { modelPrice: () => undefined, eventsBefore: 0 };
  const live = { modelPrice: () => ({ price, isLive: true }), eventsBefore: 0 };
  const usage = { promptTokens: 1_000_000, completionTokens: 500_000, cachedTokens: 400_000 };
  const tokens = { kind: 'tokens', model: 'm', usage, answerChars: 0 } as const;

  it('is by tokens, exact only with the usage and the live price', () => {
    assert.deepEqual(priceOf(tokens, 0, live), { cost: { usd: 6.6, isExact: true } });
    const builtIn = { modelPrice: () => ({ price, isLive: false }), eventsBefore: 0 };
    assert.deepEqual(priceOf(tokens, 0, builtIn), { cost: { usd: 6.6, isExact: false } });
    const noUsage = { ...tokens, usage: undefined, answerChars: 400_000 };
    assert.deepEqual(priceOf(noUsage, 4_000_000, live), { cost: { usd: 3, isExact: false } });
    // Without a rate of its own, cached input costs as much as other input; it is never more than all.
    const plain = {
      modelPrice: () => ({ price: { input: 2, output: 10 }, isLive: true }),
      eventsBefore: 0,
    };
    assert.equal(priceOf(tokens, 0, plain).cost?.usd, 7);
    const odd = { ...tokens, usage: { ...usage, cachedTokens: 9_000_000, completionTokens: 0 } };
    assert.equal(priceOf(odd, 0, live).cost?.usd, 1);
  });

  it('of a dedicated endpoint is for display', () => {
    const cost = priceOf({ ...tokens, pricePerM: { input: 1, output: 1 } }, 0, live).cost;
    assert.deepEqual(cost, { usd: 1.5, isExact: false });
  });

  it('is not known for a model without one, and why', () => {
    assert.deepEqual(priceOf(tokens, 0, none), { noPrice: 'unknownModel' });
    for (const model of ['svc-compactor', 'svc-glm53-744b'])
      assert.deepEqual(priceOf({ ...tokens, model }, 0, none), { noPrice: 'notPublished' });
  });

  it('is by events, less beyond a million of a month', () => {
    for (const [isBatch, eventsBefore, usd] of [
      [false, 0, 100],
      [false, 1_000_000, 50],
      [false, 5_000_000, 50],
      [false, 950_000, 75],
      [true, 0, 50],
      [true, 950_000, 37.5],
    ] as const) {
      const charge = { kind: 'reflex', events: 100_000, isBatch } as const;
      assert.deepEqual(priceOf(charge, 0, { ...none, eventsBefore }), {
        cost: { usd, isExact: false },
      });
    }
    assert.equal(priceOf({ kind: 'router', requests: 3 }, 0, none).cost?.usd, 0.015);
  });

  it('is estimated from characters, four for a token', () => {
    assert.deepEqual(estimatedUsage(9, 4), { promptTokens: 3, completionTokens: 1 });
  });
});

const pricedModel = (id: string, input: number): Model => ({
  id,
  isBeta: false,
  features: [],
  price: { input, output: input },
});

const learned = (book: PriceBook, source: 'live' | 'builtIn', fetchedAt?: number): void =>
  book.learn({ models: [pricedModel('x', 7)], unreadable: 0, source, fetchedAt });

describe('the prices of the catalogue', () => {
  const known = fallbackModels[0]?.id ?? '';

  it('are those of the live page, else those built in', () => {
    const book = new PriceBook();
    assert.equal(book.modelPrice(known)?.isLive, false);
    assert.equal(book.modelPrice('x'), undefined);
    learned(book, 'builtIn');
    assert.equal(book.modelPrice('x'), undefined);
    learned(book, 'live', 0);
    assert.deepEqual(book.modelPrice('x'), { price: { input: 7, output: 7 }, isLive: true });
    book.learn({ models: [pricedModel('y', 1)], unreadable: 0, source: 'live' });
    assert.equal(book.modelPrice('x'), undefined);
  });

  it('are read once a day, and after a failure once an hour', () => {
    const hour = 3_600_000;
    const book = new PriceBook();
    assert.deepEqual(
      [0, 1, hour - 1, hour].map(now => book.isDue(now)),
      [true, false, false, true],
    );
    learned(book, 'live', 2 * hour);
    assert.deepEqual(
      [25 * hour, 26 * hour - 1, 26 * hour].map(now => book.isDue(now)),
      [false, false, true],
    );
  });
});
