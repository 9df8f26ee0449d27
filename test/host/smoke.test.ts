import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { driver } from './driver';
import { waitFor } from './waitFor';

const rows = async () => driver.count('.quick-input-list .monaco-list-row');

describe('the extension in VS Code', () => {
  it('activates and registers every command it declares', async () => {
    const extension = vscode.extensions.getExtension('splice-code.splice');
    assert.ok(extension, 'the extension is not installed');
    await extension.activate();
    const manifest: { contributes?: { commands?: { command: string }[] } } = extension.packageJSON;
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = (manifest.contributes?.commands ?? [])
      .map(({ command }) => command)
      .filter(command => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('has a window that tests can see and use', async function () {
    if (!driver.available) this.skip();
    // The window is still starting: what takes the focus meanwhile must not close the list.
    const picked = vscode.window.showQuickPick(['alpha', 'beta'], { ignoreFocusOut: true });
    await waitFor(
      async () =>
        (await rows()) === 2 && (await driver.count('.quick-input-widget input:focus')) === 1,
      'the list is there, and has the focus',
    );
    await driver.type('bet');
    await waitFor(async () => (await rows()) === 1, 'the list shows what was typed for');
    await driver.press('Enter');
    assert.equal(await picked, 'beta');
  });
});
