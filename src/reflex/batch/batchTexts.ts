import * as vscode from 'vscode';
import { numberText } from '../../base/format/numbers';
import { type BatchRun, batchProgress } from './batchRun';

const { t } = vscode.l10n;

export const rowsText = (count: number): string =>
  count === 1 ? t('1 row') : t('{0} rows', numberText(count));

export function stateText(run: BatchRun): string {
  const { state, failedRows = 0, problem } = run;
  switch (state) {
    case 'uploading':
    case 'following':
    case 'fetching':
      return progressText(run);
    case 'done':
      return failedRows > 0 ? t('done, {0} with an error', rowsText(failedRows)) : t('done');
    case 'stopped':
      return t('stopped');
    case 'noResults':
      return t('classified; the service serves no results');
    default:
      return problem ?? t('failed');
  }
}

export function progressText(run: BatchRun): string {
  const { sent, classified, failed } = batchProgress(run);
  if (run.state === 'uploading') return t('{0} sent', rowsText(sent));
  if (run.state === 'fetching') return t('reading the results');
  const percent = sent === 0 ? 0 : Math.floor((100 * classified) / sent);
  return failed > 0 ? t('{0}%, {1} failed', percent, rowsText(failed)) : t('{0}%', percent);
}
