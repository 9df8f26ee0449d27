/*
 * All that decides in the search without a model. Set by fitting the chance of being changed over
 * descriptions of past changes in 35 public repositories, never by single cases; results hardly
 * change when one of these changes by a fifth.
 */
import type { FileKind } from './paths';
import type { Term } from './query';

/** What a term is worth, besides how rare it is. */
export const TERM: Record<Term['kind'] | 'missing', number> = {
  word: 1,
  /** Words such as option or file, beyond their being frequent. */
  common: 0.8,
  /** An identifier as a whole, on top of its words. */
  identifier: 1.5,
  /** Share that a term which no file has keeps of its worth, in the measure of all. */
  missing: 0.25,
};

/** The first look, by paths and counts only. It chooses which files are read. */
export const FIRST = {
  /** Hits of a term at which a file has half of what it can get for it. */
  half: 3,
  name: 0.9,
  folder: 0.35,
  /** For a source whose test has the terms. */
  tests: 0.5,
  /** Files that are read. The right one is nearly always among them. */
  keep: 250,
};

/** Factors of the first look for what is not source, unless the query asks for it. */
export const FIRST_KIND: Record<FileKind, number> = {
  source: 1,
  test: 0.2,
  docs: 0.3,
  aside: 0.2,
  generated: 0.2,
  data: 0.1,
};

/** How much of the query a text has. */
export const LEXICAL = {
  /** Hits of a term at which more of them count for little, in a file of usual length. */
  saturation: 1.2,
  /** 1 would count hits by length; long files are often the right ones. */
  byLength: 0.3,
  /** Characters between which the usual length is taken to be. */
  leastUsualLength: 2000,
  mostUsualLength: 20_000,
  /** A hit in a line that declares something counts as one more and this. */
  declaring: 2,
  name: 2,
  folder: 0.5,
  /** Neighbours in the query that are neighbours in the text. */
  pairs: 2,
  morePairs: 0.5,
  window: 0.6,
  windowLines: 30,
  /** Added before taking a logarithm, so that nothing is not infinitely bad. */
  floor: 0.05,
  /** The same for characters. */
  shortText: 500,
};

/** What the history of a file is worth, once git has told it. */
export const HISTORY = {
  common: 0.8,
  /** A change of more files says too little of each. */
  mostPaths: 30,
  /** In changes of the repository. */
  votesHalfLife: 400,
  churnHalfLife: 100,
  /** Changes of a file below which a share of them is no share yet. */
  fewChanges: 5,
  /** As for texts: the subjects of a file's changes, taken as its text. */
  saturation: 0.7,
  byLength: 0.5,
};

/**
 * The sum that orders files, a logarithm of odds. What is in `lexical` already and stands here with
 * a minus counts for less than it does there.
 */
export const SCORE = {
  /** For each time that a text has e times as much of the query. */
  lexical: 1.16,
  /** Against the best source file of this search. */
  lexicalOfBest: 1.4,
  /** Neighbours that few of the files read have. */
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
  /** Long files are changed more often; taken off where `churn` counts. For a length times e. */
  length: -0.4,
};

/** Added for what is not source, unless the query asks for it. */
export const KIND: Record<FileKind, number> = {
  source: 0,
  test: -6.2,
  docs: -4.7,
  aside: -3.5,
  generated: -4.5,
  data: -5.6,
};

/** Which lines of a file are shown. */
export const SPAN = {
  window: 15,
  /** Runs of lines that are looked at; those close to each other become one span. */
  windows: 20,
  /** Spans of a file. */
  most: 3,
  /** Of the best window's score. */
  least: 0.15,
  longest: 80,
  shortest: 8,
  /** Lines around the hits where no definition tells how many. */
  above: 5,
  below: 20,
  /** Of a file whose path alone has the query's words. */
  head: 20,
  /** Lines of all spans of a file, by its rank. */
  linesByRank: [240, 200, 160, 100, 80, 60, 50, 50, 40, 40],
};
