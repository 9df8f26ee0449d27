import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { type LedgerEntry, ledgerLine, monthOf } from '../../src/service/billing/ledger';
import { type StandIn, startStandIn } from '../service/standIn';
import { launchWorkbench, lookInThemes, pictureFailures, type Workbench } from './workbench';

/** In the page. */
declare const window: { postMessage(message: unknown): void };
declare const innerWidth: number;
declare function requestAnimationFrame(callback: (time: number) => void): void;

let workbench: Workbench;
let standIn: StandIn;
const page = (): Page => workbench.page;

/** A webview is a frame in a frame. */
const costs = (): FrameLocator =>
  page().frameLocator('iframe.webview').frameLocator('#active-frame');

const now = new Date();
const thisMonth = monthOf(now.getTime());
const lastMonth = new Date(now.getFullYear(), now.getMonth() - 1, 15);
/** Noon of a day of this month. */
const at = (day: number): number => new Date(now.getFullYear(), now.getMonth(), day, 12).getTime();

const call = (entry: Partial<LedgerEntry>): LedgerEntry => ({
  at: at(1),
  operation: 'chat',
  ms: 800,
  attempts: 1,
  result: 'ok',
  ...entry,
});
const entries: LedgerEntry[] = [
  ...Array.from({ length: 42 }, () =>
    call({
      at: at(2),
      model: 'svc-qwen35-397b',
      promptTokens: 61_204,
      cachedTokens: 40_110,
      completionTokens: 3480,
      usd: 0.0347,
      isExact: true,
      purpose: 'chat',
      chat: 'a1',
      workspace: 'shop',
    }),
  ),
  ...Array.from({ length: 310 }, () =>
    call({
      at: at(2),
      operation: 'predict',
      model: 'jailbreak',
      events: 1,
      usd: 0.001,
      purpose: 'reflex',
    }),
  ),
  ...Array.from({ length: 9 }, () =>
    call({
      at: at(2),
      operation: 'apply',
      model: 'auto',
      promptTokens: 5120,
      completionTokens: 4900,
      noPrice: 'notPublished',
    }),
  ),
  call({
    at: at(1),
    model: 'svc-glm52-744b',
    promptTokens: 900_000,
    completionTokens: 220_000,
    usd: 1.892,
    isExact: true,
  }),
  call({
    at: at(1),
    model: 'svc-glm52-744b',
    promptTokens: 2000,
    completionTokens: 512,
    usd: 0.0043,
    isExact: false,
    result: 'connection',
  }),
  call({ at: at(1), operation: 'routePrompt', events: 1, usd: 0.005 }),
  call({ at: at(1), operation: 'compact', model: 'svc-compactor', result: 'timeout' }),
];

const twoDollars = call({
  at: lastMonth.getTime(),
  model: 'svc-kimik3',
  usd: 2,
  isExact: true,
});

const userData = (): string => path.join(path.dirname(workbench.ws), 'data/data/User');

/** Writes a month as another window would. */
async function seed(month: string, list: readonly LedgerEntry[]): Promise<void> {
  const folder = path.join(userData(), 'globalStorage/splice-code.splice');
  mkdirSync(folder, { recursive: true });
  await writeFile(path.join(folder, `costs-${month}.jsonl`), list.map(ledgerLine).join(''));
}

describe('costs and the connection report in the window', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey: 'sk-ui-costs-0001' });
    workbench = await launchWorkbench({
      settings: {
        'splice.service.baseUrl': standIn.url,
        'splice.costs.monthlyBudgetUsd': 4,
        'splice.costs.showInStatusBar': true,
      },
      files: { '.vscode/settings.json': '{}' },
    });
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('explains itself while there are no calls', async () => {
    await workbench.runCommand('Splice: Show Costs');
    await costs().locator('h2', { hasText: 'No calls in' }).waitFor();
    await workbench.screenshot('costs-empty');
    await workbench.runCommand('View: Close All Editors');
  });

  it('shows a table by day in every kind of theme', async () => {
    await seed(thisMonth, entries);
    await seed(monthOf(lastMonth.getTime()), [twoDollars]);
    await workbench.runCommand('Splice: Show Costs');
    await costs().locator('table').waitFor();
    assert.equal(await costs().locator('tbody').count(), 2);
    assert.equal(await costs().locator('tfoot .number').nth(4).innerText(), '$3.6687');
    assert.match(
      await costs().locator('.budget').innerText(),
      /\$3\.67 of the budget of \$4 \(91%\)/,
    );
    await lookInThemes(workbench, 'costs', {
      show: mark =>
        costs()
          .locator(
            `body.vscode-${mark.startsWith('hc') ? 'high-contrast' : mark === 'vs' ? 'light' : 'dark'}`,
          )
          .waitFor(),
    });
  });

  it('is used with the keyboard alone, and keeps the focus when the month changes', async () => {
    const select = costs().locator('#month');
    await select.focus();
    await page().keyboard.press('ArrowDown');
    await costs().locator('table', { hasText: 'svc-kimik3' }).waitFor();
    assert.equal(await costs().locator(':focus').getAttribute('id'), 'month');
    assert.match((await costs().locator('#status').textContent()) ?? '', /\$2, 1 call$/);
    assert.equal(await costs().locator('.budget').count(), 0);
    const order: (string | null)[] = [];
    for (let n = 0; n < 3; n++) {
      await page().keyboard.press('Tab');
      order.push(await costs().locator(':focus').getAttribute('id'));
    }
    assert.deepEqual(order, ['by', 'export', 'budget']);
    await page().keyboard.press('Tab');
    assert.equal(await costs().locator('.scroll:focus').count(), 1);
    // A new call changes the table under the reader.
    await costs()
      .locator('main')
      .evaluate(main => {
        const html = main.innerHTML.replaceAll('$2.0000', '$5.0000');
        const month = '2026-10';
        const months = [{ value: month, label: 'October' }];
        window.postMessage({ kind: 'content', html, month, months, status: 'changed' });
      });
    await costs().locator('tfoot', { hasText: '$5.0000' }).waitFor();
    assert.equal(await costs().locator('.scroll:focus').count(), 1);
  });

  it('groups by purpose, and hides no column in a small window or at 200 %', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Splice: Show Costs');
    await costs().locator('#by').selectOption('purpose');
    await costs().locator('tbody th', { hasText: 'Reflex' }).waitFor();
    assert.match(
      (await costs().locator('.chart svg').getAttribute('aria-label')) ?? '',
      /the highest are \$1\.\d+ on /,
    );
    // 800 × 600 at 200 %.
    for (const [width, height] of [
      [800, 600],
      [400, 300],
    ] as const) {
      await page().setViewportSize({ width, height });
      await costs().locator('tfoot td').last().scrollIntoViewIfNeeded();
      await workbench.screenshot(`costs-${width}`);
      // The frame of the page gets its new size a moment after the window.
      const overflow = await costs()
        .locator('.scroll')
        .evaluate(
          async (table, widest) =>
            new Promise<number>(resolve => {
              const look = (): void => {
                if (innerWidth > widest) requestAnimationFrame(look);
                else resolve(table.scrollWidth - table.clientWidth);
              };
              look();
            }),
          width,
        );
      assert.ok(overflow <= 0, `${width}: the table is ${overflow} pixels wider than the page`);
    }
    await page().setViewportSize({ width: 1280, height: 800 });
  });

  it('shows the costs of today in the status bar', async () => {
    const item = page().locator('.statusbar-item', { hasText: '$0.00 today' });
    assert.match(
      (await item.locator('a').getAttribute('aria-label')) ?? '',
      /This month: \$3\.67 of \$4/,
    );
    await workbench.runCommand('View: Close All Editors');
    await item.click();
    await page().locator('.tab.active', { hasText: 'Splice Costs' }).waitFor();
    await workbench.screenshot('costs-status');
  });

  it('diagnoses the connection into a document that can be copied', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Splice: Diagnose Connection');
    const toast = await workbench.notification(/First cause: API key/);
    await page().locator('.tab.active', { hasText: 'Splice Connection.md' }).waitFor();
    await workbench.screenshot('connection-report');
    await toast.getByRole('button', { name: 'Copy Report' }).click();
    await page().locator('.statusbar-item', { hasText: 'report was copied' }).waitFor();
    const copied = await page().evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, /^# Splice connection report\n/);
    assert.ok(!copied.includes(workbench.ws));
  });
});
