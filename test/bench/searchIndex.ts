// The index of the search next to a search of the files, in the same run.
//   npm run bench -- searchIndex            20,000 made files
//   npm run bench -- searchIndex <folder>   the files of a folder, with a question from each of 60 of their names
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IndexSize } from '../../src/search/fileIndex/answerIndex';
import { IndexThread } from '../../src/search/fileIndex/indexThread';
import { type RootsOptions, searchRoots } from '../../src/search/local/localSearch';
import { listSearchedFiles } from '../../src/search/workspace/searchedFiles';
import { ripgrepPath } from '../support/unit/ripgrepPath';

const madeFiles = 20_000;
const questionCount = 60;
const rgPath = ripgrepPath();
const list = { rgPath, exclude: [], flags: [] };

let seed = 7;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ');
const vocabulary = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + random(3) }, () => syllables[random(syllables.length)]).join(''),
);
/** Few words are frequent, as in code. */
const word = (): string => vocabulary[Math.floor(vocabulary.length ** (random(1000) / 1000))] ?? '';
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function makeTree(root: string): void {
  for (let n = 0; n < madeFiles; n++) {
    const folder = path.join(root, `area${n % 97}`, `part${n % 13}`);
    mkdirSync(folder, { recursive: true });
    const lines = Array.from(
      { length: 40 + random(400) },
      () => `  ${word()}.${word()}${capital(word())}(${random(100)}, '${word()} ${word()}');`,
    );
    writeFileSync(path.join(folder, `${word()}${capital(word())}${n}.ts`), `${lines.join('\n')}\n`);
  }
}

function questionsFrom(paths: readonly string[]): string[] {
  return Array.from({ length: questionCount }, () => {
    const parts = [0, 1].flatMap(() =>
      path.posix
        .parse(paths[random(paths.length)] ?? '')
        .name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
        .filter(part => part.length > 2),
    );
    return parts.slice(0, 5).join(' ');
  }).filter(question => question !== '');
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? 0;
const show = (what: string, times: readonly number[]): void =>
  console.log(
    `${what}: p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`,
  );

const memory = (): string => `${Math.round(process.memoryUsage().rss / 1e6)} MB`;

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'splice-bench-')));
const given = process.argv[2];
const root = given === undefined ? path.join(base, 'tree') : realpathSync(given);
const script = path.join(import.meta.dirname, 'indexThread.js');

/** Opens the index, until it is ready. */
async function open(): Promise<{ thread: IndexThread; size: IndexSize; cpuSeconds: number }> {
  const before = process.cpuUsage();
  let thread: IndexThread | undefined;
  const size = await new Promise<IndexSize>((resolve, reject) => {
    thread = new IndexThread(script, {
      onReady: (_, ready) => resolve(ready),
      onVerified: () => undefined,
      onFailed: (_, message) => reject(new Error(message)),
    });
    thread.open({ root, storage: path.join(base, 'index'), files: list });
  });
  if (!thread) throw new Error('no thread');
  const { user, system } = process.cpuUsage(before);
  return { thread, size, cpuSeconds: (user + system) / 1e6 };
}

/** How long the first results and all of them take, for each question. */
async function timed(questions: readonly string[], more: Partial<RootsOptions>) {
  const first: number[] = [];
  const all: number[] = [];
  for (const question of questions) {
    const startedAt = performance.now();
    let firstMs: number | undefined;
    await searchRoots([{ path: root }], question, {
      ...list,
      ...more,
      limit: 20,
      onFirst: () => {
        firstMs = performance.now() - startedAt;
      },
    });
    all.push(performance.now() - startedAt);
    first.push(firstMs ?? performance.now() - startedAt);
  }
  return { first, all };
}

// The thread alone does not keep the process.
const alive = setInterval(() => undefined, 1000);
try {
  console.log(`memory of the process at the start: ${memory()}`);
  if (given === undefined) makeTree(root);
  const paths = (await listSearchedFiles(root, list, { deadlineMs: 120_000 })) ?? [];
  const questions = questionsFrom(paths);
  const built = await open();
  await built.thread.dispose();
  const { files, bytes, ms } = built.size;
  console.log(
    `built: ${files} files in ${built.cpuSeconds.toFixed(1)} s of processor time (${(ms / 1000).toFixed(1)} s), ${(bytes / 1e6).toFixed(1)} MB; memory ${memory()}`,
  );
  const { thread, size, cpuSeconds } = await open();
  console.log(
    `opened and compared with all files: ${(size.ms / 1000).toFixed(1)} s (${cpuSeconds.toFixed(1)} s of processor time)`,
  );
  await timed(questions, { index: thread });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const indexed = await timed(questions, { index: thread });
  delay.disable();
  show('first results', indexed.first);
  show('all results', indexed.all);
  console.log(`event loop blocked for at most ${(delay.max / 1e6).toFixed(0)} ms`);
  const searched = await timed(questions.slice(0, 20), {});
  show('the same without the index', searched.all);
  const ratio = percentile(indexed.all, 0.5) / percentile(searched.all, 0.5);
  console.log(`with the index to without: ${ratio.toFixed(2)} x`);
  await thread.dispose();
} finally {
  clearInterval(alive);
  rmSync(base, { recursive: true, force: true });
}
