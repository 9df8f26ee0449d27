import assert from 'node:assert/strict';
import { spanText, whenText } from '../../../../src/base/format/times';
import { dayMs, hourMs, minuteMs, t } from '../../endpoints/core/support';

describe('texts for times', () => {
  const rows: [ms: number, short: string, spoken: string][] = [
    [0, '< 1 min', 'less than a minute'],
    [minuteMs, '1 min', '1 minute'],
    [59 * minuteMs + 59_999, '59 min', '59 minutes'],
    [hourMs, '1 h', '1 hour'],
    [112 * minuteMs, '1 h 52 min', '1 hour 52 minutes'],
    [3 * hourMs + 5 * minuteMs, '3 h', '3 hours'],
    [47 * hourMs, '47 h', '47 hours'],
    [2 * dayMs, '2 days', '2 days'],
    [39.9 * dayMs, '39 days', '39 days'],
  ];
  for (const [ms, short, spoken] of rows)
    it(short, () => {
      assert.equal(spanText(ms, t), short);
      assert.equal(spanText(ms, t, true), spoken);
    });

  it('name the time of today, the day of this year, and the year otherwise', () => {
    const now = new Date(2026, 10, 20, 12).getTime();
    const when = (...at: [number, number, number, number, number]) =>
      whenText(new Date(...at).getTime(), now, 'en-GB');
    assert.equal(when(2026, 10, 20, 9, 5), '09:05');
    assert.equal(when(2026, 10, 19, 9, 5), '19 Nov');
    assert.equal(when(2027, 0, 1, 0, 0), '1 Jan 2027');
  });
});
