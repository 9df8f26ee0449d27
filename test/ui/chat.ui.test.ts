// The participant in the Chat view, with no other chat extension. It needs some model, even for commands that ask none.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  extremeThemes,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  showViews,
  sources,
  until,
  type Workbench,
} from './workbench';

let workbench: Workbench;
const page = () => workbench.page;
const input = () => page().locator('.interactive-input-part .monaco-editor').first();
/** The rows of the list, which holds only those in sight. */
const rows = () => page().locator('.interactive-list .monaco-list-row[data-index]');
const lastRow = async () =>
  rows().evaluateAll(all => Math.max(-1, ...all.map(row => Number(row.dataset.index))));
const lastAnswer = async () =>
  page().locator(`.interactive-list .monaco-list-row[data-index="${await lastRow()}"]`);
const quiet = () => new Promise(resolve => setTimeout(resolve, 800));

async function picture(name: string): Promise<void> {
  await quiet();
  await workbench.screenshot(`chat-${name}`);
}

/** The input begins with the participant of the last prompt. */
async function type(text: string): Promise<void> {
  await input().click();
  await page().keyboard.press('Control+A');
  await page().keyboard.press('Delete');
  await page().keyboard.type(text, { delay: 15 });
  await quiet();
  // A list of completions may be open.
  await page().keyboard.press('Escape');
  await page().keyboard.press('Enter');
}

/** Sends a prompt and waits for the end of its answer. */
async function ask(text: string): Promise<string> {
  const before = await lastRow();
  await type(text);
  await until('an answer', async () => (await lastRow()) >= before + 2);
  await until(
    'the end of the answer',
    async () => (await page().locator('.chat-response-loading').count()) === 0,
  );
  return (await (await lastAnswer()).innerText()).replaceAll('\u00a0', ' ');
}

async function press(title: string): Promise<void> {
  await (await lastAnswer()).locator('.monaco-button', { hasText: title }).click();
}

describe('@splice in the Chat view', () => {
  before(async () => {
    workbench = await launchWorkbench({
      files: sources(),
      extensions: ['chatModel'],
      settings: { 'splice.service.baseUrl': 'https://service.test' },
    });
  });
  after(async () => workbench?.dispose());
  pictureFailures(() => workbench);

  it('searches without a key, and shows the results in the view', async () => {
    await workbench.runCommand('Chat: Open Chat');
    await input().waitFor();
    await page().locator('.interactive-input-part', { hasText: 'Test Model' }).waitFor();
    const text = await ask('@splice /search where is the next retry planned after a rate limit');
    await picture('1-search');
    assert.match(text, /\d+ places in \d+ files, found locally/);
    assert.match(text, /retry\.ts/);
    await press('Show in Search View');
    await page().locator('.sidebar .message', { hasText: 'places in' }).waitFor();
    await showViews(page(), 'Search');
    await page().locator('.sidebar .monaco-list-row', { hasText: 'retry.ts' }).first().waitFor();
    await picture('2-in-the-view');
  });

  it('passes the first prompt of a workspace on without a question, and offers to open its code', async () => {
    const text = await ask('@splice add a limit of the quantity');
    assert.equal(await page().locator('.monaco-dialog-box').count(), 0);
    await lookInThemes(workbench, 'chat-3-passed-on', { in: extremeThemes });
    assert.match(text, /This adds a limit/);
    await page()
      .locator('.interactive-session-followups .monaco-button', { hasText: 'Open the code' })
      .first()
      .waitFor();
  });

  it('opens the code as reviews, and says what it could not open', async () => {
    const text = await ask('@splice /apply');
    await picture('4-apply');
    assert.match(text, /One review is open\. Nothing is written until you accept\./);
    assert.match(text, /cart\.ts.*\+1 −1 · merged locally/s);
    assert.match(text, /src\/gone\.ts: not opened\./);
    await page().locator('.tab', { hasText: 'cart.ts (review)' }).waitFor();
    assert.match(
      await readFile(path.join(workbench.ws, 'src/cart.ts'), 'utf8'),
      /maxQuantity = 99/,
    );
    await workbench.runCommand('View: Close All Editors');
    await press('Show Review of cart.ts');
    await page().locator('.tab.active', { hasText: 'cart.ts (review)' }).waitFor();
  });

  it('compacts its own turns, and opens the receipt', async () => {
    const text = await ask('@splice /compact 60% the limit');
    await picture('5-compact');
    assert.match(text, /→ .* tokens, −\d+%/);
    assert.match(text, /\d+ of \d+ lines are left, each as it was\. Compacted on this machine/);
    // Who said what stays to be seen, and what was said last stays whole.
    assert.match(text, /## User\n+\/apply/);
    await press('Open Receipt');
    await page().locator('.tab.active', { hasText: 'This conversation' }).waitFor();
    await picture('6-receipt');
  });

  it('is readable in a light theme and in high contrast', async () => {
    await lookInThemes(workbench, 'chat-7', {
      reads: '.interactive-list .rendered-markdown',
      // Elsewhere VS Code fades what scrolls below the prompt.
      least: mark => (mark.startsWith('hc') ? undefined : { text: 1, sign: 1 }),
    });
  });

  it('says what it can do when nothing is asked, and what it needs', async () => {
    assert.match(await ask('@splice '), /\/apply opens the code blocks/);
    await picture('8-help');
    assert.match(await ask('@splice /route write a poem'), /No API key/);
    await picture('9-no-key');
  });

  it('stops when it is told to', async () => {
    await type('@splice wait forever');
    const stop = page().locator('.interactive-input-part .codicon-stop-circle').first();
    await stop.waitFor();
    await stop.click();
    await stop.waitFor({ state: 'detached' });
  });
});
