import * as vscode from 'vscode';
import type { RowParts } from './rowView';
import type { Row, RowData } from './rows';

/**
 * Makes the view; its room loads at the first look.
 * @param children loads what is below a row, or at the top
 */
export function createRowView(
  id: string,
  children: (row: Row | undefined) => Promise<readonly Row[]>,
): RowParts & vscode.Disposable {
  const changed = new vscode.EventEmitter<Row | undefined>();
  let drawing: Promise<{ rowItem(row: RowData): vscode.TreeItem }> | undefined;
  const view = vscode.window.createTreeView<Row>(id, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async row => [...(await children(row))],
      getTreeItem: async row => (await (drawing ??= import('./rowView'))).rowItem(row.data),
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
