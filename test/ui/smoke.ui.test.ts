import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { launchWorkbench, pictureFailures, type Workbench } from './workbench';

describe('the window of a user', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await launchWorkbench({ files: { 'hello.txt': 'hello\n' } });
  });
  after(() => workbench?.dispose());
  pictureFailures(() => workbench);

  it('opens a file and saves what is typed', async () => {
    await workbench.openFile('hello.txt');
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('world');
    await workbench.runCommand('File: Save');
    const saved = () => readFile(path.join(workbench.ws, 'hello.txt'), 'utf8');
    for (let tries = 0; tries < 50 && (await saved()) === 'hello\n'; tries++)
      await new Promise(resolve => setTimeout(resolve, 100));
    assert.equal(await saved(), 'hello\nworld');
  });

  it('lists the commands of Splice', async () => {
    const { page } = workbench;
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input[type=text]').fill('>Splice:');
    const rows = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Splice:' });
    await rows.first().waitFor();
    await workbench.screenshot('palette');
    await page.keyboard.press('Escape');
  });
});
