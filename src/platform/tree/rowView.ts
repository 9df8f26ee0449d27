import * as vscode from 'vscode';
import { type RowData, RowTree, type TreeRow } from './rows';

/** A tree view of rows, created before the code of its feature is loaded. */
export interface RowParts {
  readonly view: vscode.TreeView<TreeRow>;
  readonly changed: vscode.EventEmitter<TreeRow | undefined>;
}

/** The rows of a view; refreshes only those that have changed. */
export class RowView {
  readonly #parts: RowParts;
  readonly #tree = new RowTree();

  constructor(parts: RowParts) {
    this.#parts = parts;
  }

  get roots(): readonly TreeRow[] {
    return this.#tree.roots;
  }

  byId(id: string): TreeRow | undefined {
    return this.#tree.byId(id);
  }

  /**
   * @param message above the rows. Without rows it is the only row: VS Code hides an empty tree below a message, and a
   * tree that has the focus loses it then.
   */
  show(rows: readonly RowData[], message = ''): void {
    const isAlone = rows.length === 0 && message !== '';
    const { view } = this.#parts;
    const above = isAlone ? '' : message;
    if ((view.message ?? '') !== above) view.message = above;
    const change = this.#tree.update(isAlone ? [messageRow(message)] : rows);
    if (change === 'all') this.#parts.changed.fire(undefined);
    else for (const row of change) this.#parts.changed.fire(row);
  }

  /** The row that a menu command was called for, otherwise the selected one. */
  picked(argument: unknown): TreeRow | undefined {
    const id =
      typeof argument === 'object' && argument !== null && 'id' in argument
        ? argument.id
        : this.#parts.view.selection[0]?.id;
    return typeof id === 'string' ? this.byId(id) : undefined;
  }
}

const messageRow = (message: string): RowData => ({ id: 'message', context: '', label: message });

/** All text is plain: VS Code does not interpret it as Markdown or links. */
export function rowItem(row: RowData): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    row.label,
    row.fold === undefined ? None : row.fold === 'open' ? Expanded : Collapsed,
  );
  item.id = row.id;
  item.contextValue = row.context;
  if (row.description !== undefined) item.description = row.description;
  item.tooltip = row.tooltip ?? [row.label, row.description].filter(Boolean).join(' · ');
  if (row.icon) {
    item.iconPath = new vscode.ThemeIcon(
      row.icon.id,
      row.icon.color === undefined ? undefined : new vscode.ThemeColor(row.icon.color),
    );
  }
  if (row.command) {
    item.command = {
      command: row.command.id,
      title: row.command.title,
      arguments: [...(row.command.args ?? [])],
    };
  }
  item.accessibilityInformation = {
    label: row.spoken ?? [row.label, row.description].filter(Boolean).join(', '),
    role: 'treeitem',
  };
  return item;
}
