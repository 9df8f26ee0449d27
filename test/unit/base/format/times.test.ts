import assert from 'node:assert/strict';
import {
  agoText,
  dateTimeText,
  latencyText,
  monthText,
  recentTimeText,
  spanText,
  timeOfDay,
  utcDayText,
  utcText,
  weekdayText,
  whenText,
} from '../../../../src/base/format/times';
import { useUtc } from '../../../support/unit/approved';
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

  it('tell how long something on this computer took, at least a millisecond', () => {
    for (const [ms, text] of [
      [0, '1 ms'],
      [340.4, '340 ms'],
      [999, '999 ms'],
      [1000, '1.0 s'],
      [12_345, '12.3 s'],
    ] as const)
      assert.equal(latencyText(ms), text);
  });

  it('tell how long ago something was', () => {
    const now = Date.UTC(2026, 10, 20, 12);
    for (const [ms, text] of [
      [0, 'now'],
      [-5 * minuteMs, 'now'],
      [minuteMs, '1 minute ago'],
      [59 * minuteMs, '59 minutes ago'],
      [hourMs, '1 hour ago'],
      [23 * hourMs, '23 hours ago'],
      [dayMs, 'yesterday'],
      [5 * dayMs, '5 days ago'],
    ] as const)
      assert.equal(agoText(now - ms, now, 'en'), text);
    assert.equal(agoText(now - dayMs, now, 'de'), 'gestern');
  });
});

describe('dates in words', () => {
  useUtc();
  const at = Date.UTC(2026, 10, 20, 9, 5, 7);

  it('name the day where the time of day does not tell it', () => {
    assert.equal(recentTimeText(at, at + hourMs, 'en-GB'), '09:05');
    assert.equal(recentTimeText(at, at + dayMs, 'en-GB'), '20 Nov, 09:05');
    assert.equal(whenText(at, Date.UTC(2026, 11, 20, 9, 5), 'en-GB'), '20 Nov');
    assert.equal(whenText(at, Date.UTC(2027, 10, 20, 9, 5), 'en-GB'), '20 Nov 2026');
  });

  it('are in full, for reports too', () => {
    assert.equal(dateTimeText(at, 'en-GB'), '20 Nov 2026, 09:05');
    assert.equal(timeOfDay(at), '09:05:07');
    assert.equal(utcText(at), '2026-11-20 09:05:07 UTC');
    assert.equal(utcDayText(at), '2026-11-20');
  });

  it('are those of a month and of a day', () => {
    assert.equal(monthText('2026-11', 'en-GB'), 'November 2026');
    assert.equal(monthText('2026-01', 'de'), 'Januar 2026');
    assert.match(weekdayText('2026-11-21', 'en-GB'), /^Saturday,? 21 November$/);
    assert.match(weekdayText('2027-01-01', 'en-GB'), /^Friday,? 1 January$/);
  });
});
