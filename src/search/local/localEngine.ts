import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { LocalAnswer, OnPartial } from '../runSearch';
import type { RawFile } from '../view/results';
import { toPosixPath } from '../workspace/sandbox';
import { searchedFilesOf } from '../workspace/searchedFiles';
import type { SearchWorkspace } from '../workspace/workspace';
import { type LocalGit, type LocalSummary, type RootResult, searchRoots } from './localSearch';

export interface LocalEngineOptions {
  /** Files of the answer. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly onPartial: OnPartial;
}

/**
 * Searches all roots of a workspace by a description in plain words, without the service.
 * @param roots real paths, in the order of the workspace
 */
export async function searchLocally(
  workspace: SearchWorkspace,
  roots: readonly string[],
  query: string,
  { limit, signal, onPartial }: LocalEngineOptions,
): Promise<LocalAnswer> {
  let summary: LocalSummary | undefined;
  const searchedRoots = await Promise.all(
    roots.map(async root => ({
      path: root,
      git: workspace.usesGit ? await repositoryOf(root) : undefined,
    })),
  );
  const searched = searchedFilesOf(workspace);
  const results = await searchRoots(searchedRoots, query, {
    ...searched,
    index: workspace.indexes?.of(roots, searched),
    limit,
    signal,
    readText: async file => workspace.unsaved.get(file),
    unsaved: [...workspace.unsaved.keys()],
    onFirst: first => onPartial(filesOf(first), 'rank'),
    onBeforeHistory: all => onPartial(filesOf(all), 'history'),
    onSummary: told => {
      summary = told;
    },
  });
  if (summary) workspace.indexes?.searched(roots, searched, summary.files);
  return {
    files: filesOf(results),
    searched: summary?.files,
    usedIndex: summary?.usedIndex,
    history: summary?.history,
    cut: summary?.cut,
    corrections: summary?.corrections,
  };
}

/** The results of each file, best first. */
function filesOf(results: readonly RootResult[]): RawFile[] {
  const files = new Map<string, RawFile & { ranges: [number, number][] }>();
  for (const { root, path: file, startLine, endLine, score } of results) {
    const key = `${root}:${file}`;
    const known = files.get(key);
    if (known) known.ranges.push([startLine, endLine]);
    else files.set(key, { root, path: file, score, ranges: [[startLine, endLine]] });
  }
  return [...files.values()];
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
