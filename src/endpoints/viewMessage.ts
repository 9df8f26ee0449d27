import * as vscode from 'vscode';
import type { PollState } from '../host/poller';
import { waitText } from '../host/waitText';
import { clockText, spanText } from '../host/words';
import type { Fleet } from './fleet';

const { t } = vscode.l10n;

/** What stands above the rows: how old they are and why. Nothing while all is well. */
export function messageOf(state: PollState<Fleet>, nowMs: number): string {
  const { problem, at, data, isReading, wait } = state;
  const parts: string[] = [];
  const locale = vscode.env.language;
  if (problem && problem.kind !== 'noKey' && problem.kind !== 'noUrl') {
    if (at !== undefined)
      parts.push(
        t('As of {0}.', nowMs - at < 86_400_000 ? clockText(at, locale) : spanText(nowMs - at, t)),
      );
    parts.push(problem.text);
    // Some texts name the time themselves.
    if (problem.nextAt !== undefined && !/\d\d:\d\d:\d\d/.test(problem.text))
      parts.push(t('Next try at {0}.', clockText(problem.nextAt, locale)));
  }
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
