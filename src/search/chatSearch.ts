import * as vscode from 'vscode';
import { durationText } from '../base/format/times';
import type { FoundPlaces } from '../contracts/chatResults';
import { withWaitListener } from '../platform/client/waitListener';
import type { Host } from '../platform/host';
import { retryWaitText } from '../platform/polling/retryWaitText';
import { type SearchClient, searchCode } from './codeSearch';
import { withoutHeaders } from './local/query/requestedRoute';
import { openSearchTarget } from './searchWorkspace';
import { fallbackText, lackText, nothingText, placesText } from './view/messages';
import { codeOfPlaces, type SearchRequest, ShownSearch } from './view/shownSearch';
import { stepText } from './view/traceItems';
import { workspaceIndexes } from './workspaceIndexes';

const { t } = vscode.l10n;

/**
 * Searches for a chat, which shows the places itself.
 * @param onStep gets what the search model does now, for the user.
 * @throws {AbortError} when `signal` is aborted.
 */
export async function searchForChat(
  host: Host,
  client: SearchClient,
  given: SearchRequest,
  signal: AbortSignal,
  onStep: (text: string) => void,
): Promise<{ readonly search: ShownSearch; readonly found: Omit<FoundPlaces, 'id'> }> {
  const request = { ...given, query: withoutHeaders(given.query) };
  const { query, folder } = request;
  const target = await openSearchTarget(folder, workspaceIndexes(host));
  let last = '';
  const state = await withWaitListener(
    wait => onStep(retryWaitText(wait, t)),
    () =>
      searchCode(client, target, query, {
        signal,
        onChange: ({ trace }) => {
          const step = trace.turns.at(-1)?.steps.at(-1);
          const text = step ? stepText(step) : '';
          if (text !== last && text !== '') onStep(text);
          last = text;
        },
      }),
  );
  const search = new ShownSearch(request, target.roots, state);
  const codes = await codeOfPlaces(search, search.sureFiles);
  const who = {
    model: t('found by the search model'),
    both: t('found by the search model and locally'),
    local: t('found locally'),
  }[state.engine ?? 'local'];
  const found = {
    summary:
      search.files.length === 0
        ? nothingText(state)
        : `${placesText(search.sureFiles)}, ${who} (${durationText(state.ms, t)})`,
    note: [fallbackText(state), lackText(state)].filter(Boolean).join(' '),
    places: codes.map(({ file, place, path, code }) => ({
      uri: search.uriOf(file),
      path,
      startLine: place.startLine,
      endLine: place.endLine,
      title: place.title,
      code,
    })),
  };
  return { search, found };
}
