import { append } from '../../base/arrays';
import { type Candidate, settlePlaces, headingRows, type Placing, refused } from './settlePlaces';
import { isFiller } from '../lines';
import { type Hunk, newSide, oldSide, splitAtContext, withoutBlankEnds } from './hunks';
import type { LineFinder } from './lineFinder';

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
    append(candidates, found);
  }
  return settlePlaces(candidates, finder.lines);
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
  if (old.length > finder.lines.length + FUZZ_LINES) {
    return undefined;
  }
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
    const found = partsInOrder(hunk, finder, context);
    if (found.length > 0) {
      return found;
    }
  }
  return undefined;
}

/** Each change at its one place, in the order of the hunk; none when one of them has no such place. */
function partsInOrder(hunk: Hunk, finder: LineFinder, context: number): Candidate[] {
  const found: Candidate[] = [];
  for (const whole of splitAtContext(hunk, context)) {
    const part = withoutBlankEnds(whole);
    const old = oldSide(part.lines);
    const says = old.some(text => !isFiller(text.trim()));
    const { places, closeness } = says ? finder.find(old) : nowhere;
    const [at = -1, second] = places;
    const before = found.at(-1)?.places[0] ?? -1;
    if (at <= before || second !== undefined) {
      return [];
    }
    found.push({ hunk: part, places, closeness, isGuess: true });
  }
  return found;
}

const nowhere = { places: [], closeness: 2 } as const;

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
