import type { Translate } from '../base/sentence';
import { cleanServerText } from '../service/errors';

export type { Translate } from '../base/sentence';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Below this minutes count too: an order must be ready two hours after its payment. */
const fineMs = 3 * hourMs;

/**
 * A span as people say it: days from 48 hours on, hours from 3 hours on, else minutes too; rounded down.
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
    if (ms < fineMs && rest > 0)
      return isSpoken
        ? `${spanText(hours * hourMs, t, true)} ${spanText(rest * minuteMs, t, true)}`
        : t('{0} h {1} min', hours, rest);
    if (!isSpoken) return t('{0} h', hours);
    return hours === 1 ? t('1 hour') : t('{0} hours', hours);
  }
  return t('{0} days', Math.floor(ms / dayMs));
}

/** `14:02` today, `30 Dec` this year, else with the year; in the language of the editor. */
export function whenText(atMs: number, nowMs: number, locale?: string): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const isThisYear = at.getFullYear() === now.getFullYear();
  if (isThisYear && at.getMonth() === now.getMonth() && at.getDate() === now.getDate())
    return clockText(atMs, locale);
  return formatted(isThisYear ? 'day' : 'date', atMs, locale);
}

/** `14:02` */
export const clockText = (atMs: number, locale?: string): string =>
  formatted('clock', atMs, locale);

/** With the zone, for tooltips. */
export const exactTimeText = (atMs: number, locale?: string): string =>
  formatted('exact', atMs, locale);

const forms = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  exact: { dateStyle: 'medium', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Making one costs a hundred times its use. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatted(form: keyof typeof forms, atMs: number, locale: string | undefined): string {
  const key = `${form} ${locale ?? ''}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, forms[form]);
  formatters.set(key, formatter);
  return formatter.format(atMs);
}

/**
 * Text of the service where VS Code shows it: one line, nothing invisible, and neither the links that
 * notifications read in `[…](…)` nor the icons that the status bar reads in `$(…)`.
 */
export function labelText(text: string, max = 80): string {
  return cleanServerText(text, max).replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** Signs that Markdown, a table or a codicon could take for their own stand for themselves; one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]|~!@:]|\$(?=\()|(?<=www)\.|^\s?[#+=-]/gi, String.raw`\$&`)
    .replace(/^(\s?\d+)([.)])/, String.raw`$1\$2`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
