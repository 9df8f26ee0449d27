import type { TermFinder } from '../query/termFinder';
import { stopWords } from '../query/vocabulary';
import { partsOf } from '../query/words';
import type { MatchQuality } from './matchQuality';

/** What `get`, `is` and the like count of a name, next to 1 for another word. */
const worthOfStopWord = 0.3;

/** How much of a name a query has. */
export class NameShares {
  /** Global, so `lastIndex` is state. */
  readonly #regex: RegExp;
  readonly #quality: MatchQuality;
  readonly #known = new Map<string, number>();

  constructor(finder: TermFinder, quality: MatchQuality) {
    this.#regex = finder.regex();
    this.#quality = quality;
  }

  /** From 0 to 1, for a name such as `parseHead` with all of its words. */
  of(name: string): number {
    let share = this.#known.get(name);
    if (share === undefined) {
      share = this.#shareOf(name);
      this.#known.set(name, share);
    }
    return share;
  }

  #shareOf(name: string): number {
    let all = 0;
    let found = 0;
    for (const word of partsOf(name)) {
      if (word.length < 2 || /^\d/.test(word)) continue;
      const worth = stopWords.has(word.toLowerCase()) ? worthOfStopWord : 1;
      all += worth;
      found += worth * this.#qualityOf(word);
    }
    return all === 0 ? 0 : found / all;
  }

  #qualityOf(word: string): number {
    this.#regex.lastIndex = 0;
    const match = this.#regex.exec(word);
    return match?.index === 0 ? this.#quality.of(word, 0, match[0].length) : 0;
  }
}
