import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { Host } from '../platform/host';
import { Poller, type ReadRequest } from '../platform/polling/poller';
import type { PollState } from '../platform/polling/pollRecord';
import { SharedFile } from '../platform/polling/sharedFile';
import { settings } from '../platform/settings';
import { hasWorkKey } from '../platform/storageKeys';
import { adviceFor } from '../service';
import { type EndpointsSnapshot, mergeStatus } from './core/endpointsSnapshot';
import type { Notice } from './core/notices';
import { parseSnapshotRecord } from './core/parseSnapshot';
import { dashboardPolling, endpointsPollIntervalMs } from './core/pollInterval';
import { readAndNotice } from './core/readEndpoints';
import type { EndpointDetails } from './tree/rowsInput';
import type { WatchList } from './watchList';

const { t } = vscode.l10n;

/** Statuses that are kept for rows that were expanded, at most. */
const maxDetails = 500;

export interface EndpointsSyncOptions {
  readonly host: Host;
  readonly client: Pick<GatedClient, 'listEndpoints' | 'endpointStatus'>;
  readonly watchList: WatchList;
  /** The list, a status or the state of the poller has changed. */
  readonly onChange: () => void;
  /** Called in the window that has read the list, once the changes are stored for all windows. */
  readonly onNotices: (notices: readonly Notice[]) => void;
}

/** Keeps the list of endpoints up to date by polling, and the statuses of expanded rows. */
export class EndpointsSync implements vscode.Disposable {
  readonly #options: EndpointsSyncOptions;
  readonly #poller: Poller<EndpointsSnapshot>;
  readonly #details = new LRUCache<string, EndpointDetails>({ max: maxDetails });
  readonly #loading = new Map<string, Promise<void>>();
  #notices: readonly Notice[] = [];

  constructor(options: EndpointsSyncOptions) {
    const { host, onChange, onNotices } = options;
    this.#options = options;
    this.#poller = new Poller<EndpointsSnapshot>({
      clock: systemClock,
      random: Math.random,
      t,
      scope: () => settings.baseUrl,
      store: new SharedFile(
        host.context.globalStorageUri,
        'endpoints',
        parseSnapshotRecord,
        error => host.log.error('endpoints file', error),
      ),
      pollIntervalMs: (snapshot, now, isVisible) =>
        canPoll() ? endpointsPollIntervalMs(snapshot, now, isVisible) : undefined,
      read: request => this.#readList(request),
      onChange,
      onRead: () => {
        const notices = this.#notices;
        this.#notices = [];
        onNotices(notices);
      },
    });
  }

  get state(): PollState<EndpointsSnapshot> {
    return this.#poller.state;
  }

  /** Statuses of expanded rows, by id. */
  get details(): Pick<ReadonlyMap<string, EndpointDetails>, 'get' | 'has'> {
    return this.#details;
  }

  async start(): Promise<void> {
    await this.#poller.start();
  }

  setVisible(isVisible: boolean): void {
    this.#poller.setVisible(isVisible && canPoll());
  }

  async refresh(): Promise<void> {
    await this.#poller.refresh();
  }

  /** For a while after the dashboard was opened. */
  pollFaster(): void {
    if (canPoll()) this.#poller.pollFasterFor(dashboardPolling.intervalMs, dashboardPolling.forMs);
  }

  async change(next: (snapshot: EndpointsSnapshot) => EndpointsSnapshot): Promise<void> {
    await this.#poller.change(next);
  }

  /** Another key or another service: nothing that was read still holds. */
  async reset(): Promise<void> {
    await this.#poller.reset();
  }

  forgetDetails(id: string): void {
    this.#details.delete(id);
  }

  forgetAllDetails(): void {
    this.#details.clear();
  }

  /** Reads the status of one endpoint; a second call while it is being read waits for the first. */
  async loadDetails(id: string): Promise<void> {
    const running = this.#loading.get(id);
    if (running) return running;
    const loading = this.#readDetails(id);
    this.#loading.set(id, loading);
    return loading;
  }

  dispose(): void {
    this.#poller.dispose();
  }

  async #readDetails(id: string): Promise<void> {
    const { host, client, onChange } = this.#options;
    try {
      const { signal } = new AbortController();
      const status = await client.endpointStatus(id, { signal });
      this.#details.set(id, { status, at: Date.now() });
      await this.#poller.change(snapshot => mergeStatus(snapshot, status, Date.now()));
    } catch (error) {
      host.log.error('endpoint status', error);
      this.#details.set(id, { failure: adviceFor(error, t).message });
    }
    this.#loading.delete(id);
    onChange();
  }

  async #readList({
    before,
    beforeAt,
    signal,
    isUserInitiated,
  }: ReadRequest<EndpointsSnapshot>): Promise<EndpointsSnapshot> {
    const { host, client, watchList } = this.#options;
    const options = { signal, background: !isUserInitiated };
    const nowMs = Date.now();
    const { snapshot, statuses, notices } = await readAndNotice(
      { before, beforeAt, nowMs, isUserInitiated, signal },
      {
        list: () => client.listEndpoints(options),
        status: id => client.endpointStatus(id, options),
        onFailure: error => host.log.error('endpoint status', error),
      },
      { level: settings.endpointNotifications, watched: watchList.watched, t },
    );
    for (const [id, status] of statuses) {
      if (this.#details.has(id)) this.#details.set(id, { status, at: nowMs });
    }
    this.#notices = notices;
    await watchList.unwatchSettled(snapshot);
    const hasWork = endpointsPollIntervalMs(snapshot, nowMs, false) !== undefined;
    const { globalState } = host.context;
    if (globalState.get(hasWorkKey) !== hasWork) await globalState.update(hasWorkKey, hasWork);
    return snapshot;
  }
}

/** An untrusted workspace never makes Splice call the service on its own. */
export const canPoll = (): boolean => vscode.workspace.isTrusted;
