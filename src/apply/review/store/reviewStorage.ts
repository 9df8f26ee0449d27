import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { errorCode } from '../../../base/fileErrors';
import type { Host } from '../../../platform/host';
import { settings } from '../../../platform/settings';
import { ApplyHistory } from '../../history/applyHistory';
import { JournalFolder } from '../journal/journalFolder';
import { nodeFileOps } from '../journal/nodeFileOps';
import { reviewFolder } from './reviewFolder';
import { ReviewStore } from './reviewStore';

const clock = () => Date.now();

/** The journals of this window. A write failure is reported once, until everything is written again. */
export function openReviewStore(host: Host): { store: ReviewStore; history: ApplyHistory } {
  const folder = new JournalFolder(nodeFileOps, reviewFolder(host.context).fsPath);
  const onError = (error: unknown) => host.log.error('apply history', error);
  const apiKeys = async (): Promise<readonly string[]> => {
    try {
      return (await host.apiKeys.all()).map(({ key }) => key);
    } catch (error) {
      // A key that cannot be read is in no text that was made from it.
      onError(error);
      return [];
    }
  };
  const store: ReviewStore = new ReviewStore(
    folder,
    { writer: randomUUID().slice(0, 8), clock },
    {
      didFail: error => {
        host.log.error('reviews cannot be stored', error);
        void showFailure(host, store, error);
      },
      didRecover: () =>
        void vscode.window.setStatusBarMessage(
          vscode.l10n.t('$(check) Reviews are stored again.'),
          5000,
        ),
    },
    {
      limits: () => settings.applyHistory,
      apiKeys,
      onError,
    },
  );
  const history = new ApplyHistory({
    store,
    folder,
    clock,
    isOn: () => settings.applyHistory.ageMs > 0,
    redact: async text =>
      (await apiKeys()).reduce((shown, key) => shown.replaceAll(key, '[redacted]'), text),
    onError,
  });
  return { store, history };
}

async function showFailure(host: Host, store: ReviewStore, error: unknown): Promise<void> {
  const again = vscode.l10n.t('Try Again');
  const showLog = vscode.l10n.t('Show Log');
  const picked = await vscode.window.showErrorMessage(
    vscode.l10n.t(
      'Reviews cannot be stored: {0} They stay in this window while Splice keeps trying; your decisions are lost if the window closes first.',
      storageErrorReason(error),
    ),
    again,
    showLog,
  );
  if (picked === showLog) host.log.show();
  if (picked === again && !(await store.retry())) await showFailure(host, store, error);
}

/** The reason of a storage failure, as part of a message. */
export function storageErrorReason(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return vscode.l10n.t('the disk is full. Free some space.');
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return vscode.l10n.t('the folder of the extension is read-only. Allow writing there.');
  }
  return error instanceof Error ? `${error.message}.` : String(error);
}
