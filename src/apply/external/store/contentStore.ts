import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate } from 'node:zlib';
import { errorCode, isMissing } from '../../../base/fileErrors';
import { contentOf } from '../core/content';
import type { Contents } from '../core/ports';

export interface StoreLimits {
  readonly maxBytes: number;
  /** In milliseconds since the content was stored, or stored again. */
  readonly maxAgeMs: number;
}

export const defaultLimits: StoreLimits = {
  maxBytes: 200 * 1024 * 1024,
  maxAgeMs: 30 * 24 * 3600 * 1000,
};

const deflated = promisify(deflate);
const inflated = promisify(inflate);
/** Smaller contents are compressed at once: handing them to another thread takes longer. */
const minThreadBytes = 32 * 1024;

/** Contents are code of the user, which no other account of this machine reads. */
const fileMode = 0o600;
const folderMode = 0o700;
const draftSuffix = '.draft';
/** A draft older than this was left behind by a window that crashed, in milliseconds. */
const maxDraftAgeMs = 3600 * 1000;
/** A file that someone put there to fill the memory is not read. */
const maxInflatedBytes = 64 * 1024 * 1024;
const idPattern = /^(?:[\da-f]{40}|[\da-f]{64})$/;
/** Hexadecimal digits of an id that name the folder: 256 folders keep each short. */
const folderDigits = 2;

interface StoredContent {
  readonly file: string;
  readonly id: string;
  readonly size: number;
  readonly time: number;
}

/** Bytes of files by their id, each in a compressed file. */
export class ContentStore implements Contents {
  readonly #folder: string;
  readonly #clock: () => number;
  /** Ids that were stored or checked since the start; false: a power failure could still lose them. */
  readonly #known = new Map<string, boolean>();
  /** Ids of which a file was there at the start; it may be damaged. */
  #found: Promise<ReadonlySet<string>> | undefined;
  readonly #folders = new Set<string>();

  /** @param clock in milliseconds since the epoch. */
  constructor(folder: string, clock: () => number = Date.now) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async has(id: string): Promise<boolean> {
    if (this.#known.has(id)) return true;
    try {
      return (await stat(this.#file(id))).size > 0;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    let stored: Buffer;
    try {
      stored = await readFile(this.#file(id));
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#known.delete(id);
      return undefined;
    }
    const bytes = await inflatedSafely(stored);
    const algorithm = id.length === 64 ? 'sha256' : 'sha1';
    if (bytes && contentOf(bytes, algorithm).id === id) return bytes;
    this.#known.delete(id);
    return undefined;
  }

  async put(id: string, bytes: Uint8Array, isFlushed = false): Promise<void> {
    const file = this.#file(id);
    const isStored = this.#known.has(id) || (await this.#isIntact(id));
    if (!isStored) await this.#write(file, bytes, isFlushed);
    else if (isFlushed && this.#known.get(id) !== true) await flushFile(file, 'r+');
    this.#known.set(id, isFlushed || this.#known.get(id) === true);
  }

  async flush(id: string): Promise<boolean> {
    if (this.#known.get(id) === true) return true;
    try {
      await flushFile(this.#file(id), 'r+');
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    this.#known.set(id, true);
    return true;
  }

  /**
   * Deletes what exceeds the limits, the oldest first, but nothing that is needed.
   *
   * @returns the bytes that are still stored.
   */
  async prune({ maxBytes, maxAgeMs }: StoreLimits, needed: ReadonlySet<string>): Promise<number> {
    const now = this.#clock();
    const stored = await this.#list(now);
    let total = stored.reduce((sum, { size }) => sum + size, 0);
    for (const { file, id, size, time } of stored.sort((a, b) => a.time - b.time)) {
      if (needed.has(id)) continue;
      if (now - time <= maxAgeMs && total <= maxBytes) continue;
      await rm(file, { force: true });
      this.#known.delete(id);
      total -= size;
    }
    return total;
  }

  /** Whether a file of an earlier session holds these bytes. It counts as stored now. */
  async #isIntact(id: string): Promise<boolean> {
    this.#found ??= this.#ids();
    if (!(await this.#found).has(id) || !(await this.get(id))) return false;
    const seconds = this.#clock() / 1000;
    await utimes(this.#file(id), seconds, seconds);
    return true;
  }

  async #write(file: string, bytes: Uint8Array, isFlushed: boolean): Promise<void> {
    const folder = path.dirname(file);
    const draft = `${file}-${randomUUID().slice(0, 8)}${draftSuffix}`;
    const options = { level: constants.Z_BEST_SPEED };
    const isSmall = bytes.byteLength < minThreadBytes;
    const data = isSmall ? deflateSync(bytes, options) : await deflated(bytes, options);
    if (!this.#folders.has(folder)) await mkdir(folder, { recursive: true, mode: folderMode });
    this.#folders.add(folder);
    try {
      const handle = await open(draft, 'wx', fileMode);
      try {
        await handle.writeFile(data);
        if (isFlushed) await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
    } catch (error) {
      this.#folders.delete(folder);
      await rm(draft, { force: true });
      throw error;
    }
    // Windows cannot open folders, and stores the name with the file.
    if (isFlushed && process.platform !== 'win32') await flushFile(folder, 'r');
  }

  async #ids(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const folder of await namesIn(this.#folder)) {
      for (const name of await namesIn(path.join(this.#folder, folder))) {
        if (idPattern.test(name)) ids.add(name);
      }
    }
    return ids;
  }

  async #list(now: number): Promise<StoredContent[]> {
    const found: StoredContent[] = [];
    for (const folder of await namesIn(this.#folder)) {
      for (const name of await namesIn(path.join(this.#folder, folder))) {
        const file = path.join(this.#folder, folder, name);
        const isContent = idPattern.test(name);
        if (!isContent && !name.endsWith(draftSuffix)) continue;
        try {
          const { size, mtimeMs } = await stat(file);
          if (isContent) found.push({ file, id: name, size, time: mtimeMs });
          else if (now - mtimeMs > maxDraftAgeMs) await rm(file, { force: true });
        } catch (error) {
          // Another window has removed or renamed it.
          if (!isMissing(error)) throw error;
        }
      }
    }
    return found;
  }

  #file(id: string): string {
    if (!idPattern.test(id)) throw new RangeError('not the id of a content');
    return path.join(this.#folder, id.slice(0, folderDigits), id);
  }
}

async function flushFile(file: string, flags: string): Promise<void> {
  const handle = await open(file, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Undefined for what is no compressed content: the disk is damaged, or a power failure cut it. */
async function inflatedSafely(stored: Buffer): Promise<Uint8Array | undefined> {
  try {
    return await inflated(stored, { maxOutputLength: maxInflatedBytes });
  } catch (error) {
    if (errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error) || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
