import { stat } from 'node:fs/promises';
import path from 'node:path';
import { anchored } from '../../platform/egress/paths/excludes';
import type { LocalAnswer } from '../runSearch';
import type { RawFile } from '../view/results';
import { toPosixPath } from '../workspace/sandbox';
import type { SearchWorkspace } from '../workspace/workspace';
import { type LocalGit, type LocalResult, localSearch } from './localSearch';

export interface LocalEngineOptions {
  /** Files of the answer. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly onFirst: (files: readonly RawFile[]) => void;
}

/**
 * Searches all roots of a workspace by a description in plain words, without the service.
 * @param roots real paths, in the order of the workspace
 */
export async function searchLocally(
  workspace: SearchWorkspace,
  roots: readonly string[],
  query: string,
  { limit, signal, onFirst }: LocalEngineOptions,
): Promise<LocalAnswer> {
  const found = new Map<number, readonly LocalResult[]>();
  let searched = 0;
  const best = (): RawFile[] => merge(found, limit);
  await Promise.all(
    roots.map(async (root, index) => {
      const results = await localSearch(root, query, {
        limit,
        signal,
        rgPath: workspace.rgPath,
        git: workspace.usesGit ? await repositoryOf(root) : undefined,
        exclude: workspace.excludes.map(anchored),
        flags: workspace.useIgnoreFiles ? [] : ['--no-ignore'],
        readText: async file => workspace.unsaved.get(file),
        unsaved: [...workspace.unsaved.keys()].filter(file => file.startsWith(root + path.sep)),
        onFirst: first => {
          found.set(index, first);
          onFirst(best());
        },
        onSummary: ({ files }) => (searched += files),
      });
      found.set(index, results);
    }),
  );
  return { files: best(), searched };
}

/** The best files of all roots. Scores are relative to the best file of each root. */
function merge(found: ReadonlyMap<number, readonly LocalResult[]>, limit: number): RawFile[] {
  const files = new Map<string, RawFile & { score: number; ranges: [number, number][] }>();
  for (const [root, results] of found) {
    for (const { path: file, startLine, endLine, score } of results) {
      const key = `${root}:${file}`;
      const known = files.get(key);
      if (known) known.ranges.push([startLine, endLine]);
      else files.set(key, { root, path: file, score, ranges: [[startLine, endLine]] });
    }
  }
  return [...files.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

/** The git repository that contains a folder. */
async function repositoryOf(root: string): Promise<LocalGit | undefined> {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const isThere = await stat(path.join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isThere) {
      const below = toPosixPath(path.relative(folder, root));
      return { dir: folder, rev: 'HEAD', ...(below === '' ? {} : { prefix: `${below}/` }) };
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}
