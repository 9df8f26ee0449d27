import assert from 'node:assert/strict';
import { formatUsd } from '../../../../src/base/format/money';
import {
  type Budget,
  type BudgetWarning,
  budgetError,
  dueWarning,
} from '../../../../src/service/billing/budget';
import type { EndpointCall } from '../../../../src/service/billing/endpointCalls';
import {
  costsByDay,
  type LedgerEntry,
  ledgerCsv,
  ledgerLine,
  monthOf,
  parseLedger,
  sumCosts,
} from '../../../../src/service/billing/ledger';
import {
  LedgerBilling,
  type LedgerBillingOptions,
  type LedgerStore,
} from '../../../../src/service/billing/ledgerBilling';
import { type ModelPrice, PriceBook, priceOf } from '../../../../src/service/billing/pricing';
import type { Charge, FinishedCall } from '../../../../src/service/http/operation';
import { failureOf } from '../helpers';

const qwen: ModelPrice = { price: { input: 0.5, output: 3.5, cachedInput: 0.3 }, isLive: true };
const glm: ModelPrice = { price: { input: 1.1, output: 4.1 }, isLive: false };
const modelPrice = (id: string) => ({ qwen, glm })[id];

type TokenCharge = Extract<Charge, { kind: 'tokens' }>;
const tokens = (model: string, usage?: TokenCharge['usage']): TokenCharge => ({
  kind: 'tokens',
  model,
  usage,
  answerChars: 4_000_000,
});
const million = { promptTokens: 1_000_000, completionTokens: 1_000_000 };
const reflex = (events: number, isBatch = false): Charge => ({ kind: 'reflex', events, isBatch });

const exact = (usd: number) => ({ cost: { usd, isExact: true } });
const estimate = (usd: number) => ({ cost: { usd, isExact: false } });
const given = (percent: number, budgetUsd = 10) => ({ at: 0, percent, budgetUsd });

describe('prices', () => {
  const dedicated: Charge = {
    ...tokens('my-endpoint', million),
    pricePerM: { input: 1, output: 2 },
  };
  const cases: [string, Charge, number, ReturnType<typeof priceOf>][] = [
    ['counted, live', tokens('qwen', million), 0, exact(4)],
    ['cached input', tokens('qwen', { ...million, cachedTokens: 500_000 }), 0, exact(3.9)],
    ['more cached than sent', tokens('qwen', { ...million, cachedTokens: 9e9 }), 0, exact(3.8)],
    ['reasoning is output', tokens('qwen', { ...million, reasoningTokens: 900_000 }), 0, exact(4)],
    [
      'cached, no such rate',
      tokens('glm', { ...million, cachedTokens: 500_000 }),
      0,
      estimate(5.2),
    ],
    ['built-in price', tokens('glm', million), 0, estimate(5.2)],
    ['no count', tokens('qwen'), 0, estimate(0.5 + 3.5)],
    ['dedicated', dedicated, 0, estimate(3)],
    ['Apply', tokens('svc-v3-fast', million), 0, { noPrice: 'notPublished' }],
    ['Apply, auto', tokens('auto', million), 0, { noPrice: 'notPublished' }],
    ['compactor', tokens('svc-compactor', million), 0, { noPrice: 'notPublished' }],
    ['search', tokens('svc-warp-grep-v2.1', million), 0, { noPrice: 'notPublished' }],
    ['rerank', tokens('svc-rerank-v4', million), 0, { noPrice: 'notPublished' }],
    ['embedding', tokens('svc-embedding-v4', million), 0, { noPrice: 'notPublished' }],
    ['unknown', tokens('svc-new', million), 0, { noPrice: 'unknownModel' }],
    ['one event', reflex(1), 0, estimate(0.001)],
    ['last event of the tier', reflex(1), 999_999, estimate(0.001)],
    ['first beyond it', reflex(1), 1_000_000, estimate(0.0005)],
    ['across the tier', reflex(10), 999_994, estimate(6 * 0.001 + 4 * 0.0005)],
    ['batch', reflex(10_000, true), 0, estimate(5)],
    ['batch across', reflex(10_000, true), 995_000, estimate(2.5 + 1.25)],
    ['router', { kind: 'router', requests: 3 }, 5e6, estimate(0.015)],
  ];
  for (const [what, charge, eventsBefore, expected] of cases)
    it(what, () => {
      const priced = priceOf(charge, 4_000_000, { modelPrice, eventsBefore });
      const round = ({ cost, noPrice }: typeof priced) => [
        cost && Number(cost.usd.toFixed(9)),
        cost?.isExact,
        noPrice,
      ];
      assert.deepEqual(round(priced), round(expected));
    });

  it('are written as people read them', () => {
    const words = [0, 10, 1234.5, 0.42, 0.0005, 0.00002, 1000].map(formatUsd);
    const expected = ['$0', '$10', '$1,234.50', '$0.42', '$0.0005', 'less than $0.0001', '$1,000'];
    assert.deepEqual(words, expected);
  });
});

describe('the price book', () => {
  const model = { id: 'svc-glm53flash', isBeta: false, features: [] };
  const live = (price: ModelPrice['price'] | undefined) =>
    ({ models: [{ ...model, price }], unreadable: 0, source: 'live', fetchedAt: 1000 }) as const;

  it('prefers the live catalogue, and falls back where that has no price', () => {
    const book = new PriceBook();
    const builtIn = { price: { input: 0.15, output: 0.5, cachedInput: undefined }, isLive: false };
    assert.deepEqual(book.modelPrice(model.id), builtIn);
    book.learn({ ...live({ input: 9, output: 9 }), source: 'builtIn' });
    assert.deepEqual(book.modelPrice(model.id), builtIn);
    book.learn(live({ input: 1, output: 2 }));
    assert.deepEqual(book.modelPrice(model.id), { price: { input: 1, output: 2 }, isLive: true });
    book.learn(live(undefined));
    assert.deepEqual(book.modelPrice(model.id), builtIn);
    assert.equal(book.modelPrice('svc-new'), undefined);
  });

  it('asks once an hour until it has a live catalogue, then once a day', () => {
    const book = new PriceBook();
    const hour = 3600_000;
    const due = [0, 1, hour - 1, hour].map(time => book.isDue(time));
    assert.deepEqual(due, [true, false, false, true]);
    book.learn(live({ input: 1, output: 2 }));
    assert.deepEqual([book.isDue(23 * hour), book.isDue(24 * hour + 1000)], [false, true]);
  });
});

const at = (day: number, hour = 12, month = 10) => new Date(2026, month, day, hour).getTime();
const entry = (changes: Partial<LedgerEntry>): LedgerEntry => ({
  at: at(21),
  operation: 'chat',
  model: 'qwen',
  usd: 0.25,
  isExact: true,
  ms: 100,
  attempts: 1,
  result: 'ok',
  ...changes,
});

describe('the ledger', () => {
  it('reads what it wrote, and counts the lines that it cannot read', async () => {
    const entries = [entry({ promptTokens: 3, requestId: 'r-1' }), entry({ result: 'timeout' })];
    const notice = { at: at(20), percent: 80, budgetUsd: 10 };
    const text =
      `${ledgerLine(entry({}))}${ledgerLine(entry({})).slice(0, 30)}\n\n[1]\n"x"\n{"at":-1,"operation":"chat","result":"ok"}\n` +
      entries.map(ledgerLine).join('') +
      ledgerLine(notice);
    const ledger = await parseLedger(text);
    assert.equal(ledger.damaged, 4);
    assert.deepEqual(ledger.notices, [notice]);
    assert.deepEqual(
      ledger.entries.map(({ promptTokens, requestId, result }) => [
        promptTokens,
        requestId,
        result,
      ]),
      [
        [undefined, undefined, 'ok'],
        [3, 'r-1', 'ok'],
        [undefined, undefined, 'timeout'],
      ],
    );
  });

  it('takes no damaged number into a sum', async () => {
    const line =
      '{"at":1,"operation":"chat","result":"ok","usd":-5,"promptTokens":"9","events":null}';
    const { usd, promptTokens, events } = sumCosts((await parseLedger(line)).entries);
    assert.deepEqual([usd, promptTokens, events], [0, 0, 0]);
  });

  it('lets other work pass while it reads a long month', async () => {
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    const { entries } = await parseLedger(ledgerLine(entry({})).repeat(30_000));
    clearInterval(count);
    assert.equal(entries.length, 30_000);
    assert.ok(turns >= 3, `${turns} turns`);
  });

  it('sums by local day, operation and model; latest day and dearest row first', () => {
    const days = costsByDay([
      entry({ at: at(20, 23) }),
      entry({ at: at(21, 0), usd: 1, promptTokens: 10, cachedTokens: 4, completionTokens: 2 }),
      entry({ at: at(21, 23), usd: 2, isExact: false, promptTokens: 5 }),
      entry({ at: at(21), model: 'glm', usd: 5 }),
      entry({
        at: at(21),
        operation: 'apply',
        model: 'auto',
        usd: undefined,
        noPrice: 'notPublished',
      }),
      entry({ at: at(21), operation: 'apply', model: 'auto', usd: undefined, result: 'timeout' }),
    ]);
    assert.deepEqual(
      days.map(({ day, total, rows }) => [day, total.calls, total.usd, rows.length]),
      [
        ['2026-11-21', 5, 8, 3],
        ['2026-11-20', 1, 0.25, 1],
      ],
    );
    const [dearest, second, last] = days[0]?.rows ?? [];
    assert.equal(dearest?.model, 'glm');
    assert.deepEqual(
      [second?.promptTokens, second?.cachedTokens, second?.completionTokens, second?.usd],
      [15, 4, 2, 3],
    );
    assert.deepEqual([second?.exact, second?.estimated, second?.exactUsd], [1, 1, 1]);
    assert.deepEqual([last?.notPublished, last?.unbilled, last?.failed], [1, 1, 1]);
  });

  it('belongs to the local month', () => {
    assert.equal(monthOf(new Date(2026, 10, 30, 23, 59).getTime()), '2026-11');
    assert.equal(monthOf(new Date(2026, 11, 1).getTime()), '2026-12');
  });

  it('exports CSV that a spreadsheet opens and does not run', () => {
    const csv = ledgerCsv([
      entry({ at: Date.UTC(2026, 10, 21), model: '=HYPERLINK("http://x","y")', usd: 0.0000005 }),
      entry({ at: 0, model: 'a,"b"\n', usd: undefined, noPrice: 'notPublished', result: '+1' }),
      entry({ at: 0, model: ' @x', usd: 0, requestId: '-2', result: '\tok' }),
    ]);
    assert.deepEqual(csv.split('\r\n').slice(1), [
      `2026-11-21T00:00:00.000Z,chat,"'=HYPERLINK(""http://x"",""y"")",,,,,0.0000005,exact,100,1,,ok,,,`,
      `1970-01-01T00:00:00.000Z,chat,"a,""b""\n",,,,,,price not published,100,1,,'+1,,,`,
      `1970-01-01T00:00:00.000Z,chat,' @x,,,,,0,exact,100,1,'-2,'\tok,,,`,
      '',
    ]);
  });
});

describe('the budget', () => {
  const budget = { usd: 10, stops: false };
  const cases: [number, ReturnType<typeof given>[], number | undefined][] = [
    [7.99, [], undefined],
    [8, [], 80],
    [9, [given(80)], undefined],
    [10, [given(80)], 100],
    [12, [], 100],
    [12, [given(100)], undefined],
    [8.5, [given(100)], undefined],
    [9, [given(80, 5), given(100, 5)], 80],
  ];
  for (const [spent, notices, percent] of cases)
    it(`${spent} of 10, told ${JSON.stringify(notices.map(item => item.percent))}`, () =>
      assert.equal(dueWarning(budget, spent, notices)?.percent, percent));

  it('of 0 is none', () => assert.equal(dueWarning({ usd: 0, stops: true }, 99, []), undefined));

  it('names both amounts when it refuses', () =>
    assert.match(budgetError(budget, 10.4).message, /budget of \$10 is spent: .* cost \$10\.40\./));
});

/** Two windows on one store; time stands where the test puts it. */
class Windows implements LedgerStore {
  readonly files = new Map<string, string>();
  readonly lines: string[] = [];
  readonly warnings: BudgetWarning[] = [];
  budget: Budget = { usd: 0, stops: false };
  now = at(21);
  reads = 0;
  fails = false;
  readonly #pending: (() => void)[] = [];

  append(month: string, line: string): void {
    this.#pending.push(() => this.files.set(month, (this.files.get(month) ?? '') + line));
  }

  async read(month: string, from: number) {
    this.reads++;
    for (const write of this.#pending.splice(0)) write();
    const text = this.files.get(month) ?? '';
    await new Promise(setImmediate);
    if (this.fails) throw Object.assign(new Error('/home/me/x'), { code: 'EACCES' });
    return { text: text.slice(from), next: text.length, unwritten: '' };
  }

  open(more: Partial<LedgerBillingOptions> = {}): LedgerBilling {
    return new LedgerBilling({
      store: this,
      clock: { now: () => this.now },
      modelPrice,
      budget: () => this.budget,
      onWarning: warning => this.warnings.push(warning),
      log: line => this.lines.push(line),
      ...more,
    });
  }

  call(changes: Partial<FinishedCall> = {}): FinishedCall {
    return {
      operation: 'chat',
      model: 'qwen',
      at: this.now,
      ms: 5,
      attempts: 1,
      requestId: undefined,
      result: 'ok',
      charge: tokens('qwen', million),
      sentChars: 400,
      partialChars: 0,
      ...changes,
    };
  }

  async written(): Promise<LedgerEntry[]> {
    const { text } = await this.read(monthOf(this.now), 0);
    return (await parseLedger(text)).entries;
  }
}

const settle = async () => {
  for (let n = 0; n < 8; n++) await new Promise(setImmediate);
};

describe('billing', () => {
  let windows: Windows;
  beforeEach(() => {
    windows = new Windows();
  });

  it('returns the cost and writes the call down, without reading anything', async () => {
    const cost = await windows.open().record(windows.call({ requestId: 'r-9' }));
    assert.deepEqual(cost, { usd: 4, isExact: true });
    assert.equal(windows.reads, 0);
    const [written] = await windows.written();
    assert.deepEqual([written?.usd, written?.requestId, written?.isExact], [4, 'r-9', true]);
  });

  it('estimates a failed call only when part of the answer came', async () => {
    const billing = windows.open();
    const failed = { charge: undefined, result: 'connection' };
    assert.equal(await billing.record(windows.call(failed)), undefined);
    const cost = await billing.record(windows.call({ ...failed, partialChars: 4000 }));
    assert.deepEqual(cost, { usd: (100 * 0.5 + 1000 * 3.5) / 1e6, isExact: false });
    const written = await windows.written();
    assert.deepEqual(
      written.map(({ usd, result }) => [usd !== undefined, result]),
      [
        [false, 'connection'],
        [true, 'connection'],
      ],
    );
  });

  it('leaves free reads out, which views repeat all day', async () => {
    const billing = windows.open();
    const reads = [
      'catalogue',
      'listEndpoints',
      'endpointStatus',
      'listBatches',
      'listFineTuningJobs',
      'pollBatch',
    ] as const;
    for (const operation of reads)
      await billing.record(windows.call({ operation, charge: undefined }));
    assert.deepEqual(await windows.written(), []);
  });

  it('writes down how many requests and events are billed', async () => {
    const billing = windows.open();
    const charges = [{ kind: 'router', requests: 3 }, reflex(7), reflex(8, true)] as const;
    for (const charge of charges) await billing.record(windows.call({ charge }));
    assert.deepEqual(
      (await windows.written()).map(({ events, promptTokens }) => [events, promptTokens]),
      [
        [3, undefined],
        [7, undefined],
        [8, undefined],
      ],
    );
  });

  it('passes the numbers of a call to a dedicated endpoint on, and says what was a test', async () => {
    const seen: [string, EndpointCall][] = [];
    const billing = windows.open({ onEndpointCall: (id, call) => seen.push([id, call]) });
    const usage = { promptTokens: 100, cachedTokens: 60, completionTokens: 9 };
    await billing.record(
      windows.call({ charge: tokens('qwen', usage), timing: { id: 'e-1', ms: 50, firstMs: 20 } }),
    );
    await billing.record(
      windows.call({
        charge: undefined,
        result: 'timeout',
        source: { purpose: 'test' },
        timing: { id: 'e-2', ms: 70 },
      }),
    );
    await billing.record(windows.call());
    const common = { at: windows.now, firstMs: undefined };
    assert.deepEqual(seen, [
      ['e-1', { ...common, ms: 50, firstMs: 20, ...usage, isOk: true, isProbe: false }],
      [
        'e-2',
        {
          ...common,
          ms: 70,
          promptTokens: 0,
          cachedTokens: 0,
          completionTokens: 0,
          isOk: false,
          isProbe: true,
        },
      ],
    ]);
  });

  it('adds up what each purpose has cost, over windows and reads', async () => {
    const [one, two] = [windows.open(), windows.open()];
    const chat = windows.call({ source: { purpose: 'chat' } });
    await one.record(chat);
    await two.record(windows.call({ source: { purpose: 'search' } }));
    assert.deepEqual(
      (await one.spent()).byPurpose,
      new Map([
        ['chat', 4],
        ['search', 4],
      ]),
    );
    await two.record(chat);
    windows.now += 61_000;
    await one.record(chat);
    const { usd, byPurpose } = await one.spent();
    assert.deepEqual(
      [usd, byPurpose],
      [
        16,
        new Map([
          ['chat', 12],
          ['search', 4],
        ]),
      ],
    );
  });

  it('prices reflex events after those of all windows, this month only', async () => {
    const [one, two] = [windows.open(), windows.open()];
    const predict = (events: number) =>
      windows.call({ operation: 'predict', model: 'jailbreak', charge: reflex(events) });
    await one.record(predict(999_999));
    await two.admit('predict');
    await settle();
    assert.equal((await two.record(predict(2)))?.usd, 0.001 + 0.0005);
    windows.now = at(1, 12, 11);
    assert.equal((await two.record(predict(1)))?.usd, 0.001);
  });

  it('warns at 80 % and at 100 %, once over all windows', async () => {
    windows.budget = { usd: 10, stops: false };
    const both = [windows.open(), windows.open()];
    const half = windows.call({
      charge: tokens('qwen', { promptTokens: 1_000_000, completionTokens: 0 }),
    });
    const told: [number, number | undefined][] = [];
    for (let call = 1; call <= 30; call++) {
      for (const billing of both) await billing.admit('chat');
      await settle();
      await both[call % 2]?.record(half);
      await settle();
      windows.now += 61_000;
      if (windows.warnings.length > told.length)
        told.push([call, windows.warnings.at(-1)?.percent]);
    }
    assert.deepEqual(told, [
      [16, 80],
      [20, 100],
    ]);
  });

  it('stops paid calls at the budget when the user wants it, and counts the other windows', async () => {
    const [one, two] = [windows.open(), windows.open()];
    await one.record(windows.call());
    windows.budget = { usd: 4, stops: false };
    await two.admit('chat');
    windows.budget = { usd: 4, stops: true };
    await settle();
    assert.equal((await failureOf(two.admit('chat'))).kind, 'budget');
    assert.equal((await failureOf(windows.open().admit('apply'))).kind, 'budget');
    await two.admit('listEndpoints');
    windows.now = at(1, 12, 11);
    await two.admit('chat');
  });

  it('stops calls for a purpose whose own budget is spent, and no others', async () => {
    const [one, two] = [windows.open(), windows.open()];
    windows.budget = { usd: 0, stops: false, byPurpose: { chat: 4, search: 5 } };
    const source = { purpose: 'chat', chat: 'c1' } as const;
    await one.record(windows.call({ source }));
    await settle();
    const error = await failureOf(two.admit('chat', source));
    assert.equal(error.kind, 'budget');
    assert.match(error.message, /budget of \$4 for Chat is spent: .* cost \$4\./);
    await two.admit('chat', { purpose: 'search' });
    await two.admit('chat');
    // The user lets it go on for the day.
    two.allowUntil(windows.now + 1000);
    await two.admit('chat', source);
    windows.now += 1000;
    assert.equal((await failureOf(two.admit('chat', source))).kind, 'budget');
    assert.deepEqual((await one.spent()).byPurpose, new Map([['chat', 4]]));
  });

  it('keeps refusing while the total is read again', async () => {
    windows.budget = { usd: 4, stops: true };
    const billing = windows.open();
    await billing.admit('chat');
    await billing.record(windows.call());
    windows.now += 61_000;
    assert.equal((await failureOf(billing.admit('chat'))).kind, 'budget');
  });

  it('lets calls pass when the store cannot be read, and logs no path', async () => {
    windows.budget = { usd: 4, stops: true };
    windows.fails = true;
    const billing = windows.open();
    await billing.admit('chat');
    await billing.record(windows.call());
    await settle();
    assert.equal((await failureOf(billing.admit('chat'))).kind, 'budget');
    // However often it fails, each call counts once.
    for (let n = 0; n < 3; n++) {
      windows.now += 61_000;
      assert.equal((await billing.spent()).usd, 4);
    }
    windows.fails = false;
    windows.now += 61_000;
    assert.equal((await billing.spent()).usd, 4);
    assert.match(windows.lines.join('\n'), /EACCES/);
    assert.doesNotMatch(windows.lines.join('\n'), /home/);
  });
});
