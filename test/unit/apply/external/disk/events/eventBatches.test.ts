import assert from 'node:assert/strict';
import {
  type DiskBatch,
  EventBatches,
} from '../../../../../../src/apply/external/disk/events/eventBatches';
import { VirtualTime } from '../../../../../support/unit/virtualTime';

type Batch = Omit<DiskBatch, 'since'>;

const batch = (more: Partial<Batch>): Batch => ({
  paths: [],
  needsScan: false,
  isGitChanged: false,
  ...more,
});

describe('events on disk', () => {
  let time: VirtualTime;
  let batches: EventBatches;
  let got: Batch[];
  /** When the first event of each batch came. */
  let since: number[];
  beforeEach(() => {
    time = new VirtualTime();
    got = [];
    since = [];
    batches = new EventBatches(time, ({ since: at, ...rest }) => {
      got.push(rest);
      since.push(at);
    });
  });

  it('come together once it is quiet, each path once', async () => {
    const start = time.now();
    batches.addPath('a');
    await time.advance(100);
    batches.addPath('b');
    batches.addPath('a');
    await time.advance(149);
    assert.deepEqual(got, []);
    await time.advance(1);
    assert.deepEqual(got, [batch({ paths: ['a', 'b'] })]);
    await time.advance(10_000);
    assert.equal(got.length, 1);
    batches.addPath('a');
    await time.advance(150);
    assert.deepEqual(got[1], batch({ paths: ['a'] }));
    assert.deepEqual(since, [start, start + 10_250]);
  });

  it('come after a second at most, however many more there are', async () => {
    for (let ms = 0; ms < 2500; ms += 100) {
      batches.addPath(`${ms}`);
      await time.advance(100);
    }
    await time.advance(150);
    assert.deepEqual(
      got.map(({ paths }) => paths.length),
      [10, 10, 5],
    );
  });

  it('become a scan when there are too many', async () => {
    for (let at = 0; at < 2000; at++) batches.addPath(`${at}`);
    batches.addPath('7');
    await time.advance(150);
    assert.equal(got[0]?.paths.length, 2000);
    for (let at = 0; at < 2001; at++) batches.addPath(`${at}`);
    batches.addPath('more');
    await time.advance(150);
    assert.deepEqual(got[1], batch({ needsScan: true }));
    batches.addPath('a');
    await time.advance(150);
    assert.deepEqual(got[2], batch({ paths: ['a'] }));
  });

  it('need a scan without any path', async () => {
    batches.addScan();
    await time.advance(150);
    assert.deepEqual(got, [batch({ needsScan: true })]);
  });

  it('say that git changed, and that a scan is needed', async () => {
    batches.addPath('a');
    batches.addGit();
    await time.advance(150);
    assert.deepEqual(got[0], batch({ paths: ['a'], isGitChanged: true }));
    batches.addPath('a');
    batches.addScan();
    batches.addGit();
    await time.advance(150);
    assert.deepEqual(got[1], batch({ needsScan: true, isGitChanged: true }));
  });

  it('are forgotten when nobody wants them any more', async () => {
    batches.addPath('a');
    batches.dispose();
    await time.advance(10_000);
    assert.deepEqual(got, []);
  });
});
