import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { driver } from './driver';

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
    const picked = vscode.window.showQuickPick(['alpha', 'beta']);
    for (let tries = 0; tries < 50 && (await driver.count('.quick-input-list-row')) === 0; tries++)
      await new Promise(resolve => setTimeout(resolve, 50));
    await driver.type('bet');
    await driver.press('Enter');
    assert.equal(await picked, 'beta');
  });
});
