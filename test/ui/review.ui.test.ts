import assert from 'node:assert/strict';
import {
  drawn,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  until,
  type Workbench,
} from './workbench';

/** In the page. */
declare function getComputedStyle(element: unknown, pseudo: string): { content: string };

const patch = `\`\`\`diff
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
`;

let workbench: Workbench;
const page = () => workbench.page;
const breadcrumb = async () =>
  (await page().locator('.editor-group-container.active .monaco-breadcrumb-item').allInnerTexts())
    .map(text => text.replaceAll('\n', ''))
    .join(' › ');

/** The badges on the tabs, by the file's name. */
const tabBadges = async () =>
  page()
    .locator('.tab .monaco-icon-label')
    .evaluateAll(labels =>
      labels.flatMap(label => {
        const { content } = getComputedStyle(label, '::after');
        return /^"[^"]+"$/.test(content) ? [`${label.textContent} ${content.slice(1, -1)}`] : [];
      }),
    );

describe('the review of a file', () => {
  before(async () => {
    workbench = await launchWorkbench({ files: { '.vscode/settings.json': '{}' } });
  });
  pictureFailures(() => workbench);
  after(async () => workbench.dispose());

  it('says what it is in its tab, breadcrumb and tooltip, and marks the file itself', async () => {
    await workbench.openFile('src/cart.ts');
    await workbench.setClipboard(patch);
    await workbench.runCommand('Splice: Apply Clipboard Edit');
    const tab = page().locator('.tab.active', { hasText: 'cart.ts (review)' });
    await tab.waitFor();
    await until('the breadcrumb', async () =>
      (await breadcrumb()).startsWith('TypeScript review › src › cart.ts (review)'),
    );
    await until('the badge on the file', async () => (await tabBadges()).includes('cart.ts 2'));
    await lookInThemes(workbench, 'review-names');
    await tab.hover();
    const tooltip = page().locator('.monaco-hover', { hasText: 'src/cart.ts (review)' });
    await tooltip.waitFor();
    await drawn();
    await workbench.screenshot('review-names-tooltip');
    assert.doesNotMatch(await tooltip.innerText(), /[0-9a-f]{8}/);
    await page().mouse.move(900, 885);
    await page().keyboard.press('Alt+N');
    await until('the badge counts down', async () => (await tabBadges()).includes('cart.ts 1'));
    await workbench.rejectReviews();
    await until('no badge', async () => (await tabBadges()).length === 0);
  });
});
