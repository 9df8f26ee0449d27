import * as vscode from 'vscode';

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

/** Pictures, folders and what cannot be read are left out. */
export async function attachmentsOf(
  references: readonly vscode.ChatPromptReference[],
): Promise<AttachedText[]> {
  const texts: AttachedText[] = [];
  for (const { value } of references) {
    const uri = value instanceof vscode.Location ? value.uri : value;
    if (!(uri instanceof vscode.Uri)) continue;
    const document = await vscode.workspace.openTextDocument(uri).then(
      opened => opened,
      () => undefined,
    );
    if (!document) continue;
    const range = value instanceof vscode.Location ? value.range : undefined;
    texts.push({
      text: document.getText(range).slice(0, longestAttachment),
      source: range ? 'selection' : 'file',
      name: vscode.workspace.asRelativePath(uri),
      uri,
      range,
    });
  }
  return texts;
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
