import assert from 'node:assert/strict';
import { TermFinder } from '../../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../../src/search/local/query/terms';
import { MatchQuality } from '../../../../../src/search/local/text/matchQuality';
import { NameShares } from '../../../../../src/search/local/text/nameShares';

describe('the share of a name that a query has', () => {
  const shares = new NameShares(
    new TermFinder(termsOf('tasks by worker, parsed from a url')),
    new MatchQuality(),
  );
  const cases: [name: string, share: number][] = [
    ['tasksWorker', 1],
    ['TASK_WORKER', 1],
    ['parseURL', 1],
    // A word such as `by` or `get` says little.
    ['_tasks_by_worker', 2 / 2.3],
    ['getTask', 1 / 1.3],
    ['taskCount', 0.5],
    ['restartWorkerOfTasks', 2 / 3.3],
    // Only a part of the word.
    ['multitask', 0],
    ['v2', 0],
    ['', 0],
  ];
  for (const [name, share] of cases)
    it(`is ${share.toFixed(2)} of '${name}'`, () => {
      assert.ok(Math.abs(shares.of(name) - share) < 1e-9, `${shares.of(name)}`);
      assert.equal(shares.of(name), shares.of(name));
    });
});
