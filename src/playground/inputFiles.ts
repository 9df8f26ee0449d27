import * as vscode from 'vscode';
import { bytesText } from '../base/format/numbers';
import { decodeText } from '../base/table/readRecords';
import { UserError } from '../base/userError';
import { maxFileBytes } from './core/promptFile';

const { t } = vscode.l10n;

export interface InputFile {
  /** Without its folder. */
  readonly name: string;
  readonly text: string;
}

export const fileName = ({ path }: vscode.Uri): string => path.slice(path.lastIndexOf('/') + 1);

/** @throws {UserError} for a file that is too large or no longer exists. */
export async function readInputFile(uri: vscode.Uri): Promise<InputFile> {
  const name = fileName(uri);
  const size = await vscode.workspace.fs.stat(uri).then(
    stat => stat.size,
    () => {
      throw new UserError(t('{0} no longer exists.', name));
    },
  );
  if (size > maxFileBytes) {
    throw new UserError(
      t(
        '{0} has {1}; at most {2} are read. Split the file.',
        name,
        bytesText(size, t),
        bytesText(maxFileBytes, t),
      ),
    );
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  let text = '';
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  for await (const part of decodeText(chunks())) text += part;
  return { name, text };
}

/** @param filter name of the kind of files, and their endings */
export async function pickInputFile(
  title: string,
  [kind, ...endings]: readonly [kind: string, ...endings: string[]],
): Promise<vscode.Uri | undefined> {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title,
    openLabel: t('Choose'),
    filters: { [kind]: endings },
    ...(first ? { defaultUri: first } : {}),
  });
  return picked?.[0];
}
