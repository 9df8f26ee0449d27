// How fast the search's tools and the local engine are, next to ripgrep alone in the same run.
// The tree is made for it: 8,000 files, 1 million lines, 250,000 of them with a common word.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { localSearch } from '../../src/search/local/localSearch';
import { runSearchTool, type Scope } from '../../src/search/tools';
import { Sandbox } from '../../src/search/workspace/sandbox';
import { ripgrepPath } from '../support/unit/ripgrepPath';
import { median } from './median';

const files = 8000;
const linesPerFile = 125;
const commonPerFile = 32;
const rounds = 9;

const rgPath = ripgrepPath();
if (rgPath === undefined) {
  console.error('no ripgrep on this machine');
  process.exit(1);
}

let seed = 42;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
const words =
  'open close read write parse merge apply token buffer stream socket retry cache index panel theme label cursor model state'.split(
    ' ',
  );
const word = (): string => words[random(words.length)] ?? '';

function fileText(n: number): string {
  const lines: string[] = [];
  for (let line = 0; line < linesPerFile; line++) {
    if (line % 4 === 0 && line / 4 < commonPerFile)
      lines.push(`  const common${line} = ${word()}(${line});`);
    else lines.push(`  ${word()}.${word()}${word()}(${random(1000)}, '${word()}');`);
  }
  if (n % 100 === 0) lines[60] = `export function reconcileLedger${n}(entries) {`;
  return `${lines.join('\n')}\n`;
}

function makeTree(): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'splice-bench-')));
  for (let n = 0; n < files; n++) {
    const folder = path.join(root, `area${n % 40}`, `part${n % 7}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${word()}${word()}${n}.ts`), fileText(n));
  }
  return root;
}

const rawGrep = (root: string, pattern: string): Promise<void> =>
  new Promise(resolve => {
    const args = ['--no-config', '-n', '-i', '-C1', '--no-heading', '-e', pattern, '--', './'];
    execFile(rgPath, args, { cwd: root, maxBuffer: 1 << 30 }, () => resolve());
  });

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/** Times by name, in alternating rounds. */
async function compare(
  runs: Record<string, () => Promise<unknown>>,
): Promise<Record<string, number>> {
  const times = new Map(Object.keys(runs).map(name => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(runs)) times.get(name)?.push(await timed(run));
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

/** MB above the start, at the most, while the local engine and a tool meet the common word. */
async function measureMemory(root: string): Promise<number> {
  const { scope } = await open(root);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = 0;
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage().rss - before);
  };
  const sampler = setInterval(sample, 2);
  const found = await localSearch(root, 'common const of the file', { limit: 20, rgPath });
  const tool = await runSearchTool(scope, 'grep_search', { pattern: 'common' });
  clearInterval(sampler);
  sample();
  if (found.length === 0 || tool.hits === 0) throw new Error('nothing found');
  return most / (1 << 20);
}

async function open(root: string): Promise<{ scope: Scope }> {
  const workspace = {
    roots: [root],
    rgPath,
    excludes: ['**/.git', '**/node_modules'],
    useIgnoreFiles: true,
    usesGit: false,
    unsaved: new Map<string, string>(),
  };
  const sandbox = await Sandbox.open({ roots: [root], excludes: [], useIgnoreFiles: true });
  return { scope: { workspace, sandbox, signal: new AbortController().signal } };
}

const [measured] = process.argv.slice(2);
if (measured !== undefined) {
  console.log(await measureMemory(measured));
  process.exit(0);
}

const root = makeTree();
const failures: string[] = [];
const check = (what: string, value: number, most: number, unit: string): void => {
  const isMet = value <= most;
  if (!isMet) failures.push(what);
  console.log(
    `${isMet ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(unit === 'x' ? 2 : 0)} ${unit}, at most ${most}`,
  );
};

try {
  const { scope } = await open(root);
  const grep = (pattern: string) => runSearchTool(scope, 'grep_search', { pattern });

  const full = await compare({
    raw: () => rawGrep(root, 'reconcileLedger[0-9]*100'),
    tool: () => grep('reconcileLedger[0-9]*100'),
    capped: () => grep('common'),
    eight: () => Promise.all(words.slice(0, 8).map(grep)),
  });
  check(
    'a call with its full output against ripgrep alone',
    (full['tool'] ?? 0) / (full['raw'] ?? 1),
    1.3,
    'x',
  );
  check('a call that ends at its cap', full['capped'] ?? 0, 30, 'ms');
  check('eight calls at once', full['eight'] ?? 0, 150, 'ms');

  const queries = ['reconcile the ledger entries', 'where is the stream buffer parsed and cached'];
  let first = 0;
  let whole = 0;
  const local = await compare({
    raw: () => rawGrep(root, 'stream|buffer|pars|cach'),
    local: async () => {
      for (const query of queries) {
        const startedAt = performance.now();
        await localSearch(root, query, {
          limit: 20,
          rgPath,
          onFirst: () => (first += performance.now() - startedAt),
        });
        whole += performance.now() - startedAt;
      }
    },
  });
  console.log(
    `local search: ${((local['local'] ?? 0) / queries.length).toFixed(0)} ms a query, ${((local['local'] ?? 0) / queries.length / (local['raw'] ?? 1)).toFixed(2)} x ripgrep alone with all its output; ` +
      `first results after ${((100 * first) / whole).toFixed(0)} %`,
  );

  // In a process of its own: what was measured so far has left its traces in this one.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    process.argv[1] ?? '',
    root,
  ]);
  check(
    `memory above start in a search with ${files * commonPerFile} hits`,
    Number(stdout),
    60,
    'MB',
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
