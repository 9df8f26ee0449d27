#!/usr/bin/env node
// Poses as a `code` executable, so that @vscode/test-electron runs tests in our own host:
//   VSCODE_EXE=test/support/host/codeExecutable.mjs npm test
import { copyFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installHost } from '../runner/installHost.mjs';
import { startBrowser } from './browser.mjs';
import { launch } from './launch.mjs';

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
  },
});
const paths = await installHost();
const browser = await startBrowser(paths);
const [{ record, failed, missing }] = await launch(paths, browser, {
  name: 'code',
  pattern: process.env.HOST_TEST_FILES,
  extension: values.extensionDevelopmentPath,
  entry: values.extensionTestsPath,
  fixture: positionals[0],
});
await browser.close();
if (process.env.HOST_TEST_RESULT) copyFileSync(record, process.env.HOST_TEST_RESULT);
process.exitCode = failed.length + missing.length > 0 ? 1 : 0;
