import { appendFile, chmod, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, isMissing } from '../base/fileErrors';
import { isProcessAlive } from '../base/process';
import {
  eventLine,
  type JournalEvent,
  type RunHead,
  readRun,
  readRunHead,
  type StoredRun,
} from './core/journal';
import type { RunPlan } from './core/run';

/** Prompts and answers are for the user alone. */
const fileMode = 0o600;
/** Older runs are deleted. */
const maxRuns = 30;
/** An older claim belongs to no run, but to a process whose id is used again, in milliseconds. */
const claimAgeMs = 12 * 3600_000;
/** The first line of a file is shorter. */
const headBytes = 4096;

/** Where a run writes what it does. */
export interface RunJournal {
  /** Resolves once the event is on the disk. */
  append(event: JournalEvent): Promise<void>;
}

/**
 * The runs of a workspace, one private file each: the plan, then a line before and after each call.
 * Every method throws the errors of the file system.
 */
export class RunStore {
  readonly #folder: string;

  /** @param folder in the storage of the extension */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async create(plan: RunPlan): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await open(this.#fileOf(plan.id), 'wx', fileMode);
    try {
      const { id, createdAt, title } = plan;
      await handle.writeFile(eventLine({ head: { id, createdAt, title } }) + eventLine({ plan }));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    for (const id of (await this.ids()).slice(maxRuns)) {
      if (await this.claim(id)) await this.remove(id);
    }
  }

  async read(id: string): Promise<StoredRun | undefined> {
    try {
      return readRun(await readFile(this.#fileOf(id), 'utf8'));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** The journal of a stored run that is resumed. If a crash left its last line incomplete, that line is ended first. */
  async journal(id: string): Promise<RunJournal> {
    const file = this.#fileOf(id);
    const append = async (text: string): Promise<void> =>
      // Flushed, because what was sent must be known after a power failure too.
      appendFile(file, text, { mode: fileMode, flush: true });
    await chmod(file, fileMode);
    if (!(await readFile(file, 'utf8')).endsWith('\n')) await append('\n');
    return { append: async event => append(eventLine(event)) };
  }

  /** Latest first. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return names
      .flatMap(name => /^([\w-]+)\.jsonl$/.exec(name)?.[1] ?? [])
      .toSorted()
      .toReversed();
  }

  /** Latest first. Files that cannot be read are left out. */
  async heads(): Promise<RunHead[]> {
    const heads = await Promise.all((await this.ids()).map(async id => this.#head(id)));
    return heads.flatMap(head => head ?? []);
  }

  async #head(id: string): Promise<RunHead | undefined> {
    const handle = await open(this.#fileOf(id), 'r').catch(() => undefined);
    if (!handle) return undefined;
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return readRunHead(buffer.toString('utf8', 0, bytesRead));
    } finally {
      await handle.close();
    }
  }

  async remove(id: string): Promise<void> {
    await rm(this.#fileOf(id), { force: true });
    await this.release(id);
  }

  /**
   * Lets one window at a time send the calls of a run. A claim ends with the process that made it.
   * @returns false while another one has it.
   */
  async claim(id: string): Promise<boolean> {
    const lock = this.#lockOf(id);
    for (let tries = 0; tries < 2; tries++) {
      try {
        const handle = await open(lock, 'wx', fileMode);
        await handle.writeFile(String(process.pid));
        await handle.close();
        return true;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: 0 }));
      const isOld = Math.abs(Date.now() - mtimeMs) > claimAgeMs;
      // A lock that was being written holds no process id yet.
      const isNamed = Number.isInteger(owner) && owner > 0;
      if (!isOld && isNamed && isProcessAlive(owner)) return false;
      await rm(lock, { force: true });
    }
    return false;
  }

  async release(id: string): Promise<void> {
    await rm(this.#lockOf(id), { force: true });
  }

  readonly #fileOf = (id: string): string => path.join(this.#folder, `${id}.jsonl`);
  readonly #lockOf = (id: string): string => path.join(this.#folder, `${id}.lock`);
}
