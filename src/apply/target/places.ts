import { splitLines } from '../../base/text/textLines';
import { isGeneratedFile } from '../external/core/generatedFiles';
import { type ComparedFile, type HoldingFile, sizeCost } from './contentLookup';
import { declaredNames, isNamedAfter } from './namedAfter';

/** A file that holds lines of an edit, with what a merge makes of it. */
export interface TriedFile<File> extends HoldingFile<File> {
  readonly text: string;
  readonly merged:
    | { readonly kind: 'merged'; readonly text: string; readonly certain: boolean }
    | { readonly kind: 'refused' };
  readonly isOpen?: boolean;
}

/** Where an edit may belong. */
export interface Place<File> {
  readonly file: File;
  /** 0-based line that the edit shows, or one with most of its words. */
  readonly line: number;
  /** That line, without white space at its ends. */
  readonly preview: string;
  /** Whether the edit belongs there without doubt. */
  readonly certain: boolean;
}

/** Files for which a merge is tried. */
export const maxTried = 8;

/** Files of which the words are compared, where the lines do not decide. */
const maxClose = 300;
/** What the words of an edit count beside its lines. */
const wordWeight = 0.4;

/**
 * Files that hold about as much of an edit as the best one, if they are too many to try them all: their words have
 * to decide.
 *
 * @param holding the best first.
 */
export function closeToBest<File>(holding: readonly HoldingFile<File>[]): readonly File[] {
  const least = fittingShare * (holding[0]?.score ?? 0);
  const close = holding.filter(({ score }) => score >= least);
  return close.length <= maxTried ? [] : close.slice(0, maxClose).map(({ file }) => file);
}

/**
 * The files for which a merge is tried, the likeliest first.
 *
 * @param words the share of the edit's words that a file holds, of those in {@link closeToBest}.
 */
export function filesToTry<File extends ComparedFile>(
  shown: readonly string[],
  holding: readonly HoldingFile<File>[],
  words: ReadonlyMap<File, number>,
): readonly HoldingFile<File>[] {
  const names = declaredNames(shown);
  const rank = ({ file, score, length }: HoldingFile<File>): number =>
    score + wordWeight * (words.get(file) ?? 0) + ownWorth(file, length, names);
  const close = holding.slice(0, maxClose).map(one => ({ one, rank: rank(one) }));
  return close.sort((a, b) => b.rank - a.rank).map(({ one }) => one);
}

/** A file with this share of the best one's score may be the right one. */
const closeShare = 0.4;
/** A file with this share of the lines is taken too, if the edit fits it. */
const fittingShare = 0.3;
/** What the certain file holds of the lines that any file holds, at least. */
const minScore = 0.8;
/** Lines that only the certain file holds, at least. */
const minAlone = 2;

/** By how much the verdict of the merge, words, names and an open editor move a file up or down. */
const worth = {
  certain: 0.4,
  refused: -0.4,
  unchanged: -0.4,
  removed: -0.5,
  /** An edit mostly brings something new. */
  onlyRemoved: -0.2,
  /** New lines are mostly like those that they replace. */
  similar: 0.1,
  words: 0.5,
  /** The file is called after what the edit declares. */
  name: 0.3,
  open: 0.1,
};

const worthOfCopy = { generated: 0.2, archived: 0.1 };
/** Folders of earlier versions, and hidden ones. */
const archivedFolder =
  /\/(?:\.[a-z][\w-]*|versioned_docs|legacy|old|archive|backup|v?\d+\.\d+(?:\.\d+)?)\//i;

/** What speaks against a file that is made from another one, or kept beside it. */
function copyCost(path: string): number {
  if (isGeneratedFile(path)) return worthOfCopy.generated;
  return archivedFolder.test(`/${path}`) ? worthOfCopy.archived : 0;
}

/** What the name, the length and the folder of a file say, whatever is in it. */
const ownWorth = (file: ComparedFile, length: number, names: ReadonlySet<string>): number =>
  (isNamedAfter(file, names) ? worth.name : 0) - sizeCost(length) - copyCost(file.path);

interface Judged<File> {
  readonly tried: TriedFile<File>;
  readonly isFit: boolean;
  readonly rank: number;
}

/**
 * The files that an edit may be meant for, the best first. At most the first is certain: others, above all
 * those of its name, hold little of the edit, and a merge is certain there only.
 *
 * @param shown lines that the edit shows of its file, without blank ones.
 * @param found at most {@link maxTried} files by their lines; those by words are never certain.
 */
export function judgePlaces<File extends ComparedFile>(
  shown: readonly string[],
  found: readonly TriedFile<File>[],
  { byWords = false }: { readonly byWords?: boolean } = {},
): Place<File>[] {
  const words = wordShares(shown, found);
  const names = declaredNames(shown);
  const judged = found
    .map((tried, at): Judged<File> => {
      const fit = fitOf(tried, shown.length);
      return {
        tried,
        isFit: fit.isCertain,
        rank:
          tried.score +
          fit.worth +
          worth.words * (words[at] ?? 0) +
          (tried.isOpen === true ? worth.open : 0) +
          ownWorth(tried.file, tried.length, names),
      };
    })
    .toSorted((a, b) => b.rank - a.rank);
  const isCertain = !byWords && leads(judged);
  return judged.map(({ tried }, at) => ({
    file: tried.file,
    ...(byWords ? lineWithWords(shown, tried.text) : lineAt(tried.text, tried.at)),
    certain: isCertain && at === 0,
  }));
}

/** Whether the first is clearly ahead, and the edit fits no other one. */
function leads<File extends ComparedFile>([first, ...others]: readonly Judged<File>[]): boolean {
  if (!first?.isFit) return false;
  const { score, alone, hasNamesake } = first.tried;
  return (
    !hasNamesake &&
    copyCost(first.tried.file.path) === 0 &&
    score >= minScore &&
    alone >= minAlone &&
    others.every(
      ({ tried, isFit }) =>
        tried.score < closeShare * score && !(isFit && tried.score >= fittingShare * score),
    )
  );
}

/** An edit that changes nothing, or takes away much, rarely belongs there. */
function fitOf<File>(
  { text, merged }: TriedFile<File>,
  shown: number,
): { readonly worth: number; readonly isCertain: boolean } {
  if (merged.kind === 'refused') return { worth: worth.refused, isCertain: false };
  if (merged.text === text) return { worth: worth.unchanged, isCertain: false };
  const { removed, added } = changedLines(text, merged.text);
  const share = Math.min(1, removed.length / Math.max(1, shown));
  // Code of which the file had no line fits at the end of any file.
  const isCertain = merged.certain && added.length < shown;
  const sure = isCertain ? worth.certain : 0;
  const kind =
    added.length === 0 && removed.length > 0
      ? worth.onlyRemoved
      : worth.similar * similarity(added, removed);
  return { worth: sure + worth.removed * share + kind, isCertain };
}

/** Lines that one of two texts has more often than the other one. */
function changedLines(
  before: string,
  after: string,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const counts = new Map<string, number>();
  const count = (text: string, by: number): void => {
    for (const line of splitLines(text)) {
      const key = line.trim();
      if (key !== '') counts.set(key, (counts.get(key) ?? 0) + by);
    }
  };
  count(before, 1);
  count(after, -1);
  const removed: string[] = [];
  const added: string[] = [];
  for (const [line, rest] of counts) {
    for (let times = Math.abs(rest); times > 0; times--) (rest > 0 ? removed : added).push(line);
  }
  return { removed, added };
}

/** More lines than that tell nothing more. */
const maxSimilar = 60;
const tokens = /\w+|[^\w\s]/g;

/** How much the new lines are like one of the old lines each, 0 to 1. */
function similarity(added: readonly string[], removed: readonly string[]): number {
  const old = removed.slice(0, maxSimilar).map(line => new Set(line.match(tokens)));
  const fresh = added.slice(0, maxSimilar).map(line => new Set(line.match(tokens)));
  const best = fresh.map(line =>
    Math.max(
      0,
      ...old.map(other => {
        let common = 0;
        for (const token of line) if (other.has(token)) common++;
        return (2 * common) / Math.max(1, line.size + other.size);
      }),
    ),
  );
  return best.reduce((sum, one) => sum + one, 0) / Math.max(1, best.length);
}

const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;
const wordsIn = (text: string): Set<string> => new Set(text.match(wordPattern));
const heldWords = (text: string, wanted: ReadonlySet<string>): string[] =>
  [...wordsIn(text)].filter(word => wanted.has(word));

/** By file: the share of the edit's words that it holds, of those that any of the files holds. */
function wordShares<File>(shown: readonly string[], found: readonly TriedFile<File>[]): number[] {
  const wanted = wordsIn(shown.join('\n'));
  const held = found.map(({ text }) => heldWords(text, wanted));
  const weights = new Map<string, number>();
  for (const words of held)
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1);
  for (const [word, holders] of weights) weights.set(word, Math.log(1 + found.length / holders));
  const sum = (words: Iterable<string>): number => {
    let all = 0;
    for (const word of words) all += weights.get(word) ?? 0;
    return all;
  };
  const all = sum(weights.keys());
  return held.map(words => (all === 0 ? 0 : sum(words) / all));
}

function lineAt(text: string, line: number): { readonly line: number; readonly preview: string } {
  return { line, preview: splitLines(text)[line]?.trim() ?? '' };
}

function lineWithWords(shown: readonly string[], text: string): ReturnType<typeof lineAt> {
  const wanted = wordsIn(shown.join('\n'));
  let best = { line: 0, count: 0 };
  for (const [line, content] of splitLines(text).entries()) {
    const count = heldWords(content, wanted).length;
    if (count > best.count) best = { line, count };
  }
  return lineAt(text, best.line);
}
