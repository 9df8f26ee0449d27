import * as vscode from 'vscode';
import { filesText } from '../../../base/format/counts';
import { ContextKey } from '../../../platform/commands/contextKey';
import type { CommandId } from '../../../platform/commands/contribute';
import { DisposableStore } from '../../../platform/disposables';
import { statusPlace } from '../../../platform/window/statusPlace';
import { FileBadges } from '../../review/fileBadges';
import type { ExternalChanges, ExternalFile } from '../externalChanges';
import { contextKeys } from '../ids';

/** The status bar item, the badges of files and the context keys of external changes. */
export class ExternalStatus implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #hasChanges = new ContextKey<boolean>(contextKeys.hasExternalChanges);
  readonly #inFile = new ContextKey<boolean>(contextKeys.inExternalFile);
  readonly #resources = new DisposableStore();
  readonly #badges = this.#resources.add(new FileBadges());
  readonly #item = this.#resources.add(
    vscode.window.createStatusBarItem('splice.external', vscode.StatusBarAlignment.Left, 50),
  );

  constructor(changes: ExternalChanges) {
    this.#changes = changes;
    this.#item.name = vscode.l10n.t('Splice external changes');
    this.#item.command = 'splice.external.openPage' satisfies CommandId;
    this.#resources.add(changes.onDidChange(() => this.#show()));
    this.#resources.add(vscode.window.onDidChangeActiveTextEditor(() => this.#show()));
    this.#show();
  }

  dispose(): void {
    statusPlace.hide('external');
    this.#resources.dispose();
  }

  #show(): void {
    const { files } = this.#changes;
    this.#hasChanges.set(files.length > 0);
    this.#inFile.set(this.#changes.of(vscode.window.activeTextEditor?.document.uri) !== undefined);
    this.#badges.show(files.map(file => badged(file, this.#changes)));
    if (files.length === 0) {
      statusPlace.hide('external');
      return;
    }
    const count = filesText(files.length, vscode.l10n.t);
    const label = vscode.l10n.t('{0} changed outside of the editor, to review', count);
    this.#item.text = `$(desktop-download) ${vscode.l10n.t('Review {0}', count)}`;
    this.#item.tooltip = label;
    this.#item.accessibilityInformation = { label };
    statusPlace.show('external', this.#item);
  }
}

/** A file whose changes are not counted yet, or that is decided as a whole, counts as one. */
function badged(file: ExternalFile, changes: ExternalChanges) {
  const known = file.pending.whole === undefined ? changes.known(file)?.changes : undefined;
  return { fileUri: file.uri, model: { hunks: known ?? [file] } };
}
