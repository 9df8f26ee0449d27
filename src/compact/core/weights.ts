/*
 * Weights that decide which lines are kept. The unit is the worth of an ordinary name that occurs in two
 * lines, `tokenWeights.referenceDistance` characters before the end. The values were fitted on histories
 * of several tools: each was cut in two, and names of the first part that the second part used again
 * counted as needed. Only values on which both halves of the sources agreed are used. Changing one by a
 * fifth changes the share of kept names by about 1 %.
 */

/** Factors for the worth of keeping a token in at least one line. All that apply are multiplied. */
export const tokenWeights = {
  /** By the number of different lines that contain it, from 1. Tokens that occur once are seldom used again. */
  lines: [0.55, 1, 1.1, 1.2, 1.2, 1.2, 1.15, 1.1, 1, 1, 0.95, 0.7],
  /** For more lines than the list above: this, divided by the number of lines. Such a token is hard to lose. */
  common: 5,
  /** The worth falls with this power of the distance to the last mention. */
  distancePower: 0.33,
  /** Distance in characters below which the worth does not fall further. */
  freshChars: 500,
  /** Distance in characters at which the factor is 1. */
  referenceDistance: 20_000,
  /** Last mentioned in the current turn or the one before. */
  lastTurns: 1.3,
  assistant: 1.4,
  user: 1,
  /** Mentioned in more than one turn: reused names tend to be reused again. */
  turns: 1.2,
  manyTurns: 1.2,
  many: 5,
  /** Occurs in a fenced block: code that was written or shown. */
  fenced: 1.6,
  name: 1,
  path: 0.95,
  number: 1.3,
  hex: 0.7,
  compound: 0.8,
} as const;

/** What the query adds. The next turns are mostly about other things too, so the query does not dominate. */
export const queryWeights = {
  /** A plain word, divided by the number of its lines beyond `wordLines`. */
  word: 0.07,
  wordLines: 6,
  /** A path, name or number of the query, in up to `tokenLines` lines. */
  token: 2,
  tokenLines: 12,
  /** Added share for tokens near a match of the query. */
  proximity: 0.5,
  /** Lines whose relevance is below this share of the highest do not count as near the query. */
  minRelevanceShare: 0.25,
} as const;

/** The worth of a line apart from its tokens. */
export const lineWeights = {
  user: 0.2,
  assistant: 0.08,
  tool: 0.17,
  /** Share of the worth above at the start of the text; it rises to 1 at the end. */
  old: 0.8,
  error: 0.4,
  /** Above this number, lines of one shape (progress, listings) lose worth by the power below. */
  similarLines: 4,
  similarLinesPower: 0.4,
  /** Share of the worth of neighbouring lines, because consecutive lines read better. */
  neighbourShare: 0.03,
  /** Cost of a line beyond its own characters, in characters. */
  overhead: 4,
} as const;

/** How the budget of characters is spent. */
export const budgetWeights = {
  /** Share reserved for lines of the user, newest first. */
  user: 0.04,
  /** Longer lines, in characters, do not count: pasted logs are not the words of the user. */
  maxUserLineChars: 400,
  /** Reserved for headers and fences of kept lines: a share of the budget and a limit in characters. */
  structure: 0.015,
  maxStructureChars: 20_000,
  /** Factor for each further line with a token that is kept already. */
  repeat: 0.33,
  /** The same at a ratio of one half; interpolated between the two. */
  repeatAtHalf: 0.5,
  /** The same for a token of the query. */
  repeatQueryToken: 0.9,
} as const;
