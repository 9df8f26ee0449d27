import * as vscode from 'vscode';
import type { Row, RowData } from './rows';

/** A tree view of rows, made before its room is loaded. */
export interface RowParts {
  readonly view: vscode.TreeView<Row>;
  readonly changed: vscode.EventEmitter<Row | undefined>;
}

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
