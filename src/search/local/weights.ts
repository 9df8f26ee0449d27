/*
 * Weights of the local search. They were fitted to predict which files a change touches from its
 * description, over past changes of 35 public repositories. Results hardly change when one of them
 * changes by a fifth.
 */
import type { FileKind } from './paths';
import type { Intent } from './query/intent';
import type { Term } from './query/terms';

/** Worth of a term by kind, multiplied by its rarity. */
export const termFactors: Record<Term['kind'] | 'missing', number> = {
  word: 1,
  /** Common words such as option or file; their frequency counts separately. */
  common: 0.8,
  /** A whole identifier, in addition to its words. */
  identifier: 1.5,
  /** Share of its worth with which a term that no file contains counts in the total. */
  missing: 0.25,
};

/** The first pass uses only paths and counts. It chooses which files are read. */
export const firstPassWeights = {
  /** Number of hits at which a term reaches half of its maximum. */
  halfSaturation: 3,
  name: 0.9,
  folder: 0.35,
  /** Bonus for a source file whose test contains the terms. */
  tests: 0.5,
  /** Number of files that are read. The right one is nearly always among them. */
  maxCandidates: 250,
};

/**
 * Characters of all files that are read, after which no more are. None of the files that those past changes touched
 * came later.
 */
export const maxReadChars = 6_000_000;

/** No more characters of one file count for that, so that it does not keep others from being read. */
export const maxCountedChars = 1_000_000;

/** Factors of the first pass by kind of file, unless the query asks for that kind. */
export const firstPassKindFactors: Record<FileKind, number> = {
  source: 1,
  test: 0.2,
  docs: 0.35,
  aside: 0.2,
  generated: 0.2,
  data: 0.25,
  tooling: 0.2,
};

/** How much of the query a text contains. */
export const lexicalWeights = {
  /** Number of hits from which more count little, in a file of average length. */
  saturation: 1.2,
  /** Normalization by length, from 0 to 1; low, because long files are often the right ones. */
  byLength: 0.3,
  /** The average length is clamped to this range, in characters. */
  minAverageLength: 2000,
  maxAverageLength: 20_000,
  /** Additional weight of a hit in a line that declares something. */
  declaring: 2,
  name: 2,
  folder: 0.5,
  /** Terms that are neighbors both in the query and in the text. */
  pairs: 2,
  morePairs: 0.5,
  window: 0.6,
  windowLines: 30,
  /** Added before taking a logarithm, so that zero does not become minus infinity. */
  floor: 0.05,
  /** The same for characters. */
  shortText: 500,
};

/** Weights of the git history of a file. */
export const historyWeights = {
  common: 0.8,
  /** Commits of more files are ignored, because they say little about each. */
  maxPaths: 30,
  /** Half-lives, in commits of the repository. */
  votesHalfLife: 400,
  churnHalfLife: 100,
  recentHalfLife: 5,
  /** Smoothing: a share is only meaningful with more changes of a file than this. */
  fewChanges: 5,
  /** As in `lexicalWeights`, with the commit subjects of a file as its text. */
  saturation: 0.7,
  byLength: 0.5,
};

/**
 * Coefficients of the final score, which is a logarithm of odds. A negative coefficient reduces the weight
 * that a feature has in `lexical` already.
 */
export const scoreWeights = {
  /** Per factor of e in the lexical score. */
  lexical: 1.16,
  /** Relative to the best source file of this search. */
  lexicalOfBest: 1.4,
  /** Neighboring terms that few of the read files contain. */
  rarePairs: 0.29,
  window: -0.87,
  windowOfBest: 2.23,
  declaring: 1.02,
  name: -2.74,
  nameByCoverage: 2.87,
  coverage: 0.5,
  tests: 0.36,
  votes: 0.79,
  strongVotes: 0.17,
  voteShare: 0.7,
  churn: 0.52,
  words: -1.16,
  wordsOfBest: 1.03,
  /** Per factor of e in length; corrects `churn`, because long files are changed more often. */
  length: -0.4,
  /** Per factor of e in the mean share of files of a root that contain a term of the query. */
  root: 1,
  /** Files added to those that contain a term. */
  rootSmoothing: 0.3,
};

/**
 * What differs between queries that describe a change, as titles of commits and issues do, and those that describe
 * code, as its comments do. The history of a repository tells what is changed next more than what code is about. Chosen
 * by the past changes, and by the first sentences of 1,103 comments of 17 public repositories, without the comments.
 */
export const intentWeights: Record<Intent, IntentWeights> = {
  change: { history: 0.8, declaredName: 1, coverage: 0, declaredCoverage: 0, length: 0 },
  sentence: { history: 0.6, declaredName: 3, coverage: 2, declaredCoverage: 3, length: -0.5 },
  words: { history: 0.6, declaredName: 3, coverage: 0, declaredCoverage: 0, length: 0 },
  // The declaration of each name counts by itself: none of several may put the others last.
  names: { history: 0.6, declaredName: 0, coverage: 0, declaredCoverage: 0, length: 0 },
};

export interface IntentWeights {
  /** Share of the score with the git history in the whole; the rest is the score without. */
  readonly history: number;
  /** Log odds for a file that declares a name whose words are all of the query. */
  readonly declaredName: number;
  /** Log odds for a file whose text has all words of the query, and for one that has them all in declared names. */
  readonly coverage: number;
  readonly declaredCoverage: number;
  /** Per factor of e in length: a large file is changed more often, and has more words by chance. */
  readonly length: number;
}

/**
 * Added to the score by kind of file, unless the query asks for that kind. Those of data and documents are nearer to 0
 * than the changes say, of which none counted such a file as right.
 */
export const kindScores: Record<FileKind, number> = {
  source: 0,
  test: -6.2,
  docs: -4.2,
  aside: -3.5,
  generated: -4.5,
  data: -3.2,
  tooling: -3.5,
};

/** Added for a file of a build service or a linter where the query asks for one. */
export const requestedToolingScore = 1.5;

/** Which lines of a file are shown. */
export const spanLimits = {
  /** Factor of a hit in a declared name. */
  declared: 2,
  /** Worth of a term in a declared name whose words are all in the query, beside that of the term itself. */
  declaredName: 0.6,
  windowLines: 15,
  /** Windows that are considered; close ones are joined. */
  maxWindows: 20,
  /** Spans of a file. */
  maxSpans: 3,
  /** Minimum score of a window, as a share of the best one. */
  minWindowShare: 0.15,
  maxLines: 80,
  minLines: 8,
  /** Context lines around hits outside of a definition. */
  linesAbove: 5,
  linesBelow: 20,
  /** Lines from the start of a file of which only the path matches. */
  headLines: 20,
  /** Lines of all spans of a file, by its rank. */
  linesByRank: [240, 200, 160, 100, 80, 60, 50, 50, 40, 40],
};
