import * as vscode from 'vscode';
import type { PollState } from '../host/poller';
import { problemSentences } from '../host/viewProblem';
import { waitText } from '../host/waitText';
import type { Fleet } from './fleet';

const { t } = vscode.l10n;

/** What stands above the rows: how old they are and why. Nothing while all is well. */
export function messageOf(state: PollState<Fleet>, nowMs: number): string {
  const { problem, data, isReading, wait } = state;
  const parts = problemSentences(state, nowMs, t, vscode.env.language);
  if (wait) parts.push(waitText(wait, t));
  else if (!data && !problem && isReading) parts.push(t('Reading…'));
  if (data && data.unreadable > 0)
    parts.push(
      data.unreadable === 1
        ? t('1 endpoint could not be read.')
        : t('{0} endpoints could not be read.', data.unreadable),
    );
  return parts.join(' ');
}
