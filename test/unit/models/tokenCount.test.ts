import assert from 'node:assert/strict';
import { toChatRequest } from '../../../src/models/format/chatFormat';
import type { ConversationTurn } from '../../../src/models/format/conversation';
import { toMessagesRequest } from '../../../src/models/format/messagesFormat';
import {
  Calibration,
  countConversation,
  countTokens,
  countTools,
  imageSize,
  imageTokens,
  TokenCountCache,
} from '../../../src/models/tokenCount';
import { type StandIn, startStandIn } from '../../service/standIn';
import { apiKey, never, testClient } from '../service/helpers';
import {
  assistant,
  call,
  conversation,
  image,
  options,
  readTool,
  result,
  system,
  user,
} from './cases';
import { samples } from './corpus';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const off = (estimated: number, actual: number): number => Math.abs(estimated / actual - 1);

const estimateOf = (request: typeof samples, learnt?: Calibration): number =>
  countTokens(user(...request.map(({ text }) => text)), learnt);

describe('token counts', () => {
  it('are within 10 % of two real vocabularies on average, and within 25 % for each kind', () => {
    const errors = samples.map(({ kind, text, tokens }) => {
      const error = off(countTokens(text), mean(tokens));
      assert.ok(error <= 0.25, `${kind}: ${error}`);
      return error;
    });
    assert.ok(mean(errors) <= 0.1, `${mean(errors)}`);
  });

  it('are put right by the usage of a model that counts otherwise', () => {
    // Requests of five kinds of text each; those that are learnt from are not those that are measured.
    const requests = samples.map((_, at) => [...samples, ...samples].slice(at, at + 5));
    for (const [which, scale] of [
      [0, 1.4],
      [1, 0.7],
    ] as const) {
      const calibration = new Calibration();
      const actual = (request: typeof samples): number =>
        scale * request.reduce((sum, { tokens }) => sum + tokens[which], 0);
      const measured = requests.filter((_, at) => at % 2 === 1);
      const error = (learnt?: Calibration): number =>
        mean(measured.map(request => off(estimateOf(request, learnt), actual(request))));
      const before = error();
      for (const request of requests.filter((_, at) => at % 2 === 0))
        calibration.learn(estimateOf(request), actual(request));
      assert.ok(before > 0.2, `before: ${before}`);
      assert.ok(error(calibration) < 0.1, `after: ${error(calibration)}`);
    }
  });

  it('count all that a turn holds', () => {
    const plain = countTokens(user('one'));
    const turns: [string, ConversationTurn, number][] = [
      ['a second text', user('one', 'two words more'), 3],
      ['a call', assistant('one', call('c', 'read_file', { path: 'src/a.ts' })), 10],
      ['a call without input', assistant('one', call('c', 'run', undefined)), 5],
      ['a result', user('one', result('c', { type: 'text', text: 'many words of a file' })), 8],
      ['reasoning', user('one', { type: 'thinking', text: 'I think so' }), 3],
      ['an image', user('one', image()), 1024],
      ['an image in a result', user('one', result('c', image())), 1028],
    ];
    for (const [what, turn, least] of turns) {
      const more = countTokens(turn) - plain;
      assert.ok(more >= least && more <= least + 10, `${what}: ${more}`);
    }
    assert.equal(countTokens(user('one', { type: 'unknown', what: 'x' })), plain);
    assert.equal(countTokens(''), 0);
  });

  it('do not fail for an input that JSON cannot hold', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const input of [circle, 1n, () => 1, Symbol('x')])
      assert.ok(countTokens(assistant(call('c', 'x', input))) < 20);
  });

  it('leave out tools that are not sent', () => {
    const tools = countTools([readTool]);
    assert.ok(tools > 25 && tools < 50, `${tools}`);
    assert.equal(countTools([readTool, { ...readTool, name: 'bad', schema: 'bad' }]), tools);
    assert.equal(countTools([]), 0);
  });

  it('are made once for a long text that comes again', () => {
    let counted = 0;
    const memo = new TokenCountCache(text => {
      counted++;
      return text.length;
    });
    const long = samples
      .map(({ text }) => text)
      .join('\n')
      .repeat(40);
    // Another string of the same characters each time, as each request of VS Code brings.
    for (let n = 0; n < 20; n++)
      assert.equal(memo.get(`${long.slice(0, 1000)}${long.slice(1000)}`), long.length);
    assert.equal(counted, 1);
    assert.equal(memo.get(`${long}!`), long.length + 1);
    assert.equal(counted, 2);
  });
});

const textOf = (n: number, length = 200) => String(n).padEnd(length, 'x');

describe('the cache of token counts', () => {
  let counted: string[];
  let cache: TokenCountCache;
  beforeEach(() => {
    counted = [];
    cache = new TokenCountCache(text => {
      counted.push(text);
      return text.length;
    });
  });
  const isKnown = (text: string) => {
    const before = counted.length;
    cache.get(text);
    return counted.length === before;
  };

  it('keeps texts from 200 characters on', () => {
    for (const [length, expected] of [
      [199, false],
      [200, true],
    ] as const) {
      assert.equal(cache.get(textOf(1, length)), length);
      assert.equal(isKnown(textOf(1, length)), expected, `${length}`);
    }
  });

  it('keeps the last 1000 texts', () => {
    for (let n = 0; n < 1001; n++) cache.get(textOf(n));
    assert.equal(isKnown(textOf(1)), true);
    assert.equal(isKnown(textOf(1000)), true);
    assert.equal(isKnown(textOf(0)), false);
  });

  it('keeps up to 4 million characters, the last ones', () => {
    for (let n = 0; n < 4; n++) cache.get(textOf(n, 1_000_000));
    assert.equal(isKnown(textOf(0, 1_000_000)), true);
    cache.get(textOf(4));
    assert.equal(isKnown(textOf(1, 1_000_000)), true);
    assert.equal(isKnown(textOf(0, 1_000_000)), false);
    cache.get(textOf(5, 4_000_001));
    assert.equal(isKnown(textOf(5, 4_000_001)), false);
    assert.equal(isKnown(textOf(0, 1_000_000)), true, 'one that is too long replaces none');
  });
});

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)),
  );

const png = (...size: number[]) =>
  image('image/png', [
    ...bytes([137], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR'),
    ...size.flatMap(side => [0, 0, side >> 8, side & 255]),
  ]);

describe('the size of an image', () => {
  const headers: Readonly<Record<string, Uint8Array>> = {
    png: bytes([137], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 2, 128, 0, 0, 1, 224]),
    gif: bytes('GIF89a', [128, 2, 224, 1]),
    'webp, lossy': bytes('RIFF    WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 157, 1, 42, 128, 2, 224, 1]),
    'webp, lossless': bytes('RIFF    WEBPVP8L', [0, 0, 0, 0, 47, 127, 194, 119, 0]),
    'webp, extended': bytes('RIFF    WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 127, 2, 0, 223, 1, 0]),
    jpeg: bytes(
      [255, 216, 255, 224, 0, 4, 1, 2, 255, 255, 219, 0, 3, 9],
      [255, 192, 0, 17, 8, 1, 224, 2, 128, 3],
    ),
  };

  for (const [kind, data] of Object.entries(headers)) {
    it(`is read from the header: ${kind}`, () => {
      assert.deepEqual(imageSize(data), { width: 640, height: 480 });
      assert.equal(imageTokens({ type: 'image', mediaType: 'image/x', data }), 23 * 18);
    });

    it(`is unknown when the header ends too early: ${kind}`, () => {
      for (let end = 0; end < data.length - 1; end++)
        assert.equal(imageSize(data.subarray(0, end)), undefined, `${end} bytes`);
    });
  }

  it('has a least and a most number of tokens', () => {
    assert.equal(imageTokens(png(1, 1)), 64);
    assert.equal(imageTokens(png(20_000, 20_000)), 4096);
    assert.equal(imageTokens(png(0, 5)), 1024);
  });
});

describe('a calibration', () => {
  it('changes nothing until it learnt', () => {
    const calibration = new Calibration();
    for (const [estimated, actual] of [
      [0, 5],
      [10, 50],
      [100, 0],
      [100, Number.NaN],
      [NaN, 1],
    ] as const)
      calibration.learn(estimated, actual);
    assert.equal(calibration.factor, 1);
    assert.equal(calibration.apply(7), 7);
  });

  it('goes half the way with one usage, and all of it with several', () => {
    const calibration = new Calibration();
    calibration.learn(100, 140);
    assert.equal(calibration.factor, 1.2);
    for (let n = 0; n < 3; n++) calibration.learn(100, 140);
    assert.equal(calibration.factor, 1.4);
    assert.equal(calibration.apply(10), 14);
  });

  it('does not mind odd usages, and stays within bounds', () => {
    const calibration = new Calibration();
    for (const actual of [110, 9000, 111, 1, 109, 112, 100_000]) calibration.learn(100, actual);
    assert.ok(calibration.factor > 1.08 && calibration.factor < 1.13, `${calibration.factor}`);
    for (let n = 0; n < 20; n++) calibration.learn(100, 9000);
    assert.equal(calibration.factor, 2);
    for (let n = 0; n < 20; n++) calibration.learn(100, 1);
    assert.equal(calibration.factor, 0.5);
  });
});

describe('token counts beside those of the stand-in', () => {
  let service: StandIn;
  before(async () => (service = await startStandIn({ apiKey })));
  after(() => service.close());

  it('are within 10 % of its usage and of its count, with tools and calls', async () => {
    const { client } = testClient(service.url);
    const signal = never();
    const [prose, code, ...others] = samples.map(({ text }) => text);
    const given = conversation(
      [
        system(prose ?? ''),
        user(...others),
        assistant('I read it.', call('call_1', 'read_file', { path: 'src/index.ts' })),
        user(result('call_1', { type: 'text', text: code ?? '' })),
      ],
      [readTool, { ...readTool, name: 'write_file' }],
    );
    const estimate = countConversation(given);
    const { usage } = await client.chat(toChatRequest(given, options).request, { signal });
    assert.ok(off(estimate, usage?.promptTokens ?? 0) < 0.1, `${estimate}, ${usage?.promptTokens}`);
    const counted = await client.countTokens(toMessagesRequest(given, options).request, { signal });
    assert.ok(off(estimate, counted.inputTokens) < 0.1, `${estimate}, ${counted.inputTokens}`);
  });
});
