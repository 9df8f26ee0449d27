import { formatUsd } from '../../service/billing/pricing';
import type { Catalogue, Model } from '../../service/wire/catalogue';
import { fallbackModels } from '../../service/wire/catalogue';
import { shortNumber } from '../../host/phrases';
import type { Translate } from '../../host/words';
import { autoModel, defaultEditModel } from './run';

/** One choice of the list of models for edits. */
export interface ModelRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Value of the setting. */
  readonly model: string;
}

/** The model in use, the router, then the chat models with the cheapest answers first; those without a price last. */
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
  // The first row is the chosen one when the list opens.
  return [
    ...rows.filter(({ model }) => model === current),
    ...rows.filter(({ model }) => model !== current),
  ];
}

const priceOf = ({ price }: Model): number => price?.output ?? Number.POSITIVE_INFINITY;

function factsOf(model: Model, t: Translate): string {
  // The live page may say nothing about these.
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
