import * as vscode from 'vscode';

/** What a drop hands over. */
export interface DroppedParts {
  readonly uris: readonly vscode.Uri[];
  readonly texts: readonly string[];
}

/** The files of a drop; its text where it has none, since a dropped file has its path as text. */
export async function droppedParts(dropped: vscode.DataTransfer): Promise<DroppedParts> {
  const list = await dropped.get('text/uri-list')?.asString();
  const uris = (list ?? '')
    .split(/\r?\n/)
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => vscode.Uri.parse(line, true))
    .filter(({ scheme }) => scheme !== 'http' && scheme !== 'https');
  if (uris.length > 0) return { uris, texts: [] };
  const texts: string[] = [];
  for (const [, item] of dropped) {
    const file = item.asFile();
    // A file of another window or machine has bytes and no place here.
    if (file) texts.push(new TextDecoder().decode(await file.data()));
  }
  const text = texts.length === 0 ? await dropped.get('text/plain')?.asString() : undefined;
  return { uris, texts: text === undefined ? texts : [text] };
}
