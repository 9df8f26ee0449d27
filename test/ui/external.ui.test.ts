import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  drawn,
  extremeThemes,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  showViews,
  until,
  type Workbench,
} from './workbench';

const cart = readFileSync('test/fixtures/sample/src/cart.ts', 'utf8');
const changedCart = cart
  .replace('= 490;', '= 590;')
  .replace('return this.#lines.delete(sku);', 'return this.#lines.delete(sku.trim());')
  .replace(/\n$/, '\n\nexport const cartVersion = 2;\n');

/** In the page. */
declare function getComputedStyle(
  element: unknown,
  part?: string,
): { readonly borderTopStyle: string; readonly content: string };

let workbench: Workbench;
const page = () => workbench.page;
const onDisk = async (name: string) => readFile(path.join(workbench.ws, name), 'utf8');
const write = async (name: string, text: string) => writeFile(path.join(workbench.ws, name), text);
const row = (text: string | RegExp) =>
  page().locator('.pane-body .monaco-list-row', { hasText: text });
const lens = (text: string | RegExp) => page().locator('.codelens-decoration a', { hasText: text });

describe('the review of external changes', () => {
  before(async () => {
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: {
        'splice.externalChanges.follow': true,
        // Themes are changed there.
        'splice.externalChanges.ignore': ['.vscode/**'],
      },
    });
    // The first command waits until the folder is followed.
    await workbench.runCommand('Splice: Review External Changes from Now On');
  });
  pictureFailures(() => workbench);
  after(async () => workbench.dispose());

  it('offers itself once, when something was changed', async () => {
    await write('src/cart.ts', changedCart);
    await write('src/voucher.ts', 'export const voucher = 5;\nexport const minimum = 20;\n');
    await rm(path.join(workbench.ws, 'src/inventory.py'));
    const offer = await workbench.notification(/changed by another program/);
    await drawn();
    await lookInThemes(workbench, 'external-offer', { in: extremeThemes });
    await offer.getByRole('button', { name: 'Review', exact: true }).click();
    await page().locator('.tab', { hasText: 'External changes' }).waitFor();
    const line = page().locator('.multiDiffEntry .editor.modified .view-line', { hasText: '590' });
    await line.first().waitFor();
    await drawn();
    await lookInThemes(workbench, 'external-page', { in: extremeThemes });
    const marked = page().locator('.multiDiffEntry .editor.modified .line-insert');
    const before = await marked.count();
    await line.first().click();
    await page().keyboard.press('Alt+y');
    await page().locator('.multiDiffEntry .editor.original', { hasText: '590' }).first().waitFor();
    // A line that is kept is no difference any more.
    await until('the mark of the kept line is gone', async () => (await marked.count()) < before);
    await lookInThemes(workbench, 'external-page-kept', { in: extremeThemes });
    await workbench.runCommand('Splice: Undo Last Keep or Undo');
  });

  it('marks the changes in the editor of the file, and decides by key', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.openFile('src/cart.ts');
    await lens('Keep').first().waitFor();
    await workbench.runCommand('Splice: Focus on Reviews View');
    await showViews(page(), 'Reviews');
    await row('cart.ts').first().waitFor();
    await drawn();
    const marks = page().locator('.editor-instance .view-overlays .cdr');
    await lookInThemes(workbench, 'external-editor', {
      in: extremeThemes,
      show: async mark =>
        until(`a border in high contrast only, in ${mark}`, async () => {
          const hasBorder = await marks.evaluateAll(all =>
            all.some(each => getComputedStyle(each).borderTopStyle === 'dashed'),
          );
          return hasBorder === mark.startsWith('hc');
        }),
    });
    await workbench.openFile('src/cart.ts');
    await workbench.runCommand('Splice: Go to Next External Change');
    // The palette runs a command after it is closed, and a key may come before that.
    await page().locator('.statusbar-item', { hasText: 'Ln 20,' }).waitFor();
    await page().keyboard.press('Alt+y');
    await row('2 changes').first().waitFor();
    await workbench.runCommand('Splice: Go to Next External Change');
    await page().locator('.codelens-decoration', { hasText: '1/2' }).first().waitFor();
    await page().keyboard.press('Alt+n');
    await until('the second change is undone on disk', async () =>
      (await onDisk('src/cart.ts')).includes('return this.#lines.delete(sku);'),
    );
    await drawn();
    await workbench.screenshot('external-decided');
    const left = await onDisk('src/cart.ts');
    assert.ok(left.includes('= 590;'), 'a kept change stays');
    assert.ok(left.includes('cartVersion'), 'a pending change stays');
  });

  it('shows a file with unsaved text as a conflict', async () => {
    await workbench.openFile('src/cart.ts');
    await page().keyboard.press('Control+Home');
    await page().keyboard.type('// mine');
    await page().keyboard.press('Enter');
    const added = changedCart.replace('= 590;', '= 590;\nconst alsoAdded = 1;');
    await write('src/cart.ts', added.replace('cartVersion = 2', 'cartVersion = 3'));
    await row('unsaved text of yours').waitFor();
    const notes = page().locator('.editor-instance .view-line span[class*=ced-]');
    await until('lines that are on disk only are no removed lines', async () => {
      const texts = await notes.evaluateAll(all =>
        all.map(note => getComputedStyle(note, '::after').content),
      );
      return texts.some(text => text.includes('+ 1 line on disk only'));
    });
    await drawn();
    await workbench.screenshot('external-conflict');
    await workbench.runCommand('File: Revert File');
  });
});
