import * as vscode from 'vscode';
import { runCommand } from '../../../platform/commands/registerCommands';
import type { ExternalChanges } from '../externalChanges';

const offeredKey = 'splice.external.offered';
/** How long nothing must have changed, so that the offer counts all files of a burst, in milliseconds. */
const quietMs = 3000;

/** Tells the user once that changes of other programs can be reviewed. */
export class FirstOffer implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #memory: vscode.Memento;
  readonly #listener: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(changes: ExternalChanges, memory: vscode.Memento) {
    this.#changes = changes;
    this.#memory = memory;
    this.#listener = changes.onDidChange(() => this.#wait());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listener.dispose();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#changes.files.length === 0 || this.#memory.get(offeredKey) === true) return;
    this.#timer = setTimeout(() => void this.#offer(), quietMs);
  }

  async #offer(): Promise<void> {
    const { length } = this.#changes.files;
    // Another window may have asked meanwhile.
    if (length === 0 || this.#memory.get(offeredKey) === true) return;
    await this.#memory.update(offeredKey, true);
    const { t } = vscode.l10n;
    const review = t('Review');
    const settings = t('Settings');
    const picked = await vscode.window.showInformationMessage(
      t(
        '{0} changed by another program. Splice lists such changes in its Reviews view, to keep or undo them one by one.',
        length === 1 ? t('1 file was') : t('{0} files were', length),
      ),
      review,
      settings,
    );
    if (picked === review) await runCommand('splice.external.openPage');
    if (picked === settings) {
      await vscode.commands.executeCommand(
        'workbench.action.openSettings',
        'splice.externalChanges',
      );
    }
  }
}
