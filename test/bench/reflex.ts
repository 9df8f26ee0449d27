// A million rows through a batch of the classifiers: time and memory, next to reading and writing the
// same file line by line. The service answers at once from memory, so the figures are our own part.
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { BatchRun } from '../../src/reflex/batch/batchRun';
import { type BatchClient, BatchRunner } from '../../src/reflex/batch/batchRunner';
import type { ReflexRow } from '../../src/service/wire/reflexBatches';

const rows = 1_000_000;
const models = ['jailbreak', 'user-frustrated'];
const info = { attempts: 1, ms: 0 };

const folder = mkdtempSync(path.join(tmpdir(), 'splice-bench-'));
const input = path.join(folder, 'rows.csv');
const output = path.join(folder, 'rows.reflex.csv');

async function makeInput(): Promise<void> {
  const file = await open(input, 'w');
  await file.write('id,text,from\n');
  for (let at = 0; at < rows; at += 10_000)
    await file.write(
      Array.from(
        { length: 10_000 },
        (_, n) => `${at + n},"The order ${at + n} came late, ""again"", and nobody answers.",web\n`,
      ).join(''),
    );
  await file.close();
}

/** Keeps no row, as a service would keep them away from this process: every row has a text, so ids count up. */
function memoryService(): BatchClient {
  const batches: { firstId: string; rows: number }[] = [];
  return {
    uploadReflexBatch: async ({ rows: sent }: { rows: readonly ReflexRow[] }) => {
      batches.push({ firstId: sent[0]?.id ?? '', rows: sent.length });
      return { id: `rbatch-${batches.length - 1}`, status: 'completed', ...info };
    },
    reflexBatch: async id => ({ id, status: 'completed', ...info }),
    reflexBatchResults: async ({ id, onRows }) => {
      const batch = batches[Number(id.slice('rbatch-'.length))];
      const [, prefix = '', first = ''] = /^(.*?)(\d+)$/.exec(batch?.firstId ?? '') ?? [];
      const found = Array.from(
        { length: batch?.rows ?? 0 },
        (_, n) => `${prefix}${Number(first) + n}`,
      );
      const classes = [{ classId: 0, label: 'benign', score: 0.98, isSelected: true }];
      for (let at = 0; at < found.length; at += 500)
        await onRows(
          found.slice(at, at + 500).map(row => ({
            id: row,
            failures: [],
            predictions: models.map(model => ({
              model,
              mode: 'single_label',
              classes,
              selected: classes,
            })),
          })),
        );
      return { rows: found.length, failed: 0, unreadable: 0, ...info };
    },
  };
}

interface Figures {
  ms: number;
  /** The most memory that was in use after a collection, in bytes above the start. */
  live: number;
}

async function measured(work: (look: () => void) => Promise<void>): Promise<Figures> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  let live = 0;
  let looking = 0;
  const look = (): void => {
    const from = performance.now();
    globalThis.gc?.();
    const now = process.memoryUsage();
    live = Math.max(live, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers);
    looking += performance.now() - from;
  };
  const from = performance.now();
  await work(look);
  return { ms: performance.now() - from - looking, live };
}

async function classify(look: () => void): Promise<void> {
  let saved = 0;
  let written = 0;
  const runner = new BatchRunner({
    client: memoryService(),
    clock: { now: Date.now, sleep: async () => undefined },
    explain: String,
    save: async () => {
      if (++saved % 20 === 0) look();
    },
    files: {
      size: async file => statSync(file).size,
      read: file => createReadStream(file),
      create: async () => {
        const file = await open(output, 'w');
        return {
          write: async text => {
            await file.write(text);
            if (++written % 200 === 0) look();
          },
          finish: async () => {
            await file.close();
            return output;
          },
          discard: async () => file.close(),
        };
      },
    },
  });
  const run: BatchRun = {
    id: 'bench',
    input,
    inputBytes: statSync(input).size,
    format: { kind: 'csv', delimiter: ',', hasHeader: true },
    column: 'text',
    models,
    output: 'csv',
    origin: 'https://service.test',
    createdAt: Date.now(),
    rows,
    state: 'uploading',
    uploads: [],
    isUploaded: false,
  };
  const end = await runner.run(run, new AbortController().signal);
  if (end.state !== 'done' || end.failedRows !== 0)
    throw new Error(`the batch ended as ${end.state}: ${end.problem ?? end.failedRows}`);
}

/** The reference: the same bytes read and written, nothing looked at. */
async function copyLines(look: () => void): Promise<void> {
  const file = await open(output, 'w');
  let lines: string[] = [];
  let written = 0;
  for await (const line of createInterface({ input: createReadStream(input) })) {
    lines.push(line);
    if (lines.length < 500) continue;
    await file.write(`${lines.join('\n')}\n`);
    lines = [];
    if (++written % 200 === 0) look();
  }
  await file.write(lines.map(line => `${line}\n`).join(''));
  await file.close();
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

try {
  await makeInput();
  const copied = await measured(copyLines);
  const classified = await measured(classify);
  const lines = (await readFile(output)).reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
  if (lines !== rows + 1) throw new Error(`${lines} lines were written`);
  console.log(`rows                 ${rows}, ${mb(statSync(input).size)}`);
  console.log(
    `line by line         ${copied.ms.toFixed(0)} ms, ${mb(copied.live)} above the start`,
  );
  console.log(
    `classified           ${classified.ms.toFixed(0)} ms, ${mb(classified.live)} above the start, ` +
      `${(classified.ms / copied.ms).toFixed(1)} x line by line`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
