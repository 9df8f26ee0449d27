import { isFiller } from '../lines';
import { type Hunk, isChange, newSide, oldSide, splitAtContext, withoutBlankEnds } from './hunks';
import type { Closeness, LineFinder } from './lineFinder';

/** A hunk and the line of the text at which it starts. */
export interface PlacedHunk {
  readonly hunk: Hunk;
  readonly at: number;
  readonly closeness: Closeness;
}

export type Placing =
  | { readonly kind: 'placed'; readonly placed: readonly PlacedHunk[]; readonly certain: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

interface Candidate {
  readonly hunk: Hunk;
  /** Ascending. */
  readonly places: readonly number[];
  readonly closeness: Closeness;
  readonly isGuess: boolean;
}

/** How many context lines of a hunk may differ from the file. */
const FUZZ_LINES = 2;

/** Finds the one place of each hunk, or the reason why there is none. */
export function placeHunks(hunks: readonly Hunk[], finder: LineFinder): Placing {
  const candidates: Candidate[] = [];
  for (const hunk of hunks) {
    const found = candidatesOf(hunk, finder);
    if (!found) {
      return refused(reasonFor(hunk, finder));
    }
    if (isApplied(hunk, found, finder)) {
      return refused(applied(hunk));
    }
    candidates.push(...found);
  }
  return chosen(candidates, finder.lines);
}

/** Whether the hunk stands in the lines, so that it need not wait for the changes of others. */
export function canPlace(hunk: Hunk, finder: LineFinder): boolean {
  return candidatesOf(hunk, finder) !== undefined;
}

function candidatesOf(hunk: Hunk, finder: LineFinder): Candidate[] | undefined {
  if (oldSide(hunk.lines).length === 0) {
    return withoutContext(hunk, finder);
  }
  const trimmed = withoutBlankEnds(hunk);
  for (const form of trimmed.lines.length < hunk.lines.length ? [hunk, trimmed] : [hunk]) {
    const old = oldSide(form.lines);
    const found = old.length > 0 ? finder.find(old) : undefined;
    if (found && found.places.length > 0) {
      return [{ hunk: form, ...found, isGuess: false }];
    }
  }
  return (
    inParts(trimmed, finder, [3, 2]) ?? nearly(trimmed, finder) ?? inParts(trimmed, finder, [1])
  );
}

/** New lines alone go where the header says. */
function withoutContext(hunk: Hunk, finder: LineFinder): Candidate[] | undefined {
  const { start, heading } = hunk;
  const isEmpty = finder.lines.every(line => line.trim() === '');
  const row = heading === undefined ? -1 : headingRows(heading, finder.lines).at(0);
  const at = isEmpty ? 0 : (start ?? (row === undefined || row < 0 ? undefined : row + 1));
  if (at === undefined || at > finder.lines.length) {
    return undefined;
  }
  return [{ hunk, places: [at], closeness: 0, isGuess: !isEmpty && start === undefined }];
}

function nearly(hunk: Hunk, finder: LineFinder): Candidate[] | undefined {
  const old = hunk.lines.filter(({ kind }) => kind !== 'added');
  const mustStand = old.map(({ kind }) => kind === 'removed');
  for (const row of insertionRows(hunk)) {
    mustStand[row - 1] = true;
    mustStand[row] = true;
  }
  mustStand.length = old.length;
  const says = old.filter(({ text }) => !isFiller(text.trim())).length;
  const mostMissing = Math.min(FUZZ_LINES, Math.floor((says - 1) / 2));
  if (mostMissing < 1) {
    return undefined;
  }
  const found = finder.findNearly(oldSide(hunk.lines), mustStand, mostMissing);
  return found.places.length > 0 ? [{ hunk, ...found, isGuess: true }] : undefined;
}

/** Where new lines go between old ones that stay; those must be the right ones. */
function insertionRows({ lines }: Hunk): number[] {
  let row = 0;
  return lines.flatMap((line, at) => {
    row += line.kind === 'added' ? 0 : 1;
    const starts = line.kind === 'added' && lines[at - 1]?.kind !== 'added';
    return starts && lines[at - 1]?.kind !== 'removed' ? [row] : [];
  });
}

/** Context with lines left out, or with others in between: each change by itself, with what context it has. */
function inParts(
  hunk: Hunk,
  finder: LineFinder,
  contexts: readonly number[],
): Candidate[] | undefined {
  for (const context of contexts) {
    const parts = splitAtContext(hunk, context).map(part => withoutBlankEnds(part));
    const found = parts.map(part => {
      const old = oldSide(part.lines);
      const says = old.some(text => !isFiller(text.trim()));
      return says ? finder.find(old) : { places: [], closeness: 2 as const };
    });
    const places = found.map(one => one.places[0] ?? -1);
    const isOrdered = places.every((at, k) => k === 0 || at > (places[k - 1] ?? -1));
    if (parts.length > 0 && isOrdered && found.every(one => one.places.length === 1)) {
      return parts.map((part, at) => ({
        hunk: part,
        places: found[at]?.places ?? [],
        closeness: found[at]?.closeness ?? 2,
        isGuess: true,
      }));
    }
  }
  return undefined;
}

/** Chooses one candidate each: by line number, by being the only one, by the order of the hunks, by the heading. */
function chosen(candidates: readonly Candidate[], lines: readonly string[]): Placing {
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
function headingRows(heading: string, lines: readonly string[]): number[] {
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

/** New lines beside old ones that stay: when they stand there already, the hunk was applied before. */
function isApplied(hunk: Hunk, [found]: readonly Candidate[], finder: LineFinder): boolean {
  const old = oldSide(hunk.lines);
  const isInsertion = hunk.lines.every(({ kind }) => kind !== 'removed');
  const says = hunk.lines.some(({ kind, text }) => kind === 'added' && text.trim().length > 3);
  if (hunk.start !== undefined || !isInsertion || !says || old.length === 0 || !found) {
    return false;
  }
  const fresh = newSide(hunk.lines);
  const { places } = finder.find(fresh);
  return found.places.every(at =>
    places.some(place => place <= at && at + old.length <= place + fresh.length),
  );
}

function reasonFor(hunk: Hunk, finder: LineFinder): string {
  if (oldSide(hunk.lines).length === 0) {
    return `${hunk.name} shows no line of the file, so there is no telling where its new lines go. Add the lines round them.`;
  }
  const fresh = newSide(withoutBlankEnds(hunk).lines);
  if (fresh.some(text => !isFiller(text.trim())) && finder.find(fresh).places.length > 0) {
    return applied(hunk);
  }
  return `${hunk.name} is not in the file: the lines that it changes are not there. Check that it is meant for this file, or ask for the change again.`;
}

function applied({ name }: Hunk): string {
  return `${name} is already applied: its new lines stand in the file. Leave it out to apply the rest.`;
}

function refused(reason: string): Placing {
  return { kind: 'refused', reason };
}
