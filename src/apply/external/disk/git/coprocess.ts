import type { RunningProgram } from '../../../../base/process';

/** Takes one whole answer off the start of the bytes; undefined while a part of it is missing. */
export type ReadAnswer<T> = (
  bytes: Buffer,
) => { readonly answer: T; readonly length: number } | undefined;

/** How a question ends: with the answer, or with the reason that there is none. */
interface Asked<T> {
  readonly input: string;
  readonly resolve: (answer: T) => void;
  readonly reject: (error: unknown) => void;
}

/** A program that waits for questions longer than this is ended, in milliseconds. */
const idleMs = 1000;
/** Without an answer for so long, the program is ended. */
const silenceMs = 30_000;

/**
 * A program that answers one question after the other, such as `git cat-file --batch`. It is started at the first
 * question and ended when there have been none for a second, so that a burst costs one process and an idle window
 * none.
 */
export class Coprocess<T> {
  readonly #start: (onBytes: (bytes: Buffer) => void) => RunningProgram;
  readonly #read: ReadAnswer<T>;
  readonly #wantedOf: (bytes: Buffer) => number;
  readonly #asked: Asked<T>[] = [];
  #running: RunningProgram | undefined;
  #bytes: Buffer[] = [];
  #length = 0;
  /** With fewer bytes there cannot be a whole answer. */
  #wanted = 1;
  #timer: NodeJS.Timeout | undefined;

  /** @param wantedOf how long the answer at the start of the bytes will be, where that can be seen */
  constructor(
    start: (onBytes: (bytes: Buffer) => void) => RunningProgram,
    read: ReadAnswer<T>,
    wantedOf: (bytes: Buffer) => number = () => 0,
  ) {
    this.#start = start;
    this.#read = read;
    this.#wantedOf = wantedOf;
  }

  /** @throws when the program cannot be started, ends, or is silent for 30 seconds */
  async ask(input: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ input, resolve, reject });
      const running = (this.#running ??= this.#begin());
      running.write(input);
      this.#wait();
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#running?.stop();
    this.#fail(new Error('disposed'));
  }

  #begin(): RunningProgram {
    const running = this.#start(bytes => {
      if (this.#running === running) this.#take(bytes);
    });
    const ended = (error: Error): void => {
      if (this.#running === running) this.#fail(error);
    };
    running.end.then(
      ({ reason, exitCode, errorText }) => ended(new Error(`${reason} ${exitCode}: ${errorText}`)),
      (error: unknown) => ended(error instanceof Error ? error : new Error(String(error))),
    );
    return running;
  }

  #take(bytes: Buffer): void {
    this.#bytes.push(bytes);
    this.#length += bytes.byteLength;
    while (this.#asked.length > 0 && this.#length >= this.#wanted) {
      const all = this.#bytes.length === 1 ? this.#bytes[0] : Buffer.concat(this.#bytes);
      if (!all) break;
      const read = this.#read(all);
      const rest = read ? all.subarray(read.length) : all;
      this.#bytes = [rest];
      this.#length = rest.byteLength;
      this.#wanted = read ? 1 : Math.max(this.#length + 1, this.#wantedOf(rest));
      if (read) this.#asked.shift()?.resolve(read.answer);
    }
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const isBusy = this.#asked.length > 0;
    this.#timer = setTimeout(
      () => {
        const running = this.#running;
        if (isBusy) {
          running?.stop();
          this.#fail(new Error('no answer'));
        } else {
          this.#reset();
          running?.endInput();
        }
      },
      isBusy ? silenceMs : idleMs,
    ).unref();
  }

  #fail(error: Error): void {
    this.#reset();
    for (const { reject } of this.#asked.splice(0)) reject(error);
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#running = undefined;
    this.#bytes = [];
    this.#length = 0;
    this.#wanted = 1;
  }
}
