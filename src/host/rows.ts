/** A row of a tree view as data; `rowItem` draws it. */
export interface RowData {
  /** The same for the same thing, whatever state it is in: VS Code keeps by it what is open and selected. */
  readonly id: string;
  /** For `when` clauses of menus: words between semicolons, `;endpoint;ready;`. */
  readonly context: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  /** For screen readers: everything in words, no icon names. */
  readonly spoken?: string;
  readonly icon?: { readonly id: string; readonly color?: string };
  /** Whether it can be opened, and is so at first. */
  readonly fold?: 'closed' | 'open';
  readonly command?: {
    readonly id: string;
    readonly title: string;
    readonly args?: readonly unknown[];
  };
  /** What a copy of the row gives. */
  readonly value?: string;
  /** The thing of the service that it belongs to. */
  readonly subject?: string;
  readonly children?: readonly RowData[];
}

/** A row that VS Code shows; found by the object, so the object stays the same. */
export interface Row {
  readonly id: string;
  data: RowData;
  parent: Row | undefined;
  children: readonly Row[];
}

/** The rows that must be drawn again with all below them; `all` when those of the top have changed. */
export type RowChange = 'all' | readonly Row[];

/** Keeps the rows of a view between two states of its data. */
export class RowTree {
  #known = new Map<string, Row>();
  #roots: readonly Row[] = [];

  get roots(): readonly Row[] {
    return this.#roots;
  }

  byId(id: string): Row | undefined {
    return this.#known.get(id);
  }

  /** A row with an id that came before is left out: VS Code refuses a view that holds it twice. */
  update(data: readonly RowData[]): RowChange {
    const known = new Map<string, Row>();
    const changed: Row[] = [];
    const place = (rows: readonly RowData[], parent: Row | undefined, isQuiet: boolean): Row[] =>
      rows.flatMap(given => {
        if (known.has(given.id)) return [];
        const before = this.#known.get(given.id);
        const row = before ?? { id: given.id, data: given, parent, children: [] };
        known.set(given.id, row);
        const isOther =
          before !== undefined && (!isSame(before.data, given) || before.parent !== parent);
        const oldIds = before?.children.map(({ id }) => id) ?? [];
        row.data = given;
        row.parent = parent;
        const at = changed.length;
        const children = place(given.children ?? [], row, isQuiet || isOther);
        row.children = children;
        const isMoved =
          before !== undefined &&
          (oldIds.length !== children.length || children.some(({ id }, n) => id !== oldIds[n]));
        if ((isOther || isMoved) && !isQuiet) {
          // Drawn again with this one.
          changed.length = at;
          changed.push(row);
        }
        return [row];
      });
    const before = this.#roots.map(({ id }) => id);
    this.#roots = place(data, undefined, false);
    this.#known = known;
    const isSameTop =
      before.length === this.#roots.length && this.#roots.every(({ id }, n) => id === before[n]);
    return isSameTop ? changed : 'all';
  }
}

function isSame(a: RowData, b: RowData): boolean {
  return (
    a.label === b.label &&
    a.description === b.description &&
    a.context === b.context &&
    a.tooltip === b.tooltip &&
    a.spoken === b.spoken &&
    a.icon?.id === b.icon?.id &&
    a.icon?.color === b.icon?.color &&
    a.fold === b.fold &&
    a.command?.id === b.command?.id
  );
}
