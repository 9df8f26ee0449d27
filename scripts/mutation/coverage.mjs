// Which tests reach which mutant.
import path from 'node:path';
import { TestProcess } from './testProcess.mjs';

/** Milliseconds for one file, none of whose tests should take long. */
const hangsMs = 300_000;

/** Calls `work` with each of the items, `jobs` at a time. `work` gets the number of the job too. */
export async function inParallel(items, jobs, work) {
  const left = [...items];
  const job = async index => {
    for (let item = left.shift(); item; item = left.shift()) await work(item, index);
  };
  await Promise.all(Array.from({ length: jobs }, (_, index) => job(index)));
}

/** Runs each test file once without a mutant: which tests pass, how long, what they reach. */
export async function cover(tests, { node, slowest, jobs, built }) {
  const processes = [];
  await inParallel(tests, jobs, async (test, job) => {
    if (!processes[job]?.isAlive) processes[job] = new TestProcess(node);
    const request = { file: test.file, mutant: -1, all: true };
    const { hits, ms, loadMs, failed } = await processes[job].run(request, hangsMs);
    Object.assign(test, { ms, loadMs, hits: new Map() });
    const slow = Object.keys(ms).filter(title => ms[title] > slowest);
    for (const title of [...failed, ...slow]) delete ms[title];
    const total = Math.round(Object.values(ms).reduce((sum, one) => sum + one, 0));
    console.log(`${path.relative(built, test.file)}: ${Object.keys(ms).length} tests, ${total} ms`);
    for (const title of failed) console.log(`  left out since it fails: ${title}`);
    for (const title of slow) console.log(`  left out since it is slow: ${title}`);
    for (const [title, ids] of Object.entries(hits))
      if (title === '' || title in ms)
        for (const id of ids) test.hits.set(id, [...(test.hits.get(id) ?? []), title]);
  });
  for (const one of processes) one.end();
}

/** How many folders, and at last the name of the file, a source and a test have in common. */
function closeness(source, test) {
  const [a, b] = [source.replace(/\.ts$/, ''), test.replace(/(\.\w+)?\.test\.js$/, '')].map(one =>
    one.split('/'),
  );
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs < 0 ? a.length : differs;
}

/** Unlike a file that only loads the module. */
const isRelevant = ({ isNear, onlyOutside }) => isNear || !onlyOutside;

/** The tests that reach a mutant: of a file that reaches it outside of its tests, all of them. */
export function reaching(mutant, tests) {
  const reached = tests.flatMap(({ file, name, ms, loadMs, hits }) => {
    const titles = hits.get(mutant.id);
    if (!titles) return [];
    const isOutside = titles.includes('');
    const run = isOutside ? Object.keys(ms) : titles;
    const close = closeness(mutant.file.replace(/^src\//, ''), name);
    return [
      {
        file,
        titles: run,
        inside: titles.filter(title => title !== ''),
        isOutside,
        onlyOutside: isOutside && titles.length === 1,
        close,
        isNear: close > 0,
        ms: loadMs + run.reduce((sum, title) => sum + ms[title], 0),
      },
    ];
  });
  // A constant is reached by every test file that loads it: its own folder's files must do then.
  const relevant =
    mutant.reached > 0 || reached.some(isRelevant)
      ? reached.filter(isRelevant)
      : reached.slice(0, 5);
  return relevant.sort((a, b) => b.close - a.close || a.ms - b.ms);
}
