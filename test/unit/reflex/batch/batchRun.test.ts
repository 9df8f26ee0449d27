import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { english } from '../../../../src/base/sentence';
import {
  type BatchRun,
  batchProgress,
  isUploadFinished,
} from '../../../../src/reflex/batch/batchRun';
import {
  type BatchClient,
  type BatchFiles,
  BatchRunner,
} from '../../../../src/reflex/batch/batchRunner';
import { countRows } from '../../../../src/reflex/batch/inputRows';
import { adviceFor } from '../../../../src/service/advice';
import { type ErrorKind, ServiceError } from '../../../../src/service/errors';
import type { ReflexRow, ReflexRowResult } from '../../../../src/service/wire/reflexBatches';
import { VirtualTime } from '../../../support/unit/virtualTime';

const info = { attempts: 1, ms: 5 };

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The batches of a service, by their keys. */
class Service {
  readonly uploads: string[] = [];
  readonly batches = new Map<string, { id: string; rows: readonly ReflexRow[]; polls: number }>();
  readonly failures = new Map<'upload' | 'uploaded' | 'poll' | 'results', ErrorKind[]>();
  /** Statuses of the polls; the last one stays. */
  statuses = ['queued', 'in_progress', 'completed'];

  readonly client: BatchClient = {
    uploadReflexBatch: async ({ rows, idempotencyKey }) => {
      this.#fail('upload');
      this.uploads.push(idempotencyKey);
      const batch = this.batches.get(idempotencyKey) ?? {
        id: `rbatch-${this.batches.size + 1}`,
        rows,
        polls: 0,
      };
      this.batches.set(idempotencyKey, batch);
      // The batch exists, and the answer is lost.
      this.#fail('uploaded');
      return { id: batch.id, status: 'queued', ...info };
    },
    reflexBatch: async id => {
      this.#fail('poll');
      const batch = this.#batch(id);
      const status = this.statuses[Math.min(batch.polls++, this.statuses.length - 1)] ?? '';
      const failed = batch.rows.filter(({ text }) => text.includes('fail')).length;
      const total = batch.rows.length;
      const completed = status === 'completed' ? total - failed : 0;
      return { id, status, requestCounts: { total, completed, failed }, ...info };
    },
    reflexBatchResults: async ({ id, onRows }) => {
      this.#fail('results');
      const { rows } = this.#batch(id);
      for (const row of rows.toReversed()) await onRows([resultOf(row)]);
      return { rows: rows.length, failed: 0, unreadable: 0, ...info };
    },
  };

  #batch(id: string) {
    return [...this.batches.values()].find(batch => batch.id === id) ?? assert.fail(id);
  }

  #fail(when: 'upload' | 'uploaded' | 'poll' | 'results'): void {
    const kind = this.failures.get(when)?.shift();
    if (kind) throw new ServiceError(kind, `${kind} at ${when}`);
  }
}

function resultOf({ id, models, text }: ReflexRow): ReflexRowResult {
  if (text.includes('fail')) return { id, predictions: [], failures: [], error: 'asked to fail' };
  return {
    id,
    failures: [],
    predictions: models.map(model => {
      const classes = [
        { classId: 0, label: text.length > 4 ? 'long' : 'short', score: 0.75, isSelected: true },
      ];
      return { model, mode: 'single_label', classes, selected: classes };
    }),
  };
}

class Disk {
  input = '';
  result: string | undefined;
  temporary: string | undefined;
  readonly files: BatchFiles = {
    size: async () => Buffer.byteLength(this.input),
    read: () => bytesOf(this.input),
    create: async () => {
      this.temporary = '';
      return {
        write: async text => void (this.temporary += text),
        finish: async () => {
          this.result = this.temporary;
          this.temporary = undefined;
          return '/data/in.reflex.csv';
        },
        discard: async () => void (this.temporary = undefined),
      };
    },
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const input =
  'id,text\n1,hello\n2,"please, fail"\n3,\n4,hi\n5,key sk-proj-abcdefghij0123456789\n6,again\n7,end\n8,\n';
const output = [
  'id,text,jailbreak,jailbreak score,error',
  '1,hello,long,0.75,',
  '2,"please, fail",,,asked to fail',
  '3,,,,The text is empty.',
  '4,hi,short,0.75,',
  '5,key sk-proj-abcdefghij0123456789,,,The text seems to contain a key or a password; it was not sent.',
  '6,again,long,0.75,',
  '7,end,short,0.75,',
  '8,,,,The text is empty.',
  '',
].join('\n');

function setUp() {
  const time = new VirtualTime();
  const service = new Service();
  const disk = new Disk();
  disk.input = input;
  const saved: BatchRun[] = [];
  const start: BatchRun = {
    id: 'run1',
    input: '/data/in.csv',
    inputBytes: Buffer.byteLength(input),
    format: { kind: 'csv', delimiter: ',', hasHeader: true },
    column: 'text',
    models: ['jailbreak'],
    output: 'csv',
    origin: 'https://service.test',
    createdAt: 0,
    rows: 8,
    state: 'uploading',
    uploads: [],
    isUploaded: false,
  };
  /** Saved runs come back as their JSON does. @param crashAt the how-manieth save never returns */
  const run = async (from: BatchRun, crashAt = Infinity, signal = new AbortController().signal) => {
    const ended: (BatchRun | Error)[] = [];
    let count = 0;
    const runner = new BatchRunner({
      client: service.client,
      clock: time,
      files: disk.files,
      explain: error => adviceFor(error, english).message,
      rowsPerUpload: 2,
      save: async next => {
        saved.push(JSON.parse(JSON.stringify(next)));
        if (++count === crashAt) await new Promise(() => undefined);
      },
    });
    runner.run(from, signal).then(
      end => ended.push(end),
      (error: Error) => ended.push(error),
    );
    for (let hours = 0; hours < 3 && ended.length === 0; hours++) await time.advance(3_600_000);
    return ended[0];
  };
  return { time, service, disk, saved, start, run };
}

const stateOf = (end: BatchRun | Error | undefined) =>
  end && 'state' in end ? end.state : (end?.name ?? 'still running');

describe('a batch run', () => {
  it('writes a row for each row of the input, in order, with what went wrong', async () => {
    const { service, disk, start, run } = setUp();
    const end = await run(start);
    assert.ok(end && 'state' in end);
    assert.deepEqual([end.state, end.result, end.failedRows], ['done', '/data/in.reflex.csv', 4]);
    assert.equal(disk.result, output);
    const sent = [...service.batches.values()].map(({ rows }) => rows.map(({ text }) => text));
    assert.deepEqual(sent, [['hello', 'please, fail'], ['hi', 'again'], ['end']]);
    assert.deepEqual(batchProgress(end), { sent: 5, classified: 5, failed: 1, uploads: 3 });
  });

  it('counts the rows that would be sent', async () => {
    const { start } = setUp();
    const { signal } = new AbortController();
    const counts = await countRows(bytesOf(input), start.format, 'text', signal);
    assert.deepEqual(counts, { rows: 8, sendable: 5 });
  });

  it('makes no second batch, wherever a crash interrupts it', async () => {
    const { saved, start, run } = setUp();
    await run(start);
    const steps = saved.length;
    assert.ok(steps > 10, `${steps} steps`);
    for (let crashAt = 1; crashAt <= steps; crashAt++) {
      const world = setUp();
      assert.equal(await world.run(world.start, crashAt), undefined);
      const end = await world.run(world.saved.at(-1) ?? start);
      assert.equal(stateOf(end), 'done', `crash at ${crashAt}`);
      assert.equal(world.service.batches.size, 3, `crash at ${crashAt}`);
      assert.equal(world.disk.result, output);
    }
  });

  it('makes no second batch when an answer is lost, or the network for a while', async () => {
    const { service, disk, start, run } = setUp();
    service.failures.set('uploaded', ['connection', 'timeout']);
    service.failures.set('upload', ['offline', 'rateLimited', 'server']);
    service.failures.set('poll', ['offline', 'offline']);
    service.failures.set('results', ['truncated']);
    assert.equal(stateOf(await run(start)), 'done');
    assert.equal(service.batches.size, 3);
    assert.equal(service.uploads.length, 5);
    assert.equal(disk.result, output);
  });

  it('stops at what only the user can mend, and goes on later', async () => {
    const { service, disk, start, run, saved } = setUp();
    service.failures.set('upload', ['payment']);
    const end = await run(start);
    assert.ok(end && 'state' in end);
    assert.equal(end.state, 'failed');
    assert.match(end.problem ?? '', /no credit/);
    assert.equal(stateOf(await run(saved.at(-1) ?? start)), 'done');
    assert.equal(disk.result, output);
  });

  it('stays known when the service serves no results, and asks again later', async () => {
    const { service, disk, start, run, saved } = setUp();
    service.failures.set('results', ['notFound']);
    const end = await run(start);
    assert.equal(stateOf(end), 'noResults');
    assert.deepEqual([disk.result, disk.temporary], [undefined, undefined]);
    assert.equal(saved.at(-1)?.uploads.length, 3);
    assert.equal(stateOf(await run(saved.at(-1) ?? start)), 'done');
    assert.equal(service.uploads.length, 3);
  });

  it('never mixes rows of another file in', async () => {
    const before = setUp();
    before.service.failures.set('upload', ['payment']);
    await before.run(before.start);
    before.disk.input = input.replace('hello', 'jello');
    const end = await before.run(before.saved.at(-1) ?? before.start);
    assert.ok(end && 'state' in end && end.state === 'failed');
    assert.equal(before.service.batches.size, 0);
    // After the upload as well: the results would stand next to other texts.
    const full = input.replace('8,\n', '8,last\n');
    for (const [text, other] of [
      ['hello', 'jello'],
      ['again', 'AGAIN'],
      ['last', 'LAST'],
    ] as const) {
      const after = setUp();
      after.service.failures.set('results', ['notFound']);
      after.disk.input = full;
      await after.run({ ...after.start, inputBytes: Buffer.byteLength(full) });
      after.disk.input = full.replace(text, other);
      assert.equal(stateOf(await after.run(after.saved.at(-1) ?? after.start)), 'failed', text);
      assert.deepEqual([after.disk.result, after.disk.temporary], [undefined, undefined]);
    }
  });

  it('ends at a status that is new when it says so, and tells the rows', async () => {
    const { service, disk, start, run } = setUp();
    service.statuses = ['warming_up', 'expired'];
    service.client.reflexBatchResults = async () => ({
      rows: 0,
      failed: 0,
      unreadable: 0,
      ...info,
    });
    assert.equal(stateOf(await run(start)), 'done');
    assert.match(disk.result ?? '', /^1,hello,,,"The batch ended as ""expired""\."$/m);
    const upload = { firstRow: 0, endRow: 2, sent: 2, digest: '' };
    assert.equal(isUploadFinished({ ...upload, status: 'paused' }), false);
    assert.equal(
      isUploadFinished({ ...upload, status: 'archived', completed: 1, failed: 1 }),
      true,
    );
  });

  it('ends at once when it is stopped, and leaves no half file', async () => {
    const { service, disk, start, run } = setUp();
    const controller = new AbortController();
    service.client.reflexBatchResults = async () => {
      controller.abort();
      throw new DOMException('stopped', 'AbortError');
    };
    assert.equal(stateOf(await run(start, Infinity, controller.signal)), 'AbortError');
    assert.deepEqual([disk.result, disk.temporary], [undefined, undefined]);
  });

  it('streams: what lives in the memory does not grow with the rows', async function () {
    this.timeout(600_000);
    const rows = Number(process.env['ROWS'] ?? 60_000);
    const text = 'Why does the upload of large files still fail after the third try? '.repeat(4);
    const client = countingClient();
    let written = 0;
    let most = 0;
    const sample = () => {
      collectGarbage();
      most = Math.max(most, process.memoryUsage().heapUsed);
    };
    async function* file(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('id,text\n');
      for (let at = 0; at < rows; at += 1000) {
        if (at % 20_000 === 0) sample();
        yield Buffer.from(Array.from({ length: 1000 }, (_, n) => `${at + n},${text}\n`).join(''));
      }
    }
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const { start } = setUp();
    const runner = new BatchRunner({
      client,
      clock: { now: () => 0, sleep: async () => undefined },
      files: {
        size: async () => start.inputBytes,
        read: file,
        create: async () => ({
          write: async lines => void (written += lines.split('\n').length - 1),
          finish: async () => '',
          discard: async () => undefined,
        }),
      },
      explain: String,
      save: async () => undefined,
    });
    const end = await runner.run(start, new AbortController().signal);
    assert.deepEqual([end.state, end.uploads.length, written], ['done', rows / 10_000, rows + 1]);
    // The texts of one upload alone have 3 MB.
    const grown = (most - before) / (1 << 20);
    assert.ok(grown < 25, `${grown.toFixed(0)} MB`);
  });
});

/** Keeps nothing of a batch but how many rows it has and where they begin. */
function countingClient(): BatchClient {
  const batches = new Map<string, { first: number; count: number }>();
  return {
    uploadReflexBatch: async ({ rows, idempotencyKey }) => {
      const id = createHash('md5').update(idempotencyKey).digest('hex');
      batches.set(id, { first: Number(rows[0]?.id.slice(4)), count: rows.length });
      return { id, status: 'completed', ...info };
    },
    reflexBatch: async id => ({ id, status: 'completed', ...info }),
    reflexBatchResults: async ({ id, onRows }) => {
      const { first, count } = batches.get(id) ?? assert.fail();
      for (let n = 0; n < count; n++)
        await onRows([resultOf({ id: `row-${first + n}`, models: ['jailbreak'], text: 'hello' })]);
      return { rows: count, failed: 0, unreadable: 0, ...info };
    },
  };
}
