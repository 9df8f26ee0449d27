import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
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

const readme = readFileSync('test/fixtures/sample/README.md', 'utf8');

/** The clipboard of the README's section: what is inside its outer fence. */
function snippet(section: number): string {
  const body = readme.split(/^## \d\. .*$/m)[section] ?? '';
  return /^(`{3,4})\w+\n(?<code>[^]*?\n)\1$/m.exec(body)?.groups?.['code'] ?? assert.fail();
}

/** In the page. */
declare function getComputedStyle(
  element: unknown,
  pseudo?: string,
): { content: string; backgroundColor: string };

/** An edit, a new file, a deleted and a renamed one, and a part without a place. */
const wholeAnswer = `Here is the whole change.

### src/cart.ts

\`\`\`diff
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -18,3 +18,3 @@

-const shippingFee = 490;
+const shippingFee = 590;
 const freeShippingFrom = 5000;
\`\`\`

### src/voucher.ts (new)

\`\`\`ts
export const voucher = 5;
\`\`\`

\`\`\`diff
diff --git a/src/inventory.py b/src/inventory.py
deleted file mode 100644
diff --git a/README.md b/SHOP.md
similarity index 100%
rename from README.md
rename to SHOP.md
\`\`\`

### src/nowhere.ts

\`\`\`ts
// ... existing code ...
export const nowhere = 1;
// ... existing code ...
\`\`\`
`;

let workbench: Workbench;
const page = () => workbench.page;

const group = () => page().locator('.editor-group-container.active');
const activeTab = () => group().locator('.tab.active');
const tab = (text: string) => page().locator('.tab', { hasText: text });
const lens = (text: string | RegExp) => page().locator('.codelens-decoration a', { hasText: text });
/** The Accept of each change; the header says Accept All. */
const accepts = () => lens(/Accept$/);
const status = (text: string) => page().locator('.statusbar-item', { hasText: text });

/** The rows on the screen, from top to bottom, without VS Code's no-break spaces. */
async function shownText(): Promise<string> {
  const rows = await group()
    .locator('.editor-instance .view-line')
    .evaluateAll(lines =>
      lines
        .map(line => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
        .toSorted((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
  return rows.join('\n').replaceAll('\u00a0', ' ');
}

const untilShown = (text: string) =>
  until(`shows ${JSON.stringify(text)}`, async () => (await shownText()).includes(text));
const untilGone = (locator: Locator) => locator.first().waitFor({ state: 'detached' });
const onDisk = (name: string) => readFile(path.join(workbench.ws, name), 'utf8');
const original = (name: string) => readFileSync(path.join('test/fixtures/sample', name), 'utf8');

/** Puts the text on the clipboard and runs the command on the file. */
async function apply(text: string, file?: string): Promise<void> {
  await workbench.setClipboard(text);
  if (file !== undefined) await workbench.openFile(file);
  await workbench.runCommand('Splice: Apply Clipboard Edit');
}

const toReview = (count: number) => status(`Splice: ${count} to review`).waitFor();

/** The same once two looks agree: lenses that come late move the rows. */
async function settledText(): Promise<string> {
  let last = await shownText();
  await until('the rows stay where they are', async () => {
    await drawn();
    const before = last;
    last = await shownText();
    return last === before;
  });
  return last;
}

/** Whether Accept All Files lies within the editor on the screen, and not only in the page. */
async function summaryInSight(): Promise<boolean> {
  const editor = await group().locator('.editor-instance').first().boundingBox();
  const boxes = await Promise.all(
    (await lens('Accept All 2 Files').all()).map(async shown => shown.boundingBox()),
  );
  return boxes.some(
    box =>
      box !== null &&
      editor !== null &&
      box.y >= editor.y &&
      box.y + box.height <= editor.y + editor.height,
  );
}

/** Cursor row of the editor, from the status bar. */
async function cursorLine(): Promise<number> {
  const text = await status('Ln ').innerText();
  return Number(/Ln (\d+)/.exec(text)?.[1]);
}

/** How many colours lie behind the rows on the screen. */
const coloured = () =>
  group()
    .locator('.editor-instance .view-overlays .cdr[class*="ced-"]')
    .evaluateAll(parts => new Set(parts.map(part => getComputedStyle(part).backgroundColor)).size);

/** What the preview draws before each row on the screen: line numbers and sign. */
const gutter = () =>
  group()
    .locator('.editor-instance .view-line')
    .evaluateAll(lines =>
      lines
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map(line =>
          [...line.querySelectorAll('span')]
            .map(span => getComputedStyle(span, '::before').content)
            .filter(content => content !== 'none' && content !== 'normal')
            .map(content => content.slice(1, -1).replaceAll('\u00a0', ' '))
            .join('|'),
        ),
    );

const lineNumbers = () => group().locator('.editor-instance .line-numbers').count();

async function revert(): Promise<void> {
  await workbench.runCommand('File: Revert File');
  await untilGone(page().locator('.tab.active.dirty'));
  // What was accepted and is reverted waits to be reviewed again.
  await status('to review').waitFor();
}

describe('applying the clipboard in the window', () => {
  before(async () => {
    workbench = await launchWorkbench({ files: { '.vscode/settings.json': '{}' } });
    await workbench.openFile('src/cart.ts');
    await workbench.rejectReviews();
  });
  after(() => workbench?.dispose());
  pictureFailures(() => workbench);

  it('shows the edit of a method, and one Shift+Alt+Y and one Ctrl+Z take it in and out', async () => {
    await apply(snippet(1), 'src/cart.ts');
    await accepts().first().waitFor();
    await toReview(1);
    await untilShown('line.quantity += quantity;');
    await untilShown('Math.min(wanted, maxQuantity)');
    await until('has red and green rows', async () => (await coloured()) >= 2);
    await until('has its own line numbers', async () =>
      (await gutter()).some(text => text === ' 37     −'),
    );
    assert.ok((await gutter()).includes('     37 +'), (await gutter()).join('\n'));
    assert.equal(await lineNumbers(), 0);
    await page().mouse.move(900, 885);
    await workbench.screenshot('apply-1-review');
    assert.match((await activeTab().textContent()) ?? '', /cart\.ts/);
    assert.equal(await page().locator('.tab.dirty').count(), 0);
    assert.equal(await onDisk('src/cart.ts'), original('src/cart.ts'));

    await page().keyboard.press('Shift+Alt+Y');
    await untilGone(status('to review'));
    await page().locator('.tab.active.dirty', { hasText: 'cart.ts' }).waitFor();
    await untilShown('Math.min(wanted, maxQuantity)');
    assert.doesNotMatch(await shownText(), /line\.quantity \+= quantity/);
    assert.equal(await page().locator('.tab').count(), 1);
    await workbench.screenshot('apply-2-accepted');

    await page().keyboard.press('Control+Z');
    await untilShown('line.quantity += quantity;');
    await untilGone(page().locator('.tab.dirty'));
    assert.doesNotMatch(await shownText(), /wanted/);
    await workbench.screenshot('apply-3-undone');
    await workbench.rejectReviews();
  });

  it('takes decisions by mouse and by key', async () => {
    await apply(snippet(2), 'src/inventory.py');
    await accepts().first().waitFor();
    await untilShown('import logging');
    await toReview(4);
    await page().mouse.move(900, 885);
    await workbench.screenshot('decide-1-review');
    assert.match(await lens('Accept All').first().innerText(), /Accept All/);

    const first = await cursorLine();
    await page().keyboard.press('F7');
    await until('F7 goes down', async () => (await cursorLine()) > first);
    await page().keyboard.press('Shift+F7');
    await until('Shift+F7 goes back', async () => (await cursorLine()) === first);

    await accepts().nth(1).click();
    await toReview(3);
    await page().locator('.tab.dirty', { hasText: 'inventory.py' }).waitFor();
    await page().mouse.move(900, 885);
    await workbench.screenshot('decide-2-clicked');

    await page().keyboard.press('Alt+N');
    await toReview(2);
    await until('lenses follow', async () => (await accepts().count()) === 2);
    await workbench.screenshot('decide-3-rejected');
    await page().keyboard.press('Control+Z');
    await toReview(3);
    await until('undo shows the change again', async () =>
      (await shownText()).includes('log.warning'),
    );
    await workbench.screenshot('decide-4-undone');
    await page().keyboard.press('Alt+Y');
    await toReview(2);
    await workbench.screenshot('decide-5-two-left');
    await page().keyboard.press('Shift+Alt+Y');
    await untilGone(status('to review'));
    await page().locator('.tab.active.dirty', { hasText: 'inventory.py' }).waitFor();
    await workbench.screenshot('decide-6-done');
    assert.equal(await onDisk('src/inventory.py'), original('src/inventory.py'));
    await revert();
    await workbench.rejectReviews();
  });

  it('reviews an answer with two files, from one to the other by their list', async () => {
    await apply(snippet(3));
    await tab('cart.ts (review)').waitFor();
    await accepts().first().waitFor();
    await workbench.screenshot('two-files-1');
    await until('the summary where the review opens', summaryInSight);
    await page().keyboard.press('Control+Home');
    await until('the first line', async () => (await cursorLine()) === 1);
    await until('the summary above the first line', summaryInSight);
    await page().mouse.move(900, 885);
    await workbench.screenshot('two-files-2-header');
    await workbench.runCommand('View: Show Splice');
    await showViews(page(), 'Reviews');
    const listed = page().locator('.sidebar .monaco-list-row');
    await listed.filter({ hasText: 'styles.css' }).first().waitFor();
    await listed
      .filter({ hasText: /Line \d+/ })
      .first()
      .hover();
    await workbench.screenshot('two-files-3-listed');
    await listed.filter({ hasText: 'styles.css' }).first().click();
    await page().locator('.tab.active', { hasText: 'styles.css (review)' }).waitFor();
    await workbench.runCommand('Splice: Accept All Changes in All Files');
    await untilGone(status('to review'));
    await page().locator('.sidebar .welcome-view-content').first().waitFor();
    await workbench.screenshot('two-files-5-none-left');
    await workbench.runCommand('View: Show Explorer');
    await until(
      'both files are dirty',
      async () => (await page().locator('.tab.dirty').count()) === 2,
    );
    await workbench.screenshot('two-files-4-accepted');
    await workbench.runCommand('File: Save All');
    await untilGone(page().locator('.tab.dirty'));
    const cart = await onDisk('src/cart.ts');
    const styles = await onDisk('web/styles.css');
    assert.match(cart, /`Items: \$\{count\}`/);
    assert.ok(cart.startsWith(original('src/cart.ts').slice(0, 2000)));
    assert.match(styles, /\.cart-count \{/);
    await writeFile(path.join(workbench.ws, 'src/cart.ts'), original('src/cart.ts'));
    await writeFile(path.join(workbench.ws, 'web/styles.css'), original('web/styles.css'));
    await workbench.rejectReviews();
  });

  it('shows the native inline diff', async () => {
    await apply(snippet(1), 'src/cart.ts');
    await accepts().first().waitFor();
    await workbench.runCommand('Splice: Open Diff');
    const diff = page().locator('.monaco-diff-editor');
    await diff.locator('.line-insert').first().waitFor();
    await page().mouse.move(900, 885);
    await until(
      'shows the removed rows',
      async () => (await diff.locator('.line-delete').count()) > 0,
    );
    await new Promise(resolve => setTimeout(resolve, 500));
    await workbench.screenshot('diff-inline');
    assert.doesNotMatch((await diff.getAttribute('class')) ?? '', /side-by-side/);
    assert.match((await activeTab().textContent()) ?? '', /cart\.ts/);
    assert.equal(await page().locator('.tab.dirty').count(), 0);
    await workbench.rejectReviews();
  });

  for (const [kind, text, message] of [
    ['an empty clipboard', '', 'The clipboard is empty.'],
    [
      'prose',
      'I would first move the check to the top, and then think about the names again.\n',
      'The clipboard holds text, but no code.',
    ],
  ] as const) {
    it(`says why it cannot apply ${kind}`, async () => {
      await apply(text, 'src/cart.ts');
      await workbench.notification(message);
      await workbench.screenshot(`rejected-${kind.replace(/\W/g, '-')}`);
      assert.equal(await page().locator('.tab').count(), 1);
      assert.equal(await page().locator('.tab.dirty').count(), 0);
      assert.equal(await onDisk('src/cart.ts'), original('src/cart.ts'));
      await workbench.runCommand('Notifications: Clear All Notifications');
    });
  }

  it('says that a review is read-only when somebody types in it', async () => {
    await apply(snippet(1), 'src/cart.ts');
    await accepts().first().waitFor();
    const before = await settledText();
    await page().keyboard.type('x');
    await page()
      .locator('.monaco-editor-overlaymessage', { hasText: 'This is a review.' })
      .waitFor();
    await workbench.screenshot('read-only');
    assert.equal(await settledText(), before);
    await page().keyboard.press('Escape');
    await workbench.rejectReviews();
  });

  it('offers itself as a code action on selected lines', async () => {
    await workbench.setClipboard(snippet(1));
    await workbench.openFile('src/cart.ts');
    await page().keyboard.press('Control+G');
    await page().keyboard.type('36');
    await page().keyboard.press('Enter');
    await until('the cursor is there', async () => (await cursorLine()) === 36);
    for (let rows = 0; rows < 7; rows++) await page().keyboard.press('Shift+ArrowDown');
    const action = await workbench.openLightbulb('Apply clipboard edit here');
    await workbench.screenshot('code-action');
    await action.click();
    await tab('cart.ts (review)').waitFor();
    await accepts().first().waitFor();
    await untilShown('Math.min(wanted, maxQuantity)');
    await workbench.rejectReviews();
  });

  it('reviews a whole answer file by file, and lists what has no place', async () => {
    await workbench.openFile('src/cart.ts');
    await workbench.runCommand('View: Show Splice');
    await showViews(page(), 'Reviews');
    await apply(wholeAnswer);
    const row = (text: string) =>
      page().locator('.sidebar .monaco-list-row', { hasText: text }).first();
    await row('Answer at').waitFor();
    await row('voucher.ts').waitFor();
    await row('Not applied: src/nowhere.ts').waitFor();
    await accepts().first().waitFor();
    await page().mouse.move(900, 885);
    await lookInThemes(workbench, 'answer-1-edit', { in: extremeThemes });
    await page().keyboard.press('Alt+Y');
    await activeTab().filter({ hasText: 'voucher.ts' }).waitFor();
    await lens('Create File').waitFor();
    await lookInThemes(workbench, 'answer-2-new', { in: extremeThemes });
    await page().keyboard.press('Alt+Y');
    await activeTab().filter({ hasText: 'inventory.py' }).waitFor();
    await lens('Delete File').waitFor();
    await workbench.screenshot('answer-3-deleted');
    await page().keyboard.press('Alt+N');
    await activeTab().filter({ hasText: 'README.md' }).waitFor();
    await lens('Rename File').waitFor();
    await workbench.screenshot('answer-4-renamed');
    await page().keyboard.press('Alt+N');
    await untilGone(status('to review'));
    assert.equal(await onDisk('src/voucher.ts'), 'export const voucher = 5;\n');
    assert.equal(await onDisk('src/inventory.py'), original('src/inventory.py'));
    await row('Not applied: src/nowhere.ts').click();
    await page()
      .locator('.quick-input-list .monaco-list-row', { hasText: 'Apply to a File…' })
      .waitFor();
    await workbench.screenshot('answer-5-not-applied');
    await page()
      .locator('.quick-input-list .monaco-list-row', { hasText: 'Remove from List' })
      .click();
    await untilGone(row('Not applied: src/nowhere.ts'));
    await workbench.runCommand('File: Save All');
    await untilGone(page().locator('.tab.dirty'));
    assert.match(await onDisk('src/cart.ts'), /shippingFee = 590/);
    await writeFile(path.join(workbench.ws, 'src/cart.ts'), original('src/cart.ts'));
    await rm(path.join(workbench.ws, 'src/voucher.ts'));
    await workbench.rejectReviews();
    await workbench.runCommand('View: Show Explorer');
  });

  it('is readable in dark, light and high contrast themes', async () => {
    await apply(snippet(1), 'src/cart.ts');
    await accepts().first().waitFor();
    await page().mouse.move(900, 885);
    await lookInThemes(workbench, 'theme', {
      reads: '.editor-instance .view-line',
      // The words of code on the changed words of a diff, both in the colours that VS Code gives them.
      least: mark => (mark.startsWith('hc') ? undefined : { text: 2.5, sign: 3 }),
    });
    await writeFile(path.join(workbench.ws, '.vscode/settings.json'), '{}');
    await workbench.rejectReviews();
  });

  it('says what to do in a window without a folder, by its key', async () => {
    await workbench.setClipboard('export function answer(): number {\n  return 42;\n}\n');
    const before = page().url();
    await page().goto(new URL('/?ew=true', before).href);
    await page().locator('.monaco-workbench .statusbar').waitFor();
    for (let tries = 0; tries < 10; tries++) {
      await page().keyboard.press('Control+K');
      await page().keyboard.press('Control+V');
      const toast = page().locator('.notification-toast', { hasText: 'Open the file' });
      if (
        await toast
          .first()
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          )
      )
        break;
    }
    const toast = await workbench.notification('Open the file that the edit is meant for');
    await toast.locator('.monaco-button', { hasText: 'Open Folder…' }).waitFor();
    await workbench.screenshot('empty-window');
    await page().goto(before);
    await page().locator('.monaco-workbench .statusbar').waitFor();
  });
});
