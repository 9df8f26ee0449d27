/** A row of a tree view as data; `rowItem` makes the tree item. */
export interface RowData {
  /** Stable whatever the state of the thing: VS Code keeps expansion and selection by it. */
  readonly id: string;
  /** Context value for `when` clauses of menus: words between semicolons, `;endpoint;ready;`. */
  readonly context: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  /** Label for screen readers: everything in words, without icons. */
  readonly spoken?: string;
  readonly icon?: { readonly id: string; readonly color?: string };
  /** Whether it can be expanded, and its initial state. */
  readonly fold?: 'closed' | 'open';
  readonly command?: {
    readonly id: string;
    readonly title: string;
    readonly args?: readonly unknown[];
  };
  /** The text that copying the row gives. */
  readonly value?: string;
  /** Id of the thing of the service that it belongs to. */
  readonly subject?: string;
  readonly children?: readonly RowData[];
}

/** A row that VS Code shows. VS Code identifies it by the object, so the object is kept. */
export interface TreeRow {
  readonly id: string;
  data: RowData;
  parent: TreeRow | undefined;
  children: readonly TreeRow[];
}

/** The rows to refresh with everything below them; `all` when the top-level rows have changed. */
export type RowChange = 'all' | readonly TreeRow[];

/** Keeps the rows of a view between two states of its data. */
export class RowTree {
  #known = new Map<string, TreeRow>();
  #roots: readonly TreeRow[] = [];

  get roots(): readonly TreeRow[] {
    return this.#roots;
  }

  byId(id: string): TreeRow | undefined {
    return this.#known.get(id);
  }

  /** A row with an id that occurred before is left out: VS Code refuses duplicate ids. */
  update(data: readonly RowData[]): RowChange {
    const known = new Map<string, TreeRow>();
    const changed: TreeRow[] = [];
    const place = (
      rows: readonly RowData[],
      parent: TreeRow | undefined,
      isQuiet: boolean,
    ): TreeRow[] =>
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
          // Children are refreshed with their parent.
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
