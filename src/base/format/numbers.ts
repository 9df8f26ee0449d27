import type { Translate } from '../sentence';

/** `12,345`. @param locale the language of the editor; English in code that does not know it */
export function numberText(value: number, locale = 'en-US'): string {
  return value.toLocaleString(locale);
}

/** Above a thousand in thousands, `9.9k` and `12k`: an exact count of tokens tells nobody more. */
export function shortNumber(count: number): string {
  if (count < 1000) return `${Math.round(count)}`;
  return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

export function tokensText(tokens: number, t: Translate): string {
  return t('{0} tokens', shortNumber(tokens));
}

/** @param digits decimals; without it at most one below ten percent and else none */
export function percentText(share: number, digits?: number): string {
  const percent = 100 * share;
  if (digits !== undefined) return `${percent.toFixed(digits)}%`;
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)}%`;
}

/** `900 bytes`, `12 kB`, `3.4 MB`. */
export function bytesText(bytes: number, t: Translate): string {
  if (bytes < 1000) return t('{0} bytes', bytes);
  return bytes < 1_000_000
    ? t('{0} kB', Math.round(bytes / 1000))
    : t('{0} MB', (bytes / 1_000_000).toFixed(1));
}
