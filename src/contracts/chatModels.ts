import type { Catalogue, Model } from '../service';

/** The id without the prefix that all ids of the service share. */
export const modelLabel = (id: string): string => id.replace(/^svc-/, '');

/** Models of the catalogue that are meant for chat. */
export const chatModels = ({ models }: Pick<Catalogue, 'models'>): readonly Model[] =>
  models.filter(({ use }) => use === undefined);

/** What the router may choose from: the service document guarantees it only for models with a price. */
export const routerModels = (models: readonly Model[]): readonly Model[] =>
  models.filter(({ price, contextTokens }) => price && contextTokens);

/** Whether a model takes an effort of reasoning; every model does unless the catalogue says otherwise. */
export const takesEffort = ({ features }: Model): boolean =>
  features.length === 0 || features.includes('reasoning');

/** The model with the median output price; beta models only if there are no others. */
export function middleModel(models: readonly Model[]): Model | undefined {
  const stable = models.filter(({ isBeta }) => !isBeta);
  const byPrice = (stable.length > 0 ? stable : models).toSorted(
    (a, b) => (a.price?.output ?? 0) - (b.price?.output ?? 0),
  );
  return byPrice[Math.floor(byPrice.length / 2)];
}
