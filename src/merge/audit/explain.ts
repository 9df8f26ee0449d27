import type { AuditText, Postings } from './auditText';

/** A section of the snippet as it stands in the merged text, and the lines of the original that gave way to it. */
export interface Placed {
  section: number;
  /** Half-open, in the merged text's lines with code. */
  newStart: number;
  newEnd: number;
  /** Half-open, in the original's lines with code. */
  oldStart: number;
  oldEnd: number;
}

export interface Sides {
  original: AuditText;
  merged: AuditText;
  /** The snippet's sections, in order. */
  sections: readonly Int32Array[];
  inOriginal: Postings;
  inMerged: Postings;
  /** What it costs that a section takes the place of these lines of the original. */
  cost: (section: number, oldStart: number, oldEnd: number) => number;
  /** What it costs that a section is moved sideways to stand here in the merged text. */
  moveCost: (section: number, newStart: number) => number;
}

interface State {
  placed: Placed | undefined;
  before: State | undefined;
  /** Where the kept lines after the section start in the merged text. */
  at: number;
  /** Line in the original less line in the merged text, in the kept lines. */
  shift: number;
  /** End of the kept lines in the merged text, when they go as far as they can. */
  until: number;
  cost: number;
}

const MAX_STATES = 24;
/** Of the places where kept lines may go on: how many of the longest and of the nearest are tried. */
const MAX_SHIFTS = 8;
const NEAR_SHIFTS = 3;
/** Comparisons of lines and places; what needs more is hardly code. */
const MAX_STEPS = 400_000;

/**
 * Reads the merged text as kept lines of the original with the snippet's sections between them; the cheapest of such
 * readings.
 */
export function explain(sides: Sides): Placed[] | 'none' | 'tooLarge' {
  return new Explainer(sides).run();
}

class Explainer {
  readonly #old: Int32Array;
  readonly #new: Int32Array;
  /** The last run of equal lines found for a shift. */
  readonly #runs = new Map<number, { from: number; to: number }>();
  #steps = 0;

  constructor(readonly sides: Sides) {
    this.#old = sides.original.codes;
    this.#new = sides.merged.codes;
  }

  run(): Placed[] | 'none' | 'tooLarge' {
    let states: State[] = [
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
      const next: State[] = [];
      for (const state of states) {
        this.#place(section, state, next);
      }
      if (this.#steps > MAX_STEPS) {
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
    const placed: Placed[] = [];
    for (let state: State | undefined = best; state?.placed; state = state.before) {
      placed.push(state.placed);
    }
    return placed.reverse();
  }

  /** The shift of the lines after the last section: both texts must end together. */
  get #lastShift(): number {
    return this.#old.length - this.#new.length;
  }

  #place(section: number, state: State, next: State[]): void {
    const size = this.sides.sections[section]?.length ?? 0;
    let unchangedCost = Infinity;
    for (const start of this.#occurrences(section, state.at, state.until)) {
      const end = start + size;
      if (end <= state.until) {
        // A later place without a change leaves less room for the sections to come.
        const moveCost = this.sides.moveCost(section, start);
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
    before: State,
    newStart: number,
    newEnd: number,
    shift: number,
    next: State[],
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
      this.sides.moveCost(section, newStart);
    const placed = { section, newStart, newEnd, oldStart, oldEnd };
    next.push({ placed, before, at: newEnd, shift, until, cost });
  }

  /** Shifts with which kept lines may go on after a section that ends at `end`. */
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
      // The marker between stands for nothing: the next section may go on after any line like the last of this one.
      const line = sections[section]?.at(-1) ?? -1;
      for (const place of inOriginal.from(line, oldStart).subarray(0, MAX_SHIFTS)) {
        shifts.add(place + 1 - end);
      }
    }
    const runs: { shift: number; length: number }[] = [];
    for (const place of inOriginal.from(code, oldStart)) {
      if (++this.#steps > MAX_STEPS) {
        break;
      }
      const shift = place - end;
      runs.push({ shift, length: this.#runEnd(end, shift) - end });
    }
    runs.slice(0, NEAR_SHIFTS).forEach(({ shift }) => shifts.add(shift));
    runs.sort((a, b) => b.length - a.length);
    runs.slice(0, MAX_SHIFTS).forEach(({ shift }) => shifts.add(shift));
    return shifts;
  }

  /** Places of a section in the merged text that start at `from` to `until`. */
  *#occurrences(section: number, from: number, until: number): Generator<number> {
    const codes = this.sides.sections[section] ?? new Int32Array();
    let rare = 0;
    codes.forEach((code, at) => {
      if (this.sides.inMerged.count(code) < this.sides.inMerged.count(codes[rare] ?? 0)) {
        rare = at;
      }
    });
    for (const place of this.sides.inMerged.from(codes[rare] ?? 0, from + rare)) {
      if (place - rare > until || this.#steps > MAX_STEPS) {
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

/** The best states, one for each run of kept lines: the one that leaves the most room, if it costs no more. */
function cheapest(states: State[]): State[] {
  const byRun = new Map<string, State>();
  for (const state of states.sort((a, b) => a.cost - b.cost || a.at - b.at)) {
    const run = `${state.shift} ${state.until}`;
    const kept = byRun.get(run);
    if (!kept) {
      byRun.set(run, state);
    }
  }
  return [...byRun.values()].slice(0, MAX_STATES);
}
