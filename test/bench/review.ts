// What a key costs in a file under review, next to splitting the file's text once:
// 50,000 lines, 200 reviews of it that ended and 20 that wait; journals on the disk of this machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { JournalFolder } from '../../src/apply/review/journal/journalFolder';
import { nodeFileOps } from '../../src/apply/review/journal/nodeFileOps';
import type { JournaledReview } from '../../src/apply/review/model/journaledReview';
import { changedLines } from '../../src/apply/review/model/lineSnapshot';
import { applyEdits } from '../../src/apply/review/model/rebase';
import { ReviewModel } from '../../src/apply/review/model/reviewModel';
import { EndedReviews } from '../../src/apply/review/store/endedReviews';
import { ReviewStore } from '../../src/apply/review/store/reviewStore';
import { splitLines } from '../../src/base/text/textLines';
import { largeEdit } from './largeFile';

const keys = Number(process.argv[2] ?? 600);
const lineCount = 50_000;
const finished = 200;
const waiting = 20;
const changesEach = 10;
/** Between two keys, in milliseconds: 50 keys a second, more than anybody types. */
const pauseMs = 20;
const uri = 'file:///large.ts';

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const say = (name: string, value: string): void => console.log(`${name.padEnd(58)} ${value}`);
const folder = mkdtempSync(path.join(tmpdir(), 'splice-bench-review-'));

try {
  const store = new ReviewStore(
    new JournalFolder(nodeFileOps, folder),
    { writer: 'bench', clock: () => Date.now() },
    {
      didFail: error => {
        throw error;
      },
    },
  );
  const ended = new EndedReviews(store, (id, journaled) => ({ id, journaled }));
  const { original } = largeEdit(lineCount);
  let lines: readonly string[] = splitLines(original);

  const propose = async (n: number): Promise<JournaledReview> => {
    const distance = Math.floor(lines.length / (changesEach + 1));
    const proposed = lines.map((line, at) =>
      at % distance === 1 + (n % 50) * 3 ? `${line} // review ${n}` : line,
    );
    const review = store.add(`r${n}`, new ReviewModel(lines, proposed), {
      uri,
      languageId: 'typescript',
      createdAt: n,
      origin: { engine: 'local', ms: 1, findings: [] },
    });
    await review.settled();
    return review;
  };
  for (let n = 0; n < finished; n++) {
    const review = await propose(n);
    await review.accept(review.model.hunks, {
      lines: () => lines,
      edit: async edits => void (lines = applyEdits(lines, edits)),
    });
    ended.add({ id: `r${n}`, journaled: review });
  }
  await ended.saved(uri);
  const reviews: JournaledReview[] = [];
  for (let n = 0; n < waiting; n++) reviews.push(await propose(finished + n));

  const text = lines.join('\n');
  const reference: number[] = [];
  for (let round = 0; round < 20; round++) {
    const start = cpuMs();
    splitLines(text);
    reference.push(cpuMs() - start);
  }
  const splitMs = reference.reduce((sum, ms) => sum + ms, 0) / reference.length;

  global.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let inKeys = 0;
  const startAll = cpuMs();
  const startTime = performance.now();
  for (let key = 0; key < keys; key++) {
    const at = 25_003 + Math.floor(key / 40);
    const isEnter = key % 40 === 39;
    const character = lines[at]?.length ?? 0;
    const place = { line: at, character };
    const change = { range: { start: place, end: place }, text: isEnter ? '\n' : 'x' };
    const start = cpuMs();
    const before = lines;
    const changed = changedLines(before, [change]);
    if (!changed) throw new Error('the change does not fit');
    lines = changed.lines;
    for (const review of reviews)
      review.fileChanged(lines, false, { before, edits: changed.edits });
    inKeys += cpuMs() - start;
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
  const seconds = (performance.now() - startTime) / 1000;
  const all = cpuMs() - startAll;
  delay.disable();
  // What the loop itself takes without any work, measured the same way.
  const idle = cpuMs();
  for (let key = 0; key < keys; key++) await new Promise(resolve => setTimeout(resolve, pauseMs));
  const idleMs = cpuMs() - idle;

  const perKey = inKeys / keys;
  const withStorage = (all - idleMs) / keys;
  console.log(
    `${lineCount} lines, ${finished} reviews that ended, ${waiting} that wait, ${keys} keys in ${seconds.toFixed(0)} s`,
  );
  say('splitting the text once, the reference (CPU)', `${splitMs.toFixed(2)} ms`);
  say(
    'a key: lines and models (CPU)',
    `${perKey.toFixed(3)} ms, ${(perKey / splitMs).toFixed(2)} x`,
  );
  say(
    'a key with its share of the journals (CPU)',
    `${withStorage.toFixed(3)} ms, ${(withStorage / splitMs).toFixed(2)} x`,
  );
  say('event loop, p99', `${(delay.percentile(99) / 1e6).toFixed(1)} ms`);
  say('event loop, longest', `${(delay.max / 1e6).toFixed(1)} ms`);
  const isGood = perKey < 1 && delay.percentile(99) / 1e6 < 20;
  say('under 1 ms a key and 20 ms at p99', isGood ? 'yes' : 'NO');
  process.exitCode = isGood ? 0 : 1;
  store.dispose();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
