#!/usr/bin/env node
// Poses as a `code` executable, so that @vscode/test-electron runs tests in our own host:
//   VSCODE_EXE=test/support/codeExecutable.mjs npm test
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startBrowser } from './browser.mjs';
import { installHost } from './installHost.mjs';
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
const { passed, failed } = await launch(paths, browser, {
  name: 'code',
  pattern: process.env.HOST_TEST_FILES,
  extension: values.extensionDevelopmentPath,
  entry: values.extensionTestsPath,
  fixture: positionals[0],
});
await browser.close();
if (process.env.HOST_TEST_RESULT)
  writeFileSync(
    process.env.HOST_TEST_RESULT,
    JSON.stringify({ done: true, passes: passed, failures: failed }),
  );
process.exitCode = failed > 0 ? 1 : 0;
