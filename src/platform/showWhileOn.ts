import * as vscode from 'vscode';
import type { SettingId } from './commands/contribute';
import type { Host } from './host';

/**
 * Shows something while a setting is on, such as an item in the status bar; its code loads when it is first shown.
 *
 * @param isOn the value of the setting, as it counts.
 */
export function showWhileOn(
  host: Pick<Host, 'log'>,
  { setting, isOn }: { readonly setting: SettingId; readonly isOn: () => boolean },
  show: () => Promise<vscode.Disposable>,
): vscode.Disposable {
  let shown: Promise<vscode.Disposable | undefined> | undefined;
  const hide = (): void => {
    void shown?.then(item => item?.dispose());
    shown = undefined;
  };
  const update = (): void => {
    if (isOn() === (shown !== undefined)) return;
    if (shown) return hide();
    shown = show().catch((error: unknown) => {
      host.log.error(setting, error);
      return undefined;
    });
  };
  update();
  const listener = vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(setting)) update();
  });
  return vscode.Disposable.from(listener, { dispose: hide });
}
