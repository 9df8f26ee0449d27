// Two windows on one folder: one decides about the changes of other programs, the other shows them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import {
  drawn,
  launchWorkbench,
  pictureFailures,
  showViews,
  until,
  type Workbench,
} from './workbench';

const cart = readFileSync('test/fixtures/sample/src/cart.ts', 'utf8');
const changed = cart
  .replace('= 490;', '= 590;')
  .replace('return this.#lines.delete(sku);', 'return this.#lines.delete(sku.trim());');

let first: Workbench;
let second: Workbench;
const file = () => path.join(first.ws, 'src/cart.ts');
const onDisk = () => readFileSync(file(), 'utf8');
const rows = ({ page }: Workbench, text: string | RegExp): Locator =>
  page.locator('.pane-body .monaco-list-row', { hasText: text });

async function showReviews(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Splice: Focus on Reviews View');
  await showViews(workbench.page, 'Reviews');
}

describe('two windows on one folder', () => {
  before(async () => {
    first = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: {
        'splice.externalChanges.follow': true,
        'splice.externalChanges.ignore': ['.vscode/**'],
      },
    });
    await first.runCommand('Splice: Review External Changes from Now On');
    second = await first.openAgain();
  });
  pictureFailures(() => second);
  after(async () => first.dispose());

  it('both show what other programs change', async () => {
    // The second one is there once it refuses to decide.
    await second.runCommand('Splice: Review External Changes from Now On');
    await second.notification(
      /Do that in the other window of workspace, or close it: only one decides/,
    );
    await second.runCommand('Notifications: Clear All Notifications');
    writeFileSync(file(), changed);
    for (const workbench of [first, second]) {
      await showReviews(workbench);
      await rows(workbench, '2 changes').first().waitFor();
    }
  });

  it('the second one decides nothing, and says why and what to do', async () => {
    await second.runCommand('Splice: Keep External Changes in File');
    const refusal =
      /Decide in the other window of this folder, or close it.+ so nothing was done with src\/cart\.ts/;
    await second.notification(refusal);
    await drawn();
    await second.screenshot('external-other-window');
    await second.runCommand('Notifications: Clear All Notifications');
    await second.runCommand('Splice: Undo External Changes in File');
    await second.notification(refusal);
    await second.runCommand('Notifications: Clear All Notifications');
    assert.equal(onDisk(), changed);
    await rows(second, '2 changes').first().waitFor();
    await rows(first, '2 changes').first().waitFor();
  });

  it('the second one shows what the first one decides', async () => {
    await first.openFile('src/cart.ts');
    await first.runCommand('Splice: Go to Next External Change');
    await first.page.keyboard.press('Alt+y');
    await rows(first, '1 change').first().waitFor();
    await rows(second, '1 change').first().waitFor();
    assert.equal(onDisk(), changed);
  });

  it('the second one takes over when the first one is closed', async () => {
    await first.close();
    await until(
      'the second window keeps nothing of what was kept, and undoes the rest',
      async () => {
        await second.runCommand('Splice: Undo External Changes in File');
        await drawn();
        return onDisk() !== changed;
      },
    );
    assert.equal(onDisk(), changed.replace('sku.trim()', 'sku'));
    await rows(second, 'cart.ts').first().waitFor({ state: 'detached' });
    // It goes on with the decisions of the first one.
    await second.runCommand('Notifications: Clear All Notifications');
    await second.runCommand('Splice: Undo Last Keep or Undo');
    await until('the undo is undone', async () => onDisk() === changed);
  });
});
