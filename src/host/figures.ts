import * as vscode from 'vscode';
import type { Cost } from '../service/operation';
import * as phrases from './phrases';

/** {@link phrases} in the language of VS Code. */

const { t } = vscode.l10n;

export const durationText = (ms: number): string => phrases.durationText(ms, t);
export const tokensText = (tokens: number): string => phrases.tokensText(tokens, t);
export const costText = (cost: Cost): string => phrases.costText(cost, t);
export { shortNumber } from './phrases';

export function dateText(epochMs: number): string {
  return new Date(epochMs).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' });
}
