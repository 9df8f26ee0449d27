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

  /** First in a process that is kept, then, since that one may have kept values, in new ones. */
  async killerOf(mutant, tests) {
    const reached = reaching(mutant, tests);
    if (reached.length === 0) return undefined;
    const inTests = reached.filter(({ inside }) => inside.length > 0);
    const killedWarm = await this.#firstFailure(
      mutant,
      inTests.map(one => ({ ...one, titles: one.inside })),
    );
    if (killedWarm && (await this.#passes(killedWarm))) return killedWarm;
    // What an earlier mutant left behind may make a test fail.
    if (killedWarm) this.end();
    const killer = await this.#firstFailure(mutant, reached, mutant.id);
    if (killer) this.end();
    return killer && (await this.#passes(killer)) ? killer : undefined;
  }

  /** Whether a test passes without the mutant. */
  async #passes({ isEnd, ...killer }) {
    if (isEnd) return true; // it did not load, or not end
    return (await run(this.#process(), killer, -1)).failed.length === 0;
  }

  /** Runs the tests in the process that is kept, or in one that loads its files with the mutant. */
  async #firstFailure(mutant, reached, loadedWith) {
    let own;
    for (const one of reached) {
      if (loadedWith !== undefined && !own?.isAlive) own = new TestProcess(this.#node, loadedWith);
      const { failed } = await run(own ?? this.#process(), one, mutant.id);
      if (failed.length === 0) continue;
      own?.end();
      const isEnd = failed[0].startsWith('(');
      return { ...one, isEnd, titles: isEnd ? one.titles : failed.slice(0, 1) };
    }
    own?.end();
    return undefined;
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
