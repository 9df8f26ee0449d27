import { formatUsd } from '../service/billing/pricing';
import type { Cost } from '../service/operation';
import type { Translate } from './words';

export function durationText(ms: number, t: Translate): string {
  return ms < 100 ? t('{0}\u00a0ms', Math.round(ms)) : t('{0}\u00a0s', (ms / 1000).toFixed(1));
}

export function costText({ usd, isExact }: Cost, t: Translate): string {
  return isExact ? formatUsd(usd) : t('about {0}', formatUsd(usd));
}

export function tokensText(tokens: number, t: Translate): string {
  return t('{0} tokens', shortNumber(tokens));
}

/** Above a thousand in thousands: an exact count of tokens tells nobody more. */
export function shortNumber(count: number): string {
  if (count < 1000) return `${Math.round(count)}`;
  return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}
