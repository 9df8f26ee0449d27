import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { MarkedProcess } from '../support/markedProcess';
// Not bundled: this path is right from test/ui and from out/ui.
import { pictures, visitWindow } from '../../test/support/window.mjs';
import { until } from './workbench';

const data = mkdtempSync(path.join(tmpdir(), 'splice-start-'));
const start = (...options: string[]) =>
  new MarkedProcess(process.execPath, ['test/support/start.mjs', `--data=${data}`, ...options]);
const picture = async (page: Page, name: string) =>
  page.screenshot({ path: path.join(pictures, `start-${name}.png`) });

describe('npm start', () => {
  let script: MarkedProcess;
  let url: string;
  before(async () => {
    script = start();
    await script.until(() => script.output.includes('Ctrl+C stops it') || script.hasEnded);
    url = /^Open (\S+)/m.exec(script.output)?.[1] ?? assert.fail(script.output);
  });
  after(async () => {
    script.kill('SIGKILL');
    await script.until(() => script.running().length === 0);
    rmSync(data, { recursive: true, force: true });
  });

  it('says what it does and how long each step took', () => {
    for (const line of [
      /^Building .* \d+\.\d s$/m,
      /^Packaging .* s$/m,
      /^Starting VS Code .* s$/m,
    ])
      assert.match(script.output, line);
  });

  it('opens the README of the sample, with TypeScript and git at work and no notification', async () => {
    const { page, dispose } = await visitWindow(url);
    try {
      await page.locator('.tab.active', { hasText: 'Preview' }).waitFor();
      await picture(page, 'readme');
      const row = (text: string) =>
        page.locator('.explorer-folders-view .monaco-list-row', { hasText: text });
      await row('src').click();
      await row('cart.ts').dblclick();
      await page.locator('.view-line', { hasText: 'freeShippingFrom' }).first().waitFor();
      // The type of a constant is known only to the language server.
      const token = page.locator('.view-line span[class^="mtk"]', { hasText: 'freeShippingFrom' });
      const hover = page.locator('.monaco-hover', { hasText: 'const freeShippingFrom: 5000' });
      await until('the hover of TypeScript', async () => {
        await page.locator('.tab.active').hover();
        await token.first().hover();
        return hover.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
      });
      await picture(page, 'typescript');
      await page.keyboard.press('Control+Shift+G');
      await page.locator('.scm-view', { hasText: 'A small shop' }).waitFor();
      await picture(page, 'git');
      assert.deepEqual(await page.locator('.notification-toast').allInnerTexts(), []);
    } finally {
      await dispose();
    }
  });

  it('says where it runs when it is started again, and starts nothing', async () => {
    const second = start();
    await second.until(() => second.running().length === 0);
    assert.match(second.output, /running already/);
    assert.ok(second.output.includes(url), second.output);
    assert.equal(second.exitCode, 0);
    assert.ok((await fetch(url)).ok);
  });

  it('leaves no process, port or lock behind when its terminal is closed', async () => {
    script.kill('SIGHUP');
    await script.until(() => script.running().length === 0);
    await assert.rejects(fetch(url));
    const checked = start('--check');
    await checked.until(() => checked.running().length === 0);
    assert.equal(checked.exitCode, 0, checked.output);
  });
});

describe('a run of the window tests', () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const)
    it(`leaves no process after ${signal}`, async () => {
      const script = new MarkedProcess(process.execPath, ['test/support/runHost.mjs', 'default']);
      const runs = (text: string) => script.running().some(line => line.includes(text));
      await script.until(() => (runs('extensionHost') && runs('chromium')) || script.hasEnded);
      assert.ok(script.running().length > 5, script.output);
      script.kill(signal);
      await script.until(() => script.running().length === 0);
    });
});
