import { formatUsd } from '../../service/billing/pricing';
import type { Catalogue, Model } from '../../service/wire/catalogue';
import { fallbackModels } from '../../service/wire/catalogue';
import { type Translate, shortNumber } from '../../host/phrases';
import { autoModel, defaultEditModel } from './run';

/** One choice of the list of models for edits. */
export interface ModelRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Value of the setting. */
  readonly model: string;
}

/** The router first, then the chat models with the cheapest answers first; those without a price last. */
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
  return [
    {
      label: `$(sparkle) ${t('Auto')}`,
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
}

const priceOf = ({ price }: Model): number => price?.output ?? Number.POSITIVE_INFINITY;

function factsOf(model: Model, t: Translate): string {
  // The live page says nothing about speed.
  const speed = model.speed ?? fallbackModels.find(({ id }) => id === model.id)?.speed;
  const { price, contextTokens, isBeta } = model;
  return [
    ...(speed === undefined ? [] : [speed]),
    price
      ? t('{0} in, {1} out per million tokens', formatUsd(price.input), formatUsd(price.output))
      : t('price unknown'),
    ...(contextTokens === undefined ? [] : [t('window of {0}', shortNumber(contextTokens))]),
    ...(isBeta ? [t('beta')] : []),
  ].join(' · ');
}
