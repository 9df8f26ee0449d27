import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import { endpointName } from '../contracts/endpointName';
import type { ReadyEndpoints } from '../contracts/readyEndpoints';
import type { OpenLedger } from '../platform/client/client';
import { ContextKey } from '../platform/commands/contextKey';
import type { CommandId, SettingId } from '../platform/commands/contribute';
import type { DisposableStore } from '../platform/disposables';
import type { JsonDocuments } from '../platform/documents/textDocuments';
import type { Host } from '../platform/host';
import { problemRows, unavailableReason } from '../platform/polling/viewProblem';
import { onServiceChange } from '../platform/serviceChange';
import { settings } from '../platform/settings';
import type { TreeRow } from '../platform/tree/rows';
import { type RowParts, RowView } from '../platform/tree/rowView';
import { untrusted } from '../platform/trust';
import {
  copyToClipboard,
  EndpointActions,
  type EndpointsClient,
  type PickEndpoint,
} from './actions';
import { dropGone, type EndpointsSnapshot, expectEnd } from './core/endpointsSnapshot';
import { appearanceOf, isServing } from './core/lifecycle';
import { contextKeys, endpointsView } from './ids';
import { EndpointNotifier } from './notifier';
import { EndpointPages } from './page/endpointPage';
import { pickEndpoint } from './pickEndpoint';
import { StartingItem } from './startingItem';
import { canPoll, EndpointsSync } from './sync';
import { attentionCount, endpointGroupOf, endpointRows } from './tree/endpointRows';
import { eventsPageSize } from './tree/eventRows';
import { endpointsViewMessage } from './tree/viewMessage';
import { WatchList } from './watchList';

const { t } = vscode.l10n;

/** Services that the view shares with other features. */
interface SharedParts {
  readonly documents: JsonDocuments;
  readonly ready: ReadyEndpoints;
  readonly ledger: OpenLedger;
}

export function createEndpointsController(
  host: Host,
  client: EndpointsClient,
  parts: RowParts,
  shared: SharedParts,
  store: DisposableStore,
): EndpointsController {
  return store.add(new EndpointsController(host, client, parts, shared));
}

/** The view of dedicated endpoints, and what each of its commands does. */
export class EndpointsController implements vscode.Disposable {
  readonly #host: Host;
  readonly #view: vscode.TreeView<TreeRow>;
  readonly #ready: ReadyEndpoints;
  readonly #rows: RowView;
  readonly actions: EndpointActions;
  readonly #pages: EndpointPages;
  readonly #sync: EndpointsSync;
  readonly #watchList: WatchList;
  readonly #notifier: EndpointNotifier;
  readonly #shownEvents = new Map<string, number>();
  /** Expanded rows; their status is read again when their state changes. */
  readonly #open = new Set<string>();
  readonly #hasEndpoints = new ContextKey<boolean>(contextKeys.hasEndpoints);
  readonly #isOff = new ContextKey<string>(contextKeys.endpointsOff);
  readonly #disposables: vscode.Disposable[] = [];
  readonly #starting = new StartingItem();
  #minute: NodeJS.Timeout | undefined;
  readonly #started: Promise<void>;

  constructor(
    host: Host,
    client: EndpointsClient,
    parts: RowParts,
    { documents, ready, ledger }: SharedParts,
  ) {
    this.#host = host;
    this.#view = parts.view;
    this.#ready = ready;
    this.#rows = new RowView(parts);
    this.actions = new EndpointActions(client, documents, async (...args) => this.#pick(...args));
    this.#pages = new EndpointPages({
      host,
      client,
      ledger,
      actions: this.actions,
      find: id => this.#endpoints.find(endpoint => endpoint.id === id),
    });
    this.#watchList = new WatchList(host.context.globalState);
    this.#notifier = new EndpointNotifier(host, {
      useInChat: endpoint => this.actions.useInChat(endpoint),
      copyUrl: endpoint => this.actions.copyUrl(endpoint),
      openDashboard: () => this.openDashboard(),
      reveal: id => this.#reveal(id),
    });
    this.#sync = new EndpointsSync({
      host,
      client,
      watchList: this.#watchList,
      onChange: () => this.#draw(),
      onNotices: notices => this.#notifier.announce(notices),
    });
    const look = (): void => this.#look();
    this.#disposables.push(
      this.#sync,
      this.#pages,
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
    this.#started = this.#sync.start().then(look);
  }

  // --- the tree

  async children(row: TreeRow | undefined): Promise<readonly TreeRow[]> {
    if (!row) {
      await this.#started;
      this.#look();
      return this.#rows.roots;
    }
    if (isEndpoint(row) && row.children.length === 0) {
      this.#open.add(row.id);
      await this.#sync.loadDetails(row.id);
    }
    return this.#rows.byId(row.id)?.children ?? [];
  }

  #look(): void {
    this.#sync.setVisible(this.#view.visible && vscode.window.state.focused);
    clearInterval(this.#minute);
    this.#minute = undefined;
    if (!this.#view.visible) return;
    // Times are shown in minutes, so rows are redrawn once a minute.
    this.#minute = setInterval(() => this.#draw(), 60_000);
    this.#draw();
  }

  #draw(): void {
    const snapshot = canPoll() ? this.#sync.state.data : undefined;
    if (snapshot) {
      this.#ready.seen(
        snapshot.endpoints.flatMap(({ id, state }) => (isServing(state) ? [id] : [])),
      );
    }
    const now = Date.now();
    const { dismissed, watched } = this.#watchList;
    const problem = canPoll()
      ? problemRows(this.#sync.state, 'splice.endpoints.refresh' satisfies CommandId, t)
      : [];
    this.#rows.show(
      [
        ...problem,
        ...(snapshot
          ? endpointRows({
              snapshot,
              nowMs: now,
              details: this.#sync.details,
              dismissed,
              watched,
              shownEvents: this.#shownEvents,
              t,
              locale: vscode.env.language,
              commands: {
                moreEvents: 'splice.endpoints.moreEvents' satisfies CommandId,
                retry: 'splice.endpoints.readAgain' satisfies CommandId,
              },
            })
          : []),
      ],
      endpointsViewMessage(this.#sync.state, now),
    );
    const attention = snapshot ? attentionCount(snapshot, dismissed) : 0;
    this.#view.badge =
      attention > 0
        ? {
            value: attention,
            tooltip:
              attention === 1
                ? t('1 endpoint needs attention')
                : t('{0} endpoints need attention', attention),
          }
        : undefined;
    this.#hasEndpoints.set((snapshot?.endpoints.length ?? 0) > 0);
    this.#isOff.set(unavailableReason(this.#sync.state, vscode.workspace.isTrusted));
    this.#starting.show(snapshot, watched);
    this.#follow(snapshot);
    this.#pages.refresh();
  }

  /** Reads the status of an expanded row again once its state has changed. */
  #follow(snapshot: EndpointsSnapshot | undefined): void {
    for (const { id, state } of snapshot?.endpoints ?? []) {
      const known = this.#sync.details.get(id);
      if (!known || !('status' in known) || known.status.state === state) continue;
      this.#sync.forgetDetails(id);
      if (this.#open.has(id) && this.#view.visible) {
        this.#host.quietly(() => this.#sync.loadDetails(id))();
      }
    }
  }

  async #reset(): Promise<void> {
    this.#sync.forgetAllDetails();
    this.#shownEvents.clear();
    this.#look();
    await this.#sync.reset();
  }

  async #reveal(id: string): Promise<void> {
    await vscode.commands.executeCommand(`${endpointsView}.focus`);
    const row = this.#rows.byId(id);
    if (row) await this.#view.reveal(row, { select: true, focus: true, expand: true });
  }

  // --- what the commands do

  async refresh(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw untrusted(t('In an untrusted workspace, Splice sends no requests.'));
    }
    // Run from the Command Palette, the result must be visible as well.
    if (!this.#view.visible) {
      await vscode.commands.executeCommand(`${endpointsView}.focus`, { preserveFocus: true });
    }
    for (const id of this.#open) this.#sync.forgetDetails(id);
    const reading = this.#sync.refresh();
    void vscode.window.withProgress({ location: { viewId: endpointsView } }, async () =>
      reading.catch(() => undefined),
    );
    await reading;
    if (this.#view.visible) {
      for (const id of this.#open) {
        if (!this.#sync.details.has(id)) this.#host.quietly(() => this.#sync.loadDetails(id))();
      }
    }
  }

  async copyValue(argument: unknown): Promise<void> {
    const row = this.#rows.picked(argument);
    const value = row?.data.value ?? row?.data.description;
    if (value === undefined) throw new UserError(t('Select something in the view first.'));
    // The state may have changed since the row was drawn, so the address is read again.
    if (row?.data.context === ';url;') return this.actions.copyUrl({ id: row.data.subject });
    await copyToClipboard(value, t('Copied.'));
  }

  async watch(argument: unknown, isWanted: boolean): Promise<void> {
    const { watched } = this.#watchList;
    const id = await this.#pick(
      argument,
      isWanted ? t('Notify me when it is ready') : t('Stop watching'),
      item =>
        isWanted
          ? ['starting', 'attention'].includes(appearanceOf(item.state, t).group) &&
            item.state !== 'failed' &&
            !watched.has(item.id)
          : watched.has(item.id),
    );
    if (id === undefined) return;
    const stored = this.#watchList.setWatched(id, isWanted);
    // The row, the status bar and this message say so before it is stored.
    this.#draw();
    const name = this.#nameOf(id);
    const isSilent = settings.endpointNotifications === 'off';
    vscode.window.setStatusBarMessage(
      !isWanted
        ? t('No longer watching {0}.', name)
        : isSilent
          ? t('Watching {0}. Notifications about endpoints are turned off.', name)
          : t('Watching {0}. You will be notified when it is ready.', name),
      6000,
    );
    await stored;
  }

  /** Opens the page of an endpoint. */
  async showPage(argument: unknown): Promise<void> {
    const id = await this.#pick(argument, t('Show'));
    const endpoint = this.#endpoints.find(item => item.id === id);
    if (endpoint) await this.#pages.show(endpoint);
  }

  #nameOf(id: string): string {
    const endpoint = this.#endpoints.find(item => item.id === id);
    return endpoint ? endpointName(endpoint) : id;
  }

  async dismiss(argument: unknown): Promise<void> {
    const gone = this.#rows.picked(argument)?.data;
    if (gone?.context.includes(';gone;') && gone.value !== undefined) {
      const { value } = gone;
      return this.#sync.change(snapshot => dropGone(snapshot, value));
    }
    const { dismissed } = this.#watchList;
    const id = await this.#pick(
      argument,
      t('Dismiss'),
      item => item.state === 'failed' && !dismissed.has(item.id),
    );
    if (id === undefined) return;
    await this.#watchList.dismiss(id, new Set(this.#endpoints.map(item => item.id)));
    this.#draw();
  }

  moreEvents(argument: unknown): void {
    const id = this.#rows.picked(argument)?.data.subject;
    if (id === undefined) return;
    this.#shownEvents.set(id, (this.#shownEvents.get(id) ?? eventsPageSize) + eventsPageSize);
    this.#draw();
  }

  async readAgain(argument: unknown): Promise<void> {
    const id = this.#rows.picked(argument)?.data.subject;
    if (id === undefined) return;
    this.#sync.forgetDetails(id);
    await this.#sync.loadDetails(id);
  }

  /**
   * The API has no calls for ordering or canceling: both are done in the dashboard.
   * @returns false if no dashboard address is set.
   */
  async openDashboard(): Promise<boolean> {
    const url = settings.dashboardUrl;
    if (!url) {
      const change = t('Open Settings');
      const picked = await vscode.window.showWarningMessage(
        t('Set the address of the dashboard first. Endpoints are bought and canceled there.'),
        change,
      );
      if (picked === change) {
        await vscode.commands.executeCommand(
          'workbench.action.openSettings',
          'splice.endpoints.dashboardUrl' satisfies SettingId,
        );
      }
      return false;
    }
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
      throw new UserError(t('The address of the dashboard must begin with https://.'));
    }
    await vscode.env.openExternal(vscode.Uri.parse(new URL(url).href, true));
    this.#sync.pollFaster();
    return true;
  }

  async cancel(argument: unknown): Promise<void> {
    const id = await this.#pick(
      argument,
      t('Cancel in the dashboard'),
      item => endpointGroupOf(item, new Set(), t) !== 'ended',
    );
    if (id === undefined) return;
    if (!(await this.openDashboard())) return;
    await this.#sync.change(snapshot => expectEnd(snapshot, id, Date.now()));
  }

  dispose(): void {
    clearInterval(this.#minute);
    this.#starting.dispose();
    for (const item of this.#disposables) item.dispose();
  }

  get #endpoints(): EndpointsSnapshot['endpoints'] {
    return this.#sync.state.data?.endpoints ?? [];
  }

  async #pick(...[argument, title, fits]: Parameters<PickEndpoint>): Promise<string | undefined> {
    return pickEndpoint(argument, title, fits, {
      subjectOf: row => this.#rows.picked(row)?.data.subject,
      endpoints: async isReadAtLeast => {
        if (isReadAtLeast && this.#sync.state.data === undefined) await this.refresh();
        return this.#endpoints;
      },
    });
  }
}

const isEndpoint = (row: TreeRow): boolean => row.data.context.startsWith(';endpoint;');
