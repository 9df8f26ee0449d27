import * as vscode from 'vscode';
import type { SettingId } from '../platform/commands/contribute';
import { settings } from '../platform/settings';

/** The names of the classifiers in the setting, for features that change them. */
export class ChosenReflexes {
  get names(): readonly string[] {
    return settings.reflexes;
  }

  /** @returns false when it was chosen already. */
  async add(name: string): Promise<boolean> {
    const { names } = this;
    if (names.includes(name)) return false;
    await settings.setReflexes([...names, name], settings.pinnedReflexes);
    return true;
  }

  async remove(name: string): Promise<void> {
    const without = (names: readonly string[]): string[] => names.filter(item => item !== name);
    if (this.names.includes(name)) {
      await settings.setReflexes(without(this.names), without(settings.pinnedReflexes));
    }
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('splice.reflex.reflexes' satisfies SettingId)) listener();
    });
  }
}
