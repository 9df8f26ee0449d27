/*
 * What decides which lines stay. A unit is the worth of an ordinary name that stands in two lines,
 * `TOKEN.distance` characters back. Found by cutting histories of several tools in two and asking
 * which names of the first part the second used again; kept only where both halves of the sources
 * agreed. When one of them changes by a fifth, 1 % more or less of those names is kept.
 */

/** What it is worth to keep a token in one line at least; all that applies is multiplied. */
export const TOKEN = {
  /** By the number of different lines that hold it, from 1: what stands once was seldom taken up. */
  lines: [0.55, 1, 1.1, 1.2, 1.2, 1.2, 1.15, 1.1, 1, 1, 0.95, 0.7],
  /** In more lines than that: this, divided by how many lines there are. It cannot get lost. */
  common: 5,
  /** Worth falls with the distance to the last mention, by this power of it. */
  fading: 0.33,
  /** Characters within which nothing fades. */
  fresh: 500,
  /** Characters at which the worth is as above. */
  distance: 20_000,
  /** Last mentioned in the turn that is going on, or in the one before. */
  lastTurns: 1.3,
  assistant: 1.4,
  user: 1,
  /** Taken up in a later turn; what was taken up once is taken up again. */
  turns: 1.2,
  manyTurns: 1.2,
  many: 5,
  /** Stood in a fenced block: code that was written or shown. */
  fenced: 1.6,
  name: 1,
  path: 0.95,
  number: 1.3,
  hex: 0.7,
  compound: 0.8,
} as const;

/** What the query adds. It names things; what comes next is mostly about others, so it does not rule. */
export const QUERY = {
  /** A plain word, divided by the number of its lines beyond `wordLines`. */
  word: 0.07,
  wordLines: 6,
  /** A path, name or number of the query, in up to `tokenLines` lines. */
  token: 2,
  tokenLines: 12,
  /** Factor for tokens beside it. */
  beside: 0.5,
  /** Lines whose relevance is below this share of the highest are not about the query. */
  least: 0.25,
} as const;

/** What a line is worth apart from its tokens. */
export const LINE = {
  user: 0.2,
  assistant: 0.08,
  tool: 0.17,
  /** Share of that at the start of the text; all of it at the end. */
  old: 0.8,
  error: 0.4,
  /** Lines of one shape (progress, listings) lose from this number on, by this power of it. */
  alike: 4,
  alikePower: 0.4,
  /** Share of its neighbours' worth: runs of lines read better. */
  smooth: 0.03,
  /** Characters that a line costs beyond its own. */
  overhead: 4,
} as const;

/** How the budget is spent. */
export const BUDGET = {
  /** For lines of the user, newest first. */
  user: 0.04,
  /** No longer ones: pasted logs are not the user's words. */
  longestUser: 400,
  /** For headers and fences of what is kept, in shares and in characters. */
  structure: 0.015,
  mostStructure: 20_000,
  /** Worth of a second line with a token already kept, and so on for each further one. */
  repeat: 0.33,
  /** The same for a ratio of one half; in between by the ratio. */
  repeatAtHalf: 0.5,
  /** The same for a token of the query. */
  repeatAsked: 0.9,
} as const;
