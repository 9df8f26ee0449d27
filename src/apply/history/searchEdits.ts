import type { AppliedEdit } from './appliedEdit';

/** An entry that a search has found. */
export interface FoundEdit {
  readonly entry: AppliedEdit;
  /** The first changed line with one of the words; undefined when they are elsewhere. */
  readonly line?: string;
}

/**
 * The entries that have every word of a query in their file name, their changed lines or the answer they came from.
 * Case does not matter.
 */
export function searchEdits(
  entries: readonly AppliedEdit[],
  query: string,
  answerOf: (entry: AppliedEdit) => string,
): FoundEdit[] {
  const words = wordsOf(query);
  if (words.length === 0) return entries.map(entry => ({ entry }));
  return entries.flatMap(entry => {
    const lines = changedLines(entry);
    const text = [fileNames(entry), ...lines, answerOf(entry)].join('\n').toLowerCase();
    if (!words.every(word => text.includes(word))) return [];
    const line = lines.find(each => {
      const lower = each.toLowerCase();
      return words.some(word => lower.includes(word));
    });
    return [line === undefined ? { entry } : { entry, line: line.trim() }];
  });
}

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');

/** Inserted lines before removed ones: they are what an answer is remembered by. */
function changedLines({ hunks }: AppliedEdit): string[] {
  return [...hunks.flatMap(hunk => hunk.inserted), ...hunks.flatMap(hunk => hunk.removed)];
}

function fileNames({ meta: { uri, operation } }: AppliedEdit): string {
  const newUri = operation?.kind === 'rename' ? operation.newUri : '';
  return [uri, newUri].map(decoded).join('\n');
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
