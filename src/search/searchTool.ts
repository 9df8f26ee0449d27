import * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../base/userError';
import { withholdSecrets } from '../platform/egress/secrets/withhold';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { findNamed, questionOf, readToolInput, runTool } from '../platform/tools/toolCall';
import { searchForecast } from './agent/searchForecast';
import { localReason, type SearchClient, searchCode } from './codeSearch';
import { withoutHeaders } from './local/query/requestedRoute';
import type { ReadSearchPrices } from './searchPrices';
import { openSearchTarget } from './searchWorkspace';
import { fallbackText, forecastText, lackText, placesText } from './view/messages';
import { asMarkdown, spanLines } from './view/results';
import { codeOfPlaces, ShownSearch } from './view/shownSearch';
import { workspaceIndexes } from './workspaceIndexes';

/** Characters of one result. The agent pays for every token of it. */
const maxResultChars = 20_000;
const maxToolQueryChars = 4000;

const maxToolFiles = 50;
const needsCount = vscode.l10n.t('"maxFiles" must be a whole number from 1 to {0}.', maxToolFiles);
const needsQuery = vscode.l10n.t('The search needs a "query" as a string.');
const inputSchema = z.object({
  query: z
    .string(needsQuery)
    .trim()
    .min(1, needsQuery)
    .max(
      maxToolQueryChars,
      vscode.l10n.t('The query is longer than {0} characters.', maxToolQueryChars),
    )
    .transform(withoutHeaders),
  maxFiles: z.int(needsCount).min(1, needsCount).max(maxToolFiles, needsCount).nullish(),
  folder: z.string(vscode.l10n.t('"folder" must be a path, as a string.')).nullish(),
});

/** Asks for confirmation, and says what is sent, when the search model takes part. */
export async function prepareSearch(
  client: SearchClient,
  prices: ReadSearchPrices,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { query } = readToolInput(inputSchema, input);
  const invocationMessage = vscode.l10n.t('Searching the code for "{0}"', query);
  if ((await localReason(client)) !== undefined) return { invocationMessage };
  const { price, runs } = await prices();
  return {
    invocationMessage,
    confirmationMessages: questionOf(vscode.l10n.t('Search the code with the search model?'), [
      [
        vscode.l10n.t(
          'The search model at {0} gets the question "{1}", the names of files, the places that the local search found, and the code that it asks to see. Hidden files and files that may hold keys stay here.',
          settings.serviceHost,
          query,
        ),
      ],
      [forecastText(searchForecast(undefined, price, runs))],
    ]),
  };
}

/** @throws {UserError} with a message for the agent. */
export async function invokeSearch(
  host: Host,
  client: SearchClient,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { query, folder: named, maxFiles } = readToolInput(inputSchema, input);
  const failed = vscode.l10n.t('The search failed. Try other words, or read files directly.');
  return runTool({ log: host.log, token, failed }, async signal => {
    const folder = await folderOf(named ?? '');
    const target = await openSearchTarget(folder, workspaceIndexes(host));
    const state = await searchCode(client, target, query, {
      signal,
      onChange: () => undefined,
      ...(maxFiles ? { limit: Math.max(maxFiles, settings.searchMaxResults) } : {}),
    });
    return resultText(new ShownSearch({ query, folder }, target.roots, state), maxFiles);
  });
}

/** @param maxFiles of the answer; without it, it has the likely files. */
export async function resultText(
  search: ShownSearch,
  maxFiles: number | null | undefined,
): Promise<string> {
  const { state, request } = search;
  const files = maxFiles ? search.files.slice(0, maxFiles) : search.sureFiles;
  if (files.length === 0) {
    const nothing = `Nothing was found for: ${request.query}\nFiles searched: ${state.searched ?? 'unknown'}. Ignored, excluded and hidden files were left out.`;
    return [nothing, lackText(state)].filter(Boolean).join('\n');
  }
  const engine = {
    model: 'the search model',
    both: 'the search model and a local search by words',
    local: 'local search by words',
  }[state.engine ?? 'local'];
  const head = [`${placesText(files)}, found by ${engine}.`, fallbackText(state), lackText(state)]
    .filter(Boolean)
    .join(' ');
  const parts = await codeOfPlaces(search, files);
  const kept: typeof parts = [];
  let left = maxResultChars - head.length;
  for (const part of parts) {
    // 40 characters for fences, heading and line numbers.
    left -= part.code.length + part.path.length + 40;
    if (left < 0) break;
    kept.push(part);
  }
  const more = parts.slice(kept.length).map(({ path, place }) => `${path}:${spanLines(place)}`);
  const markdown = asMarkdown(
    request.query,
    kept.map(({ path, place: span, code }) => ({ path, span, code })),
  );
  const unseen = search.files.length - files.length;
  const others =
    unseen > 0 && (maxFiles ?? 0) < maxToolFiles
      ? `\n${unseen} more files were found, less likely ones. To see them, call again with "maxFiles": ${Math.min(search.files.length, maxToolFiles)}.\n`
      : '';
  const rest = more.length > 0 ? `\nWithout their code: ${more.join(', ')}\n` : '';
  // The result is sent to the model of the agent, whose provider is unknown here.
  const { text } = withholdSecrets(`${head}\n\n${markdown}${rest}${others}`);
  return text.slice(0, maxResultChars + 4000);
}

/** Undefined for the whole workspace. */
async function folderOf(named: string): Promise<vscode.Uri | undefined> {
  const plain = named.trim().replace(/^\.\//, '').replace(/\/$/, '');
  if (plain === '.' || plain === '') return undefined;
  const found = await findNamed(plain);
  if (!found) {
    throw new UserError(vscode.l10n.t('There is no folder {0} in this workspace.', named));
  }
  return found.uri;
}
