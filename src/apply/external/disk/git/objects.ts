import { contentOf } from '../../core/content';
import type { Git } from '../git';
import { Coprocess } from './coprocess';

export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

type ObjectBytes = GitObject & { readonly bytes: Buffer };

/** Larger blobs are not loaded, as larger files are not. */
const maxBlobBytes = 64 * 1024 * 1024;
/** A day: the process ends when it is not asked any more. */
const deadlineMs = 86_400_000;
/** What was read last is often asked for twice: for its size and line ends, and to be stored. */
const maxCachedBytes = 4 * 1024 * 1024;

/** The objects of a repository, by their ids and by the names that git gives them, as `HEAD:src/a.ts`. */
export class GitObjects {
  readonly #algorithm: Git['algorithm'];
  readonly #headers: Coprocess<GitObject | undefined>;
  readonly #contents: Coprocess<ObjectBytes | undefined>;
  readonly #cached = new Map<string, Buffer>();
  #cachedBytes = 0;

  constructor(git: Git) {
    this.#algorithm = git.algorithm;
    const start = (option: string) => (onBytes: (bytes: Buffer) => void) =>
      git.start('cat-file', [option], { deadlineMs }, onBytes);
    this.#headers = new Coprocess(start('--batch-check'), bytes => {
      const header = headerIn(bytes);
      return header && { answer: header.object, length: header.length };
    });
    this.#contents = new Coprocess(start('--batch'), contentIn, lengthOf);
  }

  /** Undefined where there is no such object, or where its name cannot be asked for. */
  async find(name: string): Promise<GitObject | undefined> {
    // One question is one line.
    return /[\n\0]/.test(name) ? undefined : this.#headers.ask(`${name}\n`);
  }

  /** Undefined for what is missing, no blob, too large, or not what its id promises. */
  async blob(id: string): Promise<Buffer | undefined> {
    if (!isObjectId(id)) return undefined;
    const cached = this.#cached.get(id);
    if (cached) return cached;
    const found = await this.find(id);
    if (found?.type !== 'blob' || found.size > maxBlobBytes) return undefined;
    const read = await this.#contents.ask(`${id}\n`);
    if (!read || contentOf(read.bytes, this.#algorithm).id !== id) return undefined;
    this.#remember(id, read.bytes);
    return read.bytes;
  }

  dispose(): void {
    this.#headers.dispose();
    this.#contents.dispose();
  }

  #remember(id: string, bytes: Buffer): void {
    if (bytes.byteLength > maxCachedBytes) return;
    this.#cached.set(id, bytes);
    this.#cachedBytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#cached) {
      if (this.#cachedBytes <= maxCachedBytes) break;
      this.#cached.delete(oldest);
      this.#cachedBytes -= byteLength;
    }
  }
}

export const isObjectId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** `<id> SP <type> SP <size> LF`; anything else, such as `<name> SP missing LF`, is no object. */
function headerIn(bytes: Buffer): { object: GitObject | undefined; length: number } | undefined {
  const end = bytes.indexOf(0x0a);
  if (end < 0) return undefined;
  const match = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(bytes.toString('latin1', 0, end));
  const [, id = '', type = '', size = ''] = match ?? [];
  return { object: match ? { id, type, size: Number(size) } : undefined, length: end + 1 };
}

/** The header, the bytes and LF. */
function contentIn(bytes: Buffer): { answer: ObjectBytes | undefined; length: number } | undefined {
  const header = headerIn(bytes);
  if (!header?.object) return header && { answer: undefined, length: header.length };
  const end = header.length + header.object.size;
  if (bytes.byteLength <= end) return undefined;
  // A copy, so that what else came with it can be freed.
  const content = Buffer.from(bytes.subarray(header.length, end));
  return { answer: { ...header.object, bytes: content }, length: end + 1 };
}

function lengthOf(bytes: Buffer): number {
  const header = headerIn(bytes);
  return header?.object ? header.length + header.object.size + 1 : 0;
}
