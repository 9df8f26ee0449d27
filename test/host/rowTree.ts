// The tree views of the extension as a test sees them.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { endpointsView } from '../../src/endpoints/ids';
import { batchesView, fineTuningView } from '../../src/jobs/ids';
import { hasApiKey } from '../../src/platform/ids';
import type { TreeRow } from '../../src/platform/tree/rows';
import { asGiven, asRead } from './asRead';
import { waitFor } from './waitFor';

interface Made {
  readonly provider: vscode.TreeDataProvider<TreeRow>;
  readonly view: vscode.TreeView<TreeRow>;
  readonly dropping: vscode.TreeDragAndDropController<TreeRow> | undefined;
}

const made = new Map<string, Made>();
const { createTreeView } = vscode.window;
// Test files load before the extension is activated, and so before it makes its views.
Object.defineProperty(vscode.window, 'createTreeView', {
  value: (id: string, options: vscode.TreeViewOptions<TreeRow>) => {
    const view = createTreeView(id, options);
    const { treeDataProvider: provider, dragAndDropController: dropping } = options;
    made.set(id, { provider, view, dropping });
    return view;
  },
  configurable: true,
});

/** One view of rows. */
export function rowTree(id: string) {
  const of = (): Made => made.get(id) ?? assert.fail(`the view ${id} was made before the tests`);
  const children = async (row?: TreeRow): Promise<TreeRow[]> =>
    asRead((await of().provider.getChildren(asGiven(row))) ?? []);
  const item = async (row: TreeRow): Promise<vscode.TreeItem> =>
    asRead((await of().provider.getTreeItem(asGiven(row))) ?? assert.fail());

  /** Two blanks per level, descriptions in brackets. @param depth how many levels. */
  async function text(depth = 1, row?: TreeRow, indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await children(row)) {
      const { label, description } = await item(child);
      const more = typeof description === 'string' && description !== '' ? ` [${description}]` : '';
      lines.push(`${indent}${typeof label === 'string' ? label : ''}${more}`);
      if (depth > 1) lines.push(...(await text(depth - 1, child, `${indent}  `)));
    }
    return lines;
  }

  /** All rows down to a depth, without opening what is closed. */
  async function shown(): Promise<TreeRow[]> {
    const visit = (rows: readonly TreeRow[]): TreeRow[] =>
      rows.flatMap(row => [row, ...visit(row.children)]);
    return visit(await children());
  }

  return {
    view: () => of().view,
    message: () => asRead(of().view.message ?? ''),
    onDidChange: (listener: (row: unknown) => void) =>
      of().provider.onDidChangeTreeData?.(row => listener(asRead(row))) ?? assert.fail(),
    /** Takes it out of the window, so that it asks the service nothing during other tests. */
    async hide(): Promise<void> {
      const { executeCommand, getCommands } = vscode.commands;
      // Those of the account may be in the side bar only with a key, and VS Code knows the command only then.
      await executeCommand('setContext', hasApiKey, true);
      await waitFor(
        async () => (await getCommands()).includes(`${id}.removeView`),
        `${id}.removeView`,
      );
      await executeCommand(`${id}.removeView`);
      await executeCommand('setContext', hasApiKey, false);
      await waitFor(() => !of().view.visible, `${id} is hidden`);
    },
    /** Drops what has these MIME types on the view. */
    async drop(parts: Readonly<Record<string, string>>): Promise<void> {
      const dropped = new vscode.DataTransfer();
      for (const [type, value] of Object.entries(parts)) {
        dropped.set(type, new vscode.DataTransferItem(value));
      }
      const token = new vscode.CancellationTokenSource().token;
      await (of().dropping?.handleDrop?.(undefined, dropped, token) ??
        assert.fail('takes no drops'));
    },
    children,
    item,
    text,
    shown,
    async row(wanted: string): Promise<TreeRow> {
      return (await shown()).find(row => row.id === wanted) ?? assert.fail(`no row ${wanted}`);
    },
  };
}

/** Call it in a suite that opens views of the service: those that are seen ask it during other tests. */
export function hideServiceViewsAfter(): void {
  const views = [endpointsView, batchesView, fineTuningView].map(rowTree);
  after(async () => {
    for (const view of views) await view.hide();
  });
}
