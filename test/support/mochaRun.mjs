// Runs mocha over a folder of built tests: mochaRun.mjs <folder> <record file>
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import Mocha from 'mocha';

const [folder, record] = process.argv.slice(2);
// The same random inputs each time, so that a change breaks a test and not the dice. The tests import
// this very copy of fast-check.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20261121) });
const grep = process.env.MOCHA_GREP;
const mocha = new Mocha({
  ui: 'bdd',
  timeout: Number(process.env.MOCHA_TIMEOUT ?? 10_000),
  forbidOnly: true,
  color: process.stdout.isTTY,
  ...(grep ? { grep } : {}),
});
for (const name of readdirSync(folder, { recursive: true }).sort())
  if (name.endsWith('.test.js')) mocha.addFile(path.join(folder, name));
await mocha.loadFilesAsync();
const runner = mocha.run(failures => {
  const { passes } = runner.stats;
  writeFileSync(record, JSON.stringify({ passed: passes, failed: failures }));
  // A test that left something open must not keep the run from ending.
  process.exit(failures > 0 ? 1 : 0);
});
const { FAILED_TESTS } = process.env;
if (FAILED_TESTS)
  runner.on('fail', (test, error) =>
    appendFileSync(FAILED_TESTS, `${test.fullTitle()}: ${error?.message}\n`),
  );
