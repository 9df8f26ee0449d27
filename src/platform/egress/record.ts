import type { Purpose } from './sending';

interface SentFile {
  readonly name: string;
  readonly chars: number;
}

/** One call: names and sizes, never content. */
export interface SentEntry {
  /** ms since the epoch. */
  readonly at: number;
  readonly purpose: Purpose;
  /** Operation of the service, for example `apply`. */
  readonly operation: string;
  /** Origin that it was sent to; '' where none is set. */
  readonly to: string;
  readonly files: readonly SentFile[];
  /** Characters of text in the whole request. */
  readonly chars: number;
  /** Number of passages that looked like keys or passwords and were left out. */
  readonly withheld: number;
  /** The user agreed to send keys, passwords or such a file. */
  readonly isAgreed: boolean;
  /** `sending` until it is known; `unsent`: it failed before anything was sent. */
  readonly outcome: 'sending' | 'sent' | 'unsent' | 'refused';
  /** Why it was refused, as the user was told. */
  readonly reason?: string;
}

/** Maximum of recorded calls; the oldest are dropped. */
export const recordLimit = 500;
const maxNameLength = 200;
const maxFiles = 20;

/** What this window has sent, in memory only. */
export class SentRecord {
  readonly #entries: SentEntry[] = [];
  #forgotten = 0;
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** Oldest first. */
  get entries(): readonly SentEntry[] {
    return this.#entries;
  }

  /** Entries that were dropped for newer ones. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** @returns a function that sets the outcome. */
  add(entry: SentEntry): (outcome: SentEntry['outcome']) => void {
    let own: SentEntry = {
      ...entry,
      files: entry.files
        .slice(0, maxFiles)
        .map(({ name, chars }) => ({ name: name.slice(0, maxNameLength), chars })),
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
