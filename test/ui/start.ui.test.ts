import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
// Not bundled: this path is right from test/ui and from out/ui.
import { pictures, visitWindow } from '../../test/support/ui/window.mjs';
import { MarkedProcess } from '../support/unit/markedProcess';
import { until } from './workbench';

const data = mkdtempSync(path.join(tmpdir(), 'splice-start-'));
/** Short: VS Code makes sockets below it, whose names have at most 107 bytes. */
const temporary = mkdtempSync(path.join(tmpdir(), 't'));
const startScript = 'scripts/start.mjs';
const marked = (...args: string[]) =>
  new MarkedProcess(process.execPath, args, { TMPDIR: temporary });
const start = (...options: string[]) => marked(startScript, `--data=${data}`, ...options);

/** Once it runs. */
async function addressOf(script: MarkedProcess): Promise<string> {
  await script.until(() => script.output.includes('Ctrl+C stops it') || script.hasEnded);
  return /^Open (\S+)/m.exec(script.output)?.[1] ?? assert.fail(script.output);
}

/** Neither a process nor a port nor a file where temporary ones go. */
async function leavesNothing(script: MarkedProcess, address?: string): Promise<void> {
  await script.until(() => script.running().length === 0);
  if (address !== undefined) await assert.rejects(fetch(address));
  assert.deepEqual(readdirSync(temporary), []);
}

const picture = async (page: Page, name: string) =>
  page.screenshot({ path: path.join(pictures, `start-${name}.png`) });

describe('npm start', () => {
  let script: MarkedProcess;
  let url: string;
  before(async () => {
    script = start();
    url = await addressOf(script);
  });
  after(async () => {
    script.kill('SIGKILL');
    await script.until(() => script.running().length === 0);
    for (const folder of [data, temporary]) rmSync(folder, { recursive: true, force: true });
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
    await second.end();
    assert.match(second.output, /running already/);
    assert.ok(second.output.includes(url), second.output);
    assert.equal(second.exitCode, 0);
    assert.ok((await fetch(url)).ok);
  });

  it('leaves nothing behind when its terminal is closed', async () => {
    script.kill('SIGHUP');
    await leavesNothing(script, url);
    const checked = start('--check');
    await checked.end();
    assert.equal(checked.exitCode, 0, checked.output);
    assert.deepEqual(readdirSync(temporary), []);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`packages nothing again, and leaves nothing behind after ${signal}`, async () => {
      script = start();
      const address = await addressOf(script);
      assert.doesNotMatch(script.output, /^(?:Packaging|Installing) /m);
      script.kill(signal);
      await leavesNothing(script, address);
    });

  it('leaves nothing behind when its parent is killed', async () => {
    const options = { stdio: 'inherit' };
    const arguments_ = JSON.stringify([startScript, `--data=${data}`]);
    script = marked(
      '-e',
      `require('node:child_process').spawn(process.execPath, ${arguments_}, ${JSON.stringify(options)}); setInterval(() => {}, 1000)`,
    );
    const address = await addressOf(script);
    script.kill('SIGKILL');
    await leavesNothing(script, address);
  });

  it('leaves nothing behind when it is killed, while it starts too', async () => {
    script = start('--check');
    await script.until(
      () => script.running().some(line => line.includes('server-main.js')) || script.hasEnded,
    );
    assert.ok(!script.hasEnded, script.output);
    script.kill('SIGKILL');
    await leavesNothing(script);
  });
});
