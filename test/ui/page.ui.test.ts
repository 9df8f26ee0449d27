import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  drawn,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  until,
  type Workbench,
} from './workbench';

/** Two edits of one file, a new file, a deleted and a renamed one. */
const wholeAnswer = `Here is the whole change.

### src/cart.ts

\`\`\`diff
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -18,3 +18,3 @@

-const shippingFee = 490;
+const shippingFee = 590;
 const freeShippingFrom = 5000;
@@ -57,3 +57,3 @@
   remove(sku: string): boolean {
-    return this.#lines.delete(sku);
+    return this.#lines.delete(sku.trim());
   }
\`\`\`

### src/voucher.ts (new)

\`\`\`ts
export const voucher = 5;
export const minimum = 20;
\`\`\`

\`\`\`diff
diff --git a/src/inventory.py b/src/inventory.py
deleted file mode 100644
diff --git a/README.md b/SHOP.md
similarity index 100%
rename from README.md
rename to SHOP.md
\`\`\`
`;

let workbench: Workbench;
const page = () => workbench.page;
const lens = (text: string | RegExp) => page().locator('.codelens-decoration a', { hasText: text });
const pageTab = () => page().locator('.tab', { hasText: 'Answer at' });
const onDisk = (name: string) => readFile(path.join(workbench.ws, name), 'utf8');

async function apply(): Promise<void> {
  await workbench.setClipboard(wholeAnswer);
  await workbench.runCommand('Splice: Apply Clipboard Edit');
  await lens('Accept').first().waitFor();
}

describe('the page of a change set', () => {
  before(async () => {
    workbench = await launchWorkbench({ files: { '.vscode/settings.json': '{}' } });
  });
  pictureFailures(() => workbench);
  after(async () => workbench.dispose());

  it('shows all files, and takes what is typed in place', async () => {
    const cart = readFileSync('test/fixtures/sample/src/cart.ts', 'utf8');
    await apply();
    await workbench.runCommand('Splice: Review All Changes on One Page');
    await pageTab().waitFor();
    await lens('Accept File').first().waitFor();
    await drawn();
    await lookInThemes(workbench, 'page');
    const line = page().locator('.multiDiffEntry .editor.modified .view-line', {
      hasText: '590',
    });
    await line.first().click();
    await page().keyboard.press('End');
    await page().keyboard.press('ArrowLeft');
    await page().keyboard.press('Backspace');
    await page().keyboard.type('5');
    await drawn();
    await workbench.screenshot('page-typed');
    await page().keyboard.press('Alt+y');
    await page().locator('.codelens-decoration', { hasText: '1/1' }).first().waitFor();
    await workbench.screenshot('page-accepted');
    await workbench.runCommand('Splice: Accept All Changes in All Files');
    await pageTab().waitFor({ state: 'detached' });
    await workbench.runCommand('File: Save All');
    await until('the typed text is on disk', async () =>
      (await onDisk('src/cart.ts')).includes('shippingFee = 595;'),
    );
    assert.equal(
      await onDisk('src/cart.ts'),
      cart
        .replace('= 490;', '= 595;')
        .replace('return this.#lines.delete(sku);', 'return this.#lines.delete(sku.trim());'),
    );
    assert.equal(
      await onDisk('src/voucher.ts'),
      'export const voucher = 5;\nexport const minimum = 20;\n',
    );
  });
});
