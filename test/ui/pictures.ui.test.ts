// The pictures of README.md that show Apply; `npm run pictures` puts them into media/.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeAnimation } from '../support/ui/animation.mjs';
import { drawn, launchWorkbench, pictureFailures, until, type Workbench } from './workbench';

/** In the page. */
declare const document: {
  body: { append(element: unknown): void };
  querySelector(selector: string): Caption | null;
  createElement(tag: string): Caption;
};
interface Caption {
  className: string;
  textContent: string | null;
  style: { cssText: string };
}

const answer = `Refuse what is no quantity, and keep within the limit:

\`\`\`ts
// src/cart.ts
export class Cart {
  // ... existing code ...

  add(product: Product, quantity = 1): void {
    if (quantity <= 0) {
      throw new Error(\`Not a quantity: \${quantity}\`);
    }
    const line = this.#lines.get(product.sku);
    const wanted = (line?.quantity ?? 0) + quantity;
    this.#lines.set(product.sku, { product, quantity: Math.min(wanted, maxQuantity) });
  }

  setQuantity(sku: string, quantity: number): void {
    const line = this.#lines.get(sku);
    if (!line) {
      throw new Error(\`Not in the cart: \${sku}\`);
    }
    if (quantity <= 0) {
      this.remove(sku);
    } else {
      line.quantity = Math.min(quantity, maxQuantity);
    }
  }

  // ... existing code ...
}
\`\`\`
`;

const maxBytes = 1_000_000;
const highest = 330; // of the first change, in pixels
const size = { width: 1100, height: 720 };

/** Where the mouse is over nothing that says something. */
const besideText = [1000, 400] as const;

let workbench: Workbench;
const page = () => workbench.page;
const status = (text: string) => page().locator('.statusbar-item', { hasText: text });
const reviewTab = () => page().locator('.tab.active', { hasText: 'cart.ts (review)' });
const accepts = () => page().locator('.codelens-decoration a', { hasText: /Accept$/ });

/** A line beside the text: what somebody does at that moment. */
async function caption(text: string): Promise<void> {
  await page().evaluate(shown => {
    let line = document.querySelector('.caption-of-picture');
    if (!line) {
      line = document.createElement('div');
      line.className = 'caption-of-picture';
      line.style.cssText =
        'position:fixed;right:48px;top:120px;padding:10px 22px;border-radius:8px;' +
        'background:#0078d4;color:#fff;font:600 20px sans-serif;z-index:100000;pointer-events:none';
      document.body.append(line);
    }
    line.textContent = shown;
  }, text);
}

/** Scrolls until the first change is in the upper half of the editor and all three are in sight. */
async function scrollToChanges(): Promise<void> {
  await accepts().first().waitFor();
  await page().mouse.move(700, 300);
  await until('the changes are in sight', async () => {
    const top = (await accepts().first().boundingBox())?.y ?? 0;
    const count = await accepts().count();
    if (top < highest && count === 3) return true;
    // A slow window may have scrolled past the first one.
    await page().mouse.wheel(0, top < highest ? -40 : 60);
    await drawn();
    return false;
  });
}

describe('the pictures of the README', () => {
  // A window for each: the status bar of another one would tell what was done before.
  beforeEach(async () => {
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}', 'answer.md': answer },
      settings: { 'window.title': 'shop', 'workbench.colorTheme': 'Default Dark Modern' },
    });
  });
  pictureFailures(() => workbench);
  afterEach(() => workbench?.dispose());

  it('show a review without anything that is not part of it', async () => {
    await workbench.openFile('src/cart.ts');
    await workbench.setClipboard(answer);
    await workbench.runCommand('Splice: Apply Clipboard Edit');
    await reviewTab().waitFor();
    await status('Splice: 3 to review').waitFor();
    await scrollToChanges();
    await page().mouse.move(...besideText);
    await drawn();
    assert.equal(await page().locator('.notification-toast').count(), 0);
    assert.equal(await page().locator('.codelens-decoration', { hasText: 'finding' }).count(), 0);
    await status('audit clean').waitFor();
    await workbench.screenshot('readme-review');
  });

  it('show in an animation how a snippet is pasted, reviewed and accepted', async () => {
    await page().setViewportSize(size);
    await workbench.runCommand('View: Close Primary Side Bar');
    const frames: { png: Buffer; showMs: number }[] = [];
    const frame = async (text: string, showMs: number): Promise<void> => {
      await caption(text);
      await page().mouse.move(...besideText);
      await drawn();
      const name = `readme-apply-${frames.length + 1}`;
      frames.push({ png: await readFile(await workbench.screenshot(name)), showMs });
    };

    await workbench.openFile('answer.md');
    await page().keyboard.press('Control+A');
    await status('Activating').waitFor({ state: 'detached' });
    await frame('Copy an answer from a chat', 1800);
    await page().keyboard.press('Control+C');
    await workbench.openFile('src/cart.ts');
    await frame('Ctrl+K Ctrl+V', 1400);
    await page().keyboard.press('Control+K');
    await page().keyboard.press('Control+V');
    await reviewTab().waitFor();
    await status('Splice: 3 to review').waitFor();
    await scrollToChanges();
    await frame('Review: nothing is written yet', 2600);
    await page().keyboard.press('Alt+Y');
    await status('Splice: 2 to review').waitFor();
    await until('the first one is decided', async () => (await accepts().count()) === 2);
    await frame('Alt+Y accepts a change', 2200);
    await page().keyboard.press('Alt+N');
    await status('Splice: 1 to review').waitFor();
    await until('the second one is decided', async () => (await accepts().count()) === 1);
    await frame('Alt+N rejects one', 2200);
    await page().keyboard.press('Shift+Alt+Y');
    await page().locator('.tab.active.dirty', { hasText: 'cart.ts' }).waitFor();
    await status('to review').waitFor({ state: 'detached' });
    await frame('Done: what you accepted is in the file', 2600);

    const animation = encodeAnimation(frames, 0);
    const file = path.join(
      path.dirname(await workbench.screenshot('readme-last')),
      'readme-apply.png',
    );
    writeFileSync(file, animation);
    assert.ok(animation.length < maxBytes, `${animation.length} bytes`);
  });
});
