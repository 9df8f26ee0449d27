import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type LedgerEntry, ledgerLine, monthOf } from '../../src/service/billing/ledger';
import { listen } from '../service/listen';
import { type StandIn, startStandIn } from '../service/standIn';
import {
  extremeThemes,
  hiddenInput,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  showViews,
  until,
  type Workbench,
} from './workbench';

const apiKey = 'sk-ui-connection-0123456789';

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
const rows = () => page().locator('.sidebar .pane-body .monaco-list-row');
const row = (text: string | RegExp) => rows().filter({ hasText: text }).first();
const pane = (name: string) => page().locator(`.sidebar .pane-header[aria-label^="${name}"]`);

async function picture(name: string): Promise<void> {
  await page().mouse.move(1100, 885);
  await lookInThemes(workbench, `connection-${name}`, { in: extremeThemes });
}

/** VS Code draws three notifications within this time and leaves further ones to its list, in milliseconds. */
const burstMs = 800;

async function clear(): Promise<void> {
  await workbench.runCommand('Notifications: Clear All Notifications');
  await new Promise(resolve => setTimeout(resolve, burstMs));
}

async function setKey(key: string): Promise<void> {
  await workbench.runCommand('Splice: Set API Key…');
  const hidden = page().locator('.quick-input-widget input[type=password]');
  await hidden.waitFor();
  await hidden.fill(key);
  await page().keyboard.press('Enter');
}

async function setUrl(url: string): Promise<void> {
  await workbench.runCommand('Splice: Set Service URL…');
  // The list of commands has an input too, which this one takes the place of.
  await page().locator('.quick-input-title', { hasText: 'Service URL' }).waitFor();
  const input = page().locator('.quick-input-widget input[type=text]');
  await input.fill(url);
  await page().keyboard.press('Enter');
}

async function setKeyring(change: 'Lock' | 'Unlock'): Promise<void> {
  await workbench.runCommand(`Test: ${change} Keyring`);
  await page()
    .locator('.statusbar-item', { hasText: `Keyring ${change.toLowerCase()}ed` })
    .waitFor();
}

/** An address where nothing listens. */
async function closedUrl(): Promise<string> {
  const server = await listen(() => undefined);
  await server.close();
  return server.url;
}

describe('a service that cannot be used, in the window', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey });
    workbench = await launchWorkbench({
      files: { '.vscode/settings.json': '{}' },
      settings: {
        'splice.service.baseUrl': standIn.url,
        'splice.costs.monthlyBudgetUsd': 4,
        'splice.costs.stopAtBudget': true,
      },
      extensions: ['keyring'],
    });
    await page().locator('.activitybar .action-label[aria-label^="Splice"]').click();
    await pane('Connect').waitFor();
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('says what is pasted beside a key, before anything is sent', async () => {
    await workbench.runCommand('Splice: Set API Key…');
    const hidden = page().locator('.quick-input-widget input[type=password]');
    await hidden.waitFor();
    await hidden.fill('https://api.example.com/v1');
    await page()
      .locator('.quick-input-message', { hasText: 'This is an address, not an API key' })
      .waitFor();
    await workbench.screenshot('connection-pasted');
    await page().keyboard.press('Escape');
    assert.deepEqual(standIn.requests, []);
  });

  it('asks about a key that is refused, and every view offers the next steps', async () => {
    await setKey('sk-ui-wrong-0123456789');
    await showViews(page(), 'Endpoints', 'Batches', 'Fine-Tuning');
    const toast = await workbench.notification('refuses the API key that is stored');
    for (const name of ['Change API Key…', 'Remove It', 'Keep It'])
      await toast.getByRole('button', { name }).waitFor();
    await until(
      'the steps in three views',
      async () => (await rows().filter({ hasText: 'Change API Key…' }).count()) === 3,
    );
    assert.equal(await rows().filter({ hasText: 'Try Again' }).count(), 3);
    assert.equal(await rows().filter({ hasText: 'Diagnose Connection' }).count(), 3);
    await picture('wrong-key');
    await clear();
  });

  it('mends it from the row, with the keyboard alone', async () => {
    const change = row('Change API Key…');
    await workbench.runCommand('Splice: Focus on Endpoints View');
    await until('the row has the focus', async () => {
      await page().keyboard.press('Home');
      return /focused/.test((await change.getAttribute('class')) ?? '');
    });
    assert.match(
      (await change.getAttribute('aria-label')) ?? '',
      /^Change API Key…\. The service refused the API key\./,
    );
    await until('the input of the key', async () => {
      // A view that is drawn again meanwhile takes no key.
      if (await hiddenInput(page()).isVisible()) return true;
      await page().keyboard.press('Enter');
      return hiddenInput(page())
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
    });
    await workbench.typeApiKey(apiKey);
    await until('the endpoints', async () => (await row('Needs Attention').count()) === 1);
    assert.equal(await rows().filter({ hasText: 'Change API Key…' }).count(), 0);
  });

  it('tries an address that cannot be reached, and the views say so with the next steps', async () => {
    await setUrl(await closedUrl());
    const toast = await workbench.notification('nothing listens on this port');
    for (const name of ['Try Again', 'Diagnose Connection', 'Set Service URL…'])
      await toast.getByRole('button', { name }).first().waitFor();
    await clear();
    await setKey(apiKey);
    await workbench.notification('is stored, but it could not be tried');
    // One at a time: where the message is long, a small view has room for less than all of its rows.
    const account = ['Endpoints', 'Batches', 'Fine-Tuning'] as const;
    for (const name of account) {
      await showViews(page(), name);
      await page()
        .locator('.sidebar .pane', {
          has: page().locator(`.pane-header[aria-label^="${name}"]`),
        })
        .locator('.monaco-list-row', { hasText: 'Set Service URL…' })
        .waitFor();
    }
    await showViews(page(), ...account);
    await picture('unreachable');
    await clear();
  });

  it('reports a refused connection by its first cause', async () => {
    await workbench.runCommand('Splice: Diagnose Connection');
    const toast = await workbench.notification(
      /First cause: Connection\. .*refuses the connection/,
    );
    await toast.getByRole('button', { name: 'Set Service URL…' }).waitFor();
    await page().locator('.tab.active', { hasText: 'Splice Connection.md' }).waitFor();
    await page().locator('.view-lines', { hasText: 'NOT CHECKED' }).waitFor();
    await picture('report');
    await clear();
    await workbench.runCommand('View: Close All Editors');
  });

  it('names a keyring that is locked, and searches on without the key', async () => {
    await setUrl(standIn.url);
    await workbench.notification(`Requests now go to ${standIn.url}`);
    await clear();
    await setKey(apiKey);
    await workbench.notification('is stored and works');
    await clear();
    await setKeyring('Lock');
    await workbench.runCommand('Splice: Refresh Endpoints');
    const toast = await workbench.notification('The stored API key cannot be read');
    for (const name of ['Try Again', 'How to Unlock', 'Show Log'])
      await toast.getByRole('button', { name }).waitFor();
    await picture('keyring');
    await clear();
    await workbench.runCommand('Splice: Search Code…');
    await page().locator('.quick-input-widget input[type=text]').fill('where is the cart total');
    await page().keyboard.press('Enter');
    await workbench.notification('works with its local engines, as without a key');
    await until('local results', async () => (await row('Local search').count()) === 1);
    await workbench.screenshot('connection-keyring-local');
    await clear();
    await setKey('sk-ui-typed-while-locked');
    const store = await workbench.notification('The API key cannot be stored or removed');
    await setKeyring('Unlock');
    // What was typed is not lost.
    await store.getByRole('button', { name: 'Try Again' }).click();
    await workbench.notification('refuses the API key that is stored');
    await clear();
    await setKey(apiKey);
    await workbench.notification('is stored and works');
    await clear();
  });

  it('offers to change a budget that refuses a call', async () => {
    const now = Date.now();
    const spent: LedgerEntry = {
      at: now,
      operation: 'chat',
      model: 'svc-kimik3',
      usd: 5,
      ms: 1,
      attempts: 1,
      result: 'ok',
    };
    // As another window would write it.
    const folder = path.join(
      path.dirname(workbench.ws),
      'data/data/User/globalStorage/splice-code.splice',
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `costs-${monthOf(now)}.jsonl`), ledgerLine(spent));
    await workbench.openFile('src/cart.ts');
    await page().keyboard.press('Control+A');
    await workbench.runCommand('Splice: Classify Selection');
    const toast = await workbench.notification('The monthly budget of $4 is spent');
    await toast.getByRole('button', { name: 'Change Budget' }).waitFor();
    await picture('budget');
    await toast.getByRole('button', { name: 'Change Budget' }).click();
    await page().locator('.settings-editor', { hasText: 'Monthly Budget' }).waitFor();
    await workbench.screenshot('connection-budget-setting');
  });
});
