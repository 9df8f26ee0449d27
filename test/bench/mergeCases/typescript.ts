import {
  all,
  insertAfter,
  insertBefore,
  type MergeCase,
  moveBefore,
  remove,
  replace,
} from './mergeCase';

const text = `import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Clock } from './clock';

export interface Entry {
  key: string;
  value: string;
  expires: number;
}

export interface CacheOptions {
  path: string;
  lifetimeMs: number;
  clock: Clock;
}

/** Keeps answers on disk until they are too old. */
export class DiskCache {
  readonly #entries = new Map<string, Entry>();
  readonly #options: CacheOptions;
  #isLoaded = false;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  async get(question: string): Promise<string | undefined> {
    await this.#load();
    const key = keyOf(question);
    const entry = this.#entries.get(key);
    if (!entry) {
      return undefined;
    }
    if (entry.expires < this.#options.clock.now()) {
      this.#entries.delete(key);
      return undefined;
    }
    return entry.value;
  }

  async set(question: string, value: string): Promise<void> {
    await this.#load();
    const key = keyOf(question);
    const expires = this.#options.clock.now() + this.#options.lifetimeMs;
    this.#entries.set(key, { key, value, expires });
    await this.#save();
  }

  async clear(): Promise<void> {
    this.#entries.clear();
    await this.#save();
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) {
      return;
    }
    const text = await readFile(this.#options.path, 'utf8').catch(() => '[]');
    for (const entry of JSON.parse(text) as Entry[]) {
      this.#entries.set(entry.key, entry);
    }
    this.#isLoaded = true;
  }

  async #save(): Promise<void> {
    const text = JSON.stringify([...this.#entries.values()]);
    await writeFile(this.#options.path, text);
  }
}

function keyOf(question: string): string {
  return createHash('sha256').update(question).digest('hex');
}
`;

const clear = `  async clear(): Promise<void> {
    this.#entries.clear();
    await this.#save();
  }

`;

export const typescript: MergeCase = {
  path: 'src/diskCache.ts',
  text,
  edits: {
    'adds an import and uses it': all(
      replace(
        "import type { Clock } from './clock';",
        "import type { Clock } from './clock';\nimport { log } from './log';",
      ),
      insertAfter('      this.#entries.delete(key);\n', "      log.debug('expired', key);\n"),
    ),
    'adds a method between two others': insertBefore(
      clear,
      '  async has(question: string): Promise<boolean> {\n    return (await this.get(question)) !== undefined;\n  }\n\n',
    ),
    'removes a method': remove(clear),
    'moves a method to the top': moveBefore(clear, '  async get(question'),
    'renames an option where it is declared and used': all(
      replace('  lifetimeMs: number;', '  maxAgeMs: number;'),
      replace('this.#options.lifetimeMs;', 'this.#options.maxAgeMs;'),
    ),
    'wraps a loop into a condition': replace(
      `    for (const entry of JSON.parse(text) as Entry[]) {
      this.#entries.set(entry.key, entry);
    }
`,
      `    if (text !== '') {
      for (const entry of JSON.parse(text) as Entry[]) {
        this.#entries.set(entry.key, entry);
      }
    }
`,
    ),
  },
};
