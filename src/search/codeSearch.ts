import * as vscode from 'vscode';
import { settings } from '../host/settings';
import type { GatedClient } from '../host/egress/gatedClient';
import { searchModel } from '../service/wire/chatRequest';
import { type AgentOutcome, runSearchAgent } from './agent/searchAgent';
import { searchLocally } from './localEngine';
import type { RawFile } from './results';
import { Sandbox, ToolError, slashes } from './sandbox';
import type { SearchTarget } from './searchWorkspace';
import { type SearchState, runSearch } from './session';
import { readWhole } from './tools/readFile';
import path from 'node:path';

export type SearchClient = Pick<GatedClient, 'chat' | 'rerank' | 'isReady'>;

/** Tokens of one turn: calls of tools, never an essay. */
const turnTokens = 2048;

/** Why only the local engine searches; undefined where the search model takes part. */
export type LocalReason = 'untrusted' | 'setting' | 'noKey';

export async function localReason(client: SearchClient): Promise<LocalReason | undefined> {
  if (!vscode.workspace.isTrusted) return 'untrusted';
  if (settings.searchEngine === 'local') return 'setting';
  return (await client.isReady()) ? undefined : 'noKey';
}

/**
 * One search of the workspace, with the search model where it may and can be asked.
 *
 * @throws {AbortError} when `signal` is aborted.
 */
export async function searchCode(
  client: SearchClient,
  { workspace }: SearchTarget,
  query: string,
  options: {
    readonly signal: AbortSignal;
    readonly onChange: (state: SearchState) => void;
  },
): Promise<SearchState> {
  const { signal, onChange } = options;
  const limit = settings.searchMaxResults;
  const sandbox = await Sandbox.open(workspace);
  const usesModel = (await localReason(client)) === undefined;

  const locate = async (files: AgentOutcome['files']): Promise<RawFile[]> => {
    const located: RawFile[] = [];
    for (const { path: named, ranges } of files) {
      const place = await sandbox.resolve(named).catch(ignoreRefusal);
      if (!place || place.isDirectory || located.length >= limit) continue;
      const root = sandbox.roots.indexOf(place.root);
      located.push({ root, path: slashes(path.relative(place.root, place.path)), ranges });
    }
    return joinSame(located);
  };

  const readText = async ({ root, path: below }: RawFile): Promise<string | undefined> => {
    const place = await sandbox
      .resolve(path.join(sandbox.roots[root] ?? '', below))
      .catch(ignoreRefusal);
    if (!place || place.isDirectory) return undefined;
    return workspace.unsaved.get(place.path) ?? readWhole(sandbox, place).catch(ignoreRefusal);
  };

  return runSearch({
    query,
    signal,
    local: (localSignal, onFirst) =>
      searchLocally(workspace, sandbox.roots, query, { limit, signal: localSignal, onFirst }),
    model: usesModel
      ? (modelSignal, onEvent) =>
          runSearchAgent({
            query,
            scope: { workspace, sandbox, signal: modelSignal },
            ask: (messages, askSignal) =>
              client.chat(
                { model: searchModel, messages, temperature: 0, maxTokens: turnTokens },
                { signal: askSignal, sending: { purpose: 'search', secrets: 'withhold' } },
              ),
            onEvent,
          })
      : undefined,
    locate,
    readText,
    onChange,
    now: () => performance.now(),
  });
}

/** The model may name a file twice, or by two names. */
function joinSame(files: readonly RawFile[]): RawFile[] {
  const joined = new Map<string, RawFile>();
  for (const file of files) {
    const key = `${file.root}:${file.path}`;
    const known = joined.get(key);
    const ranges =
      !known || known.ranges === '*' || file.ranges === '*'
        ? (known?.ranges ?? file.ranges)
        : [...known.ranges, ...file.ranges];
    joined.set(key, { ...file, ranges });
  }
  return [...joined.values()];
}

/** What may not or cannot be read is no result. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}
