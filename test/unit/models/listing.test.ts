import assert from 'node:assert/strict';
import type { Translate } from '../../../src/base/format/text';
import {
  listModels,
  type PickerItem,
  setupEntry,
  tokenLimitsOf,
} from '../../../src/models/listing';
import { type Catalogue, fallbackModels, type Model } from '../../../src/service/wire/catalogue';
import { standbyModels } from '../../../src/service/wire/chat/chatRequest';
import type { EndpointStatus } from '../../../src/service/wire/dedicated';
import { assertApproved } from '../../support/unit/approved';

const t: Translate = (message, ...values) =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));

const live: Catalogue = { models: fallbackModels, unreadable: 0, source: 'live', fetchedAt: 1 };
const ready: EndpointStatus = {
  id: '5e11ce00-0000-4000-8000-00000000beef',
  state: 'ready',
  modelId: 'svc-kimik3',
  modelDisplayName: 'Kimi K3',
  modelHardware: 'B200',
  events: [],
  unreadable: 0,
  connection: {
    servedModelName: 'kimi',
    contextTokens: 200_000,
    maxConcurrency: 8,
    pricePerM: { input: 1, output: 2 },
  },
};

const byId = (listed: readonly PickerItem[], id: string): PickerItem =>
  listed.find(({ info }) => info.id === id) ?? assert.fail(`no ${id}`);
const idsOf = (listed: readonly PickerItem[]) => listed.map(({ info }) => info.id);

describe('the list of models', () => {
  it('has Auto, the chat models, standby and endpoints, each once', () => {
    const ids = idsOf(listModels(live, [ready], t));
    assert.equal(ids[0], 'auto');
    assert.deepEqual(ids.slice(-2), ['svc-glm52-744b:standby', `endpoint:${ready.id}`]);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, fallbackModels.length + 3);
  });

  it('leaves out what does not chat', () => {
    const apply: Model = { id: 'svc-v3-fast', isBeta: false, features: [], use: 'apply' };
    const ids = idsOf(listModels({ ...live, models: [...fallbackModels, apply] }, [], t));
    assert.ok(!ids.includes('svc-v3-fast'));
  });

  it('can be chosen, each of them', () => {
    for (const { info } of [...listModels(live, [ready], t), setupEntry('noKey', t)]) {
      assert.equal(info.isUserSelectable, true, info.id);
      assert.ok(info.maxInputTokens > 0 && info.maxOutputTokens > 0, info.id);
    }
  });

  it('shares the window between prompt and answer, so that VS Code shows the true one', () => {
    for (const { info, entry } of listModels(live, [ready], t)) {
      const window = entry.kind === 'auto' || entry.kind === 'setup' ? undefined : entry.model;
      if (window?.contextTokens !== undefined)
        assert.equal(info.maxInputTokens + info.maxOutputTokens, window.contextTokens, info.id);
    }
    const model = { id: 'm', isBeta: false, features: [] };
    assert.deepEqual(tokenLimitsOf({ ...model, contextTokens: 1000, maxOutputTokens: 5000 }), {
      input: 500,
      output: 500,
    });
    assert.deepEqual(tokenLimitsOf({ ...model, contextTokens: 200_000, maxOutputTokens: 8000 }), {
      input: 192_000,
      output: 8000,
    });
    assert.deepEqual(tokenLimitsOf(model), { input: 112_000, output: 16_000 });
  });

  it('claims images and tools only where the catalogue does', () => {
    const models: Model[] = [
      { id: 'a', isBeta: false, features: ['tools'], inputModalities: ['text', 'image'] },
      { id: 'b', isBeta: false, features: ['reasoning'], inputModalities: ['text'] },
      { id: 'c', isBeta: false, features: [] },
    ];
    const endpoint = { ...ready, modelId: 'a' };
    const listed = listModels({ ...live, models }, [endpoint], t);
    const can = (id: string) => byId(listed, id).info.capabilities;
    assert.deepEqual(can('a'), { imageInput: true, toolCalling: true });
    assert.deepEqual(can('b'), { imageInput: false, toolCalling: false });
    assert.deepEqual(can('c'), { imageInput: false, toolCalling: true });
    assert.deepEqual(can(`endpoint:${ready.id}`), { imageInput: true, toolCalling: true });
    assert.ok(!idsOf(listed).includes('auto'));
  });

  it('tells price, speed and what is known besides', () => {
    const listed = listModels(live, [ready], t);
    const { info } = byId(listed, 'svc-qwen35-397b');
    assert.equal(info.detail, '$0.50 / $3.50 per 1M · ~180 tok/s');
    assert.match(info.tooltip, /262,000 tokens {2}\n.* {2}\nCached input: \$0\.30/);
    assert.match(byId(listed, 'svc-dsv4flash').info.detail, /^beta · /);
    assert.match(byId(listed, 'svc-glm53-744b').info.tooltip, /Context window: not published/);
    const own = byId(listed, `endpoint:${ready.id}`).info;
    assert.equal(own.name, 'Kimi K3 #beef');
    assert.equal(own.detail, 'dedicated · B200');
    assert.match(own.tooltip, /billed for its capacity.* {2}\nRequests at once: 8\./);
  });

  it('tells what chats with a model have cost, at the usual and the standby tier', () => {
    const id = standbyModels[0] ?? assert.fail();
    const costs = [0.02, 0.4, 0.03].map(usd => ({ model: id, usd }));
    const listed = listModels(live, [ready], t, costs);
    const forecast = /usually cost about \$0\.03 each\. The most expensive recent one cost \$0\.40/;
    assert.match(byId(listed, id).info.tooltip, forecast);
    assert.match(byId(listed, `${id}:standby`).info.tooltip, forecast);
    const others = listed.filter(({ info }) => !info.id.startsWith(id));
    assert.ok(others.every(({ info }) => !info.tooltip.includes('usually cost')));
  });

  it('says where the built-in table stands in', () => {
    const [, model] = listModels({ ...live, source: 'builtIn' }, [], t);
    assert.match(model?.info.tooltip ?? '', /built-in table/);
    assert.doesNotMatch(listModels(live, [], t)[1]?.info.tooltip ?? '', /built-in table/);
  });

  it('has endpoints only while they serve', () => {
    const suspended = { ...ready, state: 'suspended' };
    assert.ok(!idsOf(listModels(live, [suspended], t)).some(id => id.startsWith('endpoint:')));
  });

  it('adds no name by which VS Code takes a model for another maker’s', () => {
    for (const { info } of listModels(live, [ready], t))
      assert.doesNotMatch(
        `${info.name} ${info.family}`,
        /gpt|openai|claude|sonnet|opus|gemini|grok/i,
        info.id,
      );
  });

  it('says what to do instead of having none', () => {
    const { info } = setupEntry('noKey', t);
    assert.equal(info.statusIcon, 'warning');
    assert.match(info.detail, /^Set an API key/);
    assert.match(Object.values(info.warningText ?? {}).join(), /Splice: Set API Key…/);
    const details = (['untrusted', 'noUrl', 'noKey', 'refused'] as const).map(
      reason => setupEntry(reason, t).info.detail,
    );
    assert.equal(new Set(details).size, 4);
  });
});

describe('the entries of the picker', () => {
  it('are shown as they were', () => {
    const [some = assert.fail('no models'), ...others] = fallbackModels;
    const bare: EndpointStatus = { id: 'ep_bare', state: 'ready', events: [], unreadable: 0 };
    const models: Model[] = [
      some,
      ...others.slice(0, 3),
      { id: 'svc-bare', isBeta: true, features: ['tools'] },
      { id: 'svc-small', isBeta: false, features: ['reasoning'], contextTokens: 9, speed: 'fast' },
    ] as Model[];
    const entries = [
      ...listModels({ ...live, models }, [ready, bare], t),
      ...listModels({ ...live, models: models.slice(0, 1), source: 'builtIn' }, [], t),
      ...(['untrusted', 'noUrl', 'noKey', 'keyring', 'refused'] as const).map(reason =>
        setupEntry(reason, t),
      ),
    ];
    assertApproved(
      'picker',
      `${JSON.stringify(
        entries.map(({ info }) => info),
        null,
        1,
      )}\n`,
    );
  });
});
