import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { ContextKey } from '../../../platform/commands/contextKey';
import { DisposableStore } from '../../../platform/disposables';
import type { ExternalChanges, ExternalSelection, ShownOutcome } from '../externalChanges';
import { contextKeys } from '../ids';
import { type UndoneChange, undoneMessage } from './core/message';

const { t } = vscode.l10n;

/** A message about more changes would be too long to edit. */
const maxChanges = 200;

/** Undone changes with the URI of their file, as they were before they were undone. */
export type UndoneBefore = ReadonlyMap<string, readonly UndoneChange[]>;

/**
 * What the user has undone, for a message to the agent: a draft that the user edits, copies or puts into a terminal. Once
 * it went anywhere, the changes in it are not told again.
 */
export class UndoneNotes implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #resources = new DisposableStore();
  readonly #hasUndone = new ContextKey<boolean>(contextKeys.hasUndoneChanges);
  #undone: UndoneChange[] = [];
  #draft: vscode.TextDocument | undefined;
  /** How many changes the draft tells of. */
  #told = 0;

  constructor(changes: ExternalChanges) {
    this.#changes = changes;
    this.#resources.add(
      vscode.workspace.onDidCloseTextDocument(document => {
        if (document === this.#draft) this.#draft = undefined;
      }),
    );
  }

  /** What would be undone. Call before it is. */
  async before(selected: readonly ExternalSelection[]): Promise<UndoneBefore> {
    const before = new Map<string, readonly UndoneChange[]>();
    for (const { file, changes: ids } of selected) {
      const { pending, id, label } = file;
      const shown = await this.#changes.changes(file);
      before.set(
        id,
        shown
          ? shown.changes
              .filter(change => ids?.includes(change.id) ?? true)
              .map(({ start, lines, baseLines }) => ({
                path: label,
                line: start + 1,
                undone: lines,
                restored: baseLines,
              }))
          : [
              {
                path: label,
                whole: pending.status === 'changed' ? 'replaced' : pending.status,
                ...(pending.from !== undefined && { from: pending.from }),
              },
            ],
      );
    }
    return before;
  }

  /** Remembers what was undone. */
  note(before: UndoneBefore, decided: readonly ShownOutcome[]): void {
    for (const { uri, outcome } of decided) {
      if (outcome === 'done') this.#undone.push(...(before.get(uri.toString()) ?? []));
    }
    this.#undone = this.#undone.slice(-maxChanges);
    this.#hasUndone.set(this.#undone.length > 0);
  }

  /** Opens the draft, and asks where it goes. */
  async open(): Promise<void> {
    if (this.#undone.length === 0)
      throw new UserError(t('There is nothing undone that an agent was not told of.'));
    if (!this.#draft || this.#told !== this.#undone.length) {
      this.#draft = await vscode.workspace.openTextDocument({
        language: 'markdown',
        content: `${undoneMessage(this.#undone)}\n`,
      });
      this.#told = this.#undone.length;
    }
    const draft = this.#draft;
    await vscode.window.showTextDocument(draft, { preview: false });
    const [copy, terminal] = [t('Copy'), t('Paste into Terminal')];
    const picked = await vscode.window.showInformationMessage(
      t(
        'Add your reasons, then hand the message over. Nothing is sent: you press Enter where the agent runs.',
      ),
      copy,
      terminal,
    );
    if (picked === undefined || draft.isClosed) return;
    await vscode.env.clipboard.writeText(draft.getText().trimEnd());
    if (picked === terminal) await paste();
    else vscode.window.setStatusBarMessage(t('$(check) The message is in the clipboard.'), 6000);
    this.#undone = this.#undone.slice(this.#told);
    this.#hasUndone.set(this.#undone.length > 0);
  }

  dispose(): void {
    this.#resources.dispose();
  }
}

/** The terminal's own paste: it tells the program that lines belong together, and asks where a shell would run each. */
async function paste(): Promise<void> {
  const terminal = vscode.window.activeTerminal;
  if (!terminal) {
    throw new UserError(
      t('No terminal is open. The message is in the clipboard: paste it where the agent runs.'),
    );
  }
  terminal.show();
  await vscode.commands.executeCommand('workbench.action.terminal.paste');
}
