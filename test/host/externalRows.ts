import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import type { TreeRow } from '../../src/platform/tree/rows';
import { rowTree } from './rowTree';
import { waitFor } from './support';

const tree = rowTree(reviewsView);

/** The rows of external changes in the Reviews view. */
export const rows = async (): Promise<TreeRow[]> =>
  (await tree.shown()).filter(({ id }) => id.startsWith('external'));

export const rowOf = async (file: vscode.Uri): Promise<TreeRow | undefined> =>
  (await rows()).find(({ data }) => data.subject === file.toString());

/** Resolves once a file is listed with this number of changes. */
export const listed = async (file: vscode.Uri, changes: number): Promise<readonly TreeRow[]> =>
  waitFor(async () => {
    const row = await rowOf(file);
    return row !== undefined && (row.children ?? []).length === changes && (row.children ?? []);
  }, `${file.path} with ${changes} changes`);

export const gone = async (file: vscode.Uri): Promise<unknown> =>
  waitFor(async () => (await rowOf(file)) === undefined, `${file.path} is not listed`);

export async function follow(isOn: boolean): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update('splice.externalChanges.follow', isOn, vscode.ConfigurationTarget.Global);
}
