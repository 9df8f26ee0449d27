import * as vscode from 'vscode';
import type { PollState } from '../../platform/polling/pollRecord';
import { retryWaitText } from '../../platform/polling/retryWaitText';
import { problemMessages } from '../../platform/polling/viewProblem';
import type { EndpointsSnapshot } from '../core/endpointsSnapshot';

const { t } = vscode.l10n;

/** Message above the rows: their age and the cause of a problem; empty otherwise. */
export function endpointsViewMessage(state: PollState<EndpointsSnapshot>, nowMs: number): string {
  const { problem, data, isReading, wait } = state;
  const parts = problemMessages(state, nowMs, t, vscode.env.language);
  if (wait) parts.push(retryWaitText(wait, t));
  else if (!data && !problem && isReading) parts.push(t('Reading…'));
  if (data && data.unreadable > 0) {
    parts.push(
      data.unreadable === 1
        ? t('1 endpoint could not be read.')
        : t('{0} endpoints could not be read.', data.unreadable),
    );
  }
  return parts.join(' ');
}
