import * as vscode from 'vscode';
import { escapeMarkdown } from '../base/format/text';
import { UserError } from '../base/userError';
import type { FoundPlace } from '../contracts/chatResults';
import type { CommandId } from '../platform/commands/contribute';
import type { OmittedAttachment } from '../platform/tools/chatTurns';
import { referenceName } from '../platform/tools/chatTurns';
import type { ChatCall, ChatFeatures } from './chatFeatures';
import type { ChatMetadata } from './chatMetadata';
import { fenced, firstLines, inlineCode, languageOf } from './transcript';
import { showLeftOutAttachments, userAttachments } from './turns';

const { t } = vscode.l10n;

/** Search results shown with their code, and results listed in total. */
const placesWithCode = 3;
const maxPlaces = 15;
const maxCodeLines = 12;
const maxTitleChars = 50;

export async function searchCommand(
  features: ChatFeatures,
  { request, response }: ChatCall,
  signal: AbortSignal,
): Promise<ChatMetadata['suggests']> {
  const query = request.prompt.trim();
  if (query === '') {
    throw new UserError(t('Say what to find, for example: /search where are uploads retried'));
  }
  response.progress(t('Searching the code'));
  const folder = await folderOf(request);
  showLeftOutAttachments(response, unsearchedAttachments(request, folder));
  const found = await features.search.find({ query, folder }, signal, step =>
    response.progress(step),
  );
  const note = found.note === '' ? '' : ` ${escapeMarkdown(found.note)}`;
  response.markdown(`${escapeMarkdown(found.summary)}.${note}`.replace(/\.\.(?=$| )/, '.'));
  response.markdown('\n\n');
  if (found.places.length === 0) return 'nothing';
  const shown = found.places.slice(0, maxPlaces);
  for (const place of shown) response.reference(locationOf(place));
  for (const place of shown.slice(0, placesWithCode)) {
    showPlace(response, place, '');
    const code = firstLines(place.code, maxCodeLines, left =>
      t(left === 1 ? '… 1 more line' : '… {0} more lines', left),
    );
    response.markdown(`\n\n${fenced(code, languageOf(place.path))}\n`);
  }
  for (const place of shown.slice(placesWithCode)) {
    showPlace(response, place, '- ');
    response.markdown(` ${inlineCode(place.title, maxTitleChars)}\n`);
  }
  const left = found.places.length - shown.length;
  if (left > 0) {
    const more = t(
      left === 1
        ? '1 more place is in the search view.'
        : '{0} more places are in the search view.',
      left,
    );
    response.markdown(`\n${more}\n`);
  }
  response.button({
    command: 'splice.search.showFound' satisfies CommandId,
    title: t('Show in Search View'),
    arguments: [found.id],
  });
  return 'explain';
}

function showPlace(response: ChatCall['response'], place: FoundPlace, before: string): void {
  const { path, startLine, endLine } = place;
  if (before !== '') response.markdown(before);
  response.anchor(
    locationOf(place),
    `${path}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`,
  );
}

function locationOf({ uri, startLine, endLine }: FoundPlace): vscode.Location {
  return new vscode.Location(uri, new vscode.Range(startLine - 1, 0, endLine - 1, 0));
}

/** The first attached folder. */
async function folderOf(request: ChatCall['request']): Promise<vscode.Uri | undefined> {
  for (const { value } of userAttachments(request)) {
    if (!(value instanceof vscode.Uri)) continue;
    const isFolder = await vscode.workspace.fs.stat(value).then(
      ({ type }) => (type & vscode.FileType.Directory) !== 0,
      () => false,
    );
    if (isFolder) return value;
  }
  return undefined;
}

function unsearchedAttachments(
  request: ChatCall['request'],
  folder: vscode.Uri | undefined,
): OmittedAttachment[] {
  const why = folder ? t('one folder is searched') : t('only a folder says where to search');
  return userAttachments(request)
    .filter(({ value }) => value !== folder)
    .map(reference => ({ name: referenceName(reference), why }));
}
