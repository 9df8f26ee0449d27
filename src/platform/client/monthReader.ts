import { type Ledger, parseLedger } from '../../service';
import type { LedgerFiles } from './ledgerFiles';

const noEntries: Ledger = { entries: [], notices: [], damaged: 0 };

/** Reads a month incrementally. */
export class MonthReader {
  readonly month: string;
  readonly #files: Pick<LedgerFiles, 'read'>;
  #ledger = noEntries;
  #next = 0;

  constructor(files: Pick<LedgerFiles, 'read'>, month: string) {
    this.#files = files;
    this.month = month;
  }

  /** @returns `unwritten`: how many of the calls are not on the disk. */
  async read(): Promise<Ledger & { readonly unwritten: number }> {
    const part = await this.#files.read(this.month, this.#next);
    const added = await parseLedger(part.text);
    // A shorter file is a new one: the old one was deleted.
    const known = part.next < this.#next ? noEntries : this.#ledger;
    this.#next = part.next;
    this.#ledger = {
      entries: known.entries.concat(added.entries),
      notices: [],
      damaged: known.damaged + added.damaged,
    };
    const waiting = await parseLedger(part.unwritten);
    return {
      ...this.#ledger,
      entries: this.#ledger.entries.concat(waiting.entries),
      unwritten: waiting.entries.length,
    };
  }
}
