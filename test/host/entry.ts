// The one mocha entry of the tests in VS Code, for @vscode/test-electron and for our own host.
import { readdirSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { FileSpec } from '../support/runner/report/reporter.mjs';
import { runFile, writeDone } from '../support/runner/report/results.mjs';
import { driver } from './driver';
import { print } from './print';
import { rememberWindow } from './resetWindow';
import { restoreStubs, watchMessages } from './support';

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

function createMocha(): Mocha {
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: FileSpec,
    // ms. It only ends what hangs: a busy machine must not fail a test.
    timeout: 180_000,
    color: env['HOST_TEST_COLOR'] === '1',
    forbidOnly: true,
    ...(env['MOCHA_GREP'] ? { grep: env['MOCHA_GREP'] } : {}),
  });
  mocha.cleanReferencesAfterRun(false); // it runs once for each file
  mocha.rootHooks({
    beforeEach: watchMessages,
    async afterEach(this: Mocha.Context) {
      restoreStubs();
      const test = this.currentTest;
      if (test?.state !== 'failed' || !driver.available) return;
      const file = await driver.screenshot(test.fullTitle()).catch(String);
      print(`      picture: ${path.relative(root, file)}`);
    },
  });
  return mocha;
}

/** Built files of this folder by name. */
function wantedFiles(): string[] {
  const wanted = new RegExp(
    env['HOST_TEST_FILES'] ?? '^(?!reload-|canary-|empty-|alone-|virtual-)[^/]*\\.test\\.js$',
  );
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => wanted.test(name))
    .sort();
}

/** The wanted files in the order in which they run: where several windows share them, each is handed out once. */
async function* givenFiles(wanted: readonly string[]): AsyncGenerator<string> {
  if (!driver.available) {
    yield* wanted;
    return;
  }
  for (let name = await driver.nextFile(); name !== null; name = await driver.nextFile())
    yield name;
}

/** VS Code reads a .code-workspace late in a slow window. */
async function folderIsOpen(): Promise<void> {
  while (env['HOST_TEST_FOLDER'] && !vscode.workspace.workspaceFolders?.length)
    await new Promise(resolve => setTimeout(resolve, 50));
}

export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  // Where reporters write.
  Object.assign(Mocha.reporters.Base, {
    consoleLog: (...values: unknown[]) => print(toTypeScript(format(...values))),
  });
  await folderIsOpen();
  const record = env['HOST_TEST_RESULT'];
  // Not where what a file leaves is looked at after a reload.
  const reset = env['HOST_TEST_RESET'] === '1' ? rememberWindow() : undefined;
  const wanted = wantedFiles();
  const mocha = createMocha();
  // All at once: some watch what the extension makes when it starts.
  for (const name of wanted) mocha.addFile(path.join(import.meta.dirname, name));
  await mocha.loadFilesAsync();
  const { suites } = mocha.suite;
  let failures = 0;
  for await (const name of givenFiles(wanted)) {
    const file = path.join(import.meta.dirname, name);
    mocha.suite.suites = suites.filter(suite => suite.file === file);
    failures += await runFile({ mocha, name, record });
    await reset?.();
  }
  // VS Code reports a host that dies in the middle as success; this tells them apart.
  writeDone(record);
  if (failures > 0) throw new Error(`${failures} failed`);
}
