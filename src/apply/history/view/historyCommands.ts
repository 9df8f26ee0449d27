import * as vscode from 'vscode';
import type { DisposableStore } from '../../../platform/disposables';
import { createTextDocuments } from '../../../platform/documents/textDocuments';
import type { Host } from '../../../platform/host';
import { historyScheme } from '../../../platform/ids';
import type { ReviewRegistry } from '../../review/registry';
import { HistoryActions } from './historyActions';
import { HistoryPicker } from './historyPicker';

/** The commands of the apply history. */
export interface HistoryCommands {
  show(): Promise<void>;
  clear(): Promise<void>;
}

export function createHistoryCommands(
  host: Host,
  reviews: ReviewRegistry,
  store: DisposableStore,
): HistoryCommands {
  const documents = createTextDocuments(historyScheme, () =>
    vscode.l10n.t('Open it from "Splice: Show Apply History" again.'),
  );
  const actions = new HistoryActions(reviews, store.add(documents));
  const picker = new HistoryPicker(host, reviews, actions);
  return { show: async () => picker.show(), clear: async () => actions.clear() };
}
