import type { Phrase } from './phrases';
import { trailingSigns } from './words';

const maxLiterals = 8;
const minChars = 4;
const maxChars = 120;
/** A query that is nothing but a flag, a key or a route is about what has it. */
const worthAlone = 5;
const worthAmongWords = 1;

const pieces = /[^\s"'`<>()[\]{},;|]+/g;
const leadingSigns = /^[^\p{L}\p{N}_]+/u;
/** `max-count`, `editor.tabSize`, `v1/models`, `std::fs`. */
const joinedWords = /[\p{L}\p{N}_][-./:@#]+[\p{L}\p{N}_]/u;
const isVersion = /^v?\d+[.-]\d/;

/**
 * The words of a query with signs between them, such as a flag of the command line, a key of settings or the route of
 * a server: a file has them as they are written, or it is about something else. Those of a sentence are worth less.
 */
export function literalsOf(query: string): Phrase[] {
  const found = new Set<string>();
  let pieceCount = 0;
  for (const [piece] of query.matchAll(pieces)) {
    pieceCount++;
    if (piece.length > maxChars) continue;
    const text = piece.replace(leadingSigns, '').replace(trailingSigns, '');
    if (text.length >= minChars && joinedWords.test(text) && !isVersion.test(text)) found.add(text);
  }
  const worth = pieceCount === 1 ? worthAlone : worthAmongWords;
  return found.size > maxLiterals
    ? []
    : Array.from(found, text => ({ text, worth, isWhole: true }));
}
