import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { isRecord } from '../../base/typeGuards';
import { IndexSegment, type SegmentTables } from './indexSegment';

/** Indexes of another version are built again. */
const version = 5;
const headName = 'index.json';
const segmentName = /^[\da-f-]{36}\.segment$/;

/** A segment and the file that has it. */
export interface StoredSegment {
  readonly name: string;
  readonly segment: IndexSegment;
}

/** The files of an index: each segment has one, and another one names those that are in use. */
export class IndexStorage {
  readonly #folder: string;
  readonly #key: string;

  /**
   * @param folder of its own, which is made when it is needed.
   * @param key of what is indexed; an index with another one is not used.
   */
  constructor(folder: string, key: string) {
    this.#folder = folder;
    this.#key = key;
  }

  /** The segments in the order of {@link use}; none where there is no index, or it is damaged. */
  async load(): Promise<StoredSegment[]> {
    try {
      const head: unknown = JSON.parse(await readFile(path.join(this.#folder, headName), 'utf8'));
      if (!isRecord(head) || head['version'] !== version || head['key'] !== this.#key) return [];
      const names = Array.isArray(head['segments']) ? head['segments'].map(String) : [];
      if (!names.every(name => segmentName.test(name))) return [];
      return await Promise.all(
        names.map(async name => ({ name, segment: segmentOf(await readFile(this.#pathOf(name))) })),
      );
    } catch {
      // Missing or damaged: nothing in it is worth more than the time to build it.
      return [];
    }
  }

  /** Writes a segment, which is not yet in use. @returns its name */
  async write({ tables }: IndexSegment): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = `${randomUUID()}.segment`;
    await writeFile(this.#pathOf(name), serialize(tables), { mode: 0o600 });
    return name;
  }

  /** From now on the index has these segments; files of others are deleted. */
  async use(names: readonly string[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const written = this.#pathOf(`${headName}.new`);
    const head = JSON.stringify({ version, key: this.#key, segments: names });
    await writeFile(written, head, { mode: 0o600 });
    await rename(written, this.#pathOf(headName));
    const used = new Set(names);
    for (const name of await readdir(this.#folder)) {
      if (segmentName.test(name) && !used.has(name)) await rm(this.#pathOf(name), { force: true });
    }
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }
}

/** @throws {Error} when the bytes are no segment. */
function segmentOf(bytes: Buffer): IndexSegment {
  const tables: SegmentTables = deserialize(bytes);
  const { files, parts, partStarts, lists, listStarts } = tables;
  const isWhole =
    Array.isArray(files) &&
    partStarts.length === listStarts.length &&
    partStarts.at(-1) === parts.length &&
    listStarts.at(-1) === lists.length;
  if (!isWhole) throw new Error('the segment is damaged');
  return new IndexSegment(tables);
}
