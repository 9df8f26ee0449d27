import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const markName = 'SPLICE_TEST_MARK';
const lookAgainMs = 50;

/** A process of which all descendants can be counted, whoever their parents are now. Linux only. */
export class MarkedProcess {
  readonly #mark = randomUUID();
  readonly #child: ChildProcess;
  #output = '';
  #isClosed = false;

  /** @param more of the environment. */
  constructor(
    command: string,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ) {
    // Not what belongs to the run of the tests: a script started by hand makes these itself.
    const { SPLICE_TEMPORARY: _, npm_lifecycle_event: __, ...env } = process.env;
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, ...more, [markName]: this.#mark },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', data => (this.#output += data));
    this.#child.on('close', () => (this.#isClosed = true));
  }

  get output(): string {
    return this.#output;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** The command lines of all processes that carry the mark. */
  running(): string[] {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .filter(pid => read(`/proc/${pid}/environ`).includes(`${markName}=${this.#mark}`))
      .map(pid => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '));
  }

  /** Waits until it has ended, with all of its descendants, and its output and exit code have come. */
  end(): Promise<void> {
    return this.until(() => this.#isClosed && this.running().length === 0);
  }

  /** Waits until `condition` holds; mocha's time limit ends a wait in vain. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise(resolve => setTimeout(resolve, lookAgainMs));
  }
}

/** Empty for a process that has ended in the meantime or belongs to another user. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
