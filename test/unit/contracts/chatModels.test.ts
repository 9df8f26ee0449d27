import assert from 'node:assert/strict';
import {
  chatModels,
  middleModel,
  modelLabel,
  routerModels,
  takesEffort,
} from '../../../src/contracts/chatModels';
import type { Model } from '../../../src/service/wire/catalogue';

const model = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  isBeta: false,
  features: [],
  ...more,
});
const priced = (id: string, output: number, more: Partial<Model> = {}): Model =>
  model(id, { price: { input: 1, output }, ...more });
const ids = (models: readonly Model[]): string[] => models.map(({ id }) => id);

describe('the models of a chat', () => {
  it('are named without the prefix of the service', () => {
    assert.deepEqual(['svc-glm', 'glm', 'my-svc-glm'].map(modelLabel), [
      'glm',
      'glm',
      'my-svc-glm',
    ]);
  });

  it('are those of the catalogue without another use', () => {
    const models = [model('a'), model('b', { use: 'apply' }), model('c')];
    assert.deepEqual(ids(chatModels({ models })), ['a', 'c']);
  });

  it('can be chosen by the router where their price and their window are known', () => {
    const models = [
      priced('a', 1, { contextTokens: 1000 }),
      priced('b', 1),
      model('c', { contextTokens: 1000 }),
    ];
    assert.deepEqual(ids(routerModels(models)), ['a']);
  });

  it('take an effort unless the catalogue lists what they can do without it', () => {
    const features = [[], ['reasoning', 'tools'], ['tools']];
    assert.deepEqual(
      features.map(list => takesEffort(model('a', { features: list }))),
      [true, true, false],
    );
  });

  it('have one in the middle by price, which is no beta model where there are others', () => {
    const models = [priced('dear', 9), priced('middle', 5), priced('cheap', 2), model('free')];
    assert.equal(middleModel(models)?.id, 'middle');
    assert.equal(middleModel(models.toReversed())?.id, 'middle');
    const beta = priced('beta', 5, { isBeta: true });
    assert.equal(middleModel([beta, priced('dear', 9)])?.id, 'dear');
    assert.equal(middleModel([beta])?.id, 'beta');
    assert.equal(middleModel([]), undefined);
  });
});
