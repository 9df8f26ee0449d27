/*
 * The parameters that decide between placements of a snippet. One unit is about half the worth of a line that
 * occurs once in the file. Fitted by search over edits of real files; results hardly change when one of them
 * changes by a fifth.
 */

/** The worth of a line of the snippet that is among the lines that the section replaces. */
export const lineWorth = {
  /** A line such as `}` or `else`. */
  filler: 0.55,
  line: 0.7,
  /** Added to a line's worth, divided by the number of its occurrences in the file. */
  rare: 1.6,
  /** A line that became a similar one, for similarity 0.6 to 1. */
  similarLow: 0.15,
  similarHigh: 0.9,
  /** A changed line that declares the same name. */
  sameName: 1,
  /** Factor for a similar line that declares another name. */
  otherName: 0.5,
  /** Factors for a line whose indentation changed; brackets seldom move by themselves. */
  moved: 0.75,
  movedFiller: -0.5,
  movedSimilar: 0.35,
};

/**
 * The first and the last lines of a section show where it goes: a run of them that occurs once in the file is
 * worth `run`, and one that occurs n times an n-th of it.
 */
export const edgeWorth = {
  run: 4.7,
  /** Factor for a run of fillers only. */
  filler: 0.3,
  /** Factor for a run whose indentation changed. */
  moved: 0.27,
  /** Factor for an edge that is only similar to a line of the file. */
  similar: 0.05,
  /** Cost of a first or last line that is new. */
  missing: 1.3,
  /** Rows that belong to an edge. Lines further in may have been rewritten: factor `inner`. */
  rows: 3,
  inner: 0.22,
};

export const costs = {
  /** Matched lines that do not follow each other in the section or in the file. */
  breakRun: 0.15,
  openDeletion: 0.3,
  deleteLine: 0.12,
  deleteFiller: 0.09,
  /** A deleted line that the snippet shows elsewhere. */
  deleteMovedLine: 0.015,
  /** A replaced line that a section with a new edge neither shows nor changes. */
  droppedLine: 3,
  maxDropped: 6,
  /** A bracket or tag that the section opens or closes, and the replaced lines do not. */
  bracket: 2,
  /** A replaced line beyond the end of the block that the section shows. */
  escapingLine: 2,
  maxEscaping: 6,
};

/** The cost or gain of the lines that a marker stands for. */
export const gapWorth = {
  /** A marker that stands for no lines. */
  empty: 0.4,
  /** A line that is indented less than the marker. */
  outdentedLine: 1,
  maxOutdented: 4,
  /** Gain for a line with the marker's indentation. */
  sameIndent: 0.4,
  /** Lines left out at an end of the snippet without a marker. */
  open: 0.25,
  /** Worth of the end or the top of the file as the place of a section. */
  endOfFile: 0.25,
  /** The same for a section that starts with a definition that the file does not have. */
  newDefinition: 3,
  /** If no section has a place worth more, the snippet belongs to another file. */
  foreign: 1.2,
};

/** How much better than all others the best placement must be. */
export const margins = {
  /** To be accepted at all. */
  tie: 0.3,
  certain: 0.88,
  /** Added to `certain` for each edge of a section that is no line of the file. */
  loose: 0.8,
  /** The same for a section that starts and ends with lines such as `}`. */
  common: 0.6,
};

export const limits = {
  /** Places with a lower score, or one lower than the best by `cutoff`, are ignored. */
  minScore: -1.5,
  cutoff: 6.5,
  /** Places per section. */
  places: 40,
  /** Placements worse than the best one by this much are no rivals. */
  margin: 4,
  /** No person or model writes a snippet with more sections. */
  sections: 2000,
};
