// npm run unit: builds and runs the tests that need no VS Code.
//   npm run unit -- apply/clipboard     only files of test/unit whose path contains this
//   npm run unit -- --watch [path]      again whenever a source changes
//   npm run unit -- --seed=random       with other random inputs; --seed=N has those of an earlier run
//   npm run unit -- --seed=random --runs=N   N times, each with inputs of its own: for the night
//   npm run unit -- --grep=TEXT         only tests whose name contains it
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installDependencies } from './dependencies.mjs';
import { installHost } from './installHost.mjs';
import { root } from './layout.mjs';
import { runPool, testFilesIn } from './pool.mjs';
import { printSummary } from './report/summary.mjs';

const sources = path.join(root, 'test/unit');
const built = path.join(root, 'out/unit');

/** The same random inputs each time, so that a change breaks a test and not the dice. */
const usualSeed = 20261121;

/** undici 8 runs on Node 22.19 and newer; VS Code itself has 24. */
export async function nodeForUndici() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19)
    ? process.execPath
    : (await installHost()).node;
}

/** The seed of the random inputs, from the option or the environment; `random` is a new one. */
function seedOf(text = process.env.FAST_CHECK_SEED ?? String(usualSeed)) {
  const seed = text === 'random' ? Math.floor(Math.random() * 0x7fffffff) : Number(text);
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number or "random"');
  if (seed !== usualSeed) console.log(`\nRandom inputs of --seed=${seed}`);
  return seed;
}

const runBuilt = async (files, { live = false, seed } = {}) =>
  runPool({
    stage: 'unit',
    folder: built,
    files,
    node: await nodeForUndici(),
    // ms. It only ends what hangs: a busy machine must not fail a test.
    // A debugger sets it to 0, so that a test may wait at a breakpoint.
    env: {
      MOCHA_TIMEOUT: process.env.MOCHA_TIMEOUT ?? '120000',
      FAST_CHECK_SEED: String(seedOf(seed)),
    },
    live,
  });

/** Runs all that is built. */
export const runUnit = () => runBuilt(testFilesIn(built));

/** Paths below test/unit that contain the given one, which may begin at the root of the project. */
function chosenFiles(text) {
  const wanted = text.replaceAll('\\', '/').replace(/^(\.\/)?test\/unit\//, '');
  const all = readdirSync(sources, { recursive: true })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.test.ts'));
  const absolute = path.relative(sources, path.resolve(text)).replaceAll('\\', '/');
  const exact = all.filter(name => [`${wanted}.test.ts`, wanted, absolute].includes(name));
  return exact.length > 0 ? exact : all.filter(name => name.includes(wanted));
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      watch: { type: 'boolean' },
      seed: { type: 'string' },
      runs: { type: 'string' },
      grep: { type: 'string' },
    },
  });
  const { watch, grep, seed } = values;
  if (grep) process.env.MOCHA_GREP = grep;
  const runs = Number(values.runs ?? 1);
  if (!(runs >= 1)) throw new Error('--runs must be a number, 1 or more');
  await installDependencies();
  const names = [...new Set((positionals.length > 0 ? positionals : ['']).flatMap(chosenFiles))];
  if (names.length === 0)
    throw new Error(`no file of test/unit has ${positionals.join(' or ')} in its path`);
  const files = names.map(name => name.replace(/ts$/, 'js'));
  const run = async () => {
    const outcomes = [];
    for (let round = 0; round < runs; round++) {
      const outcome = await runBuilt(files, { live: files.length === 1, seed });
      outcomes.push({ name: 'unit', ...outcome });
    }
    return printSummary(outcomes);
  };

  // Imported late: nothing is installed when this file starts.
  const { buildUnit, watchUnit } = await import('../../../esbuild.mjs');
  const entryPoints = names.map(name => `test/unit/${name}`);
  if (watch) {
    await watchUnit(entryPoints, run);
    return;
  }
  if (positionals.length === 0) rmSync(built, { recursive: true, force: true });
  await buildUnit(entryPoints);
  process.exitCode = (await run()) ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main();
