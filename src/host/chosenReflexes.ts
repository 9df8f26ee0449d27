import * as vscode from 'vscode';
import { ids } from '../manifest';
import { settings } from './settings';

/** Names of the classifiers that the user has chosen: those of the setting, for rooms that add to them. */
export class ChosenReflexes {
  get names(): readonly string[] {
    return settings.reflexes;
  }

  /** @returns false when it was there already. */
  async add(name: string): Promise<boolean> {
    const { names } = this;
    if (names.includes(name)) return false;
    await settings.setReflexes([...names, name], settings.pinnedReflexes);
    return true;
  }

  async remove(name: string): Promise<void> {
    const without = (names: readonly string[]): string[] => names.filter(item => item !== name);
    if (this.names.includes(name))
      await settings.setReflexes(without(this.names), without(settings.pinnedReflexes));
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(ids.setting.reflexes)) listener();
    });
  }
}
