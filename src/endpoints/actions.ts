import * as vscode from 'vscode';
import { endpointName } from '../contracts/endpointName';
import { chatModelOf } from '../contracts/readyEndpoints';
import { runCommand } from '../platform/commands/registerCommands';
import type { JsonDocuments } from '../platform/documents/textDocuments';
import type { GatedClient } from '../platform/egress/gatedClient';
import { withProgress } from '../platform/progress';
import { settings } from '../platform/settings';
import { endpointTarget, parseBaseUrl } from '../service';
import type { ListedEndpoint } from './core/endpointsSnapshot';
import { isServing } from './core/lifecycle';
import { baseAddress, snippetForms, snippetOf } from './core/snippets';
import { type Probe, ping } from './probe';

const { t } = vscode.l10n;

export type EndpointsClient = Pick<
  GatedClient,
  'isReady' | 'listEndpoints' | 'endpointStatus' | 'chat' | 'catalogue'
>;

/** Id of the endpoint of a row; without a row the user picks one of those that fit. */
export type PickEndpoint = (
  argument: unknown,
  title: string,
  fits?: (endpoint: ListedEndpoint) => boolean,
) => Promise<string | undefined>;

/** Actions on one endpoint: testing it, chatting with it, copying its connection. */
export class EndpointActions {
  readonly #client: EndpointsClient;
  readonly #documents: JsonDocuments;
  readonly #pick: PickEndpoint;

  constructor(client: EndpointsClient, documents: JsonDocuments, pick: PickEndpoint) {
    this.#client = client;
    this.#documents = documents;
    this.#pick = pick;
  }

  /** Opens VS Code's chat with the endpoint as its model. */
  async useInChat(argument: unknown): Promise<void> {
    const id = await this.#pick(argument, t('Chat with'), ({ state }) => isServing(state));
    if (id === undefined) return;
    await runCommand('splice.models.useInChat', false, chatModelOf(id));
  }

  async test(argument: unknown, probe: Probe = ping): Promise<void> {
    const id = await this.#pick(argument, t('Send a test request to'), ({ state }) =>
      isServing(state),
    );
    if (id === undefined) return;
    const result = await withProgress(t('Sending a test request'), async signal => {
      const { status, target } = await this.#target(id, signal);
      const startedAt = performance.now();
      let firstMs: number | undefined;
      const answer = await this.#client.chat(
        {
          model: target.servedModelName,
          messages: [{ role: 'user', content: probe.prompt }],
          maxTokens: probe.maxTokens,
          temperature: 0,
          endpoint: target,
        },
        {
          signal,
          stream: true,
          sending: { purpose: 'test' },
          onDelta: () => (firstMs ??= performance.now() - startedAt),
        },
      );
      return { status, firstMs, ms: performance.now() - startedAt, usage: answer.usage };
    });
    const { status, firstMs, ms, usage } = result;
    const tokens = usage?.completionTokens;
    const parts = [
      t('in {0} ms', Math.round(ms)),
      ...(firstMs === undefined ? [] : [t('first token after {0} ms', Math.round(firstMs))]),
      ...(tokens === undefined ? [] : [t('{0} tokens', tokens)]),
    ];
    void vscode.window.showInformationMessage(
      t('The endpoint {0} answered {1}.', endpointName(status), parts.join(', ')),
    );
  }

  async copyConnection(argument: unknown): Promise<void> {
    const id = await this.#pick(argument, t('Copy the connection of'), ({ state }) =>
      isServing(state),
    );
    if (id === undefined) return;
    const { target } = await this.#freshTarget(id);
    const form = await vscode.window.showQuickPick([...snippetForms], {
      title: t('Copy Connection As'),
      placeHolder: t('The API key is not copied; a variable takes its place.'),
    });
    const known = snippetForms.find(item => item === form);
    if (known) await copyToClipboard(snippetOf(known, target), t('Copied as {0}.', known));
  }

  async copyUrl(argument: unknown): Promise<void> {
    const id = await this.#pick(argument, t('Copy the URL of'), ({ state }) => isServing(state));
    if (id === undefined) return;
    const { target } = await this.#freshTarget(id);
    await copyToClipboard(baseAddress(target), t('The URL is copied.'));
  }

  async copyId(argument: unknown): Promise<void> {
    const id = await this.#pick(argument, t('Copy the id of'));
    if (id !== undefined) await copyToClipboard(id, t('The id is copied.'));
  }

  async showStatus(argument: unknown): Promise<void> {
    const id = await this.#pick(argument, t('Show the status of'));
    if (id === undefined) return;
    const { requestId: _id, attempts: _attempts, ms: _ms, ...status } = await this.#readStatus(id);
    await this.#documents.show(`Endpoint ${id}`, status);
  }

  async #readStatus(id: string) {
    return withProgress(t('Reading the status'), signal =>
      this.#client.endpointStatus(id, { signal }),
    );
  }

  async #freshTarget(id: string) {
    return withProgress(t('Reading the status'), signal => this.#target(id, signal));
  }

  /** Reads the status first, because an address stays listed after its endpoint has ended. */
  async #target(id: string, signal: AbortSignal) {
    const status = await this.#client.endpointStatus(id, { signal });
    return { status, target: endpointTarget(status, parseBaseUrl(settings.baseUrl)) };
  }
}

export async function copyToClipboard(text: string, said: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(said, 4000);
}
