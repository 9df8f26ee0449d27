import * as vscode from 'vscode';
import * as z from 'zod';
import { withholdSecrets } from '../host/egress/withhold';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { settings } from '../host/settings';
import { findNamed, questionOf, readToolInput, runTool } from '../host/toolCall';
import { type SearchClient, localReason, searchCode } from './codeSearch';
import { placesOf } from './nodes';
import { asMarkdown } from './results';
import { openSearchTarget } from './searchWorkspace';
import { fallbackText, placesText } from './sentences';
import { ShownSearch, codeOf } from './shownSearch';

/** Characters of one result; an agent pays for each. */
const resultChars = 20_000;
const longestQuery = 4000;

const needsQuery = vscode.l10n.t('The search needs a "query" as text.');
const inputSchema = z.object({
  query: z
    .string(needsQuery)
    .trim()
    .min(1, needsQuery)
    .max(longestQuery, vscode.l10n.t('The query is longer than {0} characters.', longestQuery)),
  folder: z.string(vscode.l10n.t('"folder" is a path, as text.')).nullish(),
});

/** Asks first where something leaves the machine, and says what. */
export async function prepareSearch(
  client: SearchClient,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { query } = readToolInput(inputSchema, input);
  const invocationMessage = vscode.l10n.t('Searching the code for "{0}"', query);
  if ((await localReason(client)) !== undefined) return { invocationMessage };
  return {
    invocationMessage,
    confirmationMessages: questionOf(vscode.l10n.t('Search the code with the search model?'), [
      [
        vscode.l10n.t(
          'The search model at {0} gets the question "{1}", the names of files, and the code that it asks to see. Hidden files and files that may hold keys stay here.',
          settings.serviceHost,
          query,
        ),
      ],
    ]),
  };
}

/** @throws {UserError} in a sentence for the agent. */
export async function invokeSearch(
  { log }: Host,
  client: SearchClient,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { query, folder: named } = readToolInput(inputSchema, input);
  const failed = vscode.l10n.t('The search failed. Try other words, or read files directly.');
  return runTool({ log, token, failed }, async signal => {
    const folder = await folderOf(named ?? '');
    const target = await openSearchTarget(folder);
    const state = await searchCode(client, target, query, { signal, onChange: () => undefined });
    return resultText(new ShownSearch({ query, folder }, target.roots, state));
  });
}

async function resultText(search: ShownSearch): Promise<string> {
  const { state, request } = search;
  const files = placesOf(state.files);
  if (files.length === 0)
    return `Nothing was found for: ${request.query}\nFiles searched: ${state.searched ?? 'unknown'}. Ignored, excluded and hidden files were left out.`;
  const engine = state.engine === 'model' ? 'the search model' : 'local search by words';
  const head = [`${placesText(files)}, found by ${engine}.`, fallbackText(state)]
    .filter(Boolean)
    .join(' ');
  const parts = await codeOf(search, files);
  const kept: typeof parts = [];
  let left = resultChars - head.length;
  for (const part of parts) {
    // Fences, path and lines.
    left -= part.code.length + part.path.length + 40;
    if (left < 0) break;
    kept.push(part);
  }
  const more = parts
    .slice(kept.length)
    .map(({ path, place }) => `${path}:${place.startLine}-${place.endLine}`);
  const markdown = asMarkdown(
    request.query,
    kept.map(({ path, place: span, code }) => ({ path, span, code })),
  );
  const rest = more.length > 0 ? `\nWithout their code: ${more.join(', ')}\n` : '';
  // The result goes to the agent's model, wherever that is.
  const { text } = withholdSecrets(`${head}\n\n${markdown}${rest}`);
  return text.slice(0, resultChars + 4000);
}

/** Undefined for the whole workspace. */
async function folderOf(named: string): Promise<vscode.Uri | undefined> {
  const plain = named.trim().replace(/^\.\//, '').replace(/\/$/, '');
  if (plain === '.' || plain === '') return undefined;
  const found = await findNamed(plain);
  if (!found)
    throw new UserError(vscode.l10n.t('There is no folder {0} in this workspace.', named));
  return found.uri;
}
