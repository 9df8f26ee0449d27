import * as vscode from 'vscode';
import {
  type LabelledTable,
  labelColumn,
  labelledRows,
  likelyColumn,
  readTable,
  textColumn,
} from './core/labelledFile';
import type { RunPlan } from './core/run';
import { pickInputFile, readInputFile } from './inputFiles';

const { t } = vscode.l10n;

/**
 * Asks for a labelled file, its columns and a reflex.
 * @param reflexes with their labels, where these are known
 * @returns what is to be sent; undefined if the user cancels.
 * @throws {UserError} that names the line that is wrong.
 */
export async function prepareEvaluation(
  file: vscode.Uri | undefined,
  reflexes: ReadonlyMap<string, readonly string[]>,
  origin: string,
): Promise<Omit<RunPlan, 'id' | 'createdAt'> | undefined> {
  const uri = file ?? (await pickInputFile(t('Evaluate Reflex'), ['CSV', 'csv', 'tsv']));
  if (!uri) return undefined;
  const { name, text } = await readInputFile(uri);
  const table = await readTable(name, text, t);
  const columns = await pickColumns(table);
  if (!columns) return undefined;
  const reflex = await vscode.window.showQuickPick(
    [...reflexes].map(([label, labels]) => ({ label, detail: labels.join(' · ') })),
    { title: t('Evaluate Reflex'), placeHolder: t('Which reflex?'), matchOnDetail: true },
  );
  if (!reflex) return undefined;
  const id = reflex.label;
  const rows = labelledRows(table, { ...columns, reflex: id }, reflexes.get(id) ?? [], t);
  return {
    title: `${id}: ${name}`,
    origin,
    targets: [{ kind: 'reflex', id, label: id }],
    rows,
    scoring: { kind: 'exact' },
    maxTokens: 0,
  };
}

/** Asks nothing if the names of the columns leave nothing open. */
async function pickColumns({
  columns,
}: LabelledTable): Promise<{ readonly text: string; readonly label: string } | undefined> {
  const [likelyText, likelyLabel] = [
    likelyColumn(columns, textColumn),
    likelyColumn(columns, labelColumn),
  ];
  if (columns.length === 2 && likelyText !== undefined && likelyLabel !== undefined) {
    return { text: likelyText, label: likelyLabel };
  }
  const text = await pickColumn(columns, likelyText, t('Which column has the texts?'));
  if (text === undefined) return undefined;
  const others = columns.filter(column => column !== text);
  const label = await pickColumn(others, likelyLabel, t('Which column has the expected labels?'));
  return label === undefined ? undefined : { text, label };
}

/** @param likely comes first */
const pickColumn = (
  columns: readonly string[],
  likely: string | undefined,
  placeHolder: string,
): Thenable<string | undefined> =>
  vscode.window.showQuickPick(
    columns.toSorted((a, b) => Number(b === likely) - Number(a === likely)),
    { title: t('Evaluate Reflex'), placeHolder },
  );
