import type { Purpose } from './sending';

export interface SentFile {
  readonly name: string;
  readonly chars: number;
}

/** One call: names and sizes, never content. */
export interface SentEntry {
  /** ms since the epoch. */
  readonly at: number;
  readonly purpose: Purpose;
  /** Of the service, for example `apply`. */
  readonly operation: string;
  /** Origin that it went to; '' where none is set. */
  readonly to: string;
  readonly files: readonly SentFile[];
  /** Characters of text in the whole request. */
  readonly chars: number;
  /** Places that looked like keys or passwords, and were left out. */
  readonly withheld: number;
  /** The user agreed to keys, passwords or a file of that kind. */
  readonly isAgreed: boolean;
  /** `sending` until it is known; `unsent`: it failed before anything left. */
  readonly outcome: 'sending' | 'sent' | 'unsent' | 'refused';
  /** Why it was refused, as the user was told. */
  readonly reason?: string;
}

/** Calls that are remembered; the oldest go first. */
export const recordLimit = 500;
const longestName = 200;
const mostFiles = 20;

/** What left this window, in memory only. */
export class SentRecord {
  readonly #entries: SentEntry[] = [];
  #forgotten = 0;
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** The oldest first. */
  get entries(): readonly SentEntry[] {
    return this.#entries;
  }

  /** Entries that were dropped for newer ones. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** @returns sets how it went on. */
  add(entry: SentEntry): (outcome: SentEntry['outcome']) => void {
    let own: SentEntry = {
      ...entry,
      files: entry.files
        .slice(0, mostFiles)
        .map(({ name, chars }) => ({ name: name.slice(0, longestName), chars })),
    };
    this.#entries.push(own);
    if (this.#entries.length > recordLimit) {
      this.#entries.shift();
      this.#forgotten++;
    }
    this.#onChange();
    return outcome => {
      const at = this.#entries.lastIndexOf(own);
      if (at < 0) return;
      own = { ...own, outcome };
      this.#entries[at] = own;
      this.#onChange();
    };
  }
}
