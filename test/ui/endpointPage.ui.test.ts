import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { callLine, type EndpointCall } from '../../src/service/billing/endpointCalls';
import { type StandIn, startStandIn } from '../service/standIn';
import { seededRandom } from '../support/unit/virtualTime';
import {
  drawn,
  launchWorkbench,
  pictureFailures,
  themes,
  until,
  type Workbench,
} from './workbench';

/** In the page. */
declare const innerWidth: number;
declare const document: { readonly documentElement: { readonly scrollWidth: number } };

const apiKey = 'sk-ui-endpoint-page-0123456789';
const hourMs = 3_600_000;

let workbench: Workbench;
let standIn: StandIn;
const page = (): Page => workbench.page;
const frame = (): FrameLocator =>
  page().frameLocator('iframe.webview').frameLocator('#active-frame');
const chats = () => standIn.requests.filter(({ path: to }) => to.includes('/chat/')).length;
const fact = (name: string) => frame().locator('dl div', { hasText: name }).locator('dd');

/** A day of calls, slower at noon, as other windows would have written them. */
function seed(id: string, count: number): void {
  const random = seededRandom(4);
  const calls = Array.from({ length: count }, (_, n): EndpointCall => {
    const at = Date.now() - Math.floor((22 * hourMs * (count - n)) / count);
    const busy = 1 + Math.exp(-(((n / count - 0.6) * 8) ** 2));
    const firstMs = Math.round(90 * busy * (0.7 + 0.9 * random()));
    const completionTokens = 100 + Math.floor(900 * random());
    return {
      at,
      firstMs,
      ms: firstMs + Math.round((1000 * completionTokens * busy) / (120 + 60 * random())),
      promptTokens: 20_000,
      cachedTokens: 12_000,
      completionTokens,
      isOk: random() > 0.02,
      isProbe: n % 40 === 39,
    };
  });
  const folder = path.join(
    path.dirname(workbench.ws),
    'data/data/User/globalStorage/splice-code.splice/endpoint-traffic',
  );
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(id).digest('hex').slice(0, 32);
  writeFileSync(path.join(folder, `${name}.jsonl`), calls.map(callLine).join(''));
}

/** The page of an endpoint is wide enough for itself. */
const overflow = async (width: number): Promise<number> => {
  await until(
    'the size',
    async () =>
      (await frame()
        .locator('body')
        .evaluate(() => innerWidth)) <= width,
  );
  return frame()
    .locator('body')
    .evaluate(() => document.documentElement.scrollWidth - innerWidth);
};

describe('the page of an endpoint in the window', () => {
  let id: string;
  before(async () => {
    standIn = await startStandIn({ apiKey, seed: false, pauseMs: 40 });
    workbench = await launchWorkbench({
      files: { 'notes.md': '# Notes\n', '.vscode/settings.json': '{}' },
      settings: { 'splice.service.baseUrl': standIn.url },
    });
    id = standIn.endpoints.create({ state: 'ready', ageMs: 30 * hourMs });
    await page().setViewportSize({ width: 1400, height: 900 });
    await workbench.runCommand('Splice: Set API Key…');
    await workbench.typeApiKey(apiKey);
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('explains itself while nothing is measured', async () => {
    await workbench.runCommand('Splice: Refresh Endpoints');
    await page().locator('.sidebar .monaco-list-row', { hasText: 'Ready' }).first().waitFor();
    await workbench.runCommand('Splice: Show Endpoint Page');
    await page().locator('.quick-input-list .monaco-list-row').first().waitFor();
    await page().keyboard.press('Enter');
    await frame().locator('.empty', { hasText: 'No call in this time' }).waitFor();
    assert.match(await fact('Price per hour').innerText(), /^not known$/);
    assert.match(await fact('Spent since').innerText(), /^not known; the cap is \$2,500$/);
    assert.match(await fact('In flight').or(fact('Requests in flight')).innerText(), /^0 of 4 /);
    await workbench.screenshot('endpoint-page-empty');
  });

  it('sends a test request only by its button, which names the price, and shows it at once', async () => {
    assert.equal(chats(), 0);
    const button = frame().locator('#probe');
    assert.match(await button.innerText(), /^Send Test Request \(at most \$0\.\d+\)$/);
    await button.focus();
    await page().keyboard.press('Enter');
    await workbench.notification(/answered in .* first token after/);
    await frame().locator('figcaption', { hasText: 'Latency: median' }).waitFor();
    assert.equal(chats(), 1);
    assert.equal(await frame().locator('.probe').count(), 3);
    assert.equal(await frame().locator(':focus').getAttribute('id'), 'probe');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('takes the price per hour of the plan, and compares', async () => {
    seed(id, 600);
    await frame().locator('#price').click();
    await page().locator('.quick-input-widget input').fill('abc');
    await page().locator('.quick-input-message', { hasText: 'Enter an amount' }).waitFor();
    await page().locator('.quick-input-widget input').fill('32.5');
    await page().keyboard.press('Enter');
    await frame().locator('p', { hasText: 'the endpoint has cost' }).waitFor();
    assert.equal(await fact('Price per hour').innerText(), '$32.50');
    assert.match(
      await fact('Spent since').innerText(),
      /^\$97\d\.\d+ of the cap of \$2,500 \(3\d%\)$/,
    );
    assert.match(
      await frame().locator('p', { hasText: 'The break-even is at' }).innerText(),
      /at [\d.]+[kM] tokens per hour of the same mix; yours are [\d.]+[kM]\.$/,
    );
  });

  it('is whole and readable in a dark and a high contrast theme, in two sizes', async () => {
    for (const [theme, mark] of themes.filter(([, is]) => is === 'vs-dark' || is === 'hc-black')) {
      await workbench.useTheme(theme, mark);
      for (const [width, height] of [
        [1400, 900],
        [800, 600],
      ] as const) {
        await page().setViewportSize({ width, height });
        assert.ok((await overflow(width)) <= 0);
        await drawn();
        await workbench.screenshot(`endpoint-page-${mark}-${width}`);
        await frame().locator('#figures').scrollIntoViewIfNeeded();
        await workbench.screenshot(`endpoint-page-${mark}-${width}-charts`);
        await frame().locator('h1').scrollIntoViewIfNeeded();
      }
    }
    await workbench.useTheme('Default Dark Modern', 'vs-dark');
    await page().setViewportSize({ width: 1400, height: 900 });
  });

  it('has the figures of its charts as a table, which stays open', async () => {
    const summary = frame().locator('#figures summary');
    await summary.focus();
    await page().keyboard.press('Enter');
    const rows = frame().locator('#figures tbody tr');
    const count = await rows.count();
    assert.ok(count >= 30, `${count}`);
    // A mark for each row that has a latency, which is each but those whose calls have all failed.
    const figure = frame().locator('figure').first();
    assert.ok((await figure.locator('g').count()) >= count - 2);
    await summary.focus();
    await frame().locator('#hours').selectOption('1');
    await until('fewer rows', async () => (await rows.count()) < count);
    assert.equal(await frame().locator('#figures[open]').count(), 1);
    assert.equal(await frame().locator('#figures summary:focus').count(), 1, 'keeps the focus');
    await frame().locator('.scroll').focus();
    await frame().locator('#hours').selectOption('24');
    await until('all rows', async () => (await rows.count()) === count);
    assert.equal(await frame().locator('.scroll:focus').count(), 1, 'keeps the focus');
    await frame().locator('#hours').selectOption('1');
    await until('fewer rows', async () => (await rows.count()) < count);
    await workbench.screenshot('endpoint-page-table');
    await frame().locator('#hours').selectOption('24');
  });

  it('says who has canceled it, and until when it serves', async () => {
    standIn.endpoints.cancel(id, standIn.clock.now() + 20 * hourMs);
    await workbench.runCommand('Splice: Refresh Endpoints');
    await workbench.notification(/was canceled by someone in your account\. It serves until/);
    await until('who canceled', async () =>
      (await fact('Canceled by').innerText()).startsWith('someone in your account, '),
    );
    assert.match(await fact('Serves until').innerText(), /\(in (?:19|20) h\)$/);
    await workbench.screenshot('endpoint-page-canceled');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('leads to the chat, with the endpoint as its model and under the same name', async () => {
    const name = await frame().locator('h1').innerText();
    assert.match(name, / #0001$/);
    await frame().locator('#chat').click();
    const setUp = page().locator('.monaco-dialog-box .monaco-button', { hasText: 'Set Up Chat' });
    const picked = page().locator(`.interactive-session [aria-label*="${name}"]`);
    await setUp.or(picked).first().waitFor();
    if (await setUp.isVisible()) await setUp.click();
    await picked.first().waitFor();
    await workbench.screenshot('endpoint-page-chat');
  });
});
