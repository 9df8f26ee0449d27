// Runs the tests that use a whole VS Code window with the packaged extension installed.
import path from 'node:path';
import { installOnce, makeVsix } from '../host/vsix.mjs';
import { isLonger } from '../longer/texts.mjs';
import { installHost } from '../runner/installHost.mjs';
import { root } from '../runner/layout.mjs';
import { runPool, testFilesIn } from '../runner/pool.mjs';
import { withSecondTry } from '../runner/report/secondTry.mjs';
import { printSummary } from '../runner/report/summary.mjs';
import { patience } from './window.mjs';

const built = path.join(root, 'out/ui');

/** These choose the language of their windows, open those of a script, or make the pictures of the README in English. */
const notLonger = ['languages', 'pseudoLocale', 'start', 'pictures'].map(
  name => `${name}.ui.test.js`,
);
const usualFiles = () => testFilesIn(built).filter(file => !(isLonger && notLonger.includes(file)));

const run = chosen =>
  runPool({
    stage: 'ui',
    folder: built,
    files: chosen,
    long: ['start.ui.test.js'],
    node: process.execPath,
    env: { MOCHA_TIMEOUT: String(5 * patience) },
  });

/** The VSIX must be made. @param files those of out/ui to run */
export async function runUi(files = usualFiles()) {
  await installOnce(await installHost());
  return withSecondTry(await run(files), run);
}

if (process.argv[1] === import.meta.filename) {
  await makeVsix();
  process.exitCode = printSummary([{ name: 'ui', ...(await runUi()) }]) ? 0 : 1;
}
