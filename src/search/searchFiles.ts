import path from 'node:path';
import { type AgentOptions, type AgentOutcome, runSearchAgent } from './agent/searchAgent';
import { joinRanges, type LocatedFile } from './fusion';
import { searchLocally } from './local/localEngine';
import { runSearch, type SearchState } from './runSearch';
import { readWholeFile } from './tools/readFile';
import type { FoundFile, RawFile } from './view/results';
import { Sandbox, ToolError, toPosixPath } from './workspace/sandbox';
import type { SearchWorkspace } from './workspace/workspace';

/** Local results that the search model gets, and that its answer is compared with. */
const maxModelLocal = 50;

export interface SearchFilesOptions {
  readonly signal: AbortSignal;
  readonly onChange: (state: SearchState) => void;
  /** Files wanted. */
  readonly limit: number;
  /** Asks the search model for one turn; absent when only the local engine searches. */
  readonly ask?: AgentOptions['ask'] | undefined;
}

/**
 * Searches the files of a workspace: locally, and with a search model when there is one.
 *
 * @throws {AbortError} when `signal` is aborted.
 */
export async function searchFiles(
  workspace: SearchWorkspace,
  query: string,
  { signal, onChange, limit, ask }: SearchFilesOptions,
): Promise<SearchState> {
  const sandbox = await Sandbox.open(workspace);

  const locate = async (files: AgentOutcome['files']): Promise<LocatedFile[]> => {
    const located: LocatedFile[] = [];
    for (const { path: named, ranges, isSeen } of files) {
      const place = await sandbox.resolve(named).catch(ignoreRefusal);
      if (!place || place.isDirectory || located.length >= limit) continue;
      const root = sandbox.roots.indexOf(place.root);
      const below = toPosixPath(path.relative(place.root, place.path));
      located.push({ root, path: below, ranges, ...(isSeen ? { isSeen } : {}) });
    }
    return joinSame(located);
  };

  const readText = async ({ root, path: below }: RawFile): Promise<string | undefined> => {
    const place = await sandbox
      .resolve(path.join(sandbox.roots[root] ?? '', below))
      .catch(ignoreRefusal);
    if (!place || place.isDirectory) return undefined;
    return workspace.unsaved.get(place.path) ?? readWholeFile(sandbox, place).catch(ignoreRefusal);
  };

  return runSearch({
    query,
    signal,
    limit,
    local: (localSignal, onPartial) =>
      searchLocally(workspace, sandbox.roots, query, {
        limit: ask ? Math.max(limit, maxModelLocal) : limit,
        signal: localSignal,
        onPartial,
      }),
    model:
      ask &&
      ((modelSignal, onEvent, known) =>
        runSearchAgent({
          query,
          known: known.slice(0, maxModelLocal).map(file => knownLine(sandbox, file)),
          context: { workspace, sandbox, signal: modelSignal },
          ask,
          onEvent,
        })),
    locate,
    readText,
    onChange,
    now: () => performance.now(),
  });
}

/** Joins the ranges of each file, because the model may name a file twice or by two paths. */
function joinSame(files: readonly LocatedFile[]): LocatedFile[] {
  const joined = new Map<string, LocatedFile>();
  for (const file of files) {
    const key = `${file.root}:${file.path}`;
    const known = joined.get(key);
    const ranges = known ? joinRanges(known.ranges, file.ranges) : file.ranges;
    joined.set(key, { ...known, ...file, ranges });
  }
  return [...joined.values()];
}

/** A file of the local results as the model gets it, such as `/root/a.ts:3-9,20-31 Queue.close, open`. */
function knownLine(sandbox: Sandbox, { root, path: below, spans }: FoundFile): string {
  const file = path.join(sandbox.roots[root] ?? '', below);
  const lines = spans.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join();
  const symbols = [...new Set(spans.flatMap(({ symbol }) => symbol ?? []))].join(', ');
  return `${file}:${lines} ${symbols}`.trimEnd();
}

/** Files that may not or cannot be read are left out of the results. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}
