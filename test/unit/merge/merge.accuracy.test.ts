import assert from 'node:assert/strict';
import { mergeEdit } from '../../../src/merge';
import { attemptAll, attemptRandom, isCertainlyWrong } from '../../bench/accuracy';
import { largeEdit } from '../../bench/largeFile';
import { cpuMs } from '../../support/unit/cpuTime';

describe('mergeEdit on the set of the benchmark', () => {
  const attempts = attemptAll();
  const titlesOf = (wanted: typeof attempts): string[] =>
    wanted.map(({ title, style }) => `${title} (${style})`);

  it('is right in 95 of 100 cases', () => {
    const wrong = attempts.filter(({ isRight }) => !isRight);
    assert.ok(wrong.length <= attempts.length * 0.05, titlesOf(wrong).join('\n'));
  });

  it('is never certain and wrong', () => {
    assert.deepEqual(titlesOf(attempts.filter(isCertainlyWrong)), []);
  });

  it('is certain and wrong in less than 2 of 100 random edits', () => {
    const random = attemptRandom(3, 500);
    assert.ok(random.filter(isCertainlyWrong).length < random.length * 0.02);
  });

  it('merges 5,000 lines while nobody notices', () => {
    const { original, update } = largeEdit(5000);
    const ms = cpuMs(() => mergeEdit(original, update), 3);
    assert.ok(ms < 250, `${ms} ms`);
  });
});
