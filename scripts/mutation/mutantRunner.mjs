// Finds a test that fails with a mutant.
import { reaching } from './coverage.mjs';
import { TestProcess } from './testProcess.mjs';

/** Of the time that the same tests take without a mutant, and on top of it, since timers are coarse. */
const deadlineFactor = 10;
const deadlineMs = 4000;

const run = (process, { file, titles, ms }, mutant) =>
  process.run({ file, titles, mutant }, deadlineMs + deadlineFactor * ms);

export class MutantRunner {
  #node;
  #warm;
  constructor(node) {
    this.#node = node;
  }

  /**
   * First in a process that is kept. That one may have kept values that code with the mutant computes:
   * tests that do not reach the mutant in it, and what reaches it outside of tests, need a new one.
   */
  async killerOf(mutant, tests) {
    const reached = reaching(mutant, tests);
    const inTests = reached
      .filter(({ inside }) => inside.length > 0)
      .map(one => ({ ...one, titles: one.inside }));
    const warm = await this.#firstFailure(mutant, inTests);
    if (warm.killer && (await this.#passes(warm.killer))) return warm.killer;
    // What an earlier mutant left behind may make a test fail.
    if (warm.killer) this.end();
    const { killer } = await this.#firstFailure(
      mutant,
      reached.filter(({ file, isOutside }) => isOutside || !warm.complete.has(file)),
      mutant.id,
    );
    if (killer) this.end();
    return killer && (await this.#passes(killer)) ? killer : undefined;
  }

  /** Whether a test passes without the mutant. */
  async #passes({ isEnd, ...killer }) {
    if (isEnd) return true; // it did not load, or not end
    return (await run(this.#process(), killer, -1)).failed.length === 0;
  }

  /**
   * Runs tests in the process that is kept, or in one that loads its files with the mutant. `complete`
   * are the files all of whose tests reached the mutant and passed.
   */
  async #firstFailure(mutant, reached, loadedWith) {
    const complete = new Set();
    let own;
    let killer;
    for (const one of reached) {
      if (loadedWith !== undefined && !own?.isAlive) own = new TestProcess(this.#node, loadedWith);
      const { failed, hits } = await run(own ?? this.#process(), one, mutant.id);
      if (failed.length > 0) {
        const isEnd = failed[0].startsWith('(');
        killer = { ...one, isEnd, titles: isEnd ? one.titles : failed.slice(0, 1) };
        break;
      }
      if (one.titles.every(title => hits[title]?.includes(mutant.id))) complete.add(one.file);
    }
    own?.end();
    return { killer, complete };
  }

  #process() {
    if (!this.#warm?.isAlive) this.#warm = new TestProcess(this.#node);
    return this.#warm;
  }

  end() {
    this.#warm?.end();
    this.#warm = undefined;
  }
}
