/** What a line of the snippet is worth when it stands in the lines it replaces. */
export const WORTH = {
  blank: 0.05,
  filler: 0.3,
  line: 0.3,
  /** Added to a line's worth, divided by how often the line stands in the file. */
  rare: 2.2,
  /** Worth of a line that became a similar one, from ratio 0.6 to 1. */
  similarLow: 0.25,
  similarHigh: 1.1,
  /** Factor for a line whose indentation changed. */
  moved: 0.75,
  movedFiller: 0.2,
};

/** What a section's new, deleted and unbalanced lines cost, in the unit of {@link WORTH}. */
export const COST = {
  insertLine: 0.01,
  openDeletion: 0.7,
  deleteLine: 0.12,
  deleteMovedLine: 0.01,
  bracket: 0.8,
  /** A first or last line that is new. */
  newEdge: 1,
};

/** What the lines that a marker stands for cost or gain. */
export const GAP = {
  empty: 0.8,
  outdentedLine: 0.5,
  maxOutdented: 3,
  sameIndent: 0.25,
  /** Lines left out at an end of the snippet without a marker. */
  open: 0.2,
};
