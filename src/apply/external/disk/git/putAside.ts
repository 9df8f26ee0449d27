import { type Content, contentKey } from '../../core/content';

/** A state of a file that git took away, such as by a stash or by another branch. */
export interface AsideState {
  readonly baseline: Content;
  readonly now: Content;
}

interface StoredStates {
  readonly aside: readonly (readonly [below: string, baseline: Content, now: Content])[];
  readonly made: readonly string[];
}

/** About 500 bytes each. */
const maxStates = 5000;

/**
 * What was reviewed of files when git took them away. When git brings the same bytes back, what was pending then is
 * pending again, and what was reviewed is reviewed.
 */
export class PutAside {
  readonly #aside = new Map<string, { readonly below: string; readonly state: AsideState }>();
  readonly #made = new Set<string>();

  static from({ aside, made }: StoredStates): PutAside {
    const states = new PutAside();
    for (const [below, baseline, now] of aside) states.remember(below, { baseline, now });
    for (const key of made) states.#made.add(key);
    return states;
  }

  /** To be called for a file that has an entry, before git's bytes become its baseline. */
  remember(below: string, state: AsideState): void {
    if (state.now.kind !== 'file') return;
    const key = keyOf(below, state.now);
    this.#aside.delete(key);
    this.#aside.set(key, { below, state });
    dropOldest(this.#aside);
  }

  /** The state in which the file had these bytes. */
  find(below: string, now: Content): AsideState | undefined {
    return this.#aside.get(keyOf(below, now))?.state;
  }

  /** To be called for a file without an entry: what is gone was reviewed. */
  forget(below: string, now: Content): void {
    this.#aside.delete(keyOf(below, now));
  }

  /** Git made these bytes while it merged, so that no commit has them, and nobody else wrote them. */
  rememberMade(below: string, now: Content): void {
    const key = keyOf(below, now);
    this.#made.delete(key);
    this.#made.add(key);
    dropOldest(this.#made);
  }

  /** @param now the bytes, or their blob */
  wasMade(below: string, now: Content | string): boolean {
    return this.#made.has(keyOf(below, now));
  }

  toJSON(): StoredStates {
    const aside = [...this.#aside.values()].map(
      ({ below, state }) => [below, state.baseline, state.now] as const,
    );
    return { aside, made: [...this.#made] };
  }
}

const keyOf = (below: string, content: Content | string): string =>
  `${typeof content === 'string' ? content : contentKey(content)} ${below}`;

function dropOldest(states: Map<string, unknown> | Set<string>): void {
  const [oldest] = states.keys();
  if (states.size > maxStates && oldest !== undefined) states.delete(oldest);
}
