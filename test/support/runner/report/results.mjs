// What tests gave, written line by line while they run: a run that is killed keeps what it had, and
// the tests that have not ended are known by name. One JSON value a line:
//   {"file", "planned": [title, ...]}     a file of tests is loaded and begins
//   {"begin": index, "limitMs"}           one of its tests begins
//   {"end": index, "state", "ms", "error"?}   ... has "passed", "failed", or was "skipped"
//   {"broken": title, "error"}            a hook has failed, or the file could not be loaded
//   {"ended": file, "ms"}                 all of the file has run
//   {"done": true}                        nothing more will come
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Every test below a mocha suite, in the order in which they run. */
function testsOf(suite) {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

const textOf = error => String(error?.message ?? error);

export function write(record, entry) {
  if (record) appendFileSync(record, `${JSON.stringify(entry)}\n`);
}

/** Says that a file could not be loaded. */
export function writeUnloaded(record, file, error) {
  write(record, { file, planned: [] });
  write(record, { broken: `the file ${file}`, error: textOf(error) });
}

/**
 * Runs what is loaded in `mocha`, the tests of one file, and appends to `record` what it gives. Resolves
 * with the number of failures.
 */
export async function runFile({ mocha, name, record }) {
  const start = performance.now();
  const { grep } = mocha.options;
  const tests = testsOf(mocha.suite).filter(test => grep?.test(test.fullTitle()) ?? true);
  const indexes = new Map(tests.map((test, index) => [test, index]));
  write(record, { file: name, planned: tests.map(test => test.fullTitle()) });
  const failures = tests.length === 0 ? 0 : await runTests(mocha, indexes, record);
  write(record, { ended: name, ms: Math.round(performance.now() - start) });
  return failures;
}

/** Mocha repeats a test as a copy of it. */
function indexOf(indexes, test) {
  for (let each = test; each; each = each.retriedTest?.())
    if (indexes.has(each)) return indexes.get(each);
  return undefined;
}

function runTests(mocha, indexes, record) {
  return new Promise(resolve => {
    const runner = mocha.run(resolve);
    let began = performance.now();
    const end = (test, state, error) =>
      write(record, {
        end: indexOf(indexes, test),
        state,
        ms: Math.round(performance.now() - began),
        ...(error ? { error: textOf(error) } : {}),
      });
    runner.on('test', test => {
      began = performance.now();
      write(record, { begin: indexOf(indexes, test), limitMs: test.timeout() });
    });
    runner.on('pending', test => {
      began = performance.now();
      end(test, 'skipped');
    });
    runner.on('pass', test => end(test, 'passed'));
    runner.on('fail', (test, error) => {
      if (indexOf(indexes, test) !== undefined) end(test, 'failed', error);
      else write(record, { broken: test.fullTitle(), error: textOf(error) });
    });
  });
}

export const writeDone = record => write(record, { done: true });

/** The lines so far. The last one of a process that was killed may be cut. */
export function entriesOf(record) {
  if (!existsSync(record)) return [];
  const lines = readFileSync(record, 'utf8').split('\n');
  lines.pop();
  return lines.map(line => JSON.parse(line));
}

/** `failed`, `missing` and `tests` have `{file, title}`; `files` are those that ran, with their ms. */
export function readResults(record) {
  const tests = [];
  const failed = [];
  const files = [];
  let done = false;
  let current = [];
  let file;
  for (const entry of entriesOf(record)) {
    if (entry.planned) {
      ({ file } = entry);
      current = entry.planned.map(title => ({ file, title, state: 'missing' }));
      tests.push(...current);
    } else if (entry.end !== undefined) Object.assign(current[entry.end], entry);
    else if (entry.broken !== undefined)
      failed.push({ file, title: entry.broken, error: entry.error });
    else if (entry.ended !== undefined) files.push({ file: entry.ended, ms: entry.ms });
    else if (entry.done) done = true;
  }
  const inState = state => tests.filter(test => test.state === state);
  return {
    done,
    files,
    tests,
    passed: inState('passed').length,
    failed: [...inState('failed'), ...failed],
    missing: inState('missing'),
  };
}

/**
 * Resolves with a sentence when a process that writes `record` hangs: when a test or a hook takes much
 * longer than mocha, which a loop that never waits holds up as well, should let it. A test may raise its
 * own limit, and hooks write nothing, hence the long grace. All tests together
 * may take as long as they do: a busy machine is no reason to throw their results away.
 */
export function silence(record, { startMs = 180_000, graceMs = 420_000 } = {}) {
  let seen = 0;
  let since = Date.now();
  let timer;
  const silent = new Promise(resolve => {
    timer = setInterval(() => {
      const entries = entriesOf(record);
      if (entries.length !== seen) since = Date.now();
      seen = entries.length;
      const last = entries.at(-1);
      // A test without a limit waits for a debugger.
      const limit = !last ? startMs : last.limitMs === 0 ? Infinity : graceMs + (last.limitMs ?? 0);
      if (Date.now() - since > limit)
        resolve(`nothing has ended for ${Math.round(limit / 1000)} s`);
    }, 1000);
  });
  return Object.assign(silent, { stop: () => clearInterval(timer) });
}
