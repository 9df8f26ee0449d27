import { isUtf8 } from 'node:buffer';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Sequencer } from '../../base/async/sequencer';
import { errorCode, isMissing } from '../../base/fileErrors';
import type { GapMarker } from '../session/gaps';
import { replaceText } from '../writeBack';
import {
  addRecord,
  findRange,
  parseRecords,
  type Recallable,
  type RecallRecord,
  recordOf,
} from './recallRecords';

const fileName = 'recalls.json';
const maxAttempts = 5;

/** Remembers, over restarts, where the lines are that markers stand for. */
export class RecallStore {
  readonly #folder: string;
  readonly #replace: typeof replaceText;
  readonly #writes = new Sequencer();

  /** @param folder in which the records are kept. */
  constructor(folder: string, replace = replaceText) {
    this.#folder = folder;
    this.#replace = replace;
  }

  /**
   * @param file that was compacted; it is not copied.
   * @param withheld lines that are never given back: start and count of each range.
   */
  async remember(
    file: string,
    markers: readonly GapMarker[],
    withheld: readonly number[] = [],
  ): Promise<void> {
    const record = recordOf(file, markers, withheld);
    if (Object.keys(record.ranges).length === 0) return;
    await this.#writes.run(async () => this.#add(record));
  }

  /** Another window may write at the same time: then its records are read, and the record is added to them. */
  async #add(record: RecallRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = path.join(this.#folder, fileName);
    await writeFile(file, '[]', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    // Damaged bytes never equal what was read as text.
    if (!isUtf8(await readFile(file))) await writeFile(file, '[]');
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const before = await this.#read();
      const after = JSON.stringify(addRecord(parseRecords(before), record));
      if (after === before || (await this.#replace(file, before, after))) return;
    }
    throw new Error(`${fileName} is written by others all the time`);
  }

  async find(id: string): Promise<Recallable | undefined> {
    return findRange(parseRecords(await this.#read()), id);
  }

  async #read(): Promise<string> {
    try {
      return await readFile(path.join(this.#folder, fileName), 'utf8');
    } catch (error) {
      if (isMissing(error)) return '[]';
      throw error;
    }
  }
}
