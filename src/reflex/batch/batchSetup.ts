import * as vscode from 'vscode';
import { append } from '../../base/arrays';
import { decodeText, readRecords } from '../../base/table/readRecords';
import {
  formatOf,
  type OutputKind,
  type TableFormat,
  tableColumns,
} from '../../base/table/tableFormat';
import { withoutIcons } from '../../base/text/withoutIcons';
import { UserError } from '../../base/userError';
import { diskFiles } from './batchStore';

const { t } = vscode.l10n;

const shorten = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text);

/** Records that are read to detect the columns. */
const headRecords = 50;

export interface BatchChoices {
  readonly format: TableFormat;
  readonly column: string;
  readonly models: readonly string[];
  readonly output: OutputKind;
}

const tableEndings = ['csv', 'tsv', 'jsonl', 'ndjson', 'txt', 'md'];

/** Asks for a file; that of the active editor is proposed, if it can be one. */
export async function pickTableFile(): Promise<vscode.Uri | undefined> {
  const shown = vscode.window.activeTextEditor?.document;
  const isTable = shown && tableEndings.some(ending => shown.uri.path.endsWith(`.${ending}`));
  const proposed =
    isTable && !shown.isUntitled ? shown.uri : vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Batch Classify'),
    openLabel: t('Choose'),
    filters: { [t('Tables and texts')]: tableEndings },
    ...(proposed ? { defaultUri: proposed } : {}),
  });
  return picked?.[0];
}

interface Head {
  readonly format: TableFormat;
  readonly head: readonly (readonly string[])[];
}

/** Detects the format by the file name and reads the first records. */
export async function readHead(input: string, title: string): Promise<Head | undefined> {
  let text = '';
  for await (const chunk of decodeText(diskFiles.read(input))) {
    text = chunk;
    break;
  }
  if (text.trim() === '') throw new UserError(t('The file is empty.'));
  const format = formatOf(input, text) ?? (await pickFormat(title));
  if (!format) return undefined;
  const head: string[][] = [];
  for await (const records of readRecords(decodeText(diskFiles.read(input)), format)) {
    append(head, records);
    if (head.length >= headRecords) break;
  }
  return { format, head: head.slice(0, headRecords) };
}

async function pickFormat(title: string): Promise<TableFormat | undefined> {
  const kinds = [
    ['CSV', 'a.csv'],
    [t('Tab-separated values'), 'a.tsv'],
    [t('JSON lines'), 'a.jsonl'],
    [t('Lines of text'), 'a.txt'],
  ] as const;
  const picked = await vscode.window.showQuickPick(
    kinds.map(([label, file]) => ({ label, format: formatOf(file, '') })),
    { title, placeHolder: t('How should this file be read?') },
  );
  return picked?.format;
}

export async function pickColumn(
  title: string,
  format: TableFormat,
  head: Head['head'],
): Promise<Pick<BatchChoices, 'format' | 'column'> | undefined> {
  const columns = tableColumns(head, format);
  if (columns.length === 0) return { format, column: '' };
  const other = format.hasHeader
    ? {
        label: t('The first line is not a header'),
        iconPath: new vscode.ThemeIcon('list-flat'),
        hasHeader: false,
      }
    : {
        label: t('The first line is a header'),
        iconPath: new vscode.ThemeIcon('list-flat'),
        hasHeader: true,
      };
  const items = columns.map(({ name, sample }) => ({
    label: withoutIcons(name),
    detail: withoutIcons(shorten(sample.replaceAll(/\s+/g, ' '))),
    name,
  }));
  const picked = await vscode.window.showQuickPick(
    [
      ...items,
      ...(format.kind === 'csv'
        ? [
            { label: '', kind: vscode.QuickPickItemKind.Separator, name: undefined },
            { ...other, name: undefined },
          ]
        : []),
    ],
    { title, placeHolder: t('Which column has the texts?'), matchOnDetail: true },
  );
  if (!picked) return undefined;
  return picked.name === undefined
    ? pickColumn(title, { ...format, hasHeader: other.hasHeader }, head)
    : { format, column: picked.name };
}

export async function pickOutput(
  title: string,
  { kind }: TableFormat,
): Promise<OutputKind | undefined> {
  const csv = { label: 'CSV', detail: t('A label and a score for each reflex'), output: 'csv' };
  const jsonl = { label: t('JSON lines'), detail: t('The scores of all labels'), output: 'jsonl' };
  const picked = await vscode.window.showQuickPick(kind === 'jsonl' ? [jsonl, csv] : [csv, jsonl], {
    title,
    placeHolder: t('Format of the results'),
  });
  return picked?.output === 'csv' || picked?.output === 'jsonl' ? picked.output : undefined;
}
