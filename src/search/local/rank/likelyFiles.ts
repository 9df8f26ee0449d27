import path from 'node:path';
import type { ScoredDocument } from './score';
import type { RankFeatures } from './treeScore';

/** A change often touches several files, which are near each other and have names that begin alike. */
const maxLikely = 6;

interface Place {
  readonly root: number;
  readonly folder: string;
  readonly parent: string;
  /** Without its extension. */
  readonly name: string;
}

function placeOf({ document: { candidate } }: ScoredDocument): Place {
  const { dir, name } = path.posix.parse(candidate.path);
  return { root: candidate.root, folder: dir, parent: path.posix.dirname(dir), name };
}

/** The most likely files of a search, with which others are compared. */
export class LikelyFiles {
  readonly bestScore: number;
  readonly #files: readonly (Place & { scored: ScoredDocument; share: number })[];

  constructor(documents: readonly ScoredDocument[]) {
    const likely = documents.toSorted((a, b) => b.score - a.score).slice(0, maxLikely);
    this.bestScore = likely[0]?.score ?? 0;
    this.#files = likely.map(scored => ({
      ...placeOf(scored),
      scored,
      share: Math.exp(scored.score - this.bestScore),
    }));
  }

  /** How near a document is to the others of them, each by how likely it is next to the best one. */
  nearnessOf(
    scored: ScoredDocument,
  ): Pick<RankFeatures, 'sameFolder' | 'nearFolder' | 'namePrefix'> {
    const place = placeOf(scored);
    let sameFolder = 0;
    let nearFolder = 0;
    let namePrefix = 0;
    for (const other of this.#files) {
      if (other.scored === scored || other.root !== place.root) continue;
      const { share } = other;
      if (other.folder === place.folder) sameFolder += share;
      if (isNear(other, place)) nearFolder += share;
      namePrefix = Math.max(namePrefix, share * sharedPrefix(other.name, place.name));
    }
    return { sameFolder, nearFolder, namePrefix };
  }
}

/** Whether one folder is the other, is in it, or is beside it. */
const isNear = (a: Place, b: Place): boolean =>
  a.parent === b.parent ||
  a.folder.startsWith(`${b.folder}/`) ||
  b.folder.startsWith(`${a.folder}/`);

/** The share of the shorter name with which both begin. */
function sharedPrefix(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < length && a[shared] === b[shared]) shared++;
  return shared / Math.max(1, length);
}
