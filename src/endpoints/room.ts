import path from 'node:path';
import * as vscode from 'vscode';
import { ContextKey } from '../host/contextKey';
import type { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import type { JsonDocuments } from '../host/jsonDocuments';
import { Poller, type ReadRequest } from '../host/poller';
import type { ReadyEndpoints } from '../host/readyEndpoints';
import type { Row } from '../host/rows';

import { type RowParts, RowView } from '../host/rowView';
import { onServiceChange } from '../host/serviceChange';
import { settings } from '../host/settings';
import { untrusted } from '../host/trust';
import { SharedFile } from '../host/sharedFile';
import { offReason, problemRows } from '../host/viewProblem';
import { clockText, labelText, whenText } from '../host/words';
import { ids } from '../manifest';
import { explain } from '../service/advice';
import { systemClock } from '../service/time';
import {
  type Details,
  attentionCount,
  endpointRows,
  eventsPage,
  groupOf,
  nameOf,
} from './endpointRows';
import { type Fleet, dropGone, expectEnd, isMoving, mergeStatus, parseRecord } from './fleet';
import { hasWorkKey } from '../host/storageKeys';
import { lookOf, serves } from './lifecycle';
import { type Notice, type NoticeGroup, groupNotices, noticesOf } from './notifications';
import { OnceFiles } from './once';
import { readFleet } from './reading';
import { everyMs, hurry } from './schedule';
import { StartingItem } from './startingItem';
import { EndpointUses, type EndpointsClient, copy } from './uses';
import { messageOf } from './viewMessage';

const { t } = vscode.l10n;

const watchedKey = 'splice.endpoints.watched';
const dismissedKey = 'splice.endpoints.dismissed';
/** Statuses that are kept for rows that were opened, at most. */
const mostDetails = 500;

/** What other rooms use too. */
interface SharedParts {
  readonly documents: JsonDocuments;
  readonly ready: ReadyEndpoints;
}

export function openRoom(
  host: Host,
  client: EndpointsClient,
  parts: RowParts,
  shared: SharedParts,
  store: DisposableStore,
): EndpointsRoom {
  return store.add(new EndpointsRoom(host, client, parts, shared));
}

/** The view of dedicated endpoints, and what each of its commands does. */
export class EndpointsRoom implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: EndpointsClient;
  readonly #view: vscode.TreeView<Row>;
  readonly #ready: ReadyEndpoints;
  readonly #rows: RowView;
  readonly uses: EndpointUses;
  readonly #poller: Poller<Fleet>;
  readonly #details = new Map<string, Details>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #shownEvents = new Map<string, number>();
  /** Rows that are open: their status follows their state. */
  readonly #open = new Set<string>();
  /** One window tells of a change, whichever has read it. */
  readonly #once: OnceFiles;
  readonly #hasEndpoints = new ContextKey<boolean>(ids.contextKey.hasEndpoints);
  readonly #isOff = new ContextKey<string>(ids.contextKey.endpointsOff);
  readonly #disposables: vscode.Disposable[] = [];
  readonly #starting = new StartingItem();
  #minute: NodeJS.Timeout | undefined;
  #notices: readonly Notice[] = [];
  readonly #started: Promise<void>;

  constructor(
    host: Host,
    client: EndpointsClient,
    parts: RowParts,
    { documents, ready }: SharedParts,
  ) {
    this.#host = host;
    this.#client = client;
    this.#view = parts.view;
    this.#ready = ready;
    this.#once = new OnceFiles(path.join(host.context.globalStorageUri.fsPath, 'told'));
    this.#rows = new RowView(parts);
    this.uses = new EndpointUses(client, documents, async (...args) => this.#pick(...args));
    this.#poller = new Poller<Fleet>({
      clock: systemClock,
      random: Math.random,
      t,
      scope: () => settings.baseUrl,
      store: new SharedFile(host.context.globalStorageUri, 'endpoints', parseRecord, error =>
        host.log.error('endpoints file', error),
      ),
      everyMs: (fleet, now, isLooked) => (mayAsk() ? everyMs(fleet, now, isLooked) : undefined),
      read: request => this.#readList(request),
      onChange: () => this.#draw(),
      onRead: () => this.#announce(),
    });
    const look = (): void => this.#look();
    this.#disposables.push(
      this.#poller,
      this.#view.onDidChangeVisibility(look),
      vscode.window.onDidChangeWindowState(look),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        look();
        this.#draw();
      }),
      onServiceChange(
        host,
        host.quietly(() => this.#reset()),
      ),
      this.#view.onDidExpandElement(({ element }) => {
        if (isEndpoint(element)) this.#open.add(element.id);
      }),
      this.#view.onDidCollapseElement(({ element }) => this.#open.delete(element.id)),
    );
    this.#started = this.#poller.start().then(look);
  }

  // --- the tree

  async children(row: Row | undefined): Promise<readonly Row[]> {
    if (!row) {
      await this.#started;
      this.#look();
      return this.#rows.roots;
    }
    if (isEndpoint(row) && row.children.length === 0) {
      this.#open.add(row.id);
      await this.#load(row.id);
    }
    return this.#rows.byId(row.id)?.children ?? [];
  }

  #look(): void {
    const isLooked = this.#view.visible && vscode.window.state.focused;
    this.#poller.setLooked(isLooked && mayAsk());
    clearInterval(this.#minute);
    this.#minute = undefined;
    if (!this.#view.visible) return;
    // Times stand in minutes, so that rows change no more often.
    this.#minute = setInterval(() => this.#draw(), 60_000);
    this.#draw();
  }

  #draw(): void {
    const fleet = mayAsk() ? this.#poller.state.data : undefined;
    if (fleet)
      this.#ready.seen(fleet.endpoints.flatMap(({ id, state }) => (serves(state) ? [id] : [])));
    const now = Date.now();
    const dismissed = this.#stored(dismissedKey);
    const watched = this.#stored(watchedKey);
    const problem = mayAsk()
      ? problemRows(this.#poller.state, ids.command.refreshEndpoints, t)
      : [];
    this.#rows.show([
      ...problem,
      ...(fleet
        ? endpointRows({
            fleet,
            nowMs: now,
            details: this.#details,
            dismissed,
            watched,
            shownEvents: this.#shownEvents,
            t,
            locale: vscode.env.language,
            commands: {
              moreEvents: ids.command.moreEvents,
              retry: ids.command.readEndpointAgain,
            },
          })
        : []),
    ]);
    const attention = fleet ? attentionCount(fleet, dismissed) : 0;
    this.#view.badge =
      attention > 0
        ? {
            value: attention,
            tooltip:
              attention === 1 ? t('1 endpoint needs you') : t('{0} endpoints need you', attention),
          }
        : undefined;
    this.#view.message = messageOf(this.#poller.state, now);
    this.#hasEndpoints.set((fleet?.endpoints.length ?? 0) > 0);
    this.#isOff.set(offReason(this.#poller.state, vscode.workspace.isTrusted));
    this.#starting.show(fleet, watched);
    this.#follow(fleet);
  }

  /** An open row reads its status again once its state has changed. */
  #follow(fleet: Fleet | undefined): void {
    for (const { id, state } of fleet?.endpoints ?? []) {
      const known = this.#details.get(id);
      if (!known || !('status' in known) || known.status.state === state) continue;
      this.#details.delete(id);
      if (this.#open.has(id) && this.#view.visible) this.#host.quietly(() => this.#load(id))();
    }
  }

  // --- reading

  async #readList({ before, beforeAt, signal, isAsked }: ReadRequest<Fleet>): Promise<Fleet> {
    const options = { signal, background: !isAsked };
    const nowMs = Date.now();
    const reading = await readFleet(
      { before, nowMs, isAsked, signal },
      {
        list: () => this.#client.listEndpoints(options),
        status: id => this.#client.endpointStatus(id, options),
        onFailure: error => this.#host.log.error('endpoint status', error),
      },
    );
    const { notices, fleet: told } = noticesOf({
      ...reading,
      beforeAt,
      nowMs,
      level: settings.endpointNotifications,
      watched: this.#stored(watchedKey),
      t,
    });
    for (const [id, status] of reading.statuses)
      if (this.#details.has(id)) this.#keep(id, { status, at: nowMs });
    this.#notices = notices;
    await this.#forgetWatched(told);
    const hasWork = told.endpoints.some(isMoving);
    if (this.#host.context.globalState.get(hasWorkKey) !== hasWork)
      await this.#host.context.globalState.update(hasWorkKey, hasWork);
    return told;
  }

  /** What has arrived, or never will, is no longer waited for. */
  async #forgetWatched({ endpoints }: Fleet): Promise<void> {
    const watched = this.#stored(watchedKey);
    const over = endpoints.filter(
      ({ id, state }) =>
        watched.has(id) && !['starting', 'attention'].includes(lookOf(state, t).group),
    );
    for (const { id } of over) watched.delete(id);
    if (over.length > 0) await this.#store(watchedKey, watched);
  }

  async #load(id: string): Promise<void> {
    const running = this.#loading.get(id);
    if (running) return running;
    const load = async (): Promise<void> => {
      try {
        const controller = new AbortController();
        const status = await this.#client.endpointStatus(id, { signal: controller.signal });
        this.#keep(id, { status, at: Date.now() });
        await this.#poller.change(fleet => mergeStatus(fleet, status, Date.now()));
      } catch (error) {
        this.#host.log.error('endpoint status', error);
        this.#keep(id, { failure: explain(error, t).message });
      }
      this.#loading.delete(id);
      this.#draw();
    };
    const loading = load();
    this.#loading.set(id, loading);
    return loading;
  }

  #keep(id: string, details: Details): void {
    this.#details.delete(id);
    this.#details.set(id, details);
    const [oldest] = this.#details.keys();
    if (this.#details.size > mostDetails && oldest !== undefined) this.#details.delete(oldest);
  }

  async #reset(): Promise<void> {
    this.#details.clear();
    this.#shownEvents.clear();
    this.#look();
    await this.#poller.reset();
  }

  // --- telling

  #announce(): void {
    const notices = this.#notices;
    this.#notices = [];
    this.#host.quietly(async () => {
      const mine: Notice[] = [];
      for (const notice of notices)
        if (await this.#once.claim(`${settings.baseUrl} ${notice.endpoint.id} ${notice.kind}`))
          mine.push(notice);
      for (const group of groupNotices(mine, nameOf, dateText, t))
        this.#host.quietly(() => this.#notify(group))();
    })();
  }

  async #notify({ kind, text, ids: [id] }: NoticeGroup): Promise<void> {
    const isGood = kind === 'ready';
    const action = isGood ? t('Copy URL') : kind === 'suspended' ? t('Open Billing') : t('Show');
    const never = t("Don't Show Again");
    const show = isGood ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const picked = await show(text, action, never);
    if (picked === never) await settings.setEndpointNotifications('off');
    if (picked !== action || id === undefined) return;
    try {
      if (isGood) await this.uses.copyUrl({ id });
      else if (kind === 'suspended') await this.openDashboard();
      else await this.#reveal(id);
    } catch (error) {
      await this.#host.report('notification', error);
    }
  }

  async #reveal(id: string): Promise<void> {
    await vscode.commands.executeCommand(`${ids.endpointsView}.focus`);
    const row = this.#rows.byId(id);
    if (row) await this.#view.reveal(row, { select: true, focus: true, expand: true });
  }

  // --- what the commands do

  async refresh(): Promise<void> {
    if (!vscode.workspace.isTrusted)
      throw untrusted(t('In a workspace that is not trusted, Splice asks the service nothing.'));
    // From the palette too the answer is in the view.
    if (!this.#view.visible)
      await vscode.commands.executeCommand(`${ids.endpointsView}.focus`, { preserveFocus: true });
    for (const id of this.#open) this.#details.delete(id);
    const reading = this.#poller.refresh();
    void vscode.window.withProgress({ location: { viewId: ids.endpointsView } }, async () =>
      reading.catch(() => undefined),
    );
    await reading;
    if (this.#view.visible)
      for (const id of this.#open)
        if (!this.#details.has(id)) this.#host.quietly(() => this.#load(id))();
  }

  async copyValue(argument: unknown): Promise<void> {
    const row = this.#rows.picked(argument);
    const value = row?.data.value ?? row?.data.description;
    if (value === undefined) throw new UserError(t('Select something in the view first.'));
    // The state may have changed since the row was drawn, and then the address is of no use.
    if (row?.data.context === ';url;') return this.uses.copyUrl({ id: row.data.subject });
    await copy(value, t('Copied.'));
  }

  async watch(argument: unknown, isWanted: boolean): Promise<void> {
    const watched = this.#stored(watchedKey);
    const id = await this.#pick(
      argument,
      isWanted ? t('Tell me when it is ready') : t('Stop watching'),
      item =>
        isWanted
          ? ['starting', 'attention'].includes(lookOf(item.state, t).group) &&
            item.state !== 'failed' &&
            !watched.has(item.id)
          : watched.has(item.id),
    );
    if (id === undefined) return;
    if (isWanted) watched.add(id);
    else watched.delete(id);
    await this.#store(watchedKey, watched);
    this.#draw();
  }

  async dismiss(argument: unknown): Promise<void> {
    const gone = this.#rows.picked(argument)?.data;
    if (gone?.context.includes(';gone;') && gone.value !== undefined) {
      const { value } = gone;
      return this.#poller.change(fleet => dropGone(fleet, value));
    }
    const dismissed = this.#stored(dismissedKey);
    const id = await this.#pick(
      argument,
      t('Dismiss'),
      item => item.state === 'failed' && !dismissed.has(item.id),
    );
    if (id === undefined) return;
    const listed = new Set(this.#endpoints.map(item => item.id));
    await this.#store(
      dismissedKey,
      [...dismissed, id].filter(item => listed.has(item)),
    );
    this.#draw();
  }

  moreEvents(argument: unknown): void {
    const id = this.#rows.picked(argument)?.data.subject;
    if (id === undefined) return;
    this.#shownEvents.set(id, (this.#shownEvents.get(id) ?? eventsPage) + eventsPage);
    this.#draw();
  }

  async readAgain(argument: unknown): Promise<void> {
    const id = this.#rows.picked(argument)?.data.subject;
    if (id === undefined) return;
    this.#details.delete(id);
    await this.#load(id);
  }

  /**
   * Buying and ending have no call in the service document: both happen in the dashboard.
   * @returns false when no address of it is set.
   */
  async openDashboard(): Promise<boolean> {
    const url = settings.dashboardUrl;
    if (!url) {
      const change = t('Open Settings');
      const picked = await vscode.window.showWarningMessage(
        t('Set the address of the dashboard first. Endpoints are bought and canceled there.'),
        change,
      );
      if (picked === change)
        await vscode.commands.executeCommand(
          'workbench.action.openSettings',
          ids.setting.dashboardUrl,
        );
      return false;
    }
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
      throw new UserError(t('The address of the dashboard must begin with https://.'));
    await vscode.env.openExternal(vscode.Uri.parse(new URL(url).href, true));
    if (mayAsk()) this.#poller.hurry(hurry.everyMs, hurry.forMs);
    return true;
  }

  async cancel(argument: unknown): Promise<void> {
    const id = await this.#pick(
      argument,
      t('Cancel in the dashboard'),
      item => groupOf(item, new Set(), t) !== 'ended',
    );
    if (id === undefined) return;
    if (!(await this.openDashboard())) return;
    await this.#poller.change(fleet => expectEnd(fleet, id, Date.now()));
  }

  dispose(): void {
    clearInterval(this.#minute);
    this.#starting.dispose();
    for (const item of this.#disposables) item.dispose();
  }

  // --- helpers

  get #endpoints(): Fleet['endpoints'] {
    return this.#poller.state.data?.endpoints ?? [];
  }

  /** The endpoint that a row names, else one that the user picks among those that fit. */
  async #pick(
    argument: unknown,
    title: string,
    fits: (endpoint: Fleet['endpoints'][number]) => boolean = () => true,
  ): Promise<string | undefined> {
    const named =
      typeof argument === 'object' && argument !== null && 'id' in argument
        ? argument.id
        : undefined;
    const subject =
      named === undefined ? undefined : (this.#rows.picked(argument)?.data.subject ?? named);
    const all = this.#endpoints;
    if (subject !== undefined) {
      const endpoint = all.find(({ id }) => id === subject);
      if (!endpoint)
        throw new UserError(t('This endpoint is not in the list any more.'), refreshStep());
      if (!fits(endpoint))
        throw new UserError(
          t('Not possible in this state: {0}.', lookOf(endpoint.state, t).words),
          refreshStep(),
        );
      return endpoint.id;
    }
    if (this.#poller.state.data === undefined) await this.refresh();
    const fitting = this.#endpoints.filter(fits);
    if (fitting.length === 0) throw noneFits(title, this.#endpoints.length);
    const picked = await vscode.window.showQuickPick(
      fitting.map(endpoint => ({
        label: nameOf(endpoint),
        description: lookOf(endpoint.state, t).words,
        detail: labelText(endpoint.id),
        id: endpoint.id,
      })),
      { title },
    );
    return picked?.id;
  }

  #stored(key: string): Set<string> {
    const value: unknown = this.#host.context.globalState.get(key);
    return new Set(Array.isArray(value) ? value.filter(item => typeof item === 'string') : []);
  }

  async #store(key: string, values: Iterable<string>): Promise<void> {
    await this.#host.context.globalState.update(key, [...values]);
  }
}

const refreshStep = () => ({
  title: t('Refresh Endpoints'),
  command: ids.command.refreshEndpoints,
});

/** @param title what was to be done, as above the list to choose from */
function noneFits(title: string, count: number): UserError {
  return count === 0
    ? new UserError(
        t('The account has no dedicated endpoint yet. They are bought in the dashboard.'),
        { title: t('Open Dashboard'), command: ids.command.openDashboard },
      )
    : new UserError(
        t('{0}: none of the {1} endpoints is in a state for that.', title, count),
        refreshStep(),
      );
}

const isEndpoint = (row: Row): boolean => row.data.context.startsWith(';endpoint;');

/** An untrusted workspace never makes Splice call the service by itself. */
const mayAsk = (): boolean => vscode.workspace.isTrusted;

function dateText(ms: number): string {
  const locale = vscode.env.language;
  const day = whenText(ms, Date.now(), locale);
  const clock = clockText(ms, locale);
  return day === clock ? clock : `${day}, ${clock}`;
}
