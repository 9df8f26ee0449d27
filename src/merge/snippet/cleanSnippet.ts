import { splitLines } from '../../base/text/textLines';
import { withoutChatter } from './chatter';
import { expandElided, mayElide } from './elided';
import { unfence } from './fences';
import { withoutGutter } from './gutter';
import { appliedHalfDiff } from './halfDiff';
import type { KnownLines } from './knownLines';
import { withoutPasteLabels, withoutQuoteMarks } from './pasteLabels';
import { withoutPathComment } from './pathComment';
import { endsInMarker, splitTrailingMarkers } from './trailingMarkers';

/** No person writes longer lines; such a snippet is not cleaned. */
export const maxLineLength = 20_000;

/**
 * Removes what is not code: fences, chatter, line numbers, diff marks without hunk headers. A line of the original is
 * code, whatever it looks like. Returns the same string when there is nothing to remove.
 *
 * @param original the text, or its trimmed lines.
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

/** {@link cleanSnippet} for lines; returns the same array when there is nothing to remove. */
export function cleanLines(lines: string[], known: KnownLines, path = ''): string[] {
  if (lines.some(line => line.length > maxLineLength)) {
    return lines;
  }
  const shown = withoutChatter(unfence(withoutQuoteMarks(lines, known), known), known, path);
  const bare = withoutPathComment(withoutPasteLabels(shown, known, path), known);
  const code = appliedHalfDiff(withoutGutter(bare, known), known);
  const full = withoutOmissions(code, known);
  // The expanded lines may be the context by which a diff is recognized.
  return full === code ? code : appliedHalfDiff(full, known);
}

/** Dots, or a comment behind a blank: no other line leaves out a part of itself, or has a marker at its end. */
const mayOmit = /\.{3}|…|\s(?:\/\/|#|--|\/\*|<!--|;)/;

/** True when a line stands for more than it shows: a part of it, or a marker at its end. */
export const leavesOut = (line: string, known: KnownLines): boolean =>
  mayOmit.test(line) && (mayElide(line, known) || endsInMarker(line, known));

function withoutOmissions(lines: string[], known: KnownLines): string[] {
  const suspects = lines.filter(line => mayOmit.test(line));
  const isElided = suspects.some(line => mayElide(line, known));
  const expanded = isElided ? expandElided(lines, known) : lines;
  const shown = expanded === lines ? suspects : expanded;
  return shown.some(line => endsInMarker(line, known))
    ? splitTrailingMarkers(expanded, known)
    : expanded;
}
