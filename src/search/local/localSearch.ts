import type { CandidateIndex } from './candidateIndex';
import { type FileOptions, findHits, type SearchCut } from './hits';
import { type Correction, corrected, NearWordFinder, suspectsOf } from './query/misspelled';
import { type ReadQuery, readQuery } from './query/requestedRoute';
import { termsOf } from './query/terms';
import { LocalSearchRun } from './searchRun';

/** Lines of a file, 1-based and inclusive. The path is relative to the root, with `/`. */
export interface LocalResult {
  path: string;
  startLine: number;
  endLine: number;
  /** Relative to the best file of this search, whose score is 1. */
  score: number;
}

/** Lines of a file in one of several roots. */
export interface RootResult extends LocalResult {
  /** Index of the root. */
  root: number;
}

export interface LocalSummary {
  /** Files that were searched. */
  files: number;
  ms: number;
  /** False when an index answered, or ripgrep was not available and files were read by Node instead. */
  usedRipgrep: boolean;
  /** True when an index answered, so that only the best files were read. */
  usedIndex: boolean;
  usedHistory: boolean;
  /**
   * `late`: {@link RootsOptions.onBeforeHistory} was called, and the results are in another order.
   * `missing`: git was still reading when the search ended, so the order is without it.
   */
  history?: 'late' | 'missing' | undefined;
  cut?: SearchCut | undefined;
  /** Words that no file has, and what was looked for in their place. */
  corrections?: readonly Correction[] | undefined;
}

export interface LocalGit {
  dir: string;
  rev: string;
  /** Path of the root in the repository, ending in `/`; absent when it is the root of the repository. */
  prefix?: string;
}

/** A folder to search in. */
export interface LocalRoot {
  /** Absolute. */
  path: string;
  /** A repository or its `.git` folder, and the revision that the files are of. */
  git?: LocalGit | undefined;
}

export interface RootsOptions extends FileOptions {
  /** Asked first; the files are searched when it cannot answer. */
  index?: CandidateIndex | undefined;
  /** Files wanted. Each has up to three spans. */
  limit: number;
  /** Called with a first good answer, at most once, when the search takes longer than `firstMs`. */
  onFirst?: ((results: RootResult[]) => void) | undefined;
  firstMs?: number;
  /** Called with all results when only the git history is missing for their final order. */
  onBeforeHistory?: ((results: RootResult[]) => void) | undefined;
  /** Milliseconds for which the final order waits for the git history. */
  historyMs?: number;
  onSummary?: (summary: LocalSummary) => void;
}

export interface LocalSearchOptions extends Omit<RootsOptions, 'onFirst' | 'onBeforeHistory'> {
  git?: LocalGit | undefined;
  onFirst?: (results: LocalResult[]) => void;
}

/**
 * Finds the files and lines that a description in plain words is about, without an index: one search for
 * all terms of the query, then a closer look at the most promising files.
 * Rejects with the reason of the signal when it is aborted.
 */
export async function localSearch(
  root: string,
  query: string,
  { git, onFirst, ...options }: LocalSearchOptions,
): Promise<LocalResult[]> {
  const results = await searchRoots([{ path: root, git }], query, {
    ...options,
    onFirst: onFirst && (first => onFirst(first.map(withoutRoot))),
  });
  return results.map(withoutRoot);
}

/** {@link localSearch} in several folders as if they were one, so that the scores of all can be compared. */
export async function searchRoots(
  roots: readonly LocalRoot[],
  query: string,
  options: RootsOptions,
): Promise<RootResult[]> {
  options.signal?.throwIfAborted();
  const read = readQuery(query);
  const { words, terms } = read;
  if (terms.length === 0) return [];
  const { results, summary, isFound } = await new LocalSearchRun(roots, read, options).run();
  const suspects = summary.cut ? [] : suspectsOf(words, terms, isFound);
  const corrections = suspects.length > 0 ? await correctionsOf(roots, suspects, options) : [];
  if (corrections.length === 0) {
    options.onSummary?.(summary);
    return results;
  }
  const again = await new LocalSearchRun(roots, withCorrections(read, corrections), options).run();
  options.onSummary?.({ ...again.summary, corrections });
  return again.results;
}

function withCorrections(read: ReadQuery, corrections: readonly Correction[]): ReadQuery {
  const fix = (text: string): string => corrected(text, corrections);
  const words = fix(read.words);
  const segments = read.route?.segments.map(one => ({ ...one, text: fix(one.text) }));
  return {
    words,
    rest: fix(read.rest),
    files: fix(read.files),
    terms: termsOf(words),
    ...(segments && { route: { ...read.route, segments } }),
  };
}

/** What the files of all roots have in place of words that none of them has. */
async function correctionsOf(
  roots: readonly LocalRoot[],
  suspects: readonly string[],
  options: RootsOptions,
): Promise<readonly Correction[]> {
  const indexed = await options.index?.correctionsOf(
    roots.map(({ path }) => path),
    suspects,
  );
  if (indexed) return indexed;
  const finder = new NearWordFinder(suspects);
  await Promise.all(roots.map(({ path }) => findHits(path, finder, 0, options, () => undefined)));
  return finder.corrections();
}

const withoutRoot = ({ path, startLine, endLine, score }: RootResult): LocalResult => ({
  path,
  startLine,
  endLine,
  score,
});
