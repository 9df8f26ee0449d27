// Files of tests that wait for a worker: the longest first, so that all workers end at about one time.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratch } from './layout.mjs';

const durations = path.join(scratch, 'durations.json');

const known = () => (existsSync(durations) ? JSON.parse(readFileSync(durations, 'utf8')) : {});

/** Keeps how long files took, for the next run. */
export function keepDurations(stage, files) {
  const all = known();
  all[stage] = { ...all[stage], ...Object.fromEntries(files.map(({ file, ms }) => [file, ms])) };
  mkdirSync(scratch, { recursive: true });
  writeFileSync(durations, JSON.stringify(all, null, 1));
}

export class FileQueue {
  #files;

  /**
   * @param folder of the built files, which have these names.
   * @param long names of files that take long although they are small, for a first run.
   */
  constructor(stage, folder, names, long = []) {
    const measured = known()[stage] ?? {};
    // A file that was never measured may be long, and the size of its source says how long.
    const weight = name =>
      measured[name] ??
      (long.includes(name)
        ? Number.MAX_SAFE_INTEGER
        : 1e6 + statSync(path.join(folder, name)).size);
    this.#files = names.toSorted((a, b) => weight(b) - weight(a));
  }

  get length() {
    return this.#files.length;
  }

  take() {
    return this.#files.shift();
  }
}
