import { createHash } from 'node:crypto';
import { applyChanges } from '../../../merge';
import { type AlignedPart, alignLines, partsAfterKeep } from './alignment/alignment';

/** A change of a file that another program made. */
export interface ExternalChange {
  /** Hash of path, old lines, new lines, 3 lines of context, and the number among equal ones. */
  readonly id: string;
  /** 0-based line of the baseline. */
  readonly baseStart: number;
  readonly baseLines: readonly string[];
  /** 0-based line of the file now. */
  readonly start: number;
  readonly lines: readonly string[];
  /** Both sides are equal but for white space. */
  readonly isWhitespace: boolean;
  /** The user edited these lines as well: undoing it removes what the user typed. */
  readonly isEdited?: true;
}

const contextLines = 3;

export function fileChanges(
  path: string,
  baseline: readonly string[],
  now: readonly string[],
): ExternalChange[] {
  return changesOfParts(path, baseline, now, alignLines(baseline, now));
}

export function changesOfParts(
  path: string,
  baseline: readonly string[],
  now: readonly string[],
  parts: readonly AlignedPart[],
): ExternalChange[] {
  const numbers = new Map<string, number>();
  return parts.map(({ baseStart, baseCount, start, count, isEdited }) => {
    const baseLines = baseline.slice(baseStart, baseStart + baseCount);
    const lines = now.slice(start, start + count);
    // The context is that of the file: keeping another change, which moves the baseline, leaves the id alone.
    const above = now.slice(Math.max(0, start - contextLines), start);
    const below = now.slice(start + count, start + count + contextLines);
    const hash = hashOf([[path], baseLines, lines, above, below]);
    const number = numbers.get(hash) ?? 0;
    numbers.set(hash, number + 1);
    return {
      id: `${hash}-${number}`,
      baseStart,
      baseLines,
      start,
      lines,
      isWhitespace: withoutSpace(baseLines) === withoutSpace(lines),
      ...(isEdited && { isEdited: true as const }),
    };
  });
}

export const partOf = (change: ExternalChange): AlignedPart => ({
  baseStart: change.baseStart,
  baseCount: change.baseLines.length,
  start: change.start,
  count: change.lines.length,
  isEdited: change.isEdited === true,
});

/** The lines of the baseline once the changes are kept. */
export function keepChanges(
  baseline: readonly string[],
  changes: readonly ExternalChange[],
): string[] {
  return applyChanges(
    baseline,
    changes.map(({ baseStart, baseLines, lines }) => ({
      start: baseStart,
      count: baseLines.length,
      lines,
    })),
  );
}

/** The lines of the file once the changes are undone. */
export function undoChanges(now: readonly string[], changes: readonly ExternalChange[]): string[] {
  return applyChanges(
    now,
    changes.map(({ start, baseLines, lines }) => ({
      start,
      count: lines.length,
      lines: baseLines,
    })),
  );
}

/** The changes that stay when others are kept: these keep their ids, their lines and their places in the file. */
export function changesAfterKeep(
  changes: readonly ExternalChange[],
  kept: ReadonlySet<string>,
): ExternalChange[] {
  const parts = changes.map(change => ({ ...partOf(change), change }));
  return partsAfterKeep(parts, ({ change }) => kept.has(change.id)).map(
    ({ change, baseStart }) => ({ ...change, baseStart }),
  );
}

function hashOf(parts: readonly (readonly string[])[]): string {
  const hash = createHash('sha1');
  // The counts keep a line from counting as part of another list.
  for (const lines of parts) {
    hash.update(`${lines.length}\n`);
    for (const line of lines) hash.update(`${line.length}:${line}`);
  }
  return hash.digest('base64url').slice(0, 16);
}

const withoutSpace = (lines: readonly string[]): string => lines.join('').replace(/\s+/g, '');
