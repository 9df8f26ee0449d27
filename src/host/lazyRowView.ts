import * as vscode from 'vscode';
import { lazy } from '../base/async';
import type { RowParts } from './rowView';
import type { Row } from './rows';

/**
 * Makes the view; its room loads at the first look.
 * @param children loads what is below a row, or at the top
 */
export function createRowView(
  id: string,
  children: (row: Row | undefined) => Promise<readonly Row[]>,
): RowParts & vscode.Disposable {
  const changed = new vscode.EventEmitter<Row | undefined>();
  const drawing = lazy(async () => import('./rowView'));
  const view = vscode.window.createTreeView<Row>(id, {
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
