import assert from 'node:assert/strict';
import { mergeEdit } from '../../../src/merge/index';
import { attemptAll, attemptRandom, isCertainlyWrong } from '../../bench/accuracy';
import { largeEdit } from '../../bench/largeFile';

/** Where the engine is certain and wrong today: file, edit and, where it is not in all of them, the style. */
const knownErrors = [
  'scripts/backup.sh, prints a summary at the end',
  'src/diskCache.ts, adds an import and uses it (dedented)',
  'src/diskCache.ts, renames an option where it is declared and used (dedented)',
  'queue/queue.go, limits the attempts (dedented)',
  'src/components/OrderList.tsx, adds a component at the end (one line of context)',
];

describe('mergeEdit on the set of the benchmark', () => {
  const attempts = attemptAll();
  const titlesOf = (wanted: typeof attempts): string[] =>
    wanted.map(({ title, style }) => `${title} (${style})`);

  it('is right in 95 of 100 cases', () => {
    const wrong = attempts.filter(({ isRight }) => !isRight);
    assert.ok(wrong.length <= attempts.length * 0.05, titlesOf(wrong).join('\n'));
  });

  it('is certain and wrong nowhere else than it is known to be', () => {
    const wrong = titlesOf(attempts.filter(isCertainlyWrong));
    const unknown = wrong.filter(title => !knownErrors.some(known => title.startsWith(known)));
    assert.deepEqual(unknown, []);
  });

  it('is certain and wrong in less than 2 of 100 random edits', () => {
    const random = attemptRandom(3, 500);
    assert.ok(random.filter(isCertainlyWrong).length < random.length * 0.02);
  });

  it('merges 5,000 lines while nobody notices', () => {
    const { original, update } = largeEdit(5000);
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now();
      mergeEdit(original, update);
      return performance.now() - start;
    });
    assert.ok(Math.min(...times) < 250, `${Math.min(...times)} ms`);
  });
});
