// Mutation tests of the sources without `vscode`: which changes of a source does no unit test notice?
//   npm run mutate -- [folder or file of src …] [--count=80] [--seed=1] [--min=85] [--near] [--slowest=2000]
// For each folder, `count` random mutants are compiled into one build of the unit tests. A first run
// without mutants records which tests reach which mutant. Then each mutant runs against these tests,
// without those that take longer than `slowest` milliseconds: first those of the same feature, then the
// others, which `--near` leaves out. Values such as that of `lines[at] ?? ''`, which TypeScript asks for,
// do not count if no test reaches them. `--min` fails below so many percent, `--json` writes what was found.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildUnit } from '../esbuild.mjs';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { root } from '../test/support/runner/layout.mjs';
import { useTemporaryFolder } from '../test/support/runner/lifetime.mjs';
import { slots } from '../test/support/runner/slots.mjs';
import { nodeForUndici } from '../test/support/runner/unit.mjs';
import { cover, inParallel, reaching } from './mutation/coverage.mjs';
import { MutantRunner } from './mutation/mutantRunner.mjs';
import { mutantsOf, withSwitches } from './mutation/mutants.mjs';

const built = path.join(root, 'out/mutation');
const topOf = file => file.split('/')[1];
/** What a `contributions.ts` declares is in package.json: the manifest's own check notices a change. */
const isTested = name => /(?<!\.d)\.ts$/.test(name) && path.basename(name) !== 'contributions.ts';
const sourcesIn = folder =>
  folder.endsWith('.ts')
    ? [`src/${folder}`]
    : readdirSync(path.join(root, 'src', folder), { recursive: true })
        .filter(isTested)
        .map(name => path.posix.join('src', folder, name.replaceAll('\\', '/')))
        .sort();

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

/** Builds the unit tests and returns those that contain one of the files. */
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
      name: path.relative(built, path.join(root, output)).replaceAll('\\', '/'),
      sources: new Set(Object.keys(inputs).filter(input => code.has(input))),
    }))
    .filter(({ sources }) => sources.size > 0);
}

const flag = name => process.argv.find(one => one.startsWith(`--${name}=`))?.slice(name.length + 3);
const number = (name, other) => Number(flag(name) ?? other);
const asked = process.argv.slice(2).filter(one => !one.startsWith('--'));
const allTops = () => [...new Set(sourcesIn('.').map(topOf))].filter(top => !top.endsWith('.ts'));
const folders = asked.length > 0 ? asked.map(one => one.replace(/^src\/|\/$/g, '')) : allTops();
const percent = (some, of) => `${Math.round((100 * some) / of)} %`;

const options = { jobs: slots, slowest: number('slowest', 2000), built };

/** Looks for what kills the mutants among these tests. */
async function look(mutants, candidates, runners) {
  const wanted = new Set(mutants.map(({ file }) => file));
  const tests = candidates.filter(({ sources }) => [...sources].some(file => wanted.has(file)));
  await cover(tests, { ...options, node });
  let done = 0;
  await inParallel(mutants, runners.length, async (mutant, job) => {
    const start = performance.now();
    mutant.killer = (await runners[job].killerOf(mutant, tests))?.file;
    mutant.ms = Math.round(performance.now() - start) + (mutant.ms ?? 0);
    mutant.reached = reaching(mutant, tests).length + (mutant.reached ?? 0);
    done++;
    if (done % 20 === 0) console.log(`${done} of ${mutants.length} mutants`);
    if (flag('json')) writeFileSync(flag('json'), JSON.stringify(chosen, null, 1));
  });
}

/** Prints what survived in a folder, and returns how many percent were killed. */
function report(folder, all) {
  const mutants = all.filter(
    ({ killer, isElementFallback, reached }) => killer || !isElementFallback || reached > 0,
  );
  const survivors = mutants.filter(({ killer }) => !killer);
  for (const { file, line, operator, from, to, reached } of survivors)
    console.log(
      `${file}:${line} ${operator}: ${from} -> ${to}${reached > 0 ? '' : ' (no test runs it)'}`,
    );
  const killed = mutants.length - survivors.length;
  console.log(
    `${folder}: ${mutants.length} mutants, ${killed} killed, ${survivors.length} survived, ${percent(killed, mutants.length)}`,
  );
  const unreached = all.length - mutants.length;
  console.log(
    unreached > 0 ? `(and ${unreached} values for array elements that are never missing)\n` : '',
  );
  return (100 * killed) / mutants.length;
}

await installDependencies();
useTemporaryFolder();
const node = await nodeForUndici();
const { chosen, code } = await choose(folders, {
  count: number('count', 80),
  seed: number('seed', 1),
});
mkdirSync(built, { recursive: true });
const tests = await buildTests(code);
const runners = Array.from({ length: options.jobs }, () => new MutantRunner(node));
// The tests of the same feature kill most: the others need to run only for what survives them.
const tops = new Set(chosen.map(({ file }) => topOf(file)));
const isNear = ({ name }) => tops.has(name.split('/')[0]);
await look(chosen, tests.filter(isNear), runners);
const survivors = chosen.filter(({ killer }) => !killer);
if (survivors.length > 0 && !process.argv.includes('--near'))
  await look(
    survivors,
    tests.filter(test => !isNear(test)),
    runners,
  );
for (const runner of runners) runner.end();
const killed = folders
  .map(folder => [folder, chosen.filter(mutant => mutant.folder === folder)])
  .filter(([, mutants]) => mutants.length > 0)
  .map(([folder, mutants]) => report(folder, mutants));
process.exit(killed.some(one => one < number('min', 0)) ? 1 : 0);
