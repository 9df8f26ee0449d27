import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Sequencer } from '../../base/async/sequencer';
import { isMissing } from '../../base/fileErrors';
import type { GapMarker } from '../session/gaps';
import { addRecord, findRange, parseRecords, type Recallable, recordOf } from './recallRecords';

const fileName = 'recalls.json';

/** Remembers, over restarts, where the lines are that markers stand for. */
export class RecallStore {
  readonly #folder: string;
  readonly #writes = new Sequencer();

  /** @param folder in which the records are kept. */
  constructor(folder: string) {
    this.#folder = folder;
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
    await this.#writes.run(async () => {
      const records = addRecord(parseRecords(await this.#read()), record);
      await mkdir(this.#folder, { recursive: true });
      const target = path.join(this.#folder, fileName);
      await writeFile(`${target}.tmp`, JSON.stringify(records), { mode: 0o600 });
      await rename(`${target}.tmp`, target);
    });
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
