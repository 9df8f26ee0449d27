import { append } from '../../base/arrays';
import { type Sentence, sentence } from '../../base/sentence';
import { isFiller } from '../lines';
import { newSide, oldSide, type PatchHunk, splitAtContext, withoutBlankEnds } from './hunks';
import type { LineFinder } from './lineFinder';
import {
  type HunkCandidate,
  type PlacingResult,
  refusedPlacing,
  settlePlaces,
} from './settlePlaces';
import { similarPlace } from './similarPlaces';

/** How many context lines of a hunk may differ from the file. */
const maxFuzzLines = 2;

/** Finds the place of each hunk, or the reason why there is none. */
export function placeHunks(hunks: readonly PatchHunk[], finder: LineFinder): PlacingResult {
  const candidates: HunkCandidate[] = [];
  for (const hunk of hunks) {
    const found = candidatesOf(hunk, finder) ?? similar(hunk, finder);
    if (!found) {
      return refusedPlacing(reasonFor(hunk, finder));
    }
    if (isApplied(hunk, found, finder)) {
      return refusedPlacing(applied(hunk));
    }
    append(candidates, found);
  }
  return settlePlaces(candidates, finder.anchors);
}

/** Whether the hunk matches the lines, so that it does not depend on other hunks. */
export function canPlace(hunk: PatchHunk, finder: LineFinder): boolean {
  return candidatesOf(hunk, finder) !== undefined;
}

function candidatesOf(hunk: PatchHunk, finder: LineFinder): HunkCandidate[] | undefined {
  if (oldSide(hunk.lines).length === 0) {
    return withoutContext(hunk, finder);
  }
  const trimmed = withoutBlankEnds(hunk);
  for (const form of trimmed.lines.length < hunk.lines.length ? [hunk, trimmed] : [hunk]) {
    const old = oldSide(form.lines);
    const found = old.length > 0 ? finder.find(old) : undefined;
    if (found && found.places.length > 0) {
      return [atEnd({ hunk: form, ...found, isGuess: hunk.isGuess ?? false }, finder)];
    }
  }
  return (
    inParts(trimmed, finder, [3, 2]) ?? nearly(trimmed, finder) ?? inParts(trimmed, finder, [1])
  );
}

/** Only the last lines of the file, where the patch says so and they fit; where they do not, no place is certain. */
function atEnd(candidate: HunkCandidate, finder: LineFinder): HunkCandidate {
  const { hunk, places } = candidate;
  if (!hunk.endsFile) return candidate;
  const end = endOfText(finder);
  const height = oldSide(hunk.lines).length;
  const last = places.filter(at => at + height >= end);
  return last.length > 0 ? { ...candidate, places: last } : { ...candidate, isGuess: true };
}

/** The line after the last one that is not blank. */
const endOfText = ({ lines }: LineFinder): number =>
  lines.findLastIndex(line => line.trim() !== '') + 1;

/** The place of old lines that hold a typo, or another comment than the file. */
function similar(hunk: PatchHunk, finder: LineFinder): HunkCandidate[] | undefined {
  const trimmed = withoutBlankEnds(hunk);
  if (isDone(trimmed, finder)) return undefined;
  const at = similarPlace(oldSide(trimmed.lines), finder);
  return at === undefined
    ? undefined
    : [{ hunk: trimmed, places: [at], closeness: 2, isGuess: true }];
}

/** Whether the lines as they are to be are in the file. */
function isDone(trimmed: PatchHunk, finder: LineFinder): boolean {
  const fresh = newSide(trimmed.lines);
  return fresh.some(text => !isFiller(text.trim())) && finder.find(fresh).places.length > 0;
}

/** Hunks without old lines go where the header says, or to the end of the file. */
function withoutContext(hunk: PatchHunk, finder: LineFinder): HunkCandidate[] | undefined {
  const { start, anchors = [] } = hunk;
  if (hunk.endsFile && start === undefined && anchors.length === 0) {
    return [{ hunk, places: [finder.lines.length], closeness: 0, isGuess: false }];
  }
  const isEmpty = finder.lines.every(line => line.trim() === '');
  const row =
    start === undefined && !isEmpty ? finder.anchors.find(anchors)?.spans[0]?.row : undefined;
  const at = isEmpty ? 0 : (start ?? (row === undefined ? undefined : row + 1));
  if (at === undefined || at > finder.lines.length) {
    return undefined;
  }
  return [{ hunk, places: [at], closeness: 0, isGuess: !isEmpty && start === undefined }];
}

function nearly(hunk: PatchHunk, finder: LineFinder): HunkCandidate[] | undefined {
  const old = hunk.lines.filter(({ kind }) => kind !== 'added');
  if (old.length > finder.lines.length + maxFuzzLines) {
    return undefined;
  }
  const mustStand = old.map(({ kind }) => kind === 'removed');
  for (const row of insertionRows(hunk)) {
    mustStand[row - 1] = true;
    mustStand[row] = true;
  }
  mustStand.length = old.length;
  const says = old.filter(({ text }) => !isFiller(text.trim())).length;
  const maxMissing = Math.min(maxFuzzLines, Math.floor((says - 1) / 2));
  if (maxMissing < 1) {
    return undefined;
  }
  const found = finder.findNearly(oldSide(hunk.lines), mustStand, maxMissing);
  return found.places.length > 0 ? [{ hunk, ...found, isGuess: true }] : undefined;
}

/** Rows at which new lines are inserted between kept ones, which must therefore match. */
function insertionRows({ lines }: PatchHunk): number[] {
  let row = 0;
  return lines.flatMap((line, at) => {
    row += line.kind === 'added' ? 0 : 1;
    const starts = line.kind === 'added' && lines[at - 1]?.kind !== 'added';
    return starts && lines[at - 1]?.kind !== 'removed' ? [row] : [];
  });
}

/** When the context has omitted or additional lines, places each change separately with the context next to it. */
function inParts(
  hunk: PatchHunk,
  finder: LineFinder,
  contexts: readonly number[],
): HunkCandidate[] | undefined {
  for (const context of contexts) {
    const found = partsInOrder(hunk, finder, context);
    if (found.length > 0) {
      return found;
    }
  }
  return undefined;
}

/** Places each change at its only place, in the order of the hunk; empty when one of them has none. */
function partsInOrder(hunk: PatchHunk, finder: LineFinder, context: number): HunkCandidate[] {
  const found: HunkCandidate[] = [];
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

/** True for an insertion whose new lines are already in the file at that place. */
function isApplied(
  hunk: PatchHunk,
  [found]: readonly HunkCandidate[],
  finder: LineFinder,
): boolean {
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

function reasonFor(hunk: PatchHunk, finder: LineFinder): Sentence {
  if (oldSide(hunk.lines).length === 0) {
    return sentence(
      '{0} shows no line of the file, so it is unclear where its new lines go. Add the lines around them.',
      hunk.name.atStart,
    );
  }
  if (isDone(withoutBlankEnds(hunk), finder)) return applied(hunk);
  return sentence(
    '{0} is not in the file: the lines that it changes are not there. Check that it is meant for this file, or ask for the change again.',
    hunk.name.atStart,
  );
}

function applied({ name }: PatchHunk): Sentence {
  return sentence(
    '{0} is already applied: its new lines are in the file. Leave it out to apply the rest.',
    name.atStart,
  );
}
