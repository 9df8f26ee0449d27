import * as vscode from 'vscode';
import { describeFile } from '../results';
import { currentText, type SearchRequest, ShownSearch } from '../shownSearch';
import { Trace } from '../trace';
import { type HistoryEntry, withoutCode } from './queryHistory';

/** A search as the history keeps it. */
export function historyEntryOf(search: ShownSearch): HistoryEntry {
  const { request, roots, state, files } = search;
  return {
    query: request.query,
    ...(request.folder ? { folder: request.folder.toString() } : {}),
    engine: state.engine,
    at: Date.now(),
    ms: state.ms,
    roots: roots.map(root => root.toString()),
    files: withoutCode(files),
  };
}

export function requestOf({ query, folder }: HistoryEntry): SearchRequest {
  return { query, folder: folder === undefined ? undefined : vscode.Uri.parse(folder) };
}

/** A past search with the titles that its lines have now; files that can no longer be read are left out. */
export async function restoreSearch(entry: HistoryEntry): Promise<ShownSearch> {
  const roots = entry.roots.map(root => vscode.Uri.parse(root));
  const state = {
    query: entry.query,
    isRunning: false,
    engine: entry.engine,
    files: [],
    trace: new Trace(),
    ms: entry.ms,
    searched: undefined,
  };
  const search = new ShownSearch(requestOf(entry), roots, state, { from: entry.at });
  const files = await Promise.all(
    entry.files.map(async file => {
      const text = await currentText(search.uriOf(file));
      return text === undefined ? undefined : describeFile(file, text, entry.query);
    }),
  );
  search.state = { ...state, files: files.filter(file => file !== undefined) };
  return search;
}
