import type { Translate } from '../sentence';

/** `12,345`. @param locale the language of the editor; English in code that does not know it */
export function numberText(value: number, locale = 'en-US'): string {
  return value.toLocaleString(locale);
}

/** Rounded to thousands or millions, such as `9.9k`, `12k` and `15.0M`, as token counts are estimates. */
export function shortNumber(count: number): string {
  if (count < 1000) return `${Math.round(count)}`;
  if (count >= 999_500) return `${(count / 1_000_000).toFixed(1)}M`;
  return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

export function tokensText(tokens: number, t: Translate): string {
  return t(Math.round(tokens) === 1 ? '1 token' : '{0} tokens', shortNumber(tokens));
}

/** @param digits decimals; without it at most one below ten percent and else none */
export function percentText(share: number, digits?: number): string {
  const percent = 100 * share;
  if (digits !== undefined) return `${percent.toFixed(digits)}%`;
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)}%`;
}

/** `900 bytes`, `12 kB`, `3.4 MB`, `9.8 GB`. */
export function bytesText(bytes: number, t: Translate): string {
  if (bytes < 1000) return t(bytes === 1 ? '1 byte' : '{0} bytes', bytes);
  if (bytes < 1_000_000) return t('{0} kB', Math.round(bytes / 1000));
  return bytes < 1_000_000_000
    ? t('{0} MB', (bytes / 1_000_000).toFixed(1))
    : t('{0} GB', (bytes / 1_000_000_000).toFixed(1));
}
