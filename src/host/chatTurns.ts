import * as vscode from 'vscode';
import { isRecord, textOf } from '../service/guards';
import { escapeMarkdown, labelText } from './words';

const { t } = vscode.l10n;

/** Characters of one attachment; more of them would hardly fit a model. */
const longestAttachment = 100_000;

/** A file or passage that the user attached to a prompt, as it is in the editor. */
export interface AttachedText {
  readonly text: string;
  readonly source: 'file' | 'selection';
  readonly name: string;
  readonly uri: vscode.Uri;
  /** Absent for a whole file. */
  readonly range?: vscode.Range | undefined;
}

/** Something that the user attached and that is not used, or not all of it. */
export interface LeftOut {
  readonly name: string;
  /** A clause. */
  readonly why: string;
}

export interface Attachments {
  readonly texts: readonly AttachedText[];
  readonly leftOut: readonly LeftOut[];
}

/** The editor's file, which VS Code adds by itself, is no wish of the user. */
export function isAttachedByUser({ id }: Pick<vscode.ChatPromptReference, 'id'>): boolean {
  return !id.startsWith('vscode.implicit');
}

/** What can be read as text; for the rest of what the user attached, why not. */
export async function attachmentsOf(
  references: readonly vscode.ChatPromptReference[],
): Promise<Attachments> {
  const texts: AttachedText[] = [];
  const leftOut: LeftOut[] = [];
  for (const reference of references) {
    const leave = (why: string): void => {
      if (isAttachedByUser(reference)) leftOut.push({ name: nameOf(reference), why });
    };
    const place = placeOf(reference);
    if (!place) {
      leave(isPicture(reference) ? t('a picture') : t('neither a file nor a selection'));
      continue;
    }
    const { uri, range } = place;
    const document = await vscode.workspace.openTextDocument(uri).then(
      opened => opened,
      () => undefined,
    );
    if (!document) {
      leave(await whyUnreadable(uri));
      continue;
    }
    const text = document.getText(range);
    if (text.length > longestAttachment)
      leave(t('what comes after its first {0} characters', longestAttachment.toLocaleString()));
    texts.push({
      text: text.slice(0, longestAttachment),
      source: range ? 'selection' : 'file',
      name: vscode.workspace.asRelativePath(uri),
      uri,
      range,
    });
  }
  return { texts, leftOut };
}

/** One line above an answer; '' where all was used. */
export function leftOutText(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return '';
  const list = leftOut.map(({ name, why }) => `${name} (${why})`).join(', ');
  return `> ${escapeMarkdown(t('Left out: {0}.', list))}\n\n`;
}

/** How the user knows it. */
export function nameOf(reference: vscode.ChatPromptReference): string {
  const place = placeOf(reference);
  if (place) return vscode.workspace.asRelativePath(place.uri);
  // Every VS Code gives the label of an attachment; the stable types do not name it.
  const label = 'name' in reference ? textOf(reference.name) : undefined;
  return labelText(label ?? reference.id);
}

function placeOf({
  value,
}: vscode.ChatPromptReference): { uri: vscode.Uri; range?: vscode.Range } | undefined {
  if (value instanceof vscode.Location) return value;
  return value instanceof vscode.Uri ? { uri: value } : undefined;
}

function isPicture({ value }: vscode.ChatPromptReference): boolean {
  return isRecord(value) && textOf(value['mimeType'])?.startsWith('image/') === true;
}

async function whyUnreadable(uri: vscode.Uri): Promise<string> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) return t('a folder; attach files of it');
  } catch {
    return t('not there any more, or not to be read');
  }
  return /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|avif|tiff?)$/i.test(uri.path)
    ? t('a picture')
    : t('not a text, or too large');
}

/** The text of an answer; a place that it names is written as its path and line. */
export function answerText({ response }: Pick<vscode.ChatResponseTurn, 'response'>): string {
  return response
    .map(part => {
      if (part instanceof vscode.ChatResponseMarkdownPart) return part.value.value;
      if (!(part instanceof vscode.ChatResponseAnchorPart)) return '';
      const place = part.value;
      return place instanceof vscode.Uri
        ? `\`${vscode.workspace.asRelativePath(place)}\``
        : `\`${vscode.workspace.asRelativePath(place.uri)}:${place.range.start.line + 1}\``;
    })
    .join('');
}
