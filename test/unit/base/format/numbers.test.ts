import assert from 'node:assert/strict';
import { costText } from '../../../../src/base/format/money';
import {
  bytesText,
  numberText,
  percentText,
  shortNumber,
  tokensText,
} from '../../../../src/base/format/numbers';
import { escapeMarkdown } from '../../../../src/base/format/text';
import {
  clockText,
  durationText,
  exactTimeText,
  spanText,
} from '../../../../src/base/format/times';
import { english } from '../../../../src/base/sentence';
import { retryWaitText } from '../../../../src/platform/polling/retryWaitText';
import { ServiceError } from '../../../../src/service/errors';
import { useUtc } from '../../../support/unit/approved';

const minute = 60_000;
const hour = 60 * minute;

describe('amounts in words', () => {
  it('are durations in milliseconds, then in seconds', () => {
    for (const [ms, text] of [
      [0, '0\u00a0ms'],
      [99.4, '99\u00a0ms'],
      [100, '0.1\u00a0s'],
      [1234, '1.2\u00a0s'],
      [65_000, '65.0\u00a0s'],
    ] as const)
      assert.equal(durationText(ms, english), text);
  });

  it('are numbers, in thousands above a thousand', () => {
    for (const [count, text] of [
      [0, '0'],
      [999, '999'],
      [999.4, '999'],
      [1000, '1.0k'],
      [9999, '10.0k'],
      [10_000, '10k'],
      [123_456, '123k'],
      [999_499, '999k'],
      [999_500, '1.0M'],
      [15_000_000, '15.0M'],
    ] as const)
      assert.equal(shortNumber(count), text);
    assert.equal(tokensText(8100, english), '8.1k tokens');
  });

  it('are numbers in full, as the language of the editor writes them', () => {
    assert.equal(numberText(1_234_567), '1,234,567');
    assert.equal(numberText(1_234_567, 'de'), '1.234.567');
  });

  it('are shares, with a decimal only where it tells something', () => {
    for (const [share, text] of [
      [0, '0%'],
      [0.005, '0.5%'],
      [0.05, '5%'],
      [0.07, '7%'],
      [0.0734, '7.3%'],
      [0.1, '10%'],
      [0.126, '13%'],
      [1, '100%'],
    ] as const)
      assert.equal(percentText(share), text);
    assert.equal(percentText(0.126, 1), '12.6%');
    assert.equal(percentText(0.126, 0), '13%');
  });

  it('are sizes in bytes, and from a thousand on in larger units', () => {
    for (const [bytes, text] of [
      [0, '0 bytes'],
      [999, '999 bytes'],
      [1000, '1 kB'],
      [12_345, '12 kB'],
      [999_000, '999 kB'],
      [1_000_000, '1.0 MB'],
      [3_440_000, '3.4 MB'],
      [9_800_000_000, '9.8 GB'],
    ] as const)
      assert.equal(bytesText(bytes, english), text);
  });

  it('are costs, about where nobody knows exactly', () => {
    assert.equal(costText({ usd: 0.5, isExact: true }, english), '$0.50');
    assert.equal(costText({ usd: 0.5, isExact: false }, english), 'about $0.50');
  });

  it('are spans, rounded down', () => {
    for (const [ms, short, spoken] of [
      [minute - 1, '< 1 min', 'less than a minute'],
      [2 * minute, '2 min', '2 minutes'],
      [hour - 1, '59 min', '59 minutes'],
      [hour + minute - 1, '1 h', '1 hour'],
      [2 * hour, '2 h', '2 hours'],
      [3 * hour - 1, '2 h 59 min', '2 hours 59 minutes'],
      [3 * hour + minute, '3 h', '3 hours'],
      [48 * hour - 1, '47 h', '47 hours'],
      [48 * hour, '2 days', '2 days'],
    ] as const) {
      assert.equal(spanText(ms, english), short);
      assert.equal(spanText(ms, english, true), spoken);
    }
  });
});

const at = Date.UTC(2026, 10, 20, 9, 5, 7);
const wait = (kind: 'rateLimited' | 'server'): string =>
  retryWaitText({ retryAt: at, error: new ServiceError(kind, '') }, english);

describe('times in words', () => {
  useUtc();
  it('are of the clock, and exact with the zone', () => {
    assert.equal(clockText(at, 'en-GB'), '09:05');
    assert.equal(exactTimeText(at, 'en-GB'), '20 Nov 2026, 09:05:07 UTC');
  });

  it('are of the next try', () => {
    assert.equal(
      wait('rateLimited'),
      'The service limits the rate of requests. Next try at 09:05:07.',
    );
    assert.equal(wait('server'), 'No answer yet. Next try at 09:05:07.');
  });
});

describe('text within Markdown', () => {
  it('stands for itself', () => {
    for (const [text, escaped] of [
      ['a\n b', 'a b'],
      ['[x](y)', '\\[x\\](y)'],
      ['`a` *b* _c_', '\\`a\\` \\*b\\* \\_c\\_'],
      ['a | b ~ c ! d @ e', 'a \\| b \\~ c \\! d \\@ e'],
      ['$(alert) $5', '\\$(alert) $5'],
      ['www.example.org', 'www\\.example.org'],
      ['http://x', 'http\\://x'],
      ['# a', '\\# a'],
      ['- a - b', '\\- a - b'],
      ['1. a 2. b', '1\\. a 2. b'],
      ['1) a', '1\\) a'],
      ['<b> & c', '&lt;b&gt; &amp; c'],
      ['a\\b', 'a\\\\b'],
    ] as const)
      assert.equal(escapeMarkdown(text), escaped);
  });
});
