import * as vscode from 'vscode';
import type { ChosenReflexes } from '../host/chosenReflexes';
import { ContextKey } from '../host/contextKey';
import { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import type { JsonDocuments } from '../host/jsonDocuments';
import { Poller } from '../host/poller';
import type { Runs } from '../host/runs';
import type { Row, RowData } from '../host/rows';

import { type RowParts, RowView } from '../host/rowView';
import { onServiceChange } from '../host/serviceChange';
import { settings } from '../host/settings';
import { offReason, problemRows, problemSentences } from '../host/viewProblem';
import { untrusted } from '../host/trust';
import { waitText } from '../host/waitText';
import { ids } from '../manifest';
import type { GatedClient } from '../host/egress/gatedClient';
import { systemClock } from '../service/time';
import type { Batch } from '../service/wire/batches';
import type { FineTuningJob } from '../service/wire/fineTuning';
import {
  type JobPages,
  type Listed,
  type Paging,
  jobsEveryMs,
  nextPage,
  refreshPages,
} from './jobList';
import { type JobRowsInput, batchRows, statusKey, tuningRows } from './jobRows';
import { statusWords } from './status';

const { t } = vscode.l10n;

export type JobsClient = Pick<GatedClient, 'listBatches' | 'listFineTuningJobs'>;

/** What the views share with other features. */
export interface JobsShared {
  readonly documents: JsonDocuments;
  readonly chosen: ChosenReflexes;
  readonly runs: Runs;
}

export function openRoom(
  host: Host,
  client: JobsClient,
  views: { readonly batches: RowParts; readonly tuning: RowParts },
  shared: JobsShared,
  store: DisposableStore,
): JobsRoom {
  return store.add(new JobsRoom(host, client, views, shared));
}

/** The views of batches and of fine-tuning jobs. */
export class JobsRoom implements vscode.Disposable {
  readonly batches: JobView<Batch>;
  readonly tuning: JobView<FineTuningJob>;
  readonly #shared: JobsShared;
  readonly #store = new DisposableStore();

  constructor(
    host: Host,
    client: JobsClient,
    views: { readonly batches: RowParts; readonly tuning: RowParts },
    shared: JobsShared,
  ) {
    const { contextKey, command } = ids;
    const { runs, chosen } = shared;
    this.#shared = shared;
    this.batches = this.#store.add(
      new JobView<Batch>(host, views.batches, {
        viewId: ids.batchesView,
        refreshCommand: command.refreshBatches,
        offKey: contextKey.batchesOff,
        filteredKey: contextKey.isBatchesFiltered,
        paging: options => ({
          // Others may have come in front meanwhile, so the last one that is known comes again.
          read: known => client.listBatches({ after: Math.max(0, known.length - 1) }, options),
          overlaps: true,
        }),
        rows: input =>
          batchRows({
            ...input,
            moreCommand: command.moreBatches,
            runs: runs.all,
            runCommand: command.showBatchRuns,
          }),
      }),
    );
    this.tuning = this.#store.add(
      new JobView<FineTuningJob>(host, views.tuning, {
        viewId: ids.fineTuningView,
        refreshCommand: command.refreshTuning,
        offKey: contextKey.tuningOff,
        filteredKey: contextKey.isTuningFiltered,
        paging: options => ({
          read: known => client.listFineTuningJobs({ before: known.at(-1)?.id }, options),
          overlaps: false,
        }),
        rows: input =>
          tuningRows({ ...input, moreCommand: command.moreTuning, chosen: new Set(chosen.names) }),
      }),
    );
    this.#store.add(runs.onDidChange(() => this.batches.draw()));
    this.#store.add(chosen.onDidChange(() => this.tuning.draw()));
  }

  /** A trained classifier joins the reflexes that can be asked, or leaves them. */
  async useAsReflex(argument: unknown, isWanted: boolean): Promise<void> {
    const { chosen } = this.#shared;
    const job = this.tuning.item(argument) ?? (await this.#pickTrained(isWanted));
    if (!job) return;
    const { fineTunedModel: name, status } = job;
    if (name === undefined || status !== 'succeeded')
      throw new UserError(t('This job has trained no classifier.'));
    if (isWanted) await chosen.add(name);
    else await chosen.remove(name);
  }

  async show(argument: unknown): Promise<void> {
    const item = this.batches.item(argument) ?? this.tuning.item(argument);
    if (!item) throw new UserError(t('Select a batch or a job in the view first.'));
    await this.#shared.documents.show(item.id, item);
  }

  async copy(argument: unknown): Promise<void> {
    const value = (this.batches.row(argument) ?? this.tuning.row(argument))?.value;
    if (value === undefined) throw new UserError(t('Select a batch or a job in the view first.'));
    await vscode.env.clipboard.writeText(value);
    vscode.window.setStatusBarMessage(t('Copied.'), 4000);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #pickTrained(isWanted: boolean): Promise<FineTuningJob | undefined> {
    const { names } = this.#shared.chosen;
    const fitting = (await this.tuning.all()).filter(
      ({ status, fineTunedModel: name }) =>
        status === 'succeeded' && name !== undefined && names.includes(name) !== isWanted,
    );
    if (fitting.length === 0)
      throw isWanted
        ? new UserError(
            t('There is no trained classifier that is not used yet. Refresh shows new ones.'),
            { title: t('Refresh'), command: ids.command.refreshTuning },
          )
        : new UserError(t('No trained classifier is used as a reflex. Choose one first.'), {
            title: t('Use as Reflex'),
            command: ids.command.useAsReflex,
          });
    const picked = await vscode.window.showQuickPick(
      fitting.map(job => ({
        label: job.fineTunedModel ?? job.id,
        description: job.labels.join(', '),
        job,
      })),
      { title: isWanted ? t('Use as Reflex') : t('Stop Using as Reflex') },
    );
    return picked?.job;
  }
}

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly background: boolean;
}

interface JobViewOptions<T> {
  readonly viewId: string;
  readonly refreshCommand: string;
  /** Why nothing is shown. */
  readonly offKey: string;
  readonly filteredKey: string;
  paging(options: ReadOptions): Paging<T>;
  rows(input: Omit<JobRowsInput<T>, 'moreCommand'>): RowData[];
}

/** One list of jobs: pages, filter, and reading it again while something is on its way and somebody looks. */
class JobView<T extends Listed> implements vscode.Disposable {
  readonly #options: JobViewOptions<T>;
  readonly #view: vscode.TreeView<Row>;
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
        everyMs: (pages, now, isLooked) => jobsEveryMs(pages?.items, now, isLooked),
        read: async ({ before, signal, isAsked }) => {
          const paging = options.paging({ signal, background: !isAsked });
          const fresh = await refreshPages(before, paging);
          const now = this.#poller.state.data;
          // A page may have been loaded meanwhile.
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

  children(row: Row | undefined): readonly Row[] {
    if (row) return row.children;
    this.#look();
    return this.#rows.roots;
  }

  async refresh(): Promise<void> {
    if (!vscode.workspace.isTrusted)
      throw untrusted(t('In a workspace that is not trusted, Splice asks the service nothing.'));
    // From the palette too the answer is in the view.
    if (!this.#view.visible)
      await vscode.commands.executeCommand(`${this.#options.viewId}.focus`, {
        preserveFocus: true,
      });
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

  /** @param status asked for when it is no text. */
  async filter(status?: unknown): Promise<void> {
    if (typeof status === 'string') this.#filter = new Set(status === '' ? [] : [status]);
    else {
      const counts = new Map<string, number>();
      for (const item of await this.all())
        counts.set(statusKey(item), (counts.get(statusKey(item)) ?? 0) + 1);
      if (counts.size === 0) throw new UserError(t('There is nothing to filter.'));
      const picked = await vscode.window.showQuickPick(
        [...counts].map(([key, count]) => ({
          label: statusWords(key, t),
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

  /** Those that were read; the first page is read when none was. */
  async all(): Promise<readonly T[]> {
    if (!this.#poller.state.data) await this.refresh();
    return this.#poller.state.data?.items ?? [];
  }

  row(argument: unknown): RowData | undefined {
    return this.#rows.picked(argument)?.data;
  }

  /** The item that a row, or a row below it, stands for. */
  item(argument: unknown): T | undefined {
    const subject = this.row(argument)?.subject;
    return this.#poller.state.data?.items.find(({ id }) => id === subject);
  }

  draw(): void {
    const { state } = this.#poller;
    const { data, problem, isReading, wait } = state;
    const pages = vscode.workspace.isTrusted ? data : undefined;
    const { isTrusted } = vscode.workspace;
    this.#rows.show([
      ...(isTrusted ? problemRows(state, this.#options.refreshCommand, t) : []),
      ...this.#options.rows({
        pages: pages ?? { items: [], unreadable: 0, hasMore: false },
        filter: this.#filter,
        nowMs: Date.now(),
        t,
        locale: vscode.env.language,
      }),
    ]);
    this.#isFiltered.set(this.#filter.size > 0);
    const parts = [
      ...(this.#filter.size > 0
        ? [t('Only: {0}.', [...this.#filter].map(key => statusWords(key, t)).join(', '))]
        : []),
      ...(wait ? [waitText(wait, t)] : []),
      ...(!data && !problem && isReading && !wait ? [t('Reading…')] : []),
      ...problemSentences(state, Date.now(), t, vscode.env.language),
      ...(pages && pages.unreadable > 0 ? [t('{0} could not be read.', pages.unreadable)] : []),
    ];
    this.#view.message = parts.join(' ');
    this.#off.set(offReason(state, isTrusted));
  }

  dispose(): void {
    this.#controller.abort();
    this.#store.dispose();
  }

  #look(): void {
    const isLooked =
      this.#view.visible && vscode.window.state.focused && vscode.workspace.isTrusted;
    this.#poller.setLooked(isLooked);
  }

  async #readMore(): Promise<void> {
    const { data, problem } = this.#poller.state;
    if (!data) return this.refresh();
    // What stands above the page is read again first: it is not up to date.
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
    // A refresh may have brought something new meanwhile.
    await this.#poller.change(now => (now === before ? next : joined(now, next)));
  }
}

/** What a refresh has read, with the page that was loaded below it. */
function joined<T extends Listed>(now: JobPages<T>, next: JobPages<T>): JobPages<T> {
  const known = new Set(now.items.map(({ id }) => id));
  return { ...next, items: [...now.items, ...next.items.filter(({ id }) => !known.has(id))] };
}
