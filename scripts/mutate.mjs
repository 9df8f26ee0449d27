// Mutation tests of the sources without `vscode`: which changes of a source does no unit test notice?
//   npm run mutate -- [folder or file of src …] [--count=80] [--seed=1] [--min=85] [--near] [--slowest=2000]
// For each folder, `count` random mutants are compiled into one build of the unit tests. A first run
// without mutants records which tests reach which mutant. Then each mutant runs against these tests,
// without those that take longer than `slowest` milliseconds. `--near` takes only the tests of the
// folders that were asked for. `--min` fails below so many percent, `--json` writes what was found.
import { fork } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildUnit } from '../esbuild.mjs';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { root } from '../test/support/runner/layout.mjs';
import { nodeForUndici } from '../test/support/runner/unit.mjs';
import { mutantsOf, withSwitches } from './mutation/mutants.mjs';

/** Of the time that the same tests take without a mutant, and on top of it, since timers are coarse. */
const deadlineFactor = 10;
const deadlineMs = 4000;
const built = path.join(root, 'out/mutation');
const topOf = file => file.split('/')[1];
const sourcesIn = folder =>
  folder.endsWith('.ts')
    ? [`src/${folder}`]
    : readdirSync(path.join(root, 'src', folder), { recursive: true })
        .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
        .map(name => path.posix.join('src', folder, name.replaceAll('\\', '/')))
        .sort();

/** A process with test files. One that does not answer in time is killed: its answer is a failure. */
class Worker {
  #child;
  constructor(node, mutant) {
    const env = { ...process.env, MUTANT: String(mutant ?? -1) };
    const script = path.join(import.meta.dirname, 'mutation/worker.mjs');
    const options = {
      execPath: node,
      env,
      cwd: root,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    };
    this.#child = fork(script, [], options);
  }
  get isAlive() {
    return (
      this.#child.exitCode === null && this.#child.signalCode === null && this.#child.connected
    );
  }
  run(request, ms) {
    return new Promise(resolve => {
      const child = this.#child;
      const done = answer => {
        clearTimeout(timer);
        child.off('message', done).off('exit', died);
        resolve(answer);
      };
      const died = () => done({ hits: {}, ms: {}, failed: ['(the process ended)'] });
      const timer = ms && setTimeout(() => child.kill('SIGKILL'), ms);
      child.on('message', done).on('exit', died);
      child.send(request);
    });
  }
  end() {
    this.#child.kill('SIGKILL');
  }
}

/** The items in a random order that depends on the seed alone. */
function shuffled(items, seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const other = Math.floor(next() * (i + 1));
    [result[i], result[other]] = [result[other], result[i]];
  }
  return result;
}

/** `count` mutants of each folder, numbered, and the code of each file with switches for its mutants. */
async function choose(folders, { count, seed }) {
  const chosen = [];
  const code = new Map();
  for (const folder of folders) {
    const all = [];
    for (const file of sourcesIn(folder)) {
      const source = readFileSync(path.join(root, file), 'utf8');
      if (/from 'vscode'/.test(source) || code.has(file)) continue;
      const found = await mutantsOf(file, source);
      code.set(file, found.code);
      all.push(...found.mutants.map(mutant => ({ ...mutant, folder })));
    }
    chosen.push(...shuffled(all, seed).slice(0, count));
  }
  chosen.forEach((mutant, id) => (mutant.id = id));
  for (const [file, text] of code)
    code.set(
      file,
      withSwitches(
        text,
        chosen.filter(mutant => mutant.file === file),
      ),
    );
  return { chosen, code };
}

/** Builds the unit tests and returns those that contain one of the files, nearest folder first. */
async function buildTests(code) {
  const switches = {
    name: 'mutants',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const contents = code.get(path.relative(root, file).replaceAll('\\', '/'));
        return contents === undefined ? undefined : { contents, loader: 'js' };
      }),
  };
  // Without shared chunks, so that each output lists the sources that its tests reach.
  const { metafile } = await buildUnit(['test/unit/**/*.test.ts'], {
    outdir: built,
    splitting: false,
    sourcemap: false,
    metafile: true,
    plugins: [switches],
  });
  return Object.entries(metafile.outputs)
    .map(([output, { inputs }]) => ({
      file: path.join(root, output),
      top: path.relative(built, path.join(root, output)).split(path.sep)[0],
      sources: new Set(Object.keys(inputs).filter(input => code.has(input))),
    }))
    .filter(({ sources }) => sources.size > 0);
}

/** Runs each test file once without a mutant: which tests pass, how long, what they reach. */
async function cover(node, tests, slowest) {
  let worker = new Worker(node);
  for (const test of tests) {
    if (!worker.isAlive) worker = new Worker(node);
    const { hits, ms, failed } = await worker.run(
      { file: test.file, mutant: -1, all: true },
      300_000,
    );
    Object.assign(test, { ms, hits: new Map() });
    const slow = Object.keys(ms).filter(title => ms[title] > slowest);
    for (const title of [...failed, ...slow]) delete ms[title];
    const total = Math.round(Object.values(ms).reduce((sum, one) => sum + one, 0));
    console.log(`${path.relative(built, test.file)}: ${Object.keys(ms).length} tests, ${total} ms`);
    for (const title of failed) console.log(`  left out since it fails: ${title}`);
    for (const title of slow) console.log(`  left out since it is slow: ${title}`);
    for (const [title, ids] of Object.entries(hits))
      if (title === '' || title in ms)
        for (const id of ids) test.hits.set(id, [...(test.hits.get(id) ?? []), title]);
  }
  worker.end();
}

/** Unlike a file that only loads the module. */
const isRelevant = ({ isNear, onlyOutside }) => isNear || !onlyOutside;

/** The tests that reach a mutant: of a file that reaches it outside of its tests, all of them. */
function reaching(mutant, tests) {
  const reached = tests.flatMap(({ file, top, ms, hits }) => {
    const titles = hits.get(mutant.id);
    if (!titles) return [];
    const isOutside = titles.includes('');
    const run = isOutside ? Object.keys(ms) : titles;
    const isNear = top === topOf(mutant.file);
    const onlyOutside = isOutside && titles.length === 1;
    return [
      {
        file,
        titles: run,
        inside: titles.filter(title => title !== ''),
        onlyOutside,
        isNear,
        ms: run.reduce((sum, title) => sum + ms[title], 0),
      },
    ];
  });
  // A constant is reached by every test file that loads it: its own folder's files must do then.
  const relevant = reached.some(isRelevant) ? reached.filter(isRelevant) : reached.slice(0, 5);
  return relevant.sort((a, b) => Number(b.isNear) - Number(a.isNear) || a.ms - b.ms);
}

/** Finds a test that fails with a mutant. */
class MutantRunner {
  #node;
  #warm;
  constructor(node) {
    this.#node = node;
  }

  /** First in a process that is kept, then, since that one may have kept values, in a new one. */
  async killerOf(mutant, tests) {
    const reached = reaching(mutant, tests);
    const inTests = reached.filter(({ inside }) => inside.length > 0);
    const killedWarm = await this.#runWarm(
      mutant,
      inTests.map(one => ({ ...one, titles: one.inside })),
    );
    if (killedWarm) return killedWarm;
    const fresh = new Worker(this.#node, mutant.id);
    const killer = await this.#firstFailure(fresh, mutant.id, reached);
    fresh.end();
    return killer && (await this.#passesAlone(killer)) ? killer : undefined;
  }

  async #runWarm(mutant, reached) {
    this.#warm = this.#warm?.isAlive ? this.#warm : new Worker(this.#node);
    const killer = await this.#firstFailure(this.#warm, mutant.id, reached);
    if (!killer || !this.#warm.isAlive) return killer;
    const { failed } = await this.#warm.run(
      { ...killer, mutant: -1 },
      deadlineMs + deadlineFactor * killer.ms,
    );
    if (failed.length === 0) return killer;
    // What this or an earlier mutant left behind makes the test fail even without one.
    this.end();
    return undefined;
  }

  /** Whether a test passes without a mutant and without those before it. */
  async #passesAlone(killer) {
    if (killer.titles.length !== 1) return true; // it did not load, or not end
    const worker = new Worker(this.#node);
    const { failed } = await worker.run(
      { ...killer, mutant: -1 },
      deadlineMs + deadlineFactor * killer.ms,
    );
    worker.end();
    return failed.length === 0;
  }

  async #firstFailure(worker, mutant, reached) {
    for (const { file, titles, ms } of reached) {
      const { failed } = await worker.run(
        { file, titles, mutant },
        deadlineMs + deadlineFactor * ms,
      );
      if (failed.length > 0)
        return { file, ms, titles: failed[0].startsWith('(') ? titles : failed.slice(0, 1) };
    }
    return undefined;
  }

  end() {
    this.#warm?.end();
    this.#warm = undefined;
  }
}

const flag = name => process.argv.find(one => one.startsWith(`--${name}=`))?.slice(name.length + 3);
const number = (name, other) => Number(flag(name) ?? other);
const asked = process.argv.slice(2).filter(one => !one.startsWith('--'));
const all = () => [...new Set(sourcesIn('.').map(topOf))].filter(top => !top.endsWith('.ts'));
const folders = asked.length > 0 ? asked.map(one => one.replace(/^src\/|\/$/g, '')) : all();
const percent = (some, of) => `${Math.round((100 * some) / of)} %`;

await installDependencies();
const node = await nodeForUndici();
const { chosen, code } = await choose(folders, {
  count: number('count', 80),
  seed: number('seed', 1),
});
mkdirSync(built, { recursive: true });
const near = ({ top }) => chosen.some(mutant => topOf(mutant.file) === top);
const tests = (await buildTests(code)).filter(
  test => !process.argv.includes('--near') || near(test),
);
await cover(node, tests, number('slowest', 2000));
const runner = new MutantRunner(node);
let below = 0;
for (const folder of folders) {
  const mutants = chosen.filter(mutant => mutant.folder === folder);
  if (mutants.length === 0) continue;
  for (const mutant of mutants) {
    const start = performance.now();
    mutant.killer = await runner.killerOf(mutant, tests);
    mutant.ms = Math.round(performance.now() - start);
    if (mutant.killer) continue;
    mutant.reached = reaching(mutant, tests).length;
    const note = mutant.reached > 0 ? '' : ' (no test runs it)';
    console.log(
      `${mutant.file}:${mutant.line} ${mutant.operator}: ${mutant.from} -> ${mutant.to}${note}`,
    );
  }
  const killed = mutants.filter(({ killer }) => killer).length;
  if ((100 * killed) / mutants.length < number('min', 0)) below++;
  console.log(
    `${folder}: ${mutants.length} mutants, ${killed} killed, ${mutants.length - killed} survived, ${percent(killed, mutants.length)}\n`,
  );
  if (flag('json')) writeFileSync(flag('json'), JSON.stringify(chosen, null, 1));
}
runner.end();
process.exit(below > 0 ? 1 : 0);
