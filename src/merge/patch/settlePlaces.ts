import { type Hunk, isChange } from './hunks';
import type { Closeness } from './lineFinder';

/** A hunk and the line of the text at which it starts. */
export interface PlacedHunk {
  readonly hunk: Hunk;
  readonly at: number;
  readonly closeness: Closeness;
}

export type Placing =
  | { readonly kind: 'placed'; readonly placed: readonly PlacedHunk[]; readonly certain: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

/** Where one hunk may go. */
export interface Candidate {
  readonly hunk: Hunk;
  /** Ascending. */
  readonly places: readonly number[];
  readonly closeness: Closeness;
  readonly isGuess: boolean;
}

/** Chooses one candidate each: by line number, by being the only one, by the order of the hunks, by the heading. */
export function settlePlaces(candidates: readonly Candidate[], lines: readonly string[]): Placing {
  const certain = candidates.every(({ isGuess, closeness }) => !isGuess && closeness === 0);
  const isNumbered = hasNumbers(candidates);
  const exact = isNumbered ? byNumber(candidates) : undefined;
  if (exact) {
    return settled(candidates, exact, certain);
  }
  if (candidates.every(({ places }) => places.length === 1)) {
    return settled(
      candidates,
      candidates.map(({ places }) => places[0] ?? 0),
      certain,
    );
  }
  const narrowed = candidates.map(candidate => underHeading(candidate, lines));
  const first = inOrder(narrowed);
  const last = inOrder(narrowed, true);
  if (first && last && first.every((at, k) => at === last[k])) {
    return settled(narrowed, first, certain);
  }
  const near = first && isNumbered ? nearest(narrowed) : undefined;
  if (near) {
    return settled(narrowed, near, false);
  }
  const unclear = narrowed.find(({ places }) => places.length > 1) ?? narrowed[0];
  return refused(
    `${unclear?.hunk.name ?? 'The change'} fits at ${unclear?.places.length ?? 0} places of the file. Add more unchanged lines round it, so that only one fits.`,
  );
}

/** Numbers that do not grow, or a lone 1 that is wrong, stand there for form's sake. */
function hasNumbers(candidates: readonly Candidate[]): boolean {
  const starts = candidates.map(({ hunk }) => hunk.start);
  const [only] = candidates;
  if (candidates.length === 1 && only) {
    const { start } = only.hunk;
    return start !== undefined && (start > 0 || only.places.includes(0));
  }
  return starts.every((start, k) => start !== undefined && start > (starts[k - 1] ?? -1));
}

/** The places that the headers name, moved by the same number of lines for all hunks; undefined when several would do. */
function byNumber(candidates: readonly Candidate[]): number[] | undefined {
  let drifts: Set<number> | undefined;
  for (const { hunk, places } of candidates) {
    const { start } = hunk;
    if (start === undefined) {
      return undefined;
    }
    const own = new Set(places.map(place => place - start));
    drifts = drifts ? new Set([...drifts].filter(drift => own.has(drift))) : own;
  }
  const drift = drifts?.has(0) ? 0 : drifts?.size === 1 ? [...drifts][0] : undefined;
  return drift === undefined ? undefined : candidates.map(({ hunk }) => (hunk.start ?? 0) + drift);
}

/** The first place of each hunk behind the one before, or the last one before the next; undefined without any. */
function inOrder(candidates: readonly Candidate[], fromEnd = false): number[] | undefined {
  const order = fromEnd ? candidates.toReversed() : candidates;
  const chosenPlaces: number[] = [];
  let edge = fromEnd ? Infinity : -Infinity;
  for (const { hunk, places } of order) {
    const { from, to } = changedRange(hunk);
    const place = fromEnd
      ? places.findLast(at => at + to <= edge)
      : places.find(at => at + from >= edge);
    if (place === undefined) {
      return undefined;
    }
    edge = fromEnd ? place + from : place + to;
    chosenPlaces.push(place);
  }
  return fromEnd ? chosenPlaces.toReversed() : chosenPlaces;
}

/** How many times nearer than the next one the nearest place must be. */
const NEARER = 3;

/** The places nearest to the headers' numbers, moved as the hunk before was; undefined when two are about as near. */
function nearest(candidates: readonly Candidate[]): number[] | undefined {
  let drift = 0;
  let edge = -Infinity;
  const chosenPlaces: number[] = [];
  for (const { hunk, places } of candidates) {
    const wanted = (hunk.start ?? 0) + drift;
    const distance = (at: number): number => Math.abs(at - wanted);
    const { from, to } = changedRange(hunk);
    const left = places.filter(at => at + from >= edge).sort((a, b) => distance(a) - distance(b));
    const [at, next] = left;
    if (at === undefined || (next !== undefined && distance(at) * NEARER >= distance(next))) {
      return undefined;
    }
    drift = at - (hunk.start ?? 0);
    edge = at + to;
    chosenPlaces.push(at);
  }
  return chosenPlaces;
}

function underHeading(candidate: Candidate, lines: readonly string[]): Candidate {
  const { hunk, places } = candidate;
  if (hunk.heading === undefined || places.length < 2) {
    return candidate;
  }
  const [row, second] = headingRows(hunk.heading, lines);
  const place =
    row === undefined || second !== undefined ? undefined : places.find(at => at >= row);
  return place === undefined ? candidate : { ...candidate, places: [place] };
}

/** A heading may be cut off at its end. */
export function headingRows(heading: string, lines: readonly string[]): number[] {
  return lines.flatMap((line, row) => (line.trim().startsWith(heading) ? [row] : []));
}

function settled(
  candidates: readonly Candidate[],
  places: readonly number[],
  certain: boolean,
): Placing {
  const placed = candidates.map(({ hunk, closeness }, k) => ({
    hunk,
    closeness,
    at: places[k] ?? 0,
  }));
  const clash = overlap(placed);
  return clash ? refused(clash) : { kind: 'placed', placed, certain };
}

function overlap(placed: readonly PlacedHunk[]): string | undefined {
  const ranges = placed
    .map(({ hunk, at }) => {
      const { from, to } = changedRange(hunk);
      return { name: hunk.name, from: at + from, to: at + to };
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const index = ranges.findIndex((range, k) => range.from < (ranges[k - 1]?.to ?? 0));
  const [one, other] = [ranges[index - 1]?.name, ranges[index]?.name];
  return index < 1
    ? undefined
    : `${one} and ${other?.toLowerCase()} change the same lines. Make one of them, or apply them one by one.`;
}

/** The lines from the first to the last change, counted from the start of the hunk in the old text. */
function changedRange({ lines }: Hunk): { from: number; to: number } {
  const rows = (until: number): number =>
    lines.slice(0, until).filter(({ kind }) => kind !== 'added').length;
  return { from: rows(lines.findIndex(isChange)), to: rows(lines.findLastIndex(isChange) + 1) };
}

export function refused(reason: string): Placing {
  return { kind: 'refused', reason };
}
