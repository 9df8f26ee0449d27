import path from 'node:path';
import type { FileOps } from '../../../../../src/apply/review/journal/journalFolder';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** Files in memory that stop at any byte: when the host dies, or when the disk is full. */
export class MemoryDisk {
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();
  /** Characters that can still be written before the host dies. */
  untilDeath = Number.POSITIVE_INFINITY;
  /** Calls, begun or ended, before the host dies. */
  stepsUntilDeath = Number.POSITIVE_INFINITY;
  /** Characters that the disk can hold. */
  capacity = Number.POSITIVE_INFINITY;
  isDead = false;
  onDeath: () => void = () => {};
  time = 0;
  #host = 0;

  /** The disk as the host sees it that runs now; once that is dead, none of its calls returns or does anything. */
  mount(): FileOps {
    this.isDead = false;
    this.untilDeath = Number.POSITIVE_INFINITY;
    this.stepsUntilDeath = Number.POSITIVE_INFINITY;
    const host = ++this.#host;
    const isAlive = () => !this.isDead && this.#host === host;
    const step = async () => {
      await Promise.resolve();
      if (isAlive() && --this.stepsUntilDeath < 0) this.die();
      if (!isAlive()) await new Promise(() => {});
    };
    const change =
      <A extends unknown[]>(run: (...args: A) => void) =>
      async (...args: A) => {
        await step();
        run(...args);
        await step();
      };
    const makeFolder = (folder: string) => void this.folders.add(folder);
    const write = (file: string, text: string) => this.#put(file, '', text);
    const append = (file: string, text: string) => this.#put(file, this.#get(file), text);
    const rename = (from: string, to: string) => this.#rename(from, to);
    const ifAlive =
      <A extends unknown[]>(run: (...args: A) => void) =>
      (...args: A) => {
        if (isAlive()) run(...args);
      };
    return {
      makeFolder: change(makeFolder),
      list: async folder => {
        await step();
        if (!this.folders.has(folder)) throw failure('ENOENT');
        return [...this.files.keys()]
          .filter(file => path.dirname(file) === folder)
          .map(file => path.basename(file));
      },
      read: async file => {
        await step();
        return new TextEncoder().encode(this.#get(file));
      },
      stat: async file => {
        await step();
        return { size: this.#get(file).length, time: this.time };
      },
      write: change(write),
      append: change(append),
      rename: change(rename),
      remove: change((file: string) => {
        if (!this.files.delete(file)) throw failure('ENOENT');
      }),
      now: {
        makeFolder: ifAlive(makeFolder),
        write: ifAlive(write),
        append: ifAlive(append),
        rename: ifAlive(rename),
      },
    };
  }

  die(): void {
    this.isDead = true;
    this.onDeath();
  }

  #get(file: string): string {
    const text = this.files.get(file);
    if (text === undefined) throw failure('ENOENT');
    return text;
  }

  #put(file: string, before: string, text: string): void {
    let used = before.length - (this.files.get(file)?.length ?? 0);
    for (const stored of this.files.values()) used += stored.length;
    const room = Math.max(0, Math.min(text.length, this.capacity - used, this.untilDeath));
    this.files.set(file, before + text.slice(0, room));
    if (room === text.length) {
      this.untilDeath -= text.length;
      return;
    }
    if (room < this.untilDeath) throw failure('ENOSPC');
    this.die();
    throw failure('EDEAD');
  }

  #rename(from: string, to: string): void {
    const text = this.#get(from);
    if (!this.folders.has(path.dirname(to))) throw failure('ENOENT');
    this.files.delete(from);
    this.files.set(to, text);
  }
}
