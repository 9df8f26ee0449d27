// Runs tests of built test files on request of mutate.mjs, each file once loaded and then again and
// again. `$mutant(id)` of the built sources says whether a mutant is on, and notes that it was asked.
import * as fc from 'fast-check';
import Mocha from 'mocha';

let active = Number(process.env.MUTANT ?? -1);
let reached = new Set();
globalThis.$mutant = id => {
  reached.add(id);
  return id === active;
};
fc.configureGlobal({ seed: 20261121 });
const loaded = new Map();
function Silent() {}

/** Collects where a mutant is reached: '' stands for what runs outside of a test. */
const take = (hits, title) => {
  if (reached.size > 0) hits[title] = [...new Set([...(hits[title] ?? []), ...reached])];
  reached = new Set();
};

async function load(file, hits) {
  const mocha = new Mocha({ ui: 'bdd', reporter: Silent, timeout: 10_000 });
  mocha.cleanReferencesAfterRun(false);
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  take(hits, '');
  loaded.set(file, mocha);
}

/** Runs the tests of these titles until the first fails: `{ hits, ms, failed }` by title. */
async function run({ file, titles, mutant, all }) {
  const hits = {};
  const ms = {};
  const failed = [];
  const start = performance.now();
  if (!loaded.has(file)) await load(file, hits);
  const loadMs = Math.round(performance.now() - start);
  const mocha = loaded.get(file);
  const wanted = titles && new Set(titles);
  mocha.options.grep = wanted ? { test: title => wanted.has(title) } : undefined;
  mocha.bail(!all);
  active = mutant;
  await new Promise(resolve => {
    mocha
      .run(resolve)
      .on('test', () => take(hits, ''))
      .on('test end', test => {
        take(hits, test.fullTitle());
        if (test.state === 'passed') ms[test.fullTitle()] = test.duration ?? 0;
      })
      .on('fail', test => failed.push(test.fullTitle()));
  });
  take(hits, '');
  active = Number(process.env.MUTANT ?? -1);
  const isLeaking = process.getActiveResourcesInfo().includes('ProcessWrap');
  return { hits, ms, loadMs, isLeaking, failed };
}

async function answer(request) {
  try {
    process.send(await run(request));
  } catch (error) {
    process.send({ hits: {}, ms: {}, loadMs: 0, failed: [`(loading: ${error?.message})`] });
  }
}
process.on('message', request => void answer(request));
process.on('disconnect', () => process.exit());
