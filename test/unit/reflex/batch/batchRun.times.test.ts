import assert from 'node:assert/strict';
import {
  type BatchRun,
  batchProgress,
  isActiveRun,
  isUploadFinished,
} from '../../../../src/reflex/batch/batchRun';
import { type BatchClient, BatchRunner } from '../../../../src/reflex/batch/batchRunner';
import { countRows, rowNumber, uploadGroups } from '../../../../src/reflex/batch/inputRows';
import { addResult, outcomeOf } from '../../../../src/reflex/batch/rowOutcomes';
import type { InputRow } from '../../../../src/reflex/batch/rowReader';
import type { RowOutcome } from '../../../../src/reflex/batch/rowWriter';
import { ServiceError } from '../../../../src/service/errors';
import { VirtualTime } from '../../../support/unit/virtualTime';

const info = { attempts: 1, ms: 5 };
const format = { kind: 'lines', delimiter: ',', hasHeader: false } as const;
const text = 'one\ntwo\nthree\n';

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const start: BatchRun = {
  id: 'run1',
  input: '/data/in.txt',
  inputBytes: text.length,
  format,
  column: '',
  models: ['jailbreak'],
  output: 'csv',
  origin: 'https://service.test',
  createdAt: 0,
  rows: 3,
  state: 'uploading',
  uploads: [],
  isUploaded: false,
};

/** Runs to the end with a service that does not know the results; tells when each call was made, in seconds. */
async function timesOf(
  client: Partial<BatchClient>,
  from = start,
): Promise<{
  calls: [string, number][];
  waits: [number, unknown][];
  end: BatchRun;
  saved: BatchRun[];
  keys: string[];
}> {
  const time = new VirtualTime();
  const started = time.now();
  const seconds = (ms: number) => (ms - started) / 1000;
  const calls: [string, number][] = [];
  const waits: [number, unknown][] = [];
  const saved: BatchRun[] = [];
  const keys: string[] = [];
  const called = (name: string) => void calls.push([name, seconds(time.now())]);
  const runner = new BatchRunner({
    client: {
      uploadReflexBatch: async (request, options) => {
        called('upload');
        keys.push(request.idempotencyKey);
        return (
          (await client.uploadReflexBatch?.(request, options)) ?? {
            id: 'b1',
            status: 'queued',
            ...info,
          }
        );
      },
      reflexBatch: async (id, options) => {
        called('poll');
        return (await client.reflexBatch?.(id, options)) ?? { id, status: 'completed', ...info };
      },
      reflexBatchResults: async () => ({ rows: 0, failed: 0, unreadable: 0, ...info }),
    },
    clock: time,
    files: {
      size: async () => text.length,
      read: bytes,
      create: async () => ({
        write: async () => undefined,
        finish: async () => '/data/out.csv',
        discard: async () => undefined,
      }),
    },
    explain: String,
    save: async run => void saved.push(run),
    onWait: (until, error) => waits.push([seconds(until), error]),
  });
  const end = await time.until(runner.run(from, new AbortController().signal), 500);
  return { calls, waits, end, saved, keys };
}

const timesOfCall = (calls: readonly [string, number][], wanted: string) =>
  calls.flatMap(([name, at]) => (name === wanted ? [at] : []));
const gaps = (times: readonly number[]) =>
  times.slice(1).map((at, index) => at - (times[index] ?? 0));

describe('the times of a batch run', () => {
  it('ask less and less often for a batch that does not move, at most every 30 seconds', async () => {
    let polls = 0;
    const { calls, end } = await timesOf({
      reflexBatch: async id => {
        const status = polls++ < 12 ? 'queued' : 'completed';
        return { id, status, ...info };
      },
    });
    assert.equal(end.state, 'done');
    const waited = gaps(timesOfCall(calls, 'poll'));
    assert.deepEqual(waited.slice(0, 3), [3, 4.5, 6.75]);
    assert.deepEqual(waited.slice(7), [30, 30, 30, 30, 30]);
  });

  it('ask again after 2 seconds once a batch has moved', async () => {
    let polls = 0;
    const { calls, saved } = await timesOf({
      reflexBatch: async id => {
        polls++;
        const isEnd = polls > 6;
        const completed = polls > 3 ? 1 : 0;
        return {
          id,
          status: isEnd ? 'completed' : 'in_progress',
          requestCounts: { total: 3, completed, failed: polls > 5 ? 1 : 0 },
          ...info,
        };
      },
    });
    // Moved at the first, the fourth and the sixth.
    assert.deepEqual(gaps(timesOfCall(calls, 'poll')), [2, 3, 4.5, 2, 3, 2]);
    assert.deepEqual(
      saved.flatMap(({ state, uploads: [upload] }) =>
        state === 'following' && upload ? [[upload.status, upload.completed, upload.failed]] : [],
      ),
      [
        ['queued', undefined, undefined],
        ['in_progress', 0, 0],
        ['in_progress', 1, 0],
        ['in_progress', 1, 1],
        ['completed', 1, 1],
      ],
    );
  });

  it('double after each failure, up to 5 minutes, or are those of the service', async () => {
    let tries = 0;
    const error = new ServiceError('server', 'ill');
    const { calls, waits } = await timesOf({
      uploadReflexBatch: async () => {
        if (tries++ < 9) throw error;
        return { id: 'b1', status: 'completed', ...info };
      },
    });
    const times = timesOfCall(calls, 'upload');
    assert.deepEqual(gaps(times), [5, 10, 20, 40, 80, 160, 300, 300, 300]);
    assert.deepEqual(
      waits,
      times.slice(1).map(at => [at, error]),
    );
  });

  it('are not before the service wants, and one failure does not slow the next call', async () => {
    let tries = 0;
    const retryAt = Date.UTC(2026, 10, 20, 12) + 60_000;
    const { calls } = await timesOf({
      uploadReflexBatch: async () => {
        if (tries++ === 0) throw new ServiceError('rateLimited', 'later', { retryAt });
        if (tries === 2) throw new ServiceError('paused', 'later', { retryAt });
        return { id: 'b1', status: 'completed', ...info };
      },
    });
    assert.deepEqual(timesOfCall(calls, 'upload'), [0, 60, 70]);
  });

  it('are none for errors that stay', async () => {
    for (const error of [new ServiceError('payment', 'no credit'), new Error('odd')]) {
      const { calls, end } = await timesOf({
        uploadReflexBatch: async () => Promise.reject(error),
      });
      assert.deepEqual(calls, [['upload', 0]]);
      assert.deepEqual([end.state, end.problem], ['failed', String(error)]);
    }
  });

  it('have keys that depend on the run, the position and the rows, and nothing is sent twice', async () => {
    const { saved, keys, end } = await timesOf({});
    assert.match(keys.join(), /^splice-run1-0-[0-9a-f]{16}$/);
    assert.deepEqual(
      saved.map(({ state, isUploaded, uploads }) => [state, isUploaded, uploads.length]),
      [
        ['uploading', false, 0],
        ['uploading', false, 1],
        ['uploading', false, 1],
        ['uploading', true, 1],
        ['following', true, 1],
        ['following', true, 1],
        ['fetching', true, 1],
        ['done', true, 1],
      ],
    );
    const failed = { ...end, state: 'failed', problem: 'old' } as const;
    const again = await timesOf({}, failed);
    assert.deepEqual(again.calls, []);
    assert.equal(again.saved[0]?.problem, undefined);
    assert.equal(again.end.state, 'done');
  });
});

const rowOf = (value: string | undefined): InputRow => ({
  cells: [value ?? ''],
  text: value,
  problem: value === undefined ? 'The text is empty.' : undefined,
});

async function* inputOf(texts: readonly (string | undefined)[]): AsyncGenerator<InputRow> {
  for (const one of texts) yield rowOf(one);
}

describe('uploads', () => {
  for (const { what, rows, perUpload, groups } of [
    { what: 'none for no row', rows: [], perUpload: 2, groups: [] },
    { what: 'none for rows without a text', rows: [undefined], perUpload: 2, groups: [] },
    {
      what: 'one that is full',
      rows: ['a', 'b'],
      perUpload: 2,
      groups: [{ ids: ['row-0', 'row-1'], firstRow: 0, endRow: 2 }],
    },
    {
      what: 'rows without a text belong to a range but are not sent',
      rows: [undefined, 'a', undefined, 'b', undefined, 'c', undefined],
      perUpload: 2,
      groups: [
        { ids: ['row-1', 'row-3'], firstRow: 0, endRow: 4 },
        { ids: ['row-5'], firstRow: 4, endRow: 6 },
      ],
    },
  ])
    it(`are ${what}`, async () => {
      const found = [];
      const all = inputOf(rows);
      for await (const { rows: sent, firstRow, endRow } of uploadGroups(all, ['m'], perUpload))
        found.push({ ids: sent.map(({ id }) => id), firstRow, endRow });
      assert.deepEqual(found, groups);
    });

  it('stop being counted when they are aborted', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(countRows(bytes(), format, '', stopped), /stopped/);
  });

  it('end by their status, or once every row is accounted for', () => {
    const upload = { firstRow: 0, endRow: 9, sent: 3, digest: '' };
    for (const [more, isFinished] of [
      [{}, false],
      [{ status: 'completed' }, true],
      [{ status: 'queued', completed: 3 }, false],
      [{ status: 'in_progress', completed: 3 }, false],
      [{ status: 'odd', completed: 2 }, false],
      [{ status: 'odd', completed: 2, failed: 1 }, true],
      [{ status: 'odd', completed: 1, failed: 1 }, false],
      [{ status: 'Cancelled' }, true],
      [{ status: 'failed' }, true],
      [{ status: 'aborted' }, true],
      [{ status: 'error' }, true],
    ] as const)
      assert.equal(isUploadFinished({ ...upload, ...more }), isFinished, JSON.stringify(more));
  });

  it('add up to the progress of a run, which is active until its end', () => {
    const upload = { firstRow: 0, endRow: 9, sent: 3, digest: '' };
    const uploads = [
      { ...upload, batchId: 'b1', completed: 2, failed: 1 },
      { ...upload, batchId: 'b2', completed: 1 },
      { ...upload, batchId: 'b3' },
      upload,
    ];
    assert.deepEqual(batchProgress({ ...start, uploads }), {
      sent: 9,
      classified: 4,
      failed: 1,
      uploads: 3,
    });
    for (const [state, isActive] of [
      ['uploading', true],
      ['following', true],
      ['fetching', true],
      ['done', false],
      ['failed', false],
      ['noResults', false],
    ] as const)
      assert.equal(isActiveRun({ ...start, state }), isActive, state);
  });

  it('know rows by their ids', () => {
    for (const [id, number] of [
      ['row-0', 0],
      ['row-12', 12],
      ['row-', -1],
      ['xrow-1', -1],
      ['row-1x', -1],
    ] as const)
      assert.equal(rowNumber(id), number, id);
  });
});

describe('the outcome of a row', () => {
  it('has all that came for it, in parts and with errors, the best label first', () => {
    const found = new Map<number, RowOutcome>();
    const classes = [
      { classId: 0, label: 'low', score: 0.6, isSelected: true },
      { classId: 1, label: 'hi\u202egh', score: 0.9, isSelected: true },
      { classId: 2, label: 'not', score: 0.1, isSelected: false },
    ];
    const domain = { model: 'domain', mode: 'x', classes, selected: classes.slice(0, 2) };
    const none = { model: 'jailbreak', mode: 'x', classes: [], selected: [] };
    addResult(found, { id: 'row-3', predictions: [domain], failures: [], error: 'slow' });
    const failures = [{ model: 'gone', message: 'unknown' }];
    addResult(found, { id: 'row-3', predictions: [none], failures, error: undefined });
    const label = found.get(3)?.labels[0]?.scores[1]?.[0];
    assert.doesNotMatch(label ?? '', /\u202e/);
    assert.deepEqual(found.get(3), {
      labels: [
        {
          reflex: 'domain',
          selected: [label, 'low'],
          score: 0.9,
          scores: [
            ['low', 0.6],
            [label, 0.9],
            ['not', 0.1],
          ],
        },
        { reflex: 'jailbreak', selected: [], score: undefined, scores: [] },
      ],
      error: 'slow gone: unknown',
    });
  });

  it('says why there is none', () => {
    const upload = { firstRow: 0, endRow: 9, sent: 3, digest: '' };
    for (const [row, status, error] of [
      [rowOf(undefined), 'completed', 'The text is empty.'],
      [rowOf('a'), 'completed', 'The service gave no result for this row.'],
      [rowOf('a'), undefined, 'The service gave no result for this row.'],
      [rowOf('a'), 'failed', 'The batch ended as "failed".'],
    ] as const)
      assert.equal(outcomeOf(row, undefined, { ...upload, status }).error, error);
  });
});
