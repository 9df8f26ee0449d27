import { formatUsd } from '../../base/format/money';
import { shortNumber } from '../../base/format/numbers';
import type { Translate } from '../../base/format/text';
import { type Catalogue, fallbackModels, type Model } from '../../service';
import { autoModel, defaultEditModel } from './runEdit';

/** A quick pick item of the models for edits. */
export interface ModelRow {
  readonly label: string;
  readonly icon?: string;
  readonly description: string;
  readonly detail: string;
  /** The value of the setting. */
  readonly model: string;
}

/** The current model, the router, then the chat models by output price; those without a price last. */
export function modelRows(
  { models }: Pick<Catalogue, 'models'>,
  current: string,
  routerUsd: number,
  t: Translate,
): ModelRow[] {
  const mark = (model: string): string =>
    [
      ...(model === current ? [t('in use')] : []),
      ...(model === defaultEditModel ? [t('default')] : []),
    ].join(', ');
  const chat = models
    .filter(({ use }) => use === undefined)
    .toSorted((a, b) => priceOf(a) - priceOf(b) || (a.id < b.id ? -1 : 1));
  const rows = [
    {
      label: t('Auto'),
      icon: 'sparkle',
      description: mark(autoModel),
      detail: t('The prompt router picks a model for each edit, {0} a pick', formatUsd(routerUsd)),
      model: autoModel,
    },
    ...chat.map(model => ({
      label: model.id,
      description: mark(model.id),
      detail: factsOf(model, t),
      model: model.id,
    })),
  ];
  // A quick pick opens with its first item active.
  return [
    ...rows.filter(({ model }) => model === current),
    ...rows.filter(({ model }) => model !== current),
  ];
}

const priceOf = ({ price }: Model): number => price?.output ?? Number.POSITIVE_INFINITY;

function factsOf(model: Model, t: Translate): string {
  // The live catalogue page may lack these fields.
  const known = fallbackModels.find(({ id }) => id === model.id);
  const speed = model.speed ?? known?.speed;
  const isBeta = model.isBeta || known?.isBeta === true;
  const { price, contextTokens } = model;
  return [
    ...(speed === undefined ? [] : [speed]),
    price
      ? t('{0} in, {1} out per million tokens', formatUsd(price.input), formatUsd(price.output))
      : t('price unknown'),
    ...(contextTokens === undefined ? [] : [t('window of {0}', windowText(contextTokens))]),
    ...(isBeta ? [t('beta')] : []),
  ].join(' · ');
}

const windowText = (tokens: number): string =>
  tokens >= 1e6 ? `${(tokens / 1e6).toFixed(1).replace(/\.0$/, '')}M` : shortNumber(tokens);
