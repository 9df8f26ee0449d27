import { formatUsd, sumUsd } from '../base/format/money';
import { numberText } from '../base/format/numbers';
import type { Translate } from '../base/format/text';
import { chatModels, modelLabel, routerModels, takesEffort } from '../contracts/chatModels';
import { endpointName } from '../contracts/endpointName';
import { chatModelOf } from '../contracts/readyEndpoints';
import {
  type Catalogue,
  type ChatCost,
  type ChatForecast,
  chatForecast,
  type EndpointStatus,
  type Model,
  standbyModels,
  type TokenPrice,
} from '../service';

/** What an item of VS Code's model picker refers to. */
export type PickerEntry =
  | { readonly kind: 'model'; readonly model: Model; readonly isStandby: boolean }
  | { readonly kind: 'endpoint'; readonly endpointId: string; readonly model: Model }
  | { readonly kind: 'auto'; readonly candidates: readonly Model[] }
  | { readonly kind: 'setup'; readonly reason: SetupReason };

/** Why no models can be offered. */
export type SetupReason = 'untrusted' | 'noUrl' | 'noKey' | 'keyring' | 'refused';

/** `LanguageModelChatInformation` and further properties that VS Code reads, as plain data. */
export interface PickerModelInfo {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly version: string;
  /** Shown next to the name in the picker. */
  readonly detail: string;
  readonly tooltip: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly capabilities: { readonly imageInput: boolean; readonly toolCalling: boolean };
  /** VS Code 1.120 and later hide models without it. */
  readonly isUserSelectable: true;
  /** Codicon id. */
  readonly statusIcon?: string;
  readonly warningText?: Readonly<Record<string, string>>;
  /** JSON schema of the options that the picker offers for the model. */
  readonly configurationSchema?: object;
}

export interface PickerItem {
  readonly info: PickerModelInfo;
  readonly entry: PickerEntry;
}

const autoId = 'auto';
export const setupId = 'setup';
/** Appended to the id of a model at the standby tier. */
const standbySuffix = ':standby';

/** Assumed where the catalogue says nothing, in tokens; the service rejects what does not fit. */
const assumedWindow = 128_000;
const assumedMaxOutput = 32_000;

/** Maximum tokens of the prompt and of the answer. */
export function tokenLimitsOf({ contextTokens = assumedWindow, maxOutputTokens }: Model): {
  readonly input: number;
  readonly output: number;
} {
  // VS Code shows the sum of both as the context window.
  const wanted = maxOutputTokens ?? Math.min(assumedMaxOutput, Math.floor(contextTokens / 8));
  const output = Math.max(1, Math.min(wanted, Math.floor(contextTokens / 2)));
  return { input: contextTokens - output, output };
}

/** According to the service document every model takes tools; a catalogue entry with features is more precise. */
export const takesTools = ({ features }: Model): boolean =>
  features.length === 0 || features.includes('tools');

export const takesImages = ({ inputModalities }: Model): boolean =>
  inputModalities?.includes('image') === true;

/**
 * Items of the picker: Auto, the models in catalogue order, standby models, serving endpoints.
 *
 * @param costs what earlier chats have cost, for the forecast of the next one.
 */
export function listModels(
  catalogue: Catalogue,
  endpoints: readonly EndpointStatus[],
  t: Translate,
  costs: readonly ChatCost[] = [],
): PickerItem[] {
  const models = chatModels(catalogue);
  const isOld = catalogue.source === 'builtIn';
  const listed = models.map(model => modelEntry(model, false, isOld, t, costs));
  const standby = models
    .filter(({ id }) => standbyModels.includes(id))
    .map(model => modelEntry(model, true, isOld, t, costs));
  const own = endpoints
    .filter(({ state }) => state === 'ready')
    .map(status => endpointEntry(status, models, t));
  const candidates = routerModels(models);
  const auto = candidates.length > 1 ? [autoEntry(candidates, t)] : [];
  return [...auto, ...listed, ...standby, ...own];
}

/** Picker item that replaces the models and says what to do. */
export function setupEntry(reason: SetupReason, t: Translate): PickerItem {
  const words = setupText(reason, t);
  return {
    entry: { kind: 'setup', reason },
    info: {
      id: setupId,
      name: t('Splice: Set Up'),
      family: 'splice',
      version: '1',
      detail: words.detail,
      tooltip: `${words.what} ${words.next}`,
      maxInputTokens: assumedWindow - assumedMaxOutput,
      maxOutputTokens: assumedMaxOutput,
      // Agent mode hides models without tools, which would hide this item.
      capabilities: { imageInput: false, toolCalling: true },
      isUserSelectable: true,
      statusIcon: 'warning',
      warningText: { setup: `${words.what} ${words.next}` },
    },
  };
}

/** @returns `what` is wrong and what to do `next`, as sentences, and a short `detail` for the picker. */
export function setupText(
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
        detail: t('Connect to a service…'),
        what: t('No service address is set.'),
        next: t('Run "Splice: Connect to Service…" from the Command Palette.'),
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
        what: t('The stored API key cannot be read: the system keyring is locked.'),
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

function modelEntry(
  model: Model,
  isStandby: boolean,
  isOld: boolean,
  t: Translate,
  costs: readonly ChatCost[],
): PickerItem {
  const { id, speed, isBeta } = model;
  const name = modelLabel(id);
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
    forecastText(chatForecast(costs, id), t),
  ];
  return {
    entry: { kind: 'model', model, isStandby },
    info: {
      ...commonInfo(model, t, more),
      id: isStandby ? `${id}${standbySuffix}` : id,
      name: isStandby ? t('{0} (standby)', name) : name,
      family: id,
      detail: joined(facts),
    },
  };
}

/** An endpoint has the capabilities of its catalogue model; its own numbers take precedence. */
function endpointEntry(status: EndpointStatus, models: readonly Model[], t: Translate): PickerItem {
  const { id, modelId, connection } = status;
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
    t('Dedicated endpoint {0}: billed for its capacity, not by the token.', endpointName(status)),
    most === undefined ? undefined : t('Requests at once: {0}.', most),
  ];
  return {
    entry: { kind: 'endpoint', endpointId: id, model },
    info: {
      ...commonInfo({ ...model, price: undefined }, t, more),
      id: chatModelOf(id),
      name: endpointName(status),
      family: model.id,
      detail: joined([t('dedicated'), status.modelHardware ?? connection?.hardware]),
    },
  };
}

function autoEntry(candidates: readonly Model[], t: Translate): PickerItem {
  // The largest limits of all candidates: the router picks a model that fits the prompt.
  const windows = candidates.map(tokenLimitsOf);
  return {
    entry: { kind: 'auto', candidates },
    info: {
      id: autoId,
      // VS Code uses the first name as its default model, also for titles, and each choice is billed.
      name: t('Splice Auto (router)'),
      family: 'splice-auto',
      version: '1',
      detail: t('picks a model per prompt'),
      tooltip: t(
        'The router reads your prompt and picks one of {0} models. Each choice costs {1}, plus the tokens of the model.',
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

function commonInfo(model: Model, t: Translate, more: readonly (string | undefined)[]) {
  const { input, output } = tokenLimitsOf(model);
  const { contextTokens, price, speed } = model;
  const lines = [
    model.id,
    contextTokens === undefined
      ? t('Context window: not published')
      : t('Context window: {0} tokens', numberText(contextTokens)),
    priceText(price, t) ?? '',
    price?.cachedInput === undefined
      ? ''
      : t('Cached input: {0} per million tokens', formatUsd(price.cachedInput)),
    speed === undefined ? '' : t('Speed: {0}', speed),
    ...more,
  ];
  return {
    version: '1',
    // VS Code renders the tooltip as Markdown, where two spaces make a line break.
    tooltip: lines.filter(Boolean).join('  \n'),
    maxInputTokens: input,
    maxOutputTokens: output,
    capabilities: { imageInput: takesImages(model), toolCalling: takesTools(model) },
    isUserSelectable: true as const,
    ...(takesEffort(model) ? { configurationSchema: effortSchema(t) } : {}),
  };
}

/** Source: service document, Endpoints, field `reasoning`; by default the model decides. */
function effortSchema(t: Translate): object {
  return {
    type: 'object',
    properties: {
      reasoningEffort: {
        type: 'string',
        title: t('Thinking Effort'),
        enum: ['default', 'low', 'medium', 'high'],
        // A narrow picker shows only this label, and "Default" would look like a model name.
        enumItemLabels: [t('Normal'), t('Low'), t('Medium'), t('High')],
        enumDescriptions: [
          t('The model decides'),
          t('Short reasoning, quick answers'),
          t('In between'),
          t('Long reasoning, billed as output'),
        ],
        default: 'default',
        // VS Code shows the properties of this group in the picker.
        group: 'navigation',
      },
    },
  };
}

function priceText(price: TokenPrice | undefined, t: Translate): string | undefined {
  return (
    price &&
    t('{0} in, {1} out per million tokens', formatUsd(price.input), formatUsd(price.output))
  );
}

function forecastText(forecast: ChatForecast | undefined, t: Translate): string | undefined {
  return (
    forecast &&
    t(
      'Your chats with this model usually cost about {0} each. The most expensive recent one cost {1}.',
      sumUsd(forecast.usualUsd),
      sumUsd(forecast.maxUsd),
    )
  );
}

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');
