import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { modelRows } from '../../../../src/apply/instruct/modelRows';
import { defaultEditModel } from '../../../../src/apply/instruct/runEdit';
import { fallbackModels } from '../../../../src/service/wire/catalogue';

const t = (message: string, ...values: (string | number)[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, n: string) => `${values[Number(n)]}`);

describe('the models for edits', () => {
  it('are the router and the chat models, with speed and price', () => {
    const rows = modelRows(
      {
        models: [
          ...fallbackModels,
          { id: 'svc-v3-fast', use: 'apply', isBeta: false, features: [] },
        ],
      },
      'svc-dsv4flash',
      0.005,
      t,
    );
    assert.deepEqual(
      [rows[0]?.model, rows[1]?.model, rows[2]?.model, rows.at(-1)?.model],
      ['svc-dsv4flash', 'auto', 'svc-gemma4-31b', 'svc-glm53-744b'],
    );
    assert.equal(rows.length, fallbackModels.length + 1);
    assert.deepEqual(
      rows.find(({ model }) => model === defaultEditModel),
      {
        label: 'svc-qwen35-397b',
        description: 'default',
        detail: '~180 tok/s · $0.50 in, $3.50 out per million tokens · window of 262k',
        model: 'svc-qwen35-397b',
      },
    );
    assert.equal(rows[0]?.description, 'in use');
    assert.match(rows[0]?.detail ?? '', /~150 tok\/s .* window of 1M · beta$/);
    assert.match(rows.at(-1)?.detail ?? '', /^price unknown/);
  });

  it('have the facts of a page that says more or less than is known', () => {
    const known = fallbackModels.find(({ isBeta, speed }) => isBeta && speed !== undefined);
    assert.ok(known);
    const plain = { isBeta: false, features: [] };
    const rows = modelRows(
      {
        models: [
          { ...plain, id: known.id, speed: '~1 tok/s', contextTokens: 1_500_000 },
          { ...plain, id: 'z-new', speed: 'fast', contextTokens: 999_000 },
          { ...plain, id: 'a-new', price: { input: 1, output: 2 } },
          { ...plain, id: 'b-new', isBeta: true },
        ],
      },
      defaultEditModel,
      0.005,
      t,
    );
    assert.deepEqual(
      rows.map(({ label, description, detail, model }) => [label, description, detail, model]),
      [
        ['Auto', '', 'The prompt router picks a model for each edit, $0.005 a pick', 'auto'],
        ['a-new', '', '$1 in, $2 out per million tokens', 'a-new'],
        ['b-new', '', 'price unknown · beta', 'b-new'],
        [known.id, '', '~1 tok/s · price unknown · window of 1.5M · beta', known.id],
        ['z-new', '', 'fast · price unknown · window of 999k', 'z-new'],
      ],
    );
    const bare = { ...plain, id: known.id };
    assert.match(
      modelRows({ models: [bare] }, 'auto', 0.005, t)[1]?.detail ?? '',
      new RegExp(`^${known.speed} · price unknown · beta$`),
    );
    const both = modelRows(
      { models: [{ ...plain, id: defaultEditModel }] },
      defaultEditModel,
      1,
      t,
    );
    assert.deepEqual(
      both.map(({ model, description }) => [model, description]),
      [
        [defaultEditModel, 'in use, default'],
        ['auto', ''],
      ],
    );
  });

  it('have the default of package.json', () =>
    assert.match(
      readFileSync('package.json', 'utf8'),
      new RegExp(
        `"splice\\.edit\\.model": \\{\\s+"type": "string",\\s+"default": "${defaultEditModel}"`,
      ),
    ));
});
