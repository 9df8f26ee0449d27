// Runs files of built tests in Node processes, several at a time.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { scratch } from './layout.mjs';
import { killTree, spawnOwned, useTemporaryFolder } from './lifetime.mjs';
import { FileQueue, keepDurations } from './queue.mjs';
import { readResults, silence } from './report/results.mjs';
import { inSlot, slots } from './slots.mjs';

const worker = path.join(import.meta.dirname, 'mochaRun.mjs');

/** A new record of a stage, below `.vscode-test/results` or where TEST_RESULTS says. */
export function recordOf(stage, name) {
  const folder = process.env.TEST_RESULTS ?? path.join(scratch, 'results');
  mkdirSync(folder, { recursive: true });
  const record = path.join(folder, `${stage}-${name}.jsonl`);
  rmSync(record, { force: true });
  return record;
}

/** One outcome of several: those of windows and workers of a stage. */
export function combine(outcomes) {
  const all = key => outcomes.flatMap(outcome => outcome[key]);
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: all('failed'),
    missing: all('missing'),
    tests: all('tests'),
    files: all('files'),
  };
}

/** What a record holds, with `problems` as failures of their own. @param file the one that was run, where it is known. */
export function outcomeOf(record, problems = [], file) {
  const results = readResults(record);
  const failed = problems.map(error => ({ file, title: path.basename(record, '.jsonl'), error }));
  return { ...results, record, failed: [...results.failed, ...failed] };
}

export function testFilesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.test.js'))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** Runs the `files` of `folder`. `live` shows output as it comes; else it comes file by file. */
export async function runPool({ stage, folder, files, long, node, env, live = false }) {
  useTemporaryFolder();
  const queue = new FileQueue(stage, folder, files, long);
  const workers = Math.min(slots, files.length);
  const outcomes = await Promise.all(
    Array.from({ length: workers }, (_, index) =>
      inSlot(() => work({ stage, index, folder, queue, node, env, live })),
    ),
  );
  const outcome = combine(outcomes.flat());
  keepDurations(stage, outcome.files);
  return outcome;
}

/**
 * Runs one worker after another while files are left: one that dies takes only the file with it that it was at. One that
 * took none has nothing to run in, for example because the project was removed; then none follows it.
 *
 * @param left how many files are left.
 * @param run resolves with the outcomes of the worker with that number, from 0 on.
 */
export async function runInTurn(left, run) {
  const outcomes = [];
  for (let life = 0, before = Infinity; left() > 0 && left() < before; life++) {
    before = left();
    outcomes.push(...(await run(life)));
  }
  return outcomes;
}

function work({ stage, index, queue, ...options }) {
  return runInTurn(
    () => queue.length,
    async life => {
      const record = recordOf(stage, `${index}.${life}`);
      const { file, problem } = await runWorker({ ...options, queue, record });
      return [outcomeOf(record, problem ? [problem] : [], file)];
    },
  );
}

/** Resolves with what went wrong beyond the tests, and with the file that was run last. */
async function runWorker({ folder, queue, node, env, live, record }) {
  const child = spawnOwned(node, ['--enable-source-maps', worker, folder, record], {
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe', 'ipc'],
    env: { ...process.env, ...env, MOCHA_COLOR: process.stdout.isTTY ? '1' : '' },
  });
  let output = [];
  const print = () => process.stdout.write(Buffer.concat(output.splice(0)));
  if (!live)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => output.push(data));
  let current;
  let isDone = false;
  child.on('message', () => {
    setImmediate(print); // what the worker wrote before this message has come as well
    current = queue.take();
    isDone = current === undefined;
    child.send({ file: current ?? null });
  });
  const silent = silence(record);
  const exited = new Promise(resolve => {
    child.once('error', error => resolve(String(error)));
    child.once('close', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  const how = await Promise.race([exited, silent.then(what => what)]);
  silent.stop();
  if (child.pid) killTree(child.pid, 'SIGKILL');
  await exited;
  print();
  const isWell = isDone && how === 'it ended with code 0';
  return { file: current, problem: isWell ? undefined : `the worker: ${how}` };
}
