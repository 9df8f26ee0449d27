import * as vscode from 'vscode';
import { formatUsd } from '../../base/format/money';
import { isRecord } from '../../base/typeGuards';
import { endpointName } from '../../contracts/endpointName';
import type { OpenLedger } from '../../platform/client/client';
import type { GatedClient } from '../../platform/egress/gatedClient';
import type { Host } from '../../platform/host';
import { hourlyPricesKey } from '../../platform/storageKeys';
import { html } from '../../platform/webview/html';
import { pageFrame } from '../../platform/webview/pageFrame';
import { WebviewTab } from '../../platform/webview/webviewTab';
import { adviceFor, type EndpointStatus, type TokenPrice, tokenUsd, totalsOf } from '../../service';
import type { EndpointActions } from '../actions';
import { breakEvenOf } from '../core/breakEven';
import type { ListedEndpoint } from '../core/endpointsSnapshot';
import { appearanceOf } from '../core/lifecycle';
import type { ranges } from '../core/measurements';
import { speedProbe, speedProbeTokens } from '../probe';
import { endpointContent } from './content';

const { t } = vscode.l10n;

export interface EndpointPageOptions {
  readonly host: Host;
  readonly client: Pick<GatedClient, 'endpointStatus' | 'catalogue'>;
  readonly ledger: OpenLedger;
  readonly actions: Pick<EndpointActions, 'test' | 'useInChat'>;
  /** From the latest list; undefined when the endpoint is not in it. */
  readonly find: (id: string) => ListedEndpoint | undefined;
}

/** The pages of endpoints, one tab for each. */
export class EndpointPages implements vscode.Disposable {
  readonly #options: EndpointPageOptions;
  readonly #open = new Map<string, EndpointPage>();

  constructor(options: EndpointPageOptions) {
    this.#options = options;
  }

  async show(endpoint: ListedEndpoint): Promise<void> {
    const { id } = endpoint;
    const open = this.#open.get(id);
    if (open) return open.show();
    const { traffic } = await this.#options.ledger();
    const page = new EndpointPage(endpoint, this.#options, () => this.#open.delete(id));
    page.follow(traffic);
    this.#open.set(id, page);
  }

  /** The list has been read, or a minute has passed. */
  refresh(): void {
    for (const page of this.#open.values()) page.refresh();
  }

  dispose(): void {
    for (const page of this.#open.values()) page.dispose();
  }
}

class EndpointPage implements vscode.Disposable {
  readonly #options: EndpointPageOptions;
  readonly #tab: WebviewTab;
  #endpoint: ListedEndpoint;
  #hours: keyof typeof ranges = 24;
  #status: EndpointStatus | undefined;
  #problem: string | undefined;
  /** The state that the status was read for. */
  #readFor: ListedEndpoint | undefined;
  #sharedPrice: Promise<TokenPrice | undefined> | undefined;

  constructor(endpoint: ListedEndpoint, options: EndpointPageOptions, onClose: () => void) {
    this.#options = options;
    this.#endpoint = endpoint;
    const name = endpointName(endpoint);
    this.#tab = new WebviewTab(options.host, {
      viewType: 'splice.endpoint',
      title: name,
      page: nonce => pageFrame({ title: name, heading: name, controls: controls(), style }, nonce),
      act: (kind, value) => this.#act(kind, value),
      content: () => this.#content(),
      onClose,
    });
    const minute = setInterval(() => this.#tab.refreshQuietly(), 60_000);
    this.#tab.add({ dispose: () => clearInterval(minute) });
  }

  follow(traffic: Awaited<ReturnType<OpenLedger>>['traffic']): void {
    const { id } = this.#endpoint;
    this.#tab.add(
      traffic.onDidChange(changed => {
        if (changed === id) this.#tab.refreshQuietly();
      }),
    );
  }

  async show(): Promise<void> {
    this.#readFor = undefined;
    await this.#tab.show();
  }

  refresh(): void {
    this.#tab.refreshQuietly();
  }

  dispose(): void {
    this.#tab.dispose();
  }

  async #act(kind: string, value: string): Promise<void> {
    const { actions } = this.#options;
    const { id } = this.#endpoint;
    if (kind === 'chat') return actions.useInChat({ id });
    if (kind === 'probe') return actions.test({ id }, speedProbe);
    if (kind === 'price') await this.#askPrice();
    const hours = ([1, 24, 168, 720] as const).find(
      each => kind === 'hours' && `${each}` === value,
    );
    if (hours) this.#hours = hours;
    if (hours || kind === 'price') await this.#tab.refresh();
  }

  get #prices(): Record<string, unknown> {
    const stored = this.#options.host.context.globalState.get(hourlyPricesKey);
    return isRecord(stored) ? stored : {};
  }

  /** Plans have prices; an endpoint without a plan has its own. */
  get #priceKey(): string {
    return this.#endpoint.planName ?? this.#endpoint.id;
  }

  get #hourlyUsd(): number | undefined {
    const price = Object.hasOwn(this.#prices, this.#priceKey)
      ? this.#prices[this.#priceKey]
      : undefined;
    return typeof price === 'number' ? price : undefined;
  }

  async #askPrice(): Promise<void> {
    const known = this.#hourlyUsd;
    const text = await vscode.window.showInputBox({
      title: t('Price per Hour of {0}', this.#priceKey),
      prompt: t('In US dollars, as in your order; empty for not known. It stays on this computer.'),
      value: known === undefined ? '' : `${known}`,
      validateInput: given =>
        parsePrice(given) === 'invalid' ? t('Enter an amount, such as 32.5.') : undefined,
    });
    const price = text === undefined ? 'invalid' : parsePrice(text);
    if (price === 'invalid') return;
    const { [this.#priceKey]: _before, ...others } = this.#prices;
    await this.#options.host.context.globalState.update(hourlyPricesKey, {
      ...others,
      ...(price === undefined ? {} : { [this.#priceKey]: price }),
    });
  }

  async #content(): Promise<object> {
    const { find, ledger } = this.#options;
    this.#endpoint = find(this.#endpoint.id) ?? this.#endpoint;
    await this.#readStatus();
    const { traffic } = await ledger();
    const { id, state } = this.#endpoint;
    const status = this.#status;
    const record = await traffic.read(id);
    this.#sharedPrice ??= this.#readPrice();
    const sharedPrice = await this.#sharedPrice;
    const nowMs = Date.now();
    const readyAt = status?.readyAt ?? this.#endpoint.readyAt;
    const hasEnded = appearanceOf(state, t).group === 'ended';
    const until = (hasEnded ? status?.events.at(-1)?.createdAt : undefined) ?? nowMs;
    const hourlyUsd = this.#hourlyUsd;
    const totals = totalsOf(record.calls, record.earlier);
    const price = status?.connection?.pricePerM;
    return {
      status: t('{0}: {1}', endpointName(this.#endpoint), appearanceOf(state, t).label),
      html: endpointContent({
        endpoint: this.#endpoint,
        status,
        problem: this.#problem,
        load: traffic.loadOf(id),
        record,
        breakEven: breakEvenOf({ totals, sharedPrice, hourlyUsd, readyAt, until }),
        hourlyUsd,
        probePrice: price
          ? t('at most {0}', formatUsd(tokenUsd(speedProbeTokens, price)))
          : t('price not known'),
        hours: this.#hours,
        nowMs,
      }),
    };
  }

  /** Once for each reading of the list: a cancellation is in the status only. */
  async #readStatus(): Promise<void> {
    const { client, host } = this.#options;
    if (this.#readFor === this.#endpoint) return;
    this.#readFor = this.#endpoint;
    try {
      const { signal } = new AbortController();
      this.#status = await client.endpointStatus(this.#endpoint.id, { signal, background: true });
      this.#problem = undefined;
    } catch (error) {
      host.log.error('endpoint status', error);
      this.#problem = adviceFor(error, t).message;
    }
  }

  async #readPrice(): Promise<TokenPrice | undefined> {
    const { signal } = new AbortController();
    const { models } = await this.#options.client.catalogue({ signal, background: true });
    return models.find(({ id }) => id === this.#endpoint.modelId)?.price;
  }
}

/** @returns undefined for an empty text */
function parsePrice(text: string): number | undefined | 'invalid' {
  const given = text.trim().replace(/^\$/, '').replace(',', '.');
  if (given === '') return undefined;
  const price = Number(given);
  return /^\d+(?:\.\d+)?$/.test(given) && price <= 1e6 ? price : 'invalid';
}

function controls() {
  const choices = [
    [1, t('Last hour')],
    [24, t('Last 24 hours')],
    [168, t('Last 7 days')],
    [720, t('Last 30 days')],
  ] as const;
  return html`<span><label for="hours">${t('Time')}</label>
    <select id="hours" data-act="hours">
      ${choices.map(([hours, label]) =>
        hours === 24
          ? html`<option value="${hours}" selected>${label}</option>`
          : html`<option value="${hours}">${label}</option>`,
      )}
    </select></span>`;
}

const style = `
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; }
.problem { color: var(--vscode-errorForeground); }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 8px 24px; margin: 0 0 20px; }
dl div { border-left: 2px solid var(--line); padding-left: 10px; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
h2 { margin-top: 20px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr)); gap: 8px 28px; align-items: end; }
.faint { opacity: .5; }
.range { fill: var(--vscode-charts-blue); opacity: .3; }
.median { fill: var(--vscode-charts-blue); }
.probe .range { fill: none; }
.probe .median { fill: none; stroke: var(--vscode-charts-blue); vector-effect: non-scaling-stroke; }
.vscode-high-contrast .range { opacity: .5; }
.axis { display: flex; justify-content: space-between; gap: 8px; color: var(--vscode-descriptionForeground); font-size: .9em; }
details { margin-top: 12px; }
summary { cursor: pointer; }
`;
