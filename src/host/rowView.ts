import * as vscode from 'vscode';
import { type Row, type RowData, RowTree } from './rows';

/** A tree view of rows, made before its room is loaded. */
export interface RowParts {
  readonly view: vscode.TreeView<Row>;
  readonly changed: vscode.EventEmitter<Row | undefined>;
}

/** The rows of a view; draws again only those that have changed. */
export class RowView {
  readonly #parts: RowParts;
  readonly #tree = new RowTree();

  constructor(parts: RowParts) {
    this.#parts = parts;
  }

  get roots(): readonly Row[] {
    return this.#tree.roots;
  }

  byId(id: string): Row | undefined {
    return this.#tree.byId(id);
  }

  show(rows: readonly RowData[]): void {
    const change = this.#tree.update(rows);
    if (change === 'all') this.#parts.changed.fire(undefined);
    else for (const row of change) this.#parts.changed.fire(row);
  }

  /** The row that a menu names, else the one that is selected. */
  picked(argument: unknown): Row | undefined {
    const id =
      typeof argument === 'object' && argument !== null && 'id' in argument
        ? argument.id
        : this.#parts.view.selection[0]?.id;
    return typeof id === 'string' ? this.byId(id) : undefined;
  }
}

/** All text is plain: nothing of it is read as Markdown or as a link. */
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
  if (row.icon)
    item.iconPath = new vscode.ThemeIcon(
      row.icon.id,
      row.icon.color === undefined ? undefined : new vscode.ThemeColor(row.icon.color),
    );
  if (row.command)
    item.command = {
      command: row.command.id,
      title: row.command.title,
      arguments: [...(row.command.args ?? [])],
    };
  item.accessibilityInformation = {
    label: row.spoken ?? [row.label, row.description].filter(Boolean).join(', '),
    role: 'treeitem',
  };
  return item;
}
