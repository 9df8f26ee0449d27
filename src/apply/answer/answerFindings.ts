import type { Translate } from '../../base/sentence';
import { diffLines } from '../../merge';
import type { MergeFinding } from '../changeset/engine';

/** What an answer does that the user should look at. */

const linesOf = (text: string): string[] => text.split('\n').map(line => line.trim());

/**
 * The first line that an earlier part of the answer added and a later one takes away.
 *
 * @param origin the text before the answer; undefined for a new file.
 * @param text what the earlier parts have made of it.
 */
export function lostLine(
  origin: string | undefined,
  text: string | undefined,
  next: string,
): string | undefined {
  if (text === undefined || text === origin) return undefined;
  const kept = new Set([...linesOf(next), ...linesOf(origin ?? '')]);
  return linesOf(text).find(line => !kept.has(line));
}

export const laterPart = (line: string, t: Translate): MergeFinding => ({
  kind: 'laterPart',
  severity: 'warning',
  line: 1,
  message: t(
    'A later part of the answer takes away what an earlier one adds, such as "{0}".',
    line,
  ),
});

/** @param where the answer is cut off, at the first or the last line that differs from the text before. */
export function cutOff(
  where: 'start' | 'end',
  before: string,
  after: string,
  t: Translate,
): MergeFinding {
  const message =
    where === 'start'
      ? t('The copied text begins within this change: lines above it may be missing.')
      : t('The answer ends within this change: it may be cut off. Ask for the rest of it.');
  const changes = diffLines(before.split('\n'), after.split('\n'));
  const last = changes.at(-1);
  const row = where === 'start' ? changes[0]?.newStart : last && last.newStart + last.newCount - 1;
  return { kind: 'truncated', severity: 'warning', line: Math.max(0, row ?? 0) + 1, message };
}

export const guessedFile = (path: string, t: Translate): MergeFinding => ({
  kind: 'guessedFile',
  severity: 'warning',
  line: 1,
  message: t(
    'The answer does not name the file of this code. {0} fits, but others hold lines of it.',
    path,
  ),
});

export const unmarkedLines = (t: Translate): MergeFinding => ({
  kind: 'unmarkedLines',
  severity: 'warning',
  line: 1,
  message: t(
    'Lines of this new file are not marked as new in its diff. They are kept: look at them.',
  ),
});
