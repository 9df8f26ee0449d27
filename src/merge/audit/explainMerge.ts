import type { AuditText, Postings } from './auditText';

/** Where a section of the snippet is in the merged text, and which lines of the original it replaced. */
export interface SectionPlacement {
  section: number;
  /** Half-open positions among the non-blank lines of the merged text. */
  newStart: number;
  newEnd: number;
  /** Half-open positions among the non-blank lines of the original. */
  oldStart: number;
  oldEnd: number;
}

export interface MergeSides {
  original: AuditText;
  merged: AuditText;
  /** The snippet's sections, in order. */
  sections: readonly Int32Array[];
  inOriginal: Postings;
  inMerged: Postings;
  /** The cost if a section replaces these lines of the original. */
  cost: (section: number, oldStart: number, oldEnd: number) => number;
  /** The cost if a section is indented differently at this place of the merged text. */
  shiftCost: (section: number, newStart: number) => number;
}

interface SearchState {
  placed: SectionPlacement | undefined;
  before: SearchState | undefined;
  /** Start of the kept lines after the section, in the merged text. */
  at: number;
  /** Position in the original minus position in the merged text, for the kept lines. */
  shift: number;
  /** The furthest end of the kept lines, in the merged text. */
  until: number;
  cost: number;
}

const maxStates = 24;
/** Where kept lines may continue: how many of the longest runs, and of the nearest ones, are tried. */
const maxShifts = 8;
const maxNearShifts = 3;
/** Limit for comparisons; only texts that are hardly code need more. */
const maxSteps = 400_000;

/**
 * Explains the merged text as kept lines of the original with the snippet's sections between them, at the lowest cost.
 */
export function explainMerge(sides: MergeSides): SectionPlacement[] | 'none' | 'tooLarge' {
  return new Explainer(sides).run();
}

class Explainer {
  readonly #old: Int32Array;
  readonly #new: Int32Array;
  /** The last run of equal lines found for a shift. */
  readonly #runs = new Map<number, { from: number; to: number }>();
  #steps = 0;

  constructor(readonly sides: MergeSides) {
    this.#old = sides.original.codes;
    this.#new = sides.merged.codes;
  }

  run(): SectionPlacement[] | 'none' | 'tooLarge' {
    let states: SearchState[] = [
      {
        placed: undefined,
        before: undefined,
        at: 0,
        shift: 0,
        until: this.#runEnd(0, 0),
        cost: 0,
      },
    ];
    for (let section = 0; section < this.sides.sections.length; section++) {
      const next: SearchState[] = [];
      for (const state of states) {
        this.#place(section, state, next);
      }
      if (this.#steps > maxSteps) {
        return 'tooLarge';
      }
      if (next.length === 0) {
        return 'none';
      }
      states = cheapest(next);
    }
    const [best] = states
      .filter(({ until, shift }) => until === this.#new.length && shift === this.#lastShift)
      .sort((a, b) => a.cost - b.cost);
    if (!best) {
      return 'none';
    }
    const placed: SectionPlacement[] = [];
    for (let state: SearchState | undefined = best; state?.placed; state = state.before) {
      placed.push(state.placed);
    }
    return placed.reverse();
  }

  /** The shift of the lines after the last section: both texts must end together. */
  get #lastShift(): number {
    return this.#old.length - this.#new.length;
  }

  #place(section: number, state: SearchState, next: SearchState[]): void {
    const size = this.sides.sections[section]?.length ?? 0;
    let unchangedCost = Infinity;
    for (const start of this.#occurrences(section, state.at, state.until)) {
      const end = start + size;
      if (end <= state.until) {
        // A later place without a change leaves less room for the following sections.
        const moveCost = this.sides.shiftCost(section, start);
        if (moveCost < unchangedCost) {
          unchangedCost = moveCost;
          this.#push(section, state, start, end, state.shift, next);
        }
      }
      if (end < state.until) {
        continue;
      }
      for (const shift of this.#shifts(section, end, start + state.shift)) {
        if (shift !== state.shift || end > state.until) {
          this.#push(section, state, start, end, shift, next);
        }
      }
    }
  }

  #push(
    section: number,
    before: SearchState,
    newStart: number,
    newEnd: number,
    shift: number,
    next: SearchState[],
  ): void {
    const oldStart = newStart + before.shift;
    const oldEnd = newEnd + shift;
    if (oldEnd < oldStart || oldEnd > this.#old.length) {
      return;
    }
    const until = this.#runEnd(newEnd, shift);
    const cost =
      before.cost +
      this.sides.cost(section, oldStart, oldEnd) +
      this.sides.shiftCost(section, newStart);
    const placed = { section, newStart, newEnd, oldStart, oldEnd };
    next.push({ placed, before, at: newEnd, shift, until, cost });
  }

  /** The shifts with which kept lines may continue after a section that ends at `end`. */
  #shifts(section: number, end: number, oldStart: number): Iterable<number> {
    const { sections, inOriginal } = this.sides;
    const last = this.#lastShift;
    const shifts = new Set<number>();
    if (end + last >= oldStart && this.#runEnd(end, last) === this.#new.length) {
      shifts.add(last);
    }
    const code = this.#new[end];
    const next = sections[section + 1];
    if (next === undefined || code === undefined) {
      return shifts;
    }
    if (this.#standsAt(next, end)) {
      // The marker in between stands for no lines: the next section may follow any line equal to the last of this one.
      const line = sections[section]?.at(-1) ?? -1;
      for (const place of inOriginal.from(line, oldStart).subarray(0, maxShifts)) {
        shifts.add(place + 1 - end);
      }
    }
    const runs: { shift: number; length: number }[] = [];
    for (const place of inOriginal.from(code, oldStart)) {
      if (++this.#steps > maxSteps) {
        break;
      }
      const shift = place - end;
      runs.push({ shift, length: this.#runEnd(end, shift) - end });
    }
    runs.slice(0, maxNearShifts).forEach(({ shift }) => shifts.add(shift));
    runs.sort((a, b) => b.length - a.length);
    runs.slice(0, maxShifts).forEach(({ shift }) => shifts.add(shift));
    return shifts;
  }

  /** The starts of a section in the merged text, from `from` to `until`. */
  *#occurrences(section: number, from: number, until: number): Generator<number> {
    const codes = this.sides.sections[section] ?? new Int32Array();
    let rare = 0;
    codes.forEach((code, at) => {
      if (this.sides.inMerged.count(code) < this.sides.inMerged.count(codes[rare] ?? 0)) {
        rare = at;
      }
    });
    for (const place of this.sides.inMerged.from(codes[rare] ?? 0, from + rare)) {
      if (place - rare > until || this.#steps > maxSteps) {
        return;
      }
      if (this.#standsAt(codes, place - rare)) {
        yield place - rare;
      }
    }
  }

  #standsAt(codes: Int32Array, start: number): boolean {
    for (let at = 0; at < codes.length; at++) {
      this.#steps++;
      if (this.#new[start + at] !== codes[at]) {
        return false;
      }
    }
    return true;
  }

  /** End of the equal lines that start at `at` of the merged text. */
  #runEnd(at: number, shift: number): number {
    const known = this.#runs.get(shift);
    if (known && known.from <= at && at <= known.to) {
      return known.to;
    }
    let to = at;
    while (to < this.#new.length && to + shift >= 0 && this.#new[to] === this.#old[to + shift]) {
      to++;
    }
    this.#steps += (to - at) >> 3;
    this.#runs.set(shift, { from: at, to });
    return to;
  }
}

/** The cheapest states, one per run of kept lines; of equal cost, the one that leaves the most room. */
function cheapest(states: SearchState[]): SearchState[] {
  const byRun = new Map<string, SearchState>();
  for (const state of states.sort((a, b) => a.cost - b.cost || a.at - b.at)) {
    const run = `${state.shift} ${state.until}`;
    const kept = byRun.get(run);
    if (!kept) {
      byRun.set(run, state);
    }
  }
  return [...byRun.values()].slice(0, maxStates);
}
