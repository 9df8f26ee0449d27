import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { UserError } from '../base/userError';
import { ContextKey } from '../platform/commands/contextKey';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { Poller } from '../platform/polling/poller';
import { retryWaitText } from '../platform/polling/retryWaitText';
import { problemMessages, problemRows, unavailableReason } from '../platform/polling/viewProblem';
import { onServiceChange } from '../platform/serviceChange';
import { settings } from '../platform/settings';
import type { RowData, TreeRow } from '../platform/tree/rows';
import { type RowParts, RowView } from '../platform/tree/rowView';
import { untrusted } from '../platform/trust';
import {
  type JobPages,
  type JobPaging,
  jobsPollIntervalMs,
  type ListedJob,
  nextPage,
  refreshPages,
} from './jobList';
import { type JobRowsInput, statusKey } from './jobRows';
import { statusLabel } from './status';

const { t } = vscode.l10n;

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly background: boolean;
}

interface JobViewOptions<T> {
  readonly viewId: string;
  readonly refreshCommand: string;
  /** Context key with the reason why nothing is shown. */
  readonly offKey: string;
  readonly filteredKey: string;
  paging(options: ReadOptions): JobPaging<T>;
  rows(input: Omit<JobRowsInput<T>, 'moreCommand'>): RowData[];
}

/** One list of jobs with paging and a filter; polled while it is visible and has unfinished jobs. */
export class JobView<T extends ListedJob> implements vscode.Disposable {
  readonly #options: JobViewOptions<T>;
  readonly #view: vscode.TreeView<TreeRow>;
  readonly #rows: RowView;
  readonly #poller: Poller<JobPages<T>>;
  readonly #off: ContextKey<string>;
  readonly #isFiltered: ContextKey<boolean>;
  readonly #store = new DisposableStore();
  #filter: ReadonlySet<string> = new Set();
  #loading: Promise<void> | undefined;
  #controller = new AbortController();

  constructor(host: Host, parts: RowParts, options: JobViewOptions<T>) {
    this.#options = options;
    this.#view = parts.view;
    this.#rows = new RowView(parts);
    this.#off = new ContextKey(options.offKey);
    this.#isFiltered = new ContextKey(options.filteredKey);
    this.#poller = this.#store.add(
      new Poller<JobPages<T>>({
        clock: systemClock,
        random: Math.random,
        t,
        scope: () => settings.baseUrl,
        pollIntervalMs: (pages, now, isVisible) => jobsPollIntervalMs(pages?.items, now, isVisible),
        read: async ({ before, signal, isUserInitiated }) => {
          const paging = options.paging({ signal, background: !isUserInitiated });
          const fresh = await refreshPages(before, paging);
          const now = this.#poller.state.data;
          // Another page may have been loaded in the meantime.
          return now && now !== before ? joined(fresh, now) : fresh;
        },
        onChange: () => this.draw(),
      }),
    );
    const look = (): void => this.#look();
    this.#store.add(this.#view.onDidChangeVisibility(look));
    this.#store.add(vscode.window.onDidChangeWindowState(look));
    this.#store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        look();
        this.draw();
      }),
    );
    this.#store.add(
      onServiceChange(
        host,
        host.quietly(async () => {
          this.#controller.abort();
          this.#controller = new AbortController();
          this.#filter = new Set();
          this.#look();
          await this.#poller.reset();
        }),
      ),
    );
    look();
    this.draw();
  }

  children(row: TreeRow | undefined): readonly TreeRow[] {
    if (row) return row.children;
    this.#look();
    return this.#rows.roots;
  }

  async refresh(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw untrusted(t('In an untrusted workspace, Splice sends no requests.'));
    }
    // Run from the Command Palette, the result must be visible as well.
    if (!this.#view.visible) {
      await vscode.commands.executeCommand(`${this.#options.viewId}.focus`, {
        preserveFocus: true,
      });
    }
    const reading = this.#poller.refresh();
    void vscode.window.withProgress({ location: { viewId: this.#options.viewId } }, async () =>
      reading.catch(() => undefined),
    );
    await reading;
  }

  /** Loads the next page, one at a time. */
  async more(): Promise<void> {
    this.#loading ??= this.#readMore().finally(() => (this.#loading = undefined));
    await this.#loading;
  }

  /** @param status the user is asked unless it is a string. */
  async filter(status?: unknown): Promise<void> {
    if (typeof status === 'string') this.#filter = new Set(status === '' ? [] : [status]);
    else {
      const counts = new Map<string, number>();
      for (const item of await this.all()) {
        counts.set(statusKey(item), (counts.get(statusKey(item)) ?? 0) + 1);
      }
      if (counts.size === 0) throw new UserError(t('There is nothing to filter.'));
      const picked = await vscode.window.showQuickPick(
        [...counts].map(([key, count]) => ({
          label: statusLabel(key, t),
          description: `${count}`,
          picked: this.#filter.has(key),
          key,
        })),
        { title: t('Show Only'), canPickMany: true },
      );
      if (!picked) return;
      this.#filter = new Set(picked.map(({ key }) => key));
    }
    this.draw();
  }

  clearFilter(): void {
    this.#filter = new Set();
    this.draw();
  }

  /** The items read so far; reads the first page if there are none. */
  async all(): Promise<readonly T[]> {
    if (!this.#poller.state.data) await this.refresh();
    return this.#poller.state.data?.items ?? [];
  }

  row(argument: unknown): RowData | undefined {
    return this.#rows.picked(argument)?.data;
  }

  /** The item of a row or of one of its child rows. */
  item(argument: unknown): T | undefined {
    const subject = this.row(argument)?.subject;
    return this.#poller.state.data?.items.find(({ id }) => id === subject);
  }

  draw(): void {
    const { state } = this.#poller;
    const { data, problem, isReading, wait } = state;
    const pages = vscode.workspace.isTrusted ? data : undefined;
    const { isTrusted } = vscode.workspace;
    this.#isFiltered.set(this.#filter.size > 0);
    const parts = [
      ...(this.#filter.size > 0
        ? [t('Only: {0}.', [...this.#filter].map(key => statusLabel(key, t)).join(', '))]
        : []),
      ...(wait ? [retryWaitText(wait, t)] : []),
      ...(!data && !problem && isReading && !wait ? [t('Reading…')] : []),
      ...problemMessages(state, Date.now(), t, vscode.env.language),
      ...(pages && pages.unreadable > 0 ? [t('{0} could not be read.', pages.unreadable)] : []),
    ];
    this.#rows.show(
      [
        ...(isTrusted ? problemRows(state, this.#options.refreshCommand, t) : []),
        ...this.#options.rows({
          pages: pages ?? { items: [], unreadable: 0, hasMore: false },
          filter: this.#filter,
          nowMs: Date.now(),
          t,
          locale: vscode.env.language,
        }),
      ],
      parts.join(' '),
    );
    this.#off.set(unavailableReason(state, isTrusted));
  }

  dispose(): void {
    this.#controller.abort();
    this.#store.dispose();
  }

  #look(): void {
    const isVisible =
      this.#view.visible && vscode.window.state.focused && vscode.workspace.isTrusted;
    this.#poller.setVisible(isVisible);
  }

  async #readMore(): Promise<void> {
    const { data, problem } = this.#poller.state;
    if (!data) return this.refresh();
    // The pages above are out of date after a failure, so they are read again first.
    if (problem) await this.refresh();
    const before = this.#poller.state.data;
    if (!before) return;
    const { signal } = this.#controller;
    const paging = this.#options.paging({ signal, background: false });
    const task = nextPage(before, paging);
    void vscode.window.withProgress({ location: { viewId: this.#options.viewId } }, async () =>
      task.catch(() => undefined),
    );
    const next = await task;
    if (signal.aborted) return;
    // A refresh may have changed the list in the meantime.
    await this.#poller.change(now => (now === before ? next : joined(now, next)));
  }
}

/** Appends the page that was loaded below a refreshed list. */
function joined<T extends ListedJob>(now: JobPages<T>, next: JobPages<T>): JobPages<T> {
  const known = new Set(now.items.map(({ id }) => id));
  return { ...next, items: [...now.items, ...next.items.filter(({ id }) => !known.has(id))] };
}
