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

  it('have the default of package.json', () =>
    assert.match(
      readFileSync('package.json', 'utf8'),
      new RegExp(
        `"splice\\.edit\\.model": \\{\\s+"type": "string",\\s+"default": "${defaultEditModel}"`,
      ),
    ));
});
