import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pressEnter, run, stub, waitFor } from './support';

const { createQuickPick } = vscode.window;

/**
 * Opens the apply history, picks a row, and then an action from the list of what can be done with it. A tab that is
 * restored meanwhile takes the focus, and with it the list away: then it is opened again.
 */
export async function useHistory(row: RegExp, action: string): Promise<void> {
  while (!(await pickInHistory(row, action)));
}

/** @returns whether the row was picked before the list went away. */
async function pickInHistory(row: RegExp, action: string): Promise<boolean> {
  let input: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  let isPicked = false;
  stub(vscode.window, 'createQuickPick', () => {
    const next = createQuickPick();
    if (!input) return (input = next);
    // The list is shown again after an entry is deleted.
    const show = next.show.bind(next);
    next.show = () => {
      show();
      next.hide();
    };
    return next;
  });
  stub(vscode.window, 'showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
    isPicked = true;
    const found = items.find(({ label }) => label === action);
    assert.ok(found, `${action} in ${items.map(({ label }) => label).join(', ')}`);
    return found;
  });
  const done = run('splice.apply.showHistory');
  const shown = await waitFor(() => input, 'the history');
  // Each part that is read later draws the list anew, with another row chosen.
  await waitFor(() => !shown.busy, 'its rows');
  const wanted = await waitFor(
    () => shown.items.find(item => row.test(textOf(item))),
    () => `${row} in ${shown.items.map(textOf).join('\n')}`,
  );
  shown.activeItems = [wanted];
  await waitFor(() => shown.activeItems[0] === wanted, 'the row to be chosen');
  await pressEnter(shown, /./);
  await done;
  return isPicked;
}

/** What the list shows, without using it. */
export async function historyRows(): Promise<string[]> {
  let input: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  stub(vscode.window, 'createQuickPick', () => {
    input = createQuickPick();
    return input;
  });
  const done = run('splice.apply.showHistory');
  const shown = await waitFor(() => input, 'the history');
  await waitFor(() => !shown.busy, 'its rows');
  const rows = shown.items.map(textOf);
  shown.hide();
  await done;
  return rows;
}

const textOf = ({ label, description = '', detail = '' }: vscode.QuickPickItem): string =>
  `${label} [${description}] ${detail}`;
