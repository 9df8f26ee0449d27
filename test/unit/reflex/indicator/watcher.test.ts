import assert from 'node:assert/strict';
import { AbortError, systemClock } from '../../../../src/base/async/clock';
import { DailyUsage, type DayUsage } from '../../../../src/reflex/indicator/dailyUsage';
import { watchLimits } from '../../../../src/reflex/indicator/watchedText';
import { Watcher } from '../../../../src/reflex/indicator/watcher';
import { ServiceError } from '../../../../src/service/errors';
import type { CallResult } from '../../../../src/service/http/operation';
import type { Predictions } from '../../../../src/service/wire/reflex';
import { startStandIn } from '../../../service/standIn';
import { eventually } from '../../../support/unit/eventually';
import { seededRandom, VirtualTime } from '../../../support/unit/virtualTime';
import { apiKey, testClient } from '../../service/helpers';

const long = 'Please explain how the retry of failed uploads is planned here.';

function answerTo(models: readonly string[]): CallResult<Predictions> {
  return {
    predictions: models.map(model => {
      const classes = [{ classId: 1, label: 'benign', score: 0.9, isSelected: true }];
      return { model, mode: 'single_label', classes, selected: classes, prefillTokens: 12 };
    }),
    failures: [],
    attempts: 1,
    ms: 90,
    cost: { usd: 0.002, isExact: false },
  };
}

type Ask = ConstructorParameters<typeof Watcher>[0]['ask'];

function failing(error: () => Error): { ask: Ask } {
  return {
    ask: async () => {
      throw error();
    },
  };
}

function watch(options: { ask?: Ask; limit?: number; models?: string[] } = {}) {
  const time = new VirtualTime();
  const asked: string[] = [];
  let use: DayUsage | undefined;
  const usage = new DailyUsage(
    { get: () => use, set: next => (use = next) },
    () => time.now(),
    () => options.limit ?? 500,
  );
  const watcher = new Watcher({
    clock: time,
    models: () => options.models ?? ['jailbreak', 'guardrail'],
    usage,
    ask: async (models, text, signal) => {
      asked.push(text);
      return options.ask ? options.ask(models, text, signal) : answerTo(models);
    },
    onChange: () => undefined,
  });
  const look = (text: string, key = 'a.md') => watcher.setTarget({ key, text, where: 'paragraph' });
  return { time, watcher, asked, usage, look };
}

describe('when a watched text is asked about', () => {
  it('a second after the last key, once', async () => {
    const { time, asked, look, watcher } = watch();
    for (let length = 40; length < long.length; length++) {
      look(long.slice(0, length));
      await time.advance(300);
    }
    assert.deepEqual(asked, []);
    look(long);
    await time.advance(watchLimits.debounceMs);
    assert.deepEqual(asked, [long]);
    assert.equal(watcher.state.result?.readings.length, 2);
    assert.equal(watcher.state.isStale, false);
    await time.advance(3_600_000);
    assert.equal(asked.length, 1);
  });

  it('not again before 20 characters have changed; the result is stale until then', async () => {
    const { time, asked, look, watcher } = watch();
    look(long);
    await time.advance(10_000);
    look(`${long} ${'a'.repeat(18)}`);
    await time.advance(10_000);
    assert.equal(asked.length, 1);
    assert.equal(watcher.state.isStale, true);
    look(`${long} ${'a'.repeat(19)}`);
    await time.advance(10_000);
    assert.equal(asked.length, 2);
    assert.equal(watcher.state.isStale, false);
  });

  it('at most every five seconds', async () => {
    const { time, asked, look } = watch();
    look(long);
    await time.advance(1000);
    look(`${long} ${'b'.repeat(50)}`);
    await time.advance(4900);
    assert.equal(asked.length, 1);
    await time.advance(200);
    assert.equal(asked.length, 2);
  });

  it('never about a short text', async () => {
    const { time, asked, look, watcher } = watch();
    look('too short');
    await time.advance(60_000);
    assert.deepEqual(asked, []);
    assert.deepEqual(watcher.state.obstacle, { kind: 'short' });
  });

  it('never about a secret', async () => {
    const { time, asked, look, watcher } = watch();
    look(`${long} The key is sk-proj-abcdefghij0123456789.`);
    await time.advance(60_000);
    await watcher.classifyNow({ key: 'p', text: 'password = hunter2hunter2', where: 'prompt' });
    assert.deepEqual(asked, []);
    assert.deepEqual(watcher.state.obstacle, { kind: 'secret' });
  });

  it('never while no reflex is chosen, or nothing is in front', async () => {
    const { time, asked, look, watcher } = watch({ models: [] });
    look(long);
    await time.advance(60_000);
    watcher.setTarget('kind');
    await time.advance(60_000);
    assert.deepEqual(asked, []);
    assert.deepEqual(watcher.state.obstacle, { kind: 'excluded', why: 'kind' });
    assert.equal(watcher.state.result, undefined);
  });

  it('from the cache when the text comes back, until the key changes', async () => {
    const { time, asked, look, watcher } = watch();
    const other = 'Another paragraph of this document, which is long enough.';
    for (const text of [long, other, long]) {
      look(text);
      await time.advance(10_000);
    }
    assert.deepEqual(asked, [long, other]);
    assert.equal(watcher.state.result?.isCached, true);
    watcher.reset();
    await time.advance(10_000);
    assert.deepEqual(asked, [long, other, long]);
  });

  it('a prompt at once, also a short one; the latest wins and the others are aborted', async () => {
    const signals: AbortSignal[] = [];
    const { time, watcher, asked } = watch({
      ask: (models, text, signal) =>
        new Promise((resolve, reject) => {
          signals.push(signal);
          signal.addEventListener('abort', () => reject(new AbortError()));
          if (text === 'last') resolve(answerTo(models));
        }),
    });
    const prompts = ['one', 'two', 'three', 'last'];
    const all = prompts.map(text => watcher.classifyNow({ key: 'p', text, where: 'prompt' }));
    await time.advance(1);
    await Promise.all(all);
    assert.deepEqual(asked, prompts);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true, true, false],
    );
    assert.equal(watcher.state.result?.chars, 4);
  });

  it('not while the window has no focus, or during a pause', async () => {
    const { time, asked, look, watcher } = watch();
    watcher.setFocused(false);
    look(long);
    await time.advance(60_000);
    assert.deepEqual([asked.length, watcher.state.obstacle?.kind], [0, 'unfocused']);
    watcher.pause(time.now() + 3_600_000);
    watcher.setFocused(true);
    await time.advance(3_500_000);
    assert.deepEqual([asked.length, watcher.state.obstacle?.kind], [0, 'paused']);
    await time.advance(100_000);
    assert.deepEqual([asked.length, watcher.state.obstacle], [1, undefined]);
  });

  it('not beyond the daily limit, and again the next day', async () => {
    const { time, asked, look, watcher, usage } = watch({ limit: 2 });
    for (const name of ['first', 'second', 'third']) {
      look(`The ${name} paragraph of this text is long enough to be classified.`, name);
      await time.advance(10_000);
    }
    assert.deepEqual([asked.length, watcher.state.obstacle?.kind], [2, 'dailyLimit']);
    const { calls, events, tokens, usd } = usage.today;
    assert.deepEqual(
      { calls, events, tokens, usd },
      { calls: 2, events: 4, tokens: 24, usd: 0.004 },
    );
    await time.advance(24 * 3_600_000);
    assert.equal(asked.length, 3);
  });

  it('waits as long as the service wants', async () => {
    const until = { at: 0 };
    const { time, asked, look, watcher } = watch(
      failing(() => new ServiceError('rateLimited', 'slow down', { retryAt: until.at })),
    );
    until.at = time.now() + 61_000;
    look(long);
    await time.advance(59_000);
    look(`${long} And here is much more than before, all of it new.`);
    await time.advance(1500);
    assert.equal(asked.length, 1);
    assert.deepEqual(watcher.state.obstacle, { kind: 'limited', until: until.at });
    await time.advance(1000);
    assert.equal(asked.length, 2);
  });

  for (const [kind, obstacle, restMs] of [
    ['offline', 'offline', watchLimits.retryMs],
    ['unauthorized', 'noKey', watchLimits.backoffMs],
    ['payment', 'failed', watchLimits.backoffMs],
  ] as const)
    it(`rests after "${kind}"`, async () => {
      const { time, asked, look, watcher } = watch(failing(() => new ServiceError(kind, 'no')));
      look(long);
      await time.advance(restMs);
      assert.deepEqual([asked.length, watcher.state.obstacle?.kind], [1, obstacle]);
      await time.advance(watchLimits.debounceMs);
      assert.equal(asked.length, 2);
      watcher.dispose();
    });

  it('gives up after five seconds', async () => {
    let signal: AbortSignal | undefined;
    const { time, look, watcher } = watch({
      ask: (_models, _text, given) =>
        new Promise((_resolve, reject) => {
          signal = given;
          given.addEventListener('abort', () => reject(new AbortError()));
        }),
    });
    look(long);
    await time.advance(1000);
    assert.notEqual(watcher.state.askedAt, undefined);
    await time.advance(watchLimits.timeoutMs);
    assert.equal(signal?.aborted, true);
    assert.deepEqual([watcher.state.askedAt, watcher.state.obstacle?.kind], [undefined, 'offline']);
  });
});

/** Times of an hour of keys, in ms: bursts with pauses between words and longer ones between thoughts. */
function hourOfKeys(): number[] {
  const next = seededRandom(9);
  const gauss = () => Math.sqrt(-2 * Math.log(next() || 1e-9)) * Math.cos(2 * Math.PI * next());
  const around = (seconds: number, spread: number) => 1000 * seconds * Math.exp(spread * gauss());
  const keys: number[] = [];
  for (let at = 0; at < 3_600_000; at += around(4, 0.9)) {
    const burst = 20 + Math.floor(next() * 120);
    for (let key = 0; key < burst; key++) {
      at += around(0.18, 0.45) + (next() < 0.12 ? around(0.5, 0.5) : 0);
      keys.push(at);
    }
  }
  return keys.filter(at => at < 3_600_000);
}

describe('an hour of typing', () => {
  it('makes at most 240 calls, and not too few', async () => {
    const { time, asked, look, watcher } = watch();
    const keys = hourOfKeys();
    assert.ok(keys.length > 9000 && keys.length < 12_000, `${keys.length} keys`);
    const text = 'The quick brown fox jumps over the lazy dog again and again. '.repeat(200);
    let written = '';
    let last = 0;
    for (const at of keys) {
      await time.advance(at - last);
      last = at;
      written += text[written.length] ?? ' ';
      look(written);
    }
    await time.advance(10_000);
    if (process.env['FIGURES']) console.log(`an hour of typing: ${asked.length} calls`);
    assert.ok(asked.length <= 240 && asked.length > 100, `${asked.length} calls`);
    watcher.dispose();
  });
});

describe('a storm of prompts', () => {
  it('leaves no open request, and shows the last', async () => {
    const standIn = await startStandIn({ apiKey });
    try {
      // All but the last are never answered.
      const calls = Array.from({ length: 40 }, (_, n) => n + 1);
      standIn.inject('POST /v1/reflex/predict', { fault: () => undefined, calls });
      const { client } = testClient(standIn.url);
      let use: DayUsage | undefined;
      const watcher = new Watcher({
        clock: systemClock,
        models: () => ['jailbreak'],
        usage: new DailyUsage({ get: () => use, set: next => (use = next) }, Date.now, () => 500),
        ask: (models, text, signal) => client.predictMany({ models, text }, { signal }),
        onChange: () => undefined,
      });
      const all: Promise<void>[] = [];
      for (const call of calls) {
        all.push(watcher.classifyNow({ key: 'p', text: `prompt ${call}`, where: 'prompt' }));
        // Some are aborted before they are sent, some after.
        if (call % 2 === 0) await eventually(() => standIn.requests.at(-1)?.body !== undefined);
        if (call % 2 === 0) await new Promise(resolve => setTimeout(resolve, 5));
      }
      standIn.heal();
      all.push(watcher.classifyNow({ key: 'p', text: 'Hello, how are you?', where: 'prompt' }));
      await Promise.all(all);
      assert.equal(watcher.state.result?.readings[0]?.reflex, 'jailbreak');
      const open = () =>
        standIn.requests.filter(({ status, isCut }) => status === undefined && !isCut);
      await eventually(() => open().length === 0);
      assert.ok(standIn.requests.length > 10, `${standIn.requests.length} requests`);
    } finally {
      await standIn.close();
    }
  });
});
