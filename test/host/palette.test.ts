// Every command of the palette in windows where something that it needs is missing.
import * as vscode from 'vscode';
import { settings } from '../../src/platform/settings';
import { startStandIn } from '../service/standIn';
import { walk } from './paletteWalk';
import { hideServiceViewsAfter } from './rowTree';
import { closeAll, forgetService, setSetting, stub, useService } from './support';

const apiKey = 'sk-palette-test-0123456789';

const closeEditors = async (): Promise<void> => {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
};

describe('the commands of the palette', function () {
  this.timeout(300_000);
  hideServiceViewsAfter();
  afterEach(async () => {
    await closeAll();
    await forgetService();
  });

  it('do their work or name the next step with no editor, no review and no key', async () => {
    await walk('no editor, no key', closeEditors);
  });

  it('do so when the service cannot be reached', async () => {
    const standIn = await startStandIn({ apiKey });
    await standIn.close();
    await useService(standIn.url, apiKey);
    await walk('offline', async () => {
      await closeEditors();
      // A command may have set another address; writing the same one takes VS Code as long as a new one.
      if (settings.baseUrl !== standIn.url) await setSetting('splice.service.baseUrl', standIn.url);
    });
  });

  it('do so in a workspace that is not trusted', async () => {
    const standIn = await startStandIn({ apiKey });
    await useService(standIn.url, apiKey);
    await walk('not trusted', async () => {
      await closeEditors();
      stub(vscode.workspace, 'isTrusted', false);
    });
    await standIn.close();
  });
});
