import { withoutChatter } from './chatter';
import { expandElided } from './elided';
import { unfence } from './fences';
import { withoutGutter } from './gutter';
import { appliedHalfDiff } from './halfDiff';
import { withoutPathComment } from './pathComment';
import type { KnownLines } from './knownLines';
import { splitLines } from '../text';

/** Longer than any line that people write; such a snippet is taken as it is. */
const LONGEST_LINE = 20_000;

/**
 * Takes off what is not code: fences, chatter, line numbers, the marks of a half diff. A line that stands in the
 * original is code, whatever it looks like. The text is the same string when there is nothing to take off.
 *
 * @param original the text, or its lines without white space at their ends.
 */
export function cleanSnippet(update: string, original: string | KnownLines): string {
  const known =
    typeof original === 'string'
      ? new Set(splitLines(original).map(line => line.trim()))
      : original;
  const lines = splitLines(update);
  const cleaned = cleanLines(lines, known);
  return cleaned === lines ? update : cleaned.join('\n');
}

/** {@link cleanSnippet} by lines; the same array when there is nothing to take off. */
export function cleanLines(lines: string[], known: KnownLines): string[] {
  if (lines.some(line => line.length > LONGEST_LINE)) {
    return lines;
  }
  const bare = withoutPathComment(withoutChatter(unfence(lines, known), known), known);
  const code = appliedHalfDiff(withoutGutter(bare, known), known);
  const full = expandElided(code, known);
  // What was elided may be the context that tells a diff.
  return full === code ? code : appliedHalfDiff(full, known);
}
