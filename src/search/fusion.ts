import type { FinishedFile } from './tools';
import { fileKey } from './view/nodes';
import { countSure, type RawFile, type SearchEngine } from './view/results';

/** A file that the search model named. */
export interface NamedFile extends FinishedFile {
  /** Whether the model saw code of it, in a search or by reading it. */
  readonly isSeen?: boolean;
}

export type LocatedFile = RawFile & Pick<NamedFile, 'isSeen'>;

/**
 * One list of what the model named and what the local engine found. No local place is dropped, local
 * files keep their order, and the ones that are shown at first without a model are shown with one.
 *
 * 1. Files that the model named, in its order: those whose code it saw, or that the local engine found too.
 * 2. Local files that are likely.
 * 3. Files that the model named from their names alone.
 * 4. The other local files.
 *
 * @param local best first
 * @param limit of local files; further ones only confirm what the model named
 */
export function fuse(
  local: readonly RawFile[],
  named: readonly LocatedFile[],
  limit: number,
): RawFile[] {
  const shown = local.slice(0, limit);
  if (named.length === 0) return shown;
  const localByKey = new Map(local.map(file => [fileKey(file), file]));
  const names = new Set(named.map(fileKey));
  const fromModel = ({ root, path, ranges }: LocatedFile): RawFile => {
    const known = localByKey.get(fileKey({ root, path }));
    return known
      ? { ...known, ranges: joinRanges(ranges, known.ranges), foundBy: 'both', isSure: true }
      : { root, path, ranges, foundBy: 'model', isSure: true };
  };
  const isSupported = (file: LocatedFile): boolean =>
    file.isSeen === true || localByKey.has(fileKey(file));
  const sure = countSure(shown);
  const others = shown
    .map((file, at): RawFile => ({ ...file, foundBy: 'local', isSure: at < sure }))
    .filter(file => !names.has(fileKey(file)));
  return [
    ...named.filter(isSupported).map(fromModel),
    ...others.filter(({ isSure }) => isSure),
    ...named.filter(file => !isSupported(file)).map(fromModel),
    ...others.filter(({ isSure }) => !isSure),
  ];
}

/** Ranges of one file from two sources. Lines say more than the whole file. */
export function joinRanges(one: RawFile['ranges'], other: RawFile['ranges']): RawFile['ranges'] {
  if (one === '*') return other;
  return other === '*' ? one : [...one, ...other];
}

/** Who found files, taken together; undefined when there are none. */
export function engineOf(files: readonly Pick<RawFile, 'foundBy'>[]): SearchEngine | undefined {
  const by = new Set(files.map(({ foundBy = 'local' }) => foundBy));
  const [only] = by;
  return by.size > 1 ? 'both' : only;
}
