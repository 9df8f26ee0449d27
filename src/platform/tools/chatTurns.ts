import * as vscode from 'vscode';
import { numberText } from '../../base/format/numbers';
import { escapeMarkdown, labelText } from '../../base/format/text';
import { isRecord, textOf } from '../../base/typeGuards';

const { t } = vscode.l10n;

/** Characters of one attachment; more would hardly fit the context window of a model. */
const maxAttachmentChars = 100_000;

/** A file or passage that the user attached to a prompt, as it is in the editor. */
export interface AttachedText {
  readonly text: string;
  readonly source: 'file' | 'selection';
  readonly name: string;
  readonly uri: vscode.Uri;
  /** Absent for a whole file. */
  readonly range?: vscode.Range | undefined;
}

/** An attachment of which nothing, or only a part, is used. */
export interface OmittedAttachment {
  readonly name: string;
  /** A clause. */
  readonly why: string;
}

export interface Attachments {
  readonly texts: readonly AttachedText[];
  readonly leftOut: readonly OmittedAttachment[];
}

/** False for the active file, which VS Code attaches by itself. */
export function isAttachedByUser({ id }: Pick<vscode.ChatPromptReference, 'id'>): boolean {
  return !id.startsWith('vscode.implicit');
}

/** The attachments that can be read as text, and for those of the user that cannot, why not. */
export async function attachmentsOf(
  references: readonly vscode.ChatPromptReference[],
): Promise<Attachments> {
  const texts: AttachedText[] = [];
  const leftOut: OmittedAttachment[] = [];
  for (const reference of references) {
    const leave = (why: string): void => {
      if (isAttachedByUser(reference)) leftOut.push({ name: referenceName(reference), why });
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
    if (text.length > maxAttachmentChars) {
      leave(
        t(
          'what comes after its first {0} characters',
          numberText(maxAttachmentChars, vscode.env.language),
        ),
      );
    }
    texts.push({
      text: text.slice(0, maxAttachmentChars),
      source: range ? 'selection' : 'file',
      name: vscode.workspace.asRelativePath(uri),
      uri,
      range,
    });
  }
  return { texts, leftOut };
}

/** One line above an answer; '' where everything was used. */
export function omittedAttachmentsText(leftOut: readonly OmittedAttachment[]): string {
  if (leftOut.length === 0) return '';
  const list = leftOut.map(({ name, why }) => `${name} (${why})`).join(', ');
  return `> ${escapeMarkdown(t('Left out: {0}.', list))}\n\n`;
}

/** The name under which the user knows it. */
export function referenceName(reference: vscode.ChatPromptReference): string {
  const place = placeOf(reference);
  if (place) return vscode.workspace.asRelativePath(place.uri);
  // Every version of VS Code sets the label of an attachment, but the stable types do not declare it.
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
    if ((type & vscode.FileType.Directory) !== 0) return t('a folder; attach its files instead');
  } catch {
    return t('no longer there, or unreadable');
  }
  return /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|avif|tiff?)$/i.test(uri.path)
    ? t('a picture')
    : t('not text, or too large');
}

/** The text of an answer; references to places become path and line. */
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
