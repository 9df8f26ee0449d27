/** How many changes wait in each file, by its URI. */
export type PendingFiles = ReadonlyMap<string, number>;

/** @param reviews a file can have several: one of its lines and one of its name. */
export function pendingFiles(
  reviews: readonly { readonly file: string; readonly changes: number }[],
): PendingFiles {
  const counts = new Map<string, number>();
  for (const { file, changes } of reviews) {
    if (changes > 0) counts.set(file, (counts.get(file) ?? 0) + changes);
  }
  return counts;
}

/** The files whose count is another one. */
export function filesWithOtherCount(before: PendingFiles, after: PendingFiles): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    file => before.get(file) !== after.get(file),
  );
}

/** VS Code takes a badge of at most two characters. */
export const badgeOf = (changes: number): string => (changes > 9 ? '9+' : String(changes));
