import * as vscode from 'vscode';
import { formatUsd } from '../service/billing/pricing';
import type { Cost } from '../service/operation';

const { t } = vscode.l10n;

export function durationText(ms: number): string {
  return ms < 100 ? t('{0}\u00a0ms', Math.round(ms)) : t('{0}\u00a0s', (ms / 1000).toFixed(1));
}

export function dateText(epochMs: number): string {
  return new Date(epochMs).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' });
}

/** Above a thousand in thousands: an exact count of tokens tells nobody more. */
export function tokensText(tokens: number): string {
  return t('{0} tokens', shortNumber(tokens));
}

export function shortNumber(count: number): string {
  return count < 1000
    ? `${Math.round(count)}`
    : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

export function costText({ usd, isExact }: Cost): string {
  return isExact ? formatUsd(usd) : t('about {0}', formatUsd(usd));
}
