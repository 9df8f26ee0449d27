import assert from 'node:assert/strict';
import { faultsOf } from '../../support/ui/spoken.mjs';

describe('what is wrong with a label', () => {
  for (const [name, ...faults] of [
    ['To review: 4 changes in 1 file, change 1 of 4, audit clean'],
    ['Model a, Ready, serves for 2 days more, until 22 Nov'],
    ['', 'has no name'],
    ['\u{ea60} Accept', 'has an icon in its name'],
    ['$(check) Accept', 'has an icon in its name'],
    ['Costs of undefined', 'has a value that is no text'],
    ['Model a, Ready, Ready', 'says "ready" twice'],
    ['Model a, , Ready', 'has an empty part'],
    ['Ready, 1 endpoints', 'says "1 endpoints"'],
    ['4 changes in 1 files', 'says "1 files"'],
    ['12 change', 'says "12 change"'],
    ['1,201 lines, 0 file', 'says "0 file"'],
  ] as const)
    it(`${JSON.stringify(name)}: ${faults.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(faultsOf({ name }), faults);
    });
});
