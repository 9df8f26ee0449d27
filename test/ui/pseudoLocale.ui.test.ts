// The window in a language whose words are 40 % longer than those of English, and all of which have accents.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { type LedgerEntry, ledgerLine, monthOf } from '../../src/service/billing/ledger';
import { type StandIn, startStandIn } from '../service/standIn';
import { leftInEnglish, pseudoBundle, pseudoText } from '../support/pseudoLocale';
import { unreadable } from '../support/ui/readability.mjs';
import {
  drawn,
  hiddenInput,
  launchWorkbench,
  pictureFailures,
  until,
  type Workbench,
} from './workbench';

const apiKey = 'sk-ui-pseudo-0123456789';
/** Two letters: no language that Intl or VS Code knows. */
const language = 'xx';

function jsonOf(file: string): Record<string, string> {
  const texts: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  return texts;
}
const nls = jsonOf('package.nls.json');

/** A text of the manifest as the window shows it. */
const manifestText = (key: string): string => pseudoText(nls[key] ?? assert.fail(`no text ${key}`));
const command = (key: string): string => `Splice: ${manifestText(`command.${key}`)}`;

const edit = 'web/styles.css\n```css\n.cart {\n  color: red;\n}\n```\n';

/** VS Code's own words beside ours, which stay English without its language pack. */
const ofWorkbench = [
  'Tip: Use keyboard shortcut',
  "(Press 'Enter' to confirm or 'Escape' to cancel)",
  'Contains emphasized items',
  'Actions for',
];

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;

/** Texts, labels and tooltips of elements that are in sight. */
async function textsOf(found: Locator): Promise<string[]> {
  const texts = await found.evaluateAll(elements =>
    elements.flatMap(element => {
      const inside = [element, ...element.querySelectorAll('*')];
      const labels = inside.flatMap(one => [
        one.getAttribute('aria-label') ?? '',
        one.getAttribute('title') ?? '',
        one.getAttribute('placeholder') ?? '',
      ]);
      return [...('innerText' in element ? element.innerText : '').split('\n'), ...labels];
    }),
  );
  return texts.filter(text => text.trim() !== '');
}

/** Fails with what is English or cut off among what the selector finds in the page. */
async function look(
  name: string,
  selector: string,
  { data = [], isCut = true }: { data?: readonly string[]; isCut?: boolean } = {},
): Promise<void> {
  const found = page().locator(selector);
  await found.first().waitFor();
  await drawn();
  const picture = await readFile(await workbench.screenshot(`pseudo-${name}`));
  const texts = await textsOf(found);
  assert.ok(texts.length > 0, `${name}: nothing of ${selector}`);
  assert.deepEqual(leftInEnglish(texts, [...ofWorkbench, ...data]), [], name);
  if (!isCut) return;
  // Contrast is measured elsewhere.
  const faults = await unreadable(page(), picture, selector, { text: 0, sign: 0 });
  assert.deepEqual(faults, [], name);
}

const costs = (): FrameLocator =>
  page().frameLocator('iframe.webview').frameLocator('#active-frame');

/** Calls of this month with each kind of price. */
async function seedCosts(): Promise<void> {
  const now = Date.now();
  const calls: Partial<LedgerEntry>[] = [
    { operation: 'chat', model: 'svc-kimik3', usd: 1.25, isExact: true, purpose: 'chat' },
    { operation: 'predict', model: 'jailbreak', events: 40, usd: 0.004, purpose: 'reflex' },
    { operation: 'apply', model: 'auto', promptTokens: 5120, noPrice: 'notPublished' },
    { operation: 'compact', model: 'svc-compactor', result: 'timeout' },
  ];
  const entries = calls.map(call => ({
    at: now,
    operation: 'chat' as const,
    ms: 800,
    attempts: 1,
    result: 'ok' as const,
    ...call,
  }));
  const folder = path.join(
    path.dirname(workbench.ws),
    'data/data/User/globalStorage/splice-code.splice',
  );
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, `costs-${monthOf(now)}.jsonl`),
    entries.map(entry => ledgerLine(entry)).join(''),
  );
}

describe('the window in a pseudo-locale', () => {
  before(async () => {
    // The keys of a translation are the English texts.
    const english = Object.keys(jsonOf('l10n/bundle.l10n.de.json'));
    const bundles = {
      [`l10n/bundle.l10n.${language}.json`]: Object.fromEntries(english.map(key => [key, key])),
      [`package.nls.${language}.json`]: nls,
    };
    standIn = await startStandIn({ apiKey, seed: true });
    workbench = await launchWorkbench({
      language,
      extensionFiles: Object.fromEntries(
        Object.entries(bundles).map(([file, source]) => [file, pseudoBundle(source)]),
      ),
      files: { '.vscode/settings.json': '{}', 'web/styles.css': '.cart {\n  color: blue;\n}\n' },
      settings: { 'splice.externalChanges.follow': true },
    });
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('has the walkthrough', async () => {
    await workbench.runCommand(command('welcome.open'));
    const steps = page().locator('.getting-started-step');
    await steps.first().waitFor();
    for (const id of ['apply', 'search', 'compact', 'external', 'connect']) {
      await steps
        .filter({ hasText: manifestText(`walkthrough.start.${id}.title`) })
        .first()
        .click();
      await look(
        `walkthrough-${id}`,
        '.getting-started-step.expanded .step-container, .getting-started-step .step-title',
        {
          isCut: false,
        },
      );
      await look(`walkthrough-${id}`, '.getting-started-step.expanded .step-description-container');
    }
    await workbench.runCommand('View: Close All Editors');
  });

  it('has the views without reviews and without an account', async () => {
    await page().locator('.activitybar .action-label[aria-label^="Spl"]').click({ force: true });
    await look('views', '.sidebar .pane-header .title, .sidebar .welcome-view-content > *');
  });

  it('has a review, its lenses and its rows', async () => {
    await workbench.setClipboard(edit);
    await workbench.runCommand(command('apply.clipboard'));
    await look('lenses', '.codelens-decoration a', { data: [] });
    await look('status', '.statusbar-item[id^="splice-code"]');
    await look('rows', '.sidebar .pane-body .monaco-list-row', { isCut: false });
    await look('actions', '.editor-group-container.active .editor-actions [aria-label]', {
      isCut: false,
      data: ['Split Editor Right', 'More Actions', 'Editor actions'],
    });
  });

  it('connects to a service', async () => {
    await workbench.runCommand(command('service.connect'));
    const input = page().locator('.quick-input-widget input[type=text]');
    await input.waitFor();
    const widget =
      '.quick-input-widget .quick-input-title, .quick-input-widget .quick-input-message, .quick-input-widget input';
    await look('connect-address', widget);
    await input.fill(`${standIn.url}/v1/chat/completions`);
    await drawn();
    await look('connect-mistyped', widget);
    await page().keyboard.press('Enter');
    await hiddenInput(page()).waitFor();
    await look('connect-key', widget);
    await hiddenInput(page()).fill(apiKey);
    await page().keyboard.press('Enter');
    await look(
      'connected',
      '.notification-toast .notification-list-item-message, .notification-toast .monaco-button',
    );
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('lists endpoints', async () => {
    await until(
      'the endpoints',
      async () => (await page().locator('.sidebar .pane-header').count()) > 3,
    );
    const headers = page().locator('.sidebar .pane-header');
    const endpoints = headers.filter({ hasText: manifestText('view.endpoints') }).first();
    if ((await endpoints.getAttribute('aria-expanded')) !== 'true') await endpoints.click();
    await look('endpoints', '.sidebar .pane-body .monaco-list-row', {
      isCut: false,
      data: ['kimik3 fast', 'gemma4 31b'],
    });
  });

  it('has the page of the costs, whole in a small window', async () => {
    await seedCosts();
    await workbench.runCommand(command('costs.show'));
    await costs().locator('main table').first().waitFor();
    assert.ok((await costs().locator('tbody th').count()) > 1);
    await page().setViewportSize({ width: 800, height: 600 });
    await drawn();
    await workbench.screenshot('pseudo-costs');
    assert.deepEqual(leftInEnglish(await textsOf(costs().locator('body'))), []);
    // But for the heads, which are read out only where the table has become a list.
    const cut = await costs()
      .locator('body')
      .evaluate(body =>
        [body, ...body.querySelectorAll('*')]
          .filter(one => one.closest('thead, .hidden') === null)
          .filter(one => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
          .map(one => `${one.tagName} ${one.className} ${one.textContent}`),
      );
    assert.deepEqual(cut, []);
  });
});
