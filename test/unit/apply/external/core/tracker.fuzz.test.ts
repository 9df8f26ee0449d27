import assert from 'node:assert/strict';
import type { FuzzCounts } from './fuzz/decisions';
import { FuzzRun } from './fuzz/fuzzRun';

/** How many interleavings; SPLICE_FUZZ=20000 takes minutes, and SPLICE_FUZZ_FIRST is the seed of the first one. */
const interleavings = Number(process.env['SPLICE_FUZZ'] ?? 1500);
const firstSeed = Number(process.env['SPLICE_FUZZ_FIRST'] ?? 1);
const actions = 25;

describe('RootTracker, whatever happens in whatever order', function () {
  this.timeout(0);

  it('loses no bytes, writes no wrong ones and refuses what is outdated', async () => {
    const counts: FuzzCounts = {
      actions: 0,
      keeps: 0,
      undos: 0,
      reverts: 0,
      refused: 0,
      edited: 0,
      reloads: 0,
      crashes: 0,
    };
    for (let seed = firstSeed; seed < firstSeed + interleavings; seed++) {
      const run = await FuzzRun.of(seed, counts);
      try {
        await run.run(actions);
      } catch (error) {
        throw new Error(`seed ${seed}\n${run.trace}\n${String(error)}`, { cause: error });
      }
    }
    if (process.env['SPLICE_FUZZ'] !== undefined) console.log(counts);
    // Each kind of action was tried often enough to mean something.
    for (const count of Object.values(counts)) assert.ok(count > interleavings / 20);
  });
});
