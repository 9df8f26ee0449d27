// A process with test files, for mutate.mjs. One that does not answer in time is killed: its answer is
// a failure.
import path from 'node:path';
import { root } from '../../test/support/runner/layout.mjs';
import { killTree, spawnOwned } from '../../test/support/runner/lifetime.mjs';

export class TestProcess {
  #child;
  #isEnded = false;
  constructor(node, mutant = -1) {
    this.#child = spawnOwned(node, [path.join(import.meta.dirname, 'worker.mjs')], {
      env: { ...process.env, MUTANT: String(mutant) },
      cwd: root,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  get isAlive() {
    return !this.#isEnded && this.#child.connected;
  }

  /** Resolves with `{ hits, ms, loadMs, failed }` of the tests. */
  run(request, ms) {
    return new Promise(resolve => {
      const child = this.#child;
      const done = answer => {
        clearTimeout(timer);
        child.off('message', take).off('exit', died);
        resolve(answer);
      };
      const take = answer => {
        // A program that a mutant left running would go on for as long as this process.
        if (answer.isLeaking) this.end();
        done(answer);
      };
      const died = () => {
        this.end(); // what it started is still there
        done({ hits: {}, ms: {}, loadMs: 0, failed: ['(the process ended)'] });
      };
      const timer = setTimeout(() => this.end(), ms);
      child.on('message', take).on('exit', died);
      child.send(request);
    });
  }

  /** Ends it and all that it started. */
  end() {
    this.#isEnded = true;
    killTree(this.#child.pid, 'SIGKILL');
  }
}
