import { type Sentence, sentence } from '../../base/sentence';
import type { AnchorFinder } from './anchors';
import { isChange, oldSide, type PatchHunk, theChange } from './hunks';
import type { Closeness } from './lineFinder';

/** A hunk and the line of the text at which it starts. */
export interface PlacedHunk {
  readonly hunk: PatchHunk;
  readonly at: number;
  readonly closeness: Closeness;
}

export type PlacingResult =
  | { readonly kind: 'placed'; readonly placed: readonly PlacedHunk[]; readonly certain: boolean }
  | { readonly kind: 'refused'; readonly reason: Sentence };

/** The possible places of one hunk. */
export interface HunkCandidate {
  readonly hunk: PatchHunk;
  /** Ascending. */
  readonly places: readonly number[];
  readonly closeness: Closeness;
  readonly isGuess: boolean;
  /** True when anchors say below which lines the places are. */
  readonly isAnchored?: boolean;
}

/** Chooses one place per hunk: by line number, as the only one, by its anchors, or by the order of the hunks. */
export function settlePlaces(
  given: readonly HunkCandidate[],
  anchorFinder: AnchorFinder,
): PlacingResult {
  const candidates = given.map(candidate => underAnchors(candidate, anchorFinder));
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
  const narrowed = candidates.map(candidate => underHeading(candidate, anchorFinder));
  const first = inOrder(narrowed);
  const last = inOrder(narrowed, true);
  if (first && last && first.every((at, k) => at === last[k])) {
    return settled(narrowed, first, certain);
  }
  const near = first && isNumbered ? nearest(narrowed) : undefined;
  if (near) {
    return settled(narrowed, near, false);
  }
  // Agents look for an anchor, and for the first place below it, from the hunk above on; that is not certain.
  const isAnchored = narrowed.every(
    candidate => candidate.places.length === 1 || candidate.isAnchored,
  );
  if (first && isAnchored) return settled(narrowed, first, false);
  const unclear = narrowed.find(({ places }) => places.length > 1) ?? narrowed[0];
  return refusedPlacing(
    sentence(
      '{0} fits at {1} places of the file. Add more unchanged lines around it, so that only one fits.',
      (unclear?.hunk.name ?? theChange).atStart,
      unclear?.places.length ?? 0,
    ),
  );
}

/** False when line numbers are only placeholders: they do not ascend, or are a single wrong 1. */
function hasNumbers(candidates: readonly HunkCandidate[]): boolean {
  const starts = candidates.map(({ hunk }) => hunk.start);
  const [only] = candidates;
  if (candidates.length === 1 && only) {
    const { start } = only.hunk;
    return start !== undefined && (start > 0 || only.places.includes(0));
  }
  return starts.every((start, k) => start !== undefined && start > (starts[k - 1] ?? -1));
}

/** The places given by the headers, shifted by the same number of lines for all hunks; undefined when ambiguous. */
function byNumber(candidates: readonly HunkCandidate[]): number[] | undefined {
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

/** The first place of each hunk after the previous one, or the last one before the next; undefined if there is none. */
function inOrder(candidates: readonly HunkCandidate[], fromEnd = false): number[] | undefined {
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

/** The second nearest place must be at least this many times as far away as the nearest. */
const minDistanceRatio = 3;

/** The places nearest to the header's numbers, shifted like the previous hunk; undefined when two are similarly near. */
function nearest(candidates: readonly HunkCandidate[]): number[] | undefined {
  let drift = 0;
  let edge = -Infinity;
  const chosenPlaces: number[] = [];
  for (const { hunk, places } of candidates) {
    const wanted = (hunk.start ?? 0) + drift;
    const distance = (at: number): number => Math.abs(at - wanted);
    const { from, to } = changedRange(hunk);
    const left = places.filter(at => at + from >= edge).sort((a, b) => distance(a) - distance(b));
    const [at, next] = left;
    if (
      at === undefined ||
      (next !== undefined && distance(at) * minDistanceRatio >= distance(next))
    ) {
      return undefined;
    }
    drift = at - (hunk.start ?? 0);
    edge = at + to;
    chosenPlaces.push(at);
  }
  return chosenPlaces;
}

/** The places that the anchors allow. They are only a hint where numbers say the same, and never certain if not met. */
function underAnchors(candidate: HunkCandidate, finder: AnchorFinder): HunkCandidate {
  const { hunk, places } = candidate;
  if (hunk.anchors === undefined || hunk.start !== undefined) {
    return candidate;
  }
  const found = finder.find(hunk.anchors);
  const height = oldSide(hunk.lines).length;
  const inside = places.filter(at =>
    found?.spans.some(({ row, end }) => at + height > row && at < end),
  );
  const [first] = found?.spans ?? [];
  const below = first ? places.filter(at => at > first.row) : [];
  const left = inside.length > 0 ? inside : below.length > 0 ? below : places;
  const isMet = found?.isSure === true && inside.length > 0;
  return { ...candidate, places: left, isGuess: candidate.isGuess || !isMet, isAnchored: isMet };
}

/** The heading of a numbered hunk is a line above it, often not one that holds it. */
function underHeading(candidate: HunkCandidate, finder: AnchorFinder): HunkCandidate {
  const { hunk, places } = candidate;
  if (hunk.anchors === undefined || hunk.start === undefined || places.length < 2) {
    return candidate;
  }
  const [span, second] = finder.find(hunk.anchors)?.spans ?? [];
  const place = !span || second ? undefined : places.find(at => at >= span.row);
  return place === undefined ? candidate : { ...candidate, places: [place] };
}

function settled(
  candidates: readonly HunkCandidate[],
  places: readonly number[],
  certain: boolean,
): PlacingResult {
  const placed = candidates.map(({ hunk, closeness }, k) => ({
    hunk,
    closeness,
    at: places[k] ?? 0,
  }));
  const clash = overlap(placed);
  return clash ? refusedPlacing(clash) : { kind: 'placed', placed, certain };
}

function overlap(placed: readonly PlacedHunk[]): Sentence | undefined {
  const ranges = placed
    .map(({ hunk, at }) => {
      const { from, to } = changedRange(hunk);
      return { name: hunk.name, from: at + from, to: at + to };
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const index = ranges.findIndex((range, k) => range.from < (ranges[k - 1]?.to ?? 0));
  const [one, other] = [ranges[index - 1]?.name, ranges[index]?.name];
  return one && other
    ? sentence(
        '{0} and {1} change the same lines. Combine them, or apply them one by one.',
        one.atStart,
        other.within,
      )
    : undefined;
}

/** The old lines from the first to the last change, relative to the start of the hunk. */
function changedRange({ lines }: PatchHunk): { from: number; to: number } {
  const rows = (until: number): number =>
    lines.slice(0, until).filter(({ kind }) => kind !== 'added').length;
  return { from: rows(lines.findIndex(isChange)), to: rows(lines.findLastIndex(isChange) + 1) };
}

export function refusedPlacing(reason: Sentence): PlacingResult {
  return { kind: 'refused', reason };
}
