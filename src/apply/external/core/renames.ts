import { posix } from 'node:path';
import type { FileContent } from './content';
import { withoutEnd } from './fileText';
import { isPending, type RootState } from './rootState';

export interface RenameCandidate {
  readonly path: string;
  readonly content: FileContent;
}

/** With more files, only those with the same bytes are paired: each pair costs a comparison. */
const maxCandidates = 50;
/** How much of the longer file must be equal. */
const minSimilarity = 0.6;

/** Deleted files with the bytes that they had, and created files; sorted by path. */
export function renameCandidates({ files }: RootState): {
  deleted: RenameCandidate[];
  created: RenameCandidate[];
} {
  const deleted: RenameCandidate[] = [];
  const created: RenameCandidate[] = [];
  for (const [path, file] of files) {
    const { baseline, now } = file;
    if (!isPending(file)) continue;
    // All empty files are equal.
    if (baseline.kind === 'file' && now.kind === 'absent' && baseline.size > 0) {
      deleted.push({ path, content: baseline });
    } else if (baseline.kind === 'absent' && now.kind === 'file' && now.size > 0) {
      created.push({ path, content: now });
    }
  }
  const byPath = (a: RenameCandidate, b: RenameCandidate) => (a.path < b.path ? -1 : 1);
  return { deleted: deleted.sort(byPath), created: created.sort(byPath) };
}

/**
 * Pairs each deleted file with at most one created file.
 *
 * @param linesOf the lines of a text; undefined when it is none.
 * @returns paths before, by the paths now.
 */
export async function findRenames(
  { deleted, created }: ReturnType<typeof renameCandidates>,
  linesOf: (candidate: RenameCandidate) => Promise<readonly string[] | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const renames = new Map<string, string>();
  if (deleted.length === 0 || created.length === 0) return renames;
  const taken = new Set<string>();
  const pair = (from: RenameCandidate, to: RenameCandidate) => {
    renames.set(to.path, from.path);
    taken.add(from.path);
  };
  const byId = new Map<string, RenameCandidate[]>();
  for (const from of deleted) {
    const { id } = from.content;
    byId.set(id, [...(byId.get(id) ?? []), from]);
  }
  for (const to of created) {
    const same = (byId.get(to.content.id) ?? []).filter(({ path }) => !taken.has(path));
    const from = same.find(({ path }) => hasSameName(path, to.path)) ?? same[0];
    if (from) pair(from, to);
  }
  const left = deleted.filter(({ path }) => !taken.has(path));
  const unpaired = created.filter(({ path }) => !renames.has(path));
  if (left.length === 0 || unpaired.length === 0) return renames;
  if (left.length + unpaired.length > maxCandidates) return renames;
  for (const { from, to } of await similarPairs(left, unpaired, linesOf)) {
    if (!taken.has(from.path) && !renames.has(to.path)) pair(from, to);
  }
  return renames;
}

interface SimilarPair {
  readonly from: RenameCandidate;
  readonly to: RenameCandidate;
  readonly similarity: number;
}

/** The most similar first. */
async function similarPairs(
  deleted: readonly RenameCandidate[],
  created: readonly RenameCandidate[],
  linesOf: (candidate: RenameCandidate) => Promise<readonly string[] | undefined>,
): Promise<SimilarPair[]> {
  const counted = async (candidates: readonly RenameCandidate[]) => {
    const texts: {
      candidate: RenameCandidate;
      lines: ReadonlyMap<string, number>;
      count: number;
    }[] = [];
    for (const candidate of candidates) {
      const lines = await linesOf(candidate);
      if (lines) texts.push({ candidate, lines: countsOf(lines), count: lines.length });
    }
    return texts;
  };
  const [before, after] = [await counted(deleted), await counted(created)];
  const pairs: SimilarPair[] = [];
  for (const from of before) {
    for (const to of after) {
      const max = Math.max(from.count, to.count);
      if (Math.min(from.count, to.count) < minSimilarity * max) continue;
      const similarity = equalLines(from.lines, to.lines) / max;
      if (similarity >= minSimilarity) {
        pairs.push({ from: from.candidate, to: to.candidate, similarity });
      }
    }
  }
  return pairs.sort(
    (a, b) =>
      b.similarity - a.similarity ||
      Number(hasSameName(b.from.path, b.to.path)) - Number(hasSameName(a.from.path, a.to.path)),
  );
}

function countsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const body = withoutEnd(line);
    counts.set(body, (counts.get(body) ?? 0) + 1);
  }
  return counts;
}

function equalLines(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const [line, times] of a) count += Math.min(times, b.get(line) ?? 0);
  return count;
}

const hasSameName = (a: string, b: string): boolean => posix.basename(a) === posix.basename(b);
