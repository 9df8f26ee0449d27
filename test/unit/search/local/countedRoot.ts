import type { CountedFiles, CountedRoot } from '../../../../src/search/local/candidates';
import { FileTable } from '../../../../src/search/local/fileTable';

/** A root with these files, and the hits per term of those that have any. */
export function countedRoot(
  paths: readonly string[],
  hits: ReadonlyMap<string, ArrayLike<number>>,
  terms: number,
): CountedRoot {
  const counts = new Float32Array(paths.length * terms);
  for (const [file, path] of paths.entries()) counts.set(hits.get(path) ?? [], file * terms);
  const files = new FileTable();
  for (const path of paths) files.add(path);
  return [{ files, counts }];
}

/** The hits per term of each file that is searched. */
export function hitsByFile(
  { files, counts, isLeftOut }: CountedFiles,
  terms: number,
): Map<string, number[]> {
  return new Map(
    files.paths.flatMap((path, file) =>
      isLeftOut?.(file) === true
        ? []
        : [[path, Array.from({ length: terms }, (_, at) => counts[file * terms + at] ?? 0)]],
    ),
  );
}
