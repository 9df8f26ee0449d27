import { chatModelOf } from '../host/readyEndpoints';
import type { Translate } from '../host/words';
import { formatUsd } from '../service/billing/pricing';
import type { TokenPrice } from '../service/operation';
import type { Catalogue, Model } from '../service/wire/catalogue';
import { standbyModels } from '../service/wire/chatRequest';
import type { EndpointStatus } from '../service/wire/dedicated';

/** What an entry of VS Code's model picker stands for. */
export type Entry =
  | { readonly kind: 'model'; readonly model: Model; readonly isStandby: boolean }
  | { readonly kind: 'endpoint'; readonly endpointId: string; readonly model: Model }
  | { readonly kind: 'auto'; readonly candidates: readonly Model[] }
  | { readonly kind: 'setup'; readonly reason: SetupReason };

/** Why there are no models to choose from. */
export type SetupReason = 'untrusted' | 'noUrl' | 'noKey' | 'keyring' | 'refused';

/** `LanguageModelChatInformation` and what VS Code takes besides, as plain data. */
export interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly version: string;
  /** Beside the name in the picker. */
  readonly detail: string;
  readonly tooltip: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly capabilities: { readonly imageInput: boolean; readonly toolCalling: boolean };
  /** Since VS Code 1.120 a model without it is in no picker. */
  readonly isUserSelectable: true;
  /** Name of a codicon. */
  readonly statusIcon?: string;
  readonly warningText?: Readonly<Record<string, string>>;
  /** JSON schema of what the picker lets people set for the model. */
  readonly configurationSchema?: object;
}

export interface Listed {
  readonly info: ListedModel;
  readonly entry: Entry;
}

export const autoId = 'auto';
export const setupId = 'setup';
/** After the id of a model that is asked at the standby tier. */
export const standbySuffix = ':standby';

/** Where nothing is known; the service decides about what does not fit. */
const assumedWindow = 128_000;
const longestAnswer = 32_000;

/** Tokens that an answer may have, and those that are left for the prompt. */
export function windowsOf({ contextTokens = assumedWindow, maxOutputTokens }: Model): {
  readonly input: number;
  readonly output: number;
} {
  // VS Code shows the sum of both as the window.
  const wanted = maxOutputTokens ?? Math.min(longestAnswer, Math.floor(contextTokens / 8));
  const output = Math.max(1, Math.min(wanted, Math.floor(contextTokens / 2)));
  return { input: contextTokens - output, output };
}

/** The service document says that every model takes tools; a page that lists features knows better. */
export const takesTools = ({ features }: Model): boolean =>
  features.length === 0 || features.includes('tools');

export const takesImages = ({ inputModalities }: Model): boolean =>
  inputModalities?.includes('image') === true;

/** Chat models of the catalogue. */
export const chatModels = ({ models }: Pick<Catalogue, 'models'>): readonly Model[] =>
  models.filter(({ use }) => use === undefined);

/** Entries of the picker: Auto, the models in the order of the catalogue, standby, endpoints that serve. */
export function listModels(
  catalogue: Catalogue,
  endpoints: readonly EndpointStatus[],
  t: Translate,
): Listed[] {
  const models = chatModels(catalogue);
  const isOld = catalogue.source === 'builtIn';
  const listed = models.map(model => modelEntry(model, false, isOld, t));
  const standby = models
    .filter(({ id }) => standbyModels.includes(id))
    .map(model => modelEntry(model, true, isOld, t));
  const own = endpoints
    .filter(({ state }) => state === 'ready')
    .map(status => endpointEntry(status, models, t));
  // The router knows the models that have a price; of the others the service document says nothing.
  const candidates = models.filter(({ price, contextTokens }) => price && contextTokens);
  const auto = candidates.length > 1 ? [autoEntry(candidates, t)] : [];
  return [...auto, ...listed, ...standby, ...own];
}

/** Stands in the picker instead of models, and says what to do. */
export function setupEntry(reason: SetupReason, t: Translate): Listed {
  const words = setupWords(reason, t);
  return {
    entry: { kind: 'setup', reason },
    info: {
      id: setupId,
      name: t('Splice: Set Up'),
      family: 'splice',
      version: '1',
      detail: words.detail,
      tooltip: `${words.what} ${words.next}`,
      maxInputTokens: assumedWindow - longestAnswer,
      maxOutputTokens: longestAnswer,
      // Agent mode hides models without tools, and with them the reason.
      capabilities: { imageInput: false, toolCalling: true },
      isUserSelectable: true,
      statusIcon: 'warning',
      warningText: { setup: `${words.what} ${words.next}` },
    },
  };
}

/** @returns `what` is wrong and what to do `next`, as sentences; `detail` is for the picker. */
export function setupWords(
  reason: SetupReason,
  t: Translate,
): { readonly detail: string; readonly what: string; readonly next: string } {
  const setKey = t('Run "Splice: Set API Key…" from the Command Palette.');
  switch (reason) {
    case 'untrusted':
      return {
        detail: t('Trust this workspace…'),
        what: t('This workspace is not trusted, so Splice sends nothing.'),
        next: t('Run "Workspaces: Manage Workspace Trust" to trust it.'),
      };
    case 'noUrl':
      return {
        detail: t('Set a service address…'),
        what: t('No service address is set.'),
        next: t('Run "Splice: Set Service URL…" from the Command Palette.'),
      };
    case 'noKey':
      return {
        detail: t('Set an API key…'),
        what: t('No API key is set for this service.'),
        next: setKey,
      };
    case 'keyring':
      return {
        detail: t('The API key cannot be read…'),
        what: t('The stored API key cannot be read: the keyring of the system is locked.'),
        next: t('Unlock it, then send the message again.'),
      };
    default:
      return {
        detail: t('The API key was refused…'),
        what: t('The service refused the API key.'),
        next: setKey,
      };
  }
}

function modelEntry(model: Model, isStandby: boolean, isOld: boolean, t: Translate): Listed {
  const { id, speed, isBeta } = model;
  const name = nameOf(id);
  const facts = [
    isBeta ? t('beta') : undefined,
    isStandby ? t('standby') : undefined,
    model.price &&
      t('{0} / {1} per 1M', formatUsd(model.price.input), formatUsd(model.price.output)),
    isStandby ? undefined : speed,
  ];
  const more = [
    isStandby
      ? t('Standby: runs while the service has room; when it has none, it says when to try again.')
      : undefined,
    isBeta ? t('In beta.') : undefined,
    isOld ? t('As of a built-in table: the live catalogue could not be read.') : undefined,
  ];
  return {
    entry: { kind: 'model', model, isStandby },
    info: {
      ...common(model, t, more),
      id: isStandby ? `${id}${standbySuffix}` : id,
      name: isStandby ? t('{0} (standby)', name) : name,
      family: id,
      detail: joined(facts),
    },
  };
}

/** An endpoint of a catalogue model takes what the model takes; its own numbers come first. */
function endpointEntry(status: EndpointStatus, models: readonly Model[], t: Translate): Listed {
  const { id, modelId, modelDisplayName, connection } = status;
  const known = models.find(model => model.id === modelId);
  const model: Model = {
    ...(known ?? { isBeta: false, features: [] }),
    id: modelId ?? connection?.servedModelName ?? id,
    contextTokens: connection?.contextTokens ?? known?.contextTokens,
    price: connection?.pricePerM,
    speed: undefined,
    isBeta: false,
  };
  const most = connection?.maxConcurrency;
  const more = [
    t('Dedicated endpoint {0}: billed for its capacity, not by the token.', id.slice(0, 8)),
    most === undefined ? undefined : t('Requests at once: {0}.', most),
  ];
  return {
    entry: { kind: 'endpoint', endpointId: id, model },
    info: {
      ...common({ ...model, price: undefined }, t, more),
      id: chatModelOf(id),
      name: t('{0} (endpoint {1})', modelDisplayName ?? nameOf(model.id), id.slice(-4)),
      family: model.id,
      detail: joined([t('dedicated'), status.modelHardware ?? connection?.hardware]),
    },
  };
}

function autoEntry(candidates: readonly Model[], t: Translate): Listed {
  // Whatever fits all of them; the choice is made by what the prompt needs.
  const windows = candidates.map(windowsOf);
  return {
    entry: { kind: 'auto', candidates },
    info: {
      id: autoId,
      // VS Code takes the first name for its default, and asks it for titles too; each choice here is paid.
      name: t('Splice Auto (router)'),
      family: 'splice-auto',
      version: '1',
      detail: t('picks a model per prompt'),
      tooltip: t(
        'The router reads your prompt and picks one of {0} models. A choice costs {1}, besides the tokens of the model.',
        candidates.length,
        formatUsd(0.005),
      ),
      maxInputTokens: Math.max(...windows.map(({ input }) => input)),
      maxOutputTokens: Math.max(...windows.map(({ output }) => output)),
      capabilities: {
        imageInput: candidates.some(takesImages),
        toolCalling: candidates.some(takesTools),
      },
      isUserSelectable: true,
      configurationSchema: effortSchema(t),
    },
  };
}

function common(model: Model, t: Translate, more: readonly (string | undefined)[]) {
  const { input, output } = windowsOf(model);
  const { contextTokens, price, speed } = model;
  const lines = [
    model.id,
    contextTokens === undefined
      ? t('Context window: not published')
      : t('Context window: {0} tokens', contextTokens.toLocaleString('en-US')),
    priceText(price, t) ?? '',
    price?.cachedInput === undefined
      ? ''
      : t('Cached input: {0} per million tokens', formatUsd(price.cachedInput)),
    speed === undefined ? '' : t('Speed: {0}', speed),
    ...more,
  ];
  return {
    version: '1',
    // A line break in Markdown, which VS Code reads it as.
    tooltip: lines.filter(Boolean).join('  \n'),
    maxInputTokens: input,
    maxOutputTokens: output,
    capabilities: { imageInput: takesImages(model), toolCalling: takesTools(model) },
    isUserSelectable: true as const,
    ...(reasons(model) ? { configurationSchema: effortSchema(t) } : {}),
  };
}

const reasons = ({ features }: Model): boolean =>
  features.length === 0 || features.includes('reasoning');

/** Service document, Endpoints, field `reasoning`; without a choice the model decides. */
function effortSchema(t: Translate): object {
  return {
    type: 'object',
    properties: {
      reasoningEffort: {
        type: 'string',
        title: t('Thinking Effort'),
        enum: ['default', 'low', 'medium', 'high'],
        // A narrow picker shows this alone, without the model's name: "Default" would read as a model.
        enumItemLabels: [t('Normal'), t('Low'), t('Medium'), t('High')],
        enumDescriptions: [
          t('As the model decides'),
          t('Short thoughts, quick answers'),
          t('In between'),
          t('Long thoughts; they bill as output'),
        ],
        default: 'default',
        // VS Code shows properties of this group in the picker.
        group: 'navigation',
      },
    },
  };
}

/** The ids of the service have all the same beginning, which tells nothing. */
export const nameOf = (id: string): string => id.replace(/^svc-/, '');

function priceText(price: TokenPrice | undefined, t: Translate): string | undefined {
  return (
    price &&
    t('{0} in, {1} out per million tokens', formatUsd(price.input), formatUsd(price.output))
  );
}

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');
