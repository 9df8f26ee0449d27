import * as vscode from 'vscode';
import type { GatedClient } from '../platform/egress/gatedClient';
import { settings } from '../platform/settings';
import { searchModel } from '../service';
import { maxTurnTokens } from './agent/searchForecast';
import type { SearchState } from './runSearch';
import { type SearchFilesOptions, searchFiles } from './searchFiles';
import type { SearchTarget } from './searchWorkspace';

export type SearchClient = Pick<GatedClient, 'chat' | 'rerank' | 'isReady'>;

/** Why only the local engine searches. */
export type LocalReason = 'untrusted' | 'setting' | 'noKey';

export async function localReason(client: SearchClient): Promise<LocalReason | undefined> {
  if (!vscode.workspace.isTrusted) return 'untrusted';
  if (settings.searchEngine === 'local') return 'setting';
  return (await client.isReady()) ? undefined : 'noKey';
}

/**
 * Searches the workspace: locally, and with the search model when it is allowed and available.
 *
 * @throws {AbortError} when `signal` is aborted.
 */
export async function searchCode(
  client: SearchClient,
  { workspace }: SearchTarget,
  query: string,
  options: Pick<SearchFilesOptions, 'signal' | 'onChange'> & {
    /** Files wanted; the number of the setting where it is left out. */
    readonly limit?: number;
  },
): Promise<SearchState> {
  const { signal, onChange, limit = settings.searchMaxResults } = options;
  const usesModel = (await localReason(client)) === undefined;
  const ask: SearchFilesOptions['ask'] = (messages, askSignal) =>
    client.chat(
      { model: searchModel, messages, temperature: 0, maxTokens: maxTurnTokens },
      { signal: askSignal, sending: { purpose: 'search', secrets: 'withhold' } },
    );
  return searchFiles(workspace, query, {
    signal,
    onChange,
    limit,
    ask: usesModel ? ask : undefined,
  });
}
