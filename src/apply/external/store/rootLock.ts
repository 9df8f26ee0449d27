import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../../base/async/clock';
import { errorCode, isMissing } from '../../../base/fileErrors';
import { isProcessAlive } from '../../../base/process';
import { isRecord, parseJson } from '../../../base/typeGuards';
import type { WriteLock } from './rootJournal';

/** Who a window is. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Another one for each window that opens a root. */
  readonly id: string;
}

export interface RootLockOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly owner?: LockOwner;
  /** Whether a process of this computer runs. */
  readonly isAlive?: (pid: number) => boolean;
  readonly onError: (error: unknown) => void;
}

const lockFile = 'lock';
/** Held for the moment in which a window takes the lock of one that is gone. */
const takingFile = 'lock.taking';
const fileMode = 0o600;
const folderMode = 0o700;
/** How often the owner shows that it is there, and how often the others look, in milliseconds. */
const heartbeatMs = 10_000;
/** The owner is gone when it has not shown itself for so long, in milliseconds. */
const maxSilenceMs = 30_000;

/**
 * One window decides about a root; the others only look. The lock is a file with the owner's name, whose time is that of the
 * owner's last heartbeat.
 */
export class RootLock implements WriteLock {
  readonly #file: string;
  readonly #options: RootLockOptions;
  readonly #owner: LockOwner;
  readonly #isAlive: (pid: number) => boolean;
  readonly #listeners = new Set<() => void>();
  #isOwner = false;
  #cancel: (() => void) | undefined;
  #isReleased = false;

  constructor(options: RootLockOptions) {
    this.#options = options;
    this.#file = path.join(options.folder, lockFile);
    this.#owner = options.owner ?? { pid: process.pid, host: hostname(), id: randomUUID() };
    this.#isAlive = options.isAlive ?? isProcessAlive;
  }

  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Takes the lock if it is free, and looks again from time to time. */
  async start(): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true, mode: folderMode });
    await this.#beat();
  }

  /** Called after this window has become the owner, or is no longer. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async confirm(): Promise<boolean> {
    if (!this.#isOwner) return false;
    const found = await this.#read();
    if (found?.owner?.id !== this.#owner.id) this.#setOwner(false);
    return this.#isOwner;
  }

  /** Synchronous, because VS Code does not wait for promises at shutdown. */
  release(): void {
    this.#isReleased = true;
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.#isOwner) return;
    this.#isOwner = false;
    try {
      if (ownerIn(readFileSync(this.#file, 'utf8'))?.id === this.#owner.id) rmSync(this.#file);
    } catch (error) {
      if (!isMissing(error)) this.#options.onError(error);
    }
  }

  async #beat(): Promise<void> {
    try {
      if (await this.confirm()) await this.#touch();
      else if (await this.#take()) this.#setOwner(true);
    } catch (error) {
      this.#options.onError(error);
    }
    if (this.#isReleased) return;
    this.#cancel = this.#options.clock.after(heartbeatMs, () => void this.#beat());
  }

  async #touch(): Promise<void> {
    const seconds = this.#options.clock.now() / 1000;
    await utimes(this.#file, seconds, seconds);
  }

  /** @returns whether this window is the owner now. */
  async #take(): Promise<boolean> {
    const found = await this.#read();
    if (found && !this.#isGone(found)) return false;
    const draft = `${this.#file}-${this.#owner.id}`;
    try {
      const handle = await open(draft, 'w', fileMode);
      try {
        await handle.writeFile(JSON.stringify(this.#owner));
        const seconds = this.#options.clock.now() / 1000;
        await handle.utimes(seconds, seconds);
      } finally {
        await handle.close();
      }
      return found ? await this.#replace(draft) : await isDone(link(draft, this.#file));
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Takes the lock of a window that is gone, while no other window does. */
  async #replace(draft: string): Promise<boolean> {
    const taking = path.join(this.#options.folder, takingFile);
    if (!(await isDone(link(draft, taking)))) {
      await this.#removeOld(taking);
      return false;
    }
    try {
      const found = await this.#read();
      if (found && !this.#isGone(found)) return false;
      await rename(draft, this.#file);
      return true;
    } finally {
      await rm(taking, { force: true });
    }
  }

  /** Left behind by a window that crashed at that moment. */
  async #removeOld(file: string): Promise<void> {
    try {
      const { mtimeMs } = await stat(file);
      if (this.#options.clock.now() - mtimeMs > maxSilenceMs) await rm(file, { force: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async #read(): Promise<{ owner: LockOwner | undefined; time: number } | undefined> {
    try {
      const text = await readFile(this.#file, 'utf8');
      const { mtimeMs } = await stat(this.#file);
      return { owner: ownerIn(text), time: mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #isGone({ owner, time }: { owner: LockOwner | undefined; time: number }): boolean {
    if (this.#options.clock.now() - time > maxSilenceMs) return true;
    return owner?.host === this.#owner.host && !this.#isAlive(owner.pid);
  }

  #setOwner(isOwner: boolean): void {
    if (this.#isReleased || this.#isOwner === isOwner) return;
    this.#isOwner = isOwner;
    for (const listener of this.#listeners) listener();
  }
}

function ownerIn(text: string): LockOwner | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { pid, host, id } = value;
  const isOwner =
    typeof pid === 'number' && typeof host === 'string' && typeof id === 'string' && pid > 0;
  return isOwner ? { pid, host, id } : undefined;
}

/** False when the file is there already. */
async function isDone(creation: Promise<void>): Promise<boolean> {
  try {
    await creation;
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
