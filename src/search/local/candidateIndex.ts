import type { Corpus, FileCandidate, RootFile, WantedFiles } from './candidates';
import type { Correction } from './query/misspelled';

/** A folder to find candidates in. */
export interface IndexedRoot {
  /** Absolute. */
  readonly path: string;
  /** Beginnings of paths below it that are not searched. */
  readonly without: readonly string[];
  /** Hits of files by path below the root, in place of those on disk; undefined for a file without hits. */
  readonly unsaved: ReadonlyMap<string, Float32Array | undefined>;
}

export interface CandidateQuery extends WantedFiles {
  readonly roots: readonly IndexedRoot[];
}

export interface FoundCandidates {
  readonly candidates: FileCandidate[];
  readonly corpus: Corpus;
  /** Files of texts that may have the query as one of them; none unless they are wanted. */
  readonly catalogs?: readonly RootFile[];
}

/** Knows the words of all files of some folders. */
export interface CandidateIndex {
  /** Undefined when it cannot answer now, so that the files have to be searched. */
  find(query: CandidateQuery): Promise<FoundCandidates | undefined>;
  /**
   * What the files of folders have in place of words that none of them has. Undefined as in `find`.
   * @param roots absolute paths
   */
  correctionsOf(
    roots: readonly string[],
    words: readonly string[],
  ): Promise<readonly Correction[] | undefined>;
}
