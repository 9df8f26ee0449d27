// Every command of the palette in a window without a folder.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { walk } from './paletteWalk';
import { closeAll } from './support';

describe('the commands of the palette in a window without a folder', function () {
  this.timeout(300_000);
  afterEach(closeAll);

  it('do their work or name the next step', async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    await walk('no folder', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });
});
