import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy';
import type { TreeRow } from './rows';
import type { RowParts } from './rowView';

/** What a view does with files or text that the user drops on it. */
export interface RowDrop {
  drop(dropped: vscode.DataTransfer): Promise<void>;
  /** Told why `drop` has failed. */
  failed(error: unknown): void;
}

/** As VS Code names what the Explorer, the file manager and an editor or a page hand over. */
const droppable = ['text/uri-list', 'files', 'text/plain'];

/**
 * Creates the tree view; the code of its feature loads when it is first shown.
 * @param children loads the rows below a row, or the top-level rows
 */
export function createRowView(
  id: string,
  children: (row: TreeRow | undefined) => Promise<readonly TreeRow[]>,
  dropping?: RowDrop,
): RowParts & vscode.Disposable {
  const changed = new vscode.EventEmitter<TreeRow | undefined>();
  const drawing = lazy(async () => import('./rowView'));
  const view = vscode.window.createTreeView<TreeRow>(id, {
    showCollapseAll: true,
    ...(dropping && {
      dragAndDropController: {
        dragMimeTypes: [],
        dropMimeTypes: droppable,
        handleDrop: async (_row: TreeRow | undefined, dropped: vscode.DataTransfer) =>
          dropping.drop(dropped).catch((error: unknown) => dropping.failed(error)),
      },
    }),
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
