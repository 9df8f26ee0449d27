/** Every form in which dates, times of day and durations are shown. */

import type { Translate } from '../sentence';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Below this, minutes are shown beside hours: an endpoint must be ready two hours after its payment. */
const fineMs = 3 * hourMs;

/** How long a call took: `42 ms`, `1.3 s`. */
export function durationText(ms: number, t: Translate): string {
  return ms < 100 ? t('{0}\u00a0ms', Math.round(ms)) : t('{0}\u00a0s', (ms / 1000).toFixed(1));
}

/** How long something on this computer took, with all milliseconds up to a second: `340 ms`, `1.3 s`. */
export function latencyText(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/**
 * A longer span: days from 48 hours on, hours from 3 hours on, else minutes too; rounded down.
 * @param isSpoken units as whole words, for screen readers
 */
export function spanText(ms: number, t: Translate, isSpoken = false): string {
  if (ms < minuteMs) return isSpoken ? t('less than a minute') : t('< 1 min');
  if (ms < hourMs) {
    const minutes = Math.floor(ms / minuteMs);
    if (!isSpoken) return t('{0} min', minutes);
    return minutes === 1 ? t('1 minute') : t('{0} minutes', minutes);
  }
  if (ms < 2 * dayMs) {
    const hours = Math.floor(ms / hourMs);
    const rest = Math.floor((ms % hourMs) / minuteMs);
    if (ms < fineMs && rest > 0) {
      return isSpoken
        ? `${spanText(hours * hourMs, t, true)} ${spanText(rest * minuteMs, t, true)}`
        : t('{0} h {1} min', hours, rest);
    }
    if (!isSpoken) return t('{0} h', hours);
    return hours === 1 ? t('1 hour') : t('{0} hours', hours);
  }
  return t('{0} days', Math.floor(ms / dayMs));
}

/** `3 hours ago`, and `now` for less than half a minute. */
export function agoText(atMs: number, nowMs: number, locale?: string): string {
  const seconds = Math.max(0, Math.round((nowMs - atMs) / 1000));
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (seconds < 30) return format.format(0, 'second');
  if (seconds < 3600) return format.format(-Math.round(seconds / 60), 'minute');
  if (seconds < 86_400) return format.format(-Math.round(seconds / 3600), 'hour');
  return format.format(-Math.round(seconds / 86_400), 'day');
}

/** `14:02` today, `30 Dec` this year, else with the year. */
export function whenText(atMs: number, nowMs: number, locale?: string): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const isThisYear = at.getFullYear() === now.getFullYear();
  if (isThisYear && at.getMonth() === now.getMonth() && at.getDate() === now.getDate()) {
    return clockText(atMs, locale);
  }
  return formatted(isThisYear ? 'day' : 'date', atMs, locale);
}

/** `14:02` */
export const clockText = (atMs: number, locale?: string): string =>
  formatted('clock', atMs, locale);

/** `30 Dec 2026, 14:02` */
export const dateTimeText = (atMs: number, locale?: string): string =>
  formatted('dateTime', atMs, locale);

/** `14:02` today, else with the day before it: `30 Dec, 14:02`. */
export function recentTimeText(atMs: number, nowMs: number, locale?: string): string {
  const day = whenText(atMs, nowMs, locale);
  const clock = clockText(atMs, locale);
  return day === clock ? clock : `${day}, ${clock}`;
}

/** With seconds and the zone, for tooltips. */
export const exactTimeText = (atMs: number, locale?: string): string =>
  formatted('exact', atMs, locale);

/** `14:02:07` of this machine's zone. */
export function timeOfDay(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('en-GB');
}

/** `2026-11-21 14:02:07 UTC`, for reports that are read elsewhere. */
export function utcText(atMs: number): string {
  return `${new Date(atMs).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

/** `2026-11-21` in UTC. */
export function utcDayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** `November 2026`. @param month `2026-11` */
export const monthText = (month: string, locale?: string): string =>
  formatted('month', localMidnight(`${month}-01`), locale);

/** `Saturday 21 November`. @param day `2026-11-21` */
export const weekdayText = (day: string, locale?: string): string =>
  formatted('weekday', localMidnight(day), locale);

function localMidnight(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).getTime();
}

const forms = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  dateTime: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { dateStyle: 'medium', timeStyle: 'long' },
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Kept: making a formatter costs a hundred times its use. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** @param locale the language of the editor; absent means that of the system */
function formatted(form: keyof typeof forms, atMs: number, locale: string | undefined): string {
  const key = `${form} ${locale ?? ''}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, forms[form]);
  formatters.set(key, formatter);
  return formatter.format(atMs);
}
