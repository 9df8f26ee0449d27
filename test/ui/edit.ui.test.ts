import assert from 'node:assert/strict';
import type { StandIn } from '../service/standIn';
import { launchWithKey, lookInThemes, pictureFailures, until, type Workbench } from './workbench';

const apiKey = 'sk-ui-edit-0123456789';
const fenced = (code: string) => `\`\`\`\n${code}\n\`\`\``;
const snippet = fenced(`// ... existing code ...
  remove(sku: string): boolean {
    this.#coupon = undefined;
    return this.#lines.delete(sku);
  }
// ... existing code ...`);
const styles = '.a {\n  colr: red;\n}\n\n.b {\n  widht: 1px;\n}\n';
const fixed = fenced(styles.replace('colr', 'color').replace('widht', 'width'));

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
const input = () => page().locator('.quick-input-widget .quick-input-box input');
const row = (text: string | RegExp) =>
  page().locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
const lens = (text: string | RegExp) => page().locator('.codelens-decoration', { hasText: text });
const action = (text: string | RegExp) =>
  page().locator('.action-widget .monaco-list-row', { hasText: text });
const status = (text: string) => page().locator('.statusbar-item', { hasText: text });

async function picture(name: string): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 600));
  await workbench.screenshot(`edit-${name}`);
}

async function goTo(place: string): Promise<void> {
  await page().keyboard.press('Control+G');
  await input().waitFor();
  await input().fill(`:${place}`);
  await page().keyboard.press('Enter');
  await input().waitFor({ state: 'hidden' });
}

/** The method `remove` of the sample. */
async function selectRemove(): Promise<void> {
  await workbench.openFile('src/cart.ts');
  await goTo('57');
  for (let line = 0; line < 3; line++) await page().keyboard.press('Shift+ArrowDown');
}

async function instruct(text: string): Promise<void> {
  await workbench.runCommand('Splice: Edit Selection with Instruction…');
  await input().waitFor();
  await until('the title', async () =>
    /Edit lines/.test(await page().locator('.quick-input-titlebar').innerText()),
  );
  await input().fill(text);
  await row(text).waitFor();
}

describe('edits by a model in the window', () => {
  before(async () => {
    const files = { 'web/broken.css': styles, '.vscode/settings.json': '{}' };
    ({ workbench, standIn } = await launchWithKey({ apiKey }, { files }));
    standIn.chat = () => ({ text: snippet });
    await workbench.openFile('src/cart.ts');
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('asks for an instruction and says which model writes', async () => {
    await selectRemove();
    await instruct('forget the coupon when a line goes');
    const widget = await page().locator('.quick-input-widget').innerText();
    assert.match(widget.replaceAll('\u00a0', ' '), /Edit lines 57 to 59 of src\/cart\.ts/);
    assert.match(widget.replaceAll('\u00a0', ' '), /svc-qwen35-397b writes the edit/);
    await picture('1-instruction');
    await page().keyboard.press('Escape');
  });

  it('chooses another model from the box, and comes back to what was typed', async () => {
    await selectRemove();
    await instruct('forget the coupon');
    await page().locator('.quick-input-titlebar .action-label[aria-label^="Choose Model"]').click();
    await row('svc-qwen35-397b').waitFor();
    await picture('2-models');
    await row('svc-glm53flash').click();
    await until('the input is back', async () =>
      /svc-glm53flash writes/.test(
        (await page().locator('.quick-input-widget').innerText()).replaceAll('\u00a0', ' '),
      ),
    );
    assert.equal(await input().inputValue(), 'forget the coupon');
    await picture('3-back');
    await page().keyboard.press('Escape');
  });

  it('shows how far the answer is, and can be canceled', async () => {
    standIn.chat = () => ({ text: fenced('const value = compute(1, 2, 3);\n'.repeat(800)) });
    standIn.pauseMs = 100;
    await selectRemove();
    await instruct('forget the coupon');
    await page().keyboard.press('Enter');
    const toast = await workbench.notification(/Editing src\/cart\.ts/);
    await until('progress', async () => /\d+ lines, /.test(await toast.innerText()));
    await picture('4-progress');
    await toast.hover();
    await toast.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await until('the socket is closed', async () => standIn.requests.some(({ isCut }) => isCut));
    await toast.waitFor({ state: 'detached' });
    standIn.pauseMs = 0;
    standIn.chat = () => ({ text: snippet });
  });

  it('shows the review with the model and its price, in every theme', async () => {
    await selectRemove();
    await instruct('forget the coupon');
    await page().keyboard.press('Enter');
    await status('by svc-').waitFor();
    assert.match(
      (await status('to review').innerText()).replaceAll('\u00a0', ' '),
      /by svc-\S+ in [\d.]+ m?s, (?:about )?(?:\$|less than)/,
    );
    await lookInThemes(workbench, 'edit-5-review', { show: () => page().mouse.move(900, 885) });
    await workbench.rejectReviews();
  });

  it('offers to fix a problem in the lightbulb menu, in every theme', async () => {
    standIn.chat = () => ({ text: fixed });
    await workbench.openFile('web/broken.css');
    await page().locator('.squiggly-warning, .squiggly-error').first().waitFor();
    await lookInThemes(workbench, 'edit-6-lightbulb', {
      show: async () => {
        await goTo('2:4');
        await workbench.openLightbulb(/^\s*Fix with Splice$/);
      },
      leave: async mark => {
        if (mark !== 'vs-dark') await page().keyboard.press('Escape');
      },
    });
    await action('Fix all problems in this file with Splice').click();
    await lens(/2\schanges\s.*\sby\ssvc-/).waitFor();
    await picture('7-fixed');
    await workbench.rejectReviews();
  });

  it('shows why a model changes nothing', async () => {
    standIn.chat = () => ({ text: 'CANNOT: the method knows no coupon.' });
    await selectRemove();
    await instruct('forget the coupon');
    await page().keyboard.press('Enter');
    const toast = await workbench.notification(/changed nothing in src\/cart\.ts/);
    await toast.hover();
    await picture('8-words');
    await toast.locator('.monaco-button', { hasText: 'Show Answer' }).click();
    await page()
      .locator('.tab.active', { hasText: /Untitled|CANNOT/ })
      .waitFor();
    await picture('9-answer');
  });
});
