import type { CountedRoot } from '../../../../src/search/local/candidates';
import { FileTable } from '../../../../src/search/local/fileTable';

/** A root with these files, and the hits per term of those that have any. */
export function countedRoot(
  paths: readonly string[],
  hits: ReadonlyMap<string, ArrayLike<number>>,
  terms: number,
): CountedRoot {
  const counts = new Float32Array(paths.length * terms);
  for (const [file, path] of paths.entries()) counts.set(hits.get(path) ?? [], file * terms);
  return [{ files: new FileTable(paths), counts }];
}
