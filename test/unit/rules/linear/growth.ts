// Decides from the paths through a regular expression how its cost grows with the text.
// The conditions are those of Weber and Seidl (1991) for the ambiguity of an automaton.
import { analyse } from 'scslre';
import { isPumped, type Position, positionsOf } from './positions';

export interface Growth {
  readonly kind: 'linear' | 'polynomial' | 'exponential' | 'undecided';
  /** What of the expression it comes from. */
  readonly why?: string;
}

export function growthOf(source: string, flags: string): Growth {
  const known = analyse({ source, flags }, { assumeRejectingSuffix: false }).reports;
  const { all, undecided } = positionsOf(source, flags);
  const paths = new Paths(all);
  const worst = known.find(report => report.exponential);
  if (worst) return { kind: 'exponential', why: worst.type };
  if (paths.isExponential()) return { kind: 'exponential', why: 'two ways round one loop' };
  const [first] = known;
  if (first) return { kind: 'polynomial', why: first.type };
  if (paths.isPolynomial()) return { kind: 'polynomial', why: 'two loops over one text' };
  if (undecided.length > 0) return { kind: 'undecided', why: undecided.join(' ') };
  return { kind: 'linear' };
}

class Paths {
  readonly #all: readonly Position[];
  readonly #reach: readonly Set<number>[];

  constructor(all: readonly Position[]) {
    this.#all = all;
    this.#reach = all.map((_, from) => this.#reachable(from));
  }

  /** From a position back to itself over one text in two ways. */
  isExponential(): boolean {
    return this.#loops().some(
      p =>
        this.#steps(p).some(
          ([next, ways]) => ways > 1 && p !== 0 && (this.#reach[next]?.has(p) ?? false),
        ) ||
        this.#isLinked(
          [p, p],
          [p, p],
          state => state[0] !== state[1],
          position => this.#isWithin(p, position),
        ),
    );
  }

  /** Round one loop, round another one and from the first to the second, all three over one text. */
  isPolynomial(): boolean {
    const loops = this.#loops();
    return loops.some(p =>
      loops.some(
        q =>
          // Within one loop it would be exponential, which is asked before.
          !this.#isWithin(p, q) &&
          // A match is found there, so the engine looks no further.
          !(this.#all[q]?.isEnd ?? true) &&
          (this.#reach[p]?.has(q) ?? false) &&
          this.#isLinked([p, p, q], [p, q, q], undefined, (position, at) =>
            at === 0
              ? this.#isWithin(p, position)
              : at === 2
                ? this.#isWithin(q, position)
                : this.#reach[position]?.has(q) || position === q,
          ),
      ),
    );
  }

  #loops(): number[] {
    return this.#all.flatMap((_, at) => (this.#reach[at]?.has(at) ? [at] : []));
  }

  #isWithin(loop: number, position: number): boolean {
    return (
      loop === position ||
      ((this.#reach[loop]?.has(position) ?? false) && (this.#reach[position]?.has(loop) ?? false))
    );
  }

  /** Over characters that a text can hold any number of. */
  #steps(from: number): [number, number][] {
    return [...(this.#all[from]?.next ?? [])].filter(([next]) =>
      [...(this.#all[next]?.classes ?? [])].some(isPumped),
    );
  }

  #reachable(from: number): Set<number> {
    const found = new Set<number>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const [next] of this.#steps(at))
        if (!found.has(next)) {
          found.add(next);
          open.push(next);
        }
    return found;
  }

  /** Whether one text leads each of some walkers from its start to its end; `via` must hold once on the way. */
  #isLinked(
    start: readonly number[],
    end: readonly number[],
    via: ((state: readonly number[]) => boolean) | undefined,
    mayPass: (position: number, walker: number) => boolean | undefined,
  ): boolean {
    const seen = new Set<string>();
    const open: [readonly number[], boolean][] = [[start, via === undefined]];
    for (let item = open.pop(); item; item = open.pop()) {
      const [state, isPast] = item;
      const choices = state.map((position, walker) =>
        this.#steps(position).flatMap(([next]) => (mayPass(next, walker) ? [next] : [])),
      );
      for (const next of combinations(choices)) {
        if (!this.#haveCommon(next)) continue;
        const now = isPast || (via?.(next) ?? false);
        if (now && next.every((position, walker) => position === end[walker])) return true;
        const key = `${next.join()}${now ? '!' : ''}`;
        if (seen.has(key)) continue;
        seen.add(key);
        open.push([next, now]);
      }
    }
    return false;
  }

  #haveCommon(state: readonly number[]): boolean {
    const [first, ...others] = state;
    return [...(this.#all[first ?? 0]?.classes ?? [])].some(
      name => isPumped(name) && others.every(other => this.#all[other]?.classes.has(name)),
    );
  }
}

function combinations(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (found, options) => found.flatMap(head => options.map(option => [...head, option])),
    [[]],
  );
}
