import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy';
import type { TreeRow } from './rows';
import type { RowParts } from './rowView';

/**
 * Creates the tree view; the code of its feature loads when it is first shown.
 * @param children loads the rows below a row, or the top-level rows
 */
export function createRowView(
  id: string,
  children: (row: TreeRow | undefined) => Promise<readonly TreeRow[]>,
): RowParts & vscode.Disposable {
  const changed = new vscode.EventEmitter<TreeRow | undefined>();
  const drawing = lazy(async () => import('./rowView'));
  const view = vscode.window.createTreeView<TreeRow>(id, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async row => [...(await children(row))],
      getTreeItem: async row => (await drawing()).rowItem(row.data),
      getParent: row => row.parent,
    },
  });
  return {
    view,
    changed,
    dispose: () => {
      view.dispose();
      changed.dispose();
    },
  };
}
