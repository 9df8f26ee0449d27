import type { Translate } from '../sentence';

/** `$10`, `$0.42`, `$0.0005`, `less than $0.0001`; two decimals from ten cents on. */
export function formatUsd(usd: number): string {
  if (Number.isInteger(usd)) return `$${usd.toLocaleString('en-US')}`;
  if (usd < 0.0001) return 'less than $0.0001';
  const maximumFractionDigits = usd < 0.1 ? 4 : 2;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits })}`;
}

/** A sum, of which nothing is `$0.00`. */
export const sumUsd = (usd: number): string => (usd === 0 ? '$0.00' : formatUsd(usd));

/** `$0.0005`, `<$0.0001`: four decimals, so that the amounts of a column line up. */
export function columnUsd(usd: number, locale?: string): string {
  if (usd > 0 && usd < 0.0001) return '<$0.0001';
  const decimals = { minimumFractionDigits: 4, maximumFractionDigits: 4 };
  return `$${usd.toLocaleString(locale, decimals)}`;
}

/** @param cost.isExact false when the tokens were estimated. */
export function costText(
  cost: { readonly usd: number; readonly isExact: boolean },
  t: Translate,
): string {
  const usd = formatUsd(cost.usd);
  return cost.isExact ? usd : t('about {0}', usd);
}
