/*
 * All that decides between two readings of a snippet. A unit is about what half a line is worth that
 * stands once in the file. Set by search over edits of real files; results hardly change when one
 * of them changes by a fifth.
 */

/** What a line of the snippet is worth when it stands in the lines that the section replaces. */
export const WORTH = {
  /** A line such as `}` or `else`. */
  filler: 0.55,
  line: 0.7,
  /** Added to a line's worth, divided by how often the line stands in the file. */
  rare: 1.6,
  /** A line that became a similar one, from ratio 0.6 to 1. */
  similarLow: 0.15,
  similarHigh: 0.9,
  /** A line that declares the same name in another way. */
  sameName: 1,
  /** Factor for a similar line that declares another name. */
  otherName: 0.5,
  /** Factors for a line whose indentation changed; brackets seldom move by themselves. */
  moved: 0.75,
  movedFiller: -0.5,
  movedSimilar: 0.35,
};

/**
 * The first and the last lines of a section are there to say where it goes: a run of them that
 * stands in one place only is worth `run`, in n places an n-th of it.
 */
export const EDGE = {
  run: 4.7,
  /** Factor for a run of fillers only. */
  filler: 0.3,
  /** Factor for a run whose indentation changed. */
  moved: 0.27,
  /** Factor for an edge that is only similar to a line of the file. */
  similar: 0.05,
  /** Cost of a first or last line that is new. */
  missing: 1.3,
  /** Rows that belong to an edge. Lines further in may have been written anew: factor `inner`. */
  rows: 3,
  inner: 0.22,
};

export const COST = {
  /** Matched lines that do not follow each other in the section or in the file. */
  breakRun: 0.15,
  openDeletion: 0.3,
  deleteLine: 0.12,
  deleteFiller: 0.09,
  /** A deleted line that the snippet shows elsewhere. */
  deleteMovedLine: 0.015,
  /** A bracket or tag that the section opens or closes, and the replaced lines do not. */
  bracket: 2,
  /** A replaced line beyond the end of the block that the section shows. */
  escapingLine: 1,
  maxEscaping: 3,
};

/** What the lines that a marker stands for cost or gain. */
export const GAP = {
  /** A marker that stands for nothing. */
  empty: 0.4,
  /** A line further out than the marker. */
  outdentedLine: 1,
  maxOutdented: 4,
  /** Gain for a line as far in as the marker. */
  sameIndent: 0.4,
  /** Lines left out at an end of the snippet without a marker. */
  open: 0.25,
  /** Worth of the end or the top of the file as the place of a section. */
  endOfFile: 0.25,
  /** The same for a section that starts with a definition that the file does not have. */
  newDefinition: 3,
  /** When no section has a place worth more, the snippet is of another file. */
  foreign: 1.2,
};

/** How much better than all others the best reading must be. */
export const MARGIN = {
  /** To be taken at all. */
  tie: 0.3,
  certain: 0.88,
  /** Added to `certain` for each edge of a section that is not a line of the file as shown. */
  loose: 0.8,
  /** The same for a section that starts and ends with lines such as `}`. */
  common: 0.6,
};

export const LIMIT = {
  /** Places worth less, or this much less than the best, are not looked at. */
  least: -1.5,
  cutoff: 6.5,
  /** Places per section. */
  places: 40,
  /** Readings this much worse than the best one are no rivals. */
  margin: 4,
  /** A snippet of more sections is none that a person or a model wrote. */
  sections: 2000,
};
