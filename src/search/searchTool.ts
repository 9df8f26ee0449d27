import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import { settings } from '../host/settings';
import { isRecord, textOf } from '../service/guards';
import { isAbortError } from '../service/time';
import { type SearchClient, localReason, searchCode } from './codeSearch';
import { placesOf } from './nodes';
import { asMarkdown } from './results';
import { openSearchTarget } from './searchWorkspace';
import { fallbackText, placesText } from './sentences';
import { ShownSearch, codeOf } from './shownSearch';

/** Characters of one result; an agent pays for each. */
const resultChars = 20_000;
const longestQuery = 4000;

interface SearchInput {
  readonly query: string;
  readonly folder: vscode.Uri | undefined;
}

/** Asks first where something leaves the machine, and says what. */
export async function prepareSearch(
  client: SearchClient,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { query } = parseInput(input);
  const invocationMessage = vscode.l10n.t('Searching the code for "{0}"', query);
  if ((await localReason(client)) !== undefined) return { invocationMessage };
  return {
    invocationMessage,
    confirmationMessages: {
      title: vscode.l10n.t('Search the code with the search model?'),
      message: vscode.l10n.t(
        'The search model at {0} gets the question "{1}", the names of files, and the code that it asks to see. Hidden files and files that may hold keys stay here.',
        settings.serviceHost,
        query,
      ),
    },
  };
}

/** @throws {UserError} in a sentence for the agent. */
export async function invokeSearch(
  client: SearchClient,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { query, folder } = parseInput(input);
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    const target = await openSearchTarget(folder);
    const state = await searchCode(client, target, query, {
      signal: controller.signal,
      onChange: () => undefined,
    });
    const search = new ShownSearch({ query, folder }, target.roots, state);
    const text = await resultText(search);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  } catch (error) {
    if (isAbortError(error) || controller.signal.aborted) throw new vscode.CancellationError();
    if (error instanceof UserError) throw error;
    throw new UserError(
      vscode.l10n.t('The search failed. Try other words, or read files directly.'),
    );
  } finally {
    listening.dispose();
  }
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
  return `${head}\n\n${markdown}${rest}`.slice(0, resultChars + 4000);
}

/** VS Code does not check the input against the schema. */
function parseInput(input: unknown): SearchInput {
  const query = isRecord(input) ? textOf(input['query'])?.trim() : undefined;
  if (!query) throw new UserError(vscode.l10n.t('The search needs a "query" as text.'));
  if (query.length > longestQuery)
    throw new UserError(vscode.l10n.t('The query is longer than {0} characters.', longestQuery));
  const folder = isRecord(input) ? input['folder'] : undefined;
  if (folder === undefined || folder === null || folder === '') return { query, folder: undefined };
  if (typeof folder !== 'string')
    throw new UserError(vscode.l10n.t('"folder" is a path, as text.'));
  return { query, folder: folderOf(folder) };
}

/** Absolute, relative to the first folder of the workspace, or with a folder's name in front. */
function folderOf(named: string): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const plain = named.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, '');
  if (plain === '.' || plain === '') return undefined;
  if (/^(?:\/|[a-z]:\/)/i.test(plain)) return vscode.Uri.file(plain);
  const [first = '', ...rest] = plain.split('/');
  const root = folders.length > 1 ? folders.find(({ name }) => name === first) : undefined;
  const base = root ?? folders[0];
  if (!base) throw new UserError(vscode.l10n.t('Open a folder to search in it.'));
  return vscode.Uri.joinPath(base.uri, ...(root ? rest : [first, ...rest]));
}
