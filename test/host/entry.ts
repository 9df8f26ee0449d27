// The one mocha entry of the tests in VS Code, for @vscode/test-electron and for our own host.
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import { format } from 'node:util';
import Mocha from 'mocha';
import { driver } from './driver';
import { print } from './print';

const root = path.resolve(import.meta.dirname, '../..');
const env = process.env;

/** VS Code owns Error.prepareStackTrace, so Node maps no stacks there: map them when printed. */
function toTypeScript(text: string): string {
  return text.replace(
    /(?:file:\/\/)?([^\s()]+\.js):(\d+):(\d+)/g,
    (all, file: string, line: string, column: string) => {
      const origin = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!origin || !('originalSource' in origin)) return all;
      const source = path.relative(root, origin.originalSource.replace(/^file:\/\//, ''));
      return `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
    },
  );
}

async function runMocha(): Promise<Mocha.Stats> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    color: env['HOST_TEST_COLOR'] === '1',
    forbidOnly: true,
    ...(env['MOCHA_GREP'] ? { grep: env['MOCHA_GREP'] } : {}),
  });
  mocha.rootHooks({
    /** VS Code reads a .code-workspace late in a slow window. */
    async beforeAll() {
      while (env['HOST_TEST_FOLDER'] && !vscode.workspace.workspaceFolders?.length)
        await new Promise(resolve => setTimeout(resolve, 50));
    },
    async afterEach(this: Mocha.Context) {
      const test = this.currentTest;
      if (test?.state !== 'failed' || !driver.available) return;
      const file = await driver.screenshot(test.fullTitle()).catch(String);
      print(`      picture: ${path.relative(root, file)}`);
    },
  });
  const wanted = new RegExp(
    env['HOST_TEST_FILES'] ?? '^(?!reload-|canary-|empty-)[^/]*\\.test\\.js$',
  );
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  for (const name of names.sort())
    if (wanted.test(name.replaceAll('\\', '/')))
      mocha.addFile(path.join(import.meta.dirname, name));
  await mocha.loadFilesAsync();
  return new Promise(resolve => {
    const runner = mocha.run(() => {
      if (runner.stats) resolve(runner.stats);
    });
    const failed = env['FAILED_TESTS'];
    if (failed)
      runner.on('fail', (test, error: Error | undefined) =>
        appendFileSync(failed, `${test.fullTitle()}: ${error?.message}\n`),
      );
  });
}

export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  // Where reporters write.
  Object.assign(Mocha.reporters.Base, {
    consoleLog: (...values: unknown[]) => print(toTypeScript(format(...values))),
  });
  const { passes, failures } = await runMocha();
  // VS Code reports a host that dies in the middle as success; this record tells them apart.
  if (env['HOST_TEST_RESULT'])
    writeFileSync(env['HOST_TEST_RESULT'], JSON.stringify({ done: true, passes, failures }));
  if (failures > 0) throw new Error(`${failures} failed`);
  if (passes === 0) throw new Error('no test ran');
}
