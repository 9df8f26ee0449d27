import assert from 'node:assert/strict';
import type { Translate } from '../../../src/base/format/text';
import {
  choiceOf,
  choiceText,
  lastPrompt,
  ModelChoiceCache,
  middleModel,
  pickRequest,
} from '../../../src/models/auto';
import type { Conversation, Part } from '../../../src/models/format/conversation';
import { estimateTokens } from '../../../src/service/tokens';
import type { Model } from '../../../src/service/wire/catalogue';

const t: Translate = (message, ...values) =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));

const model = (id: string, output: number, more: Partial<Model> = {}): Model => ({
  id,
  isBeta: false,
  features: ['tools'],
  contextTokens: 100_000,
  price: { input: 1, output },
  ...more,
});
const small = model('small', 1);
const middle = model('middle', 2);
const large = model('large', 9, { contextTokens: 1_000_000 });
const beta = model('beta', 3, { isBeta: true });
const all = [large, small, beta, middle];

const says = (...parts: Part[]): Conversation => ({
  turns: [{ role: 'user', parts }],
  tools: [],
  toolMode: 'auto',
});
const text = (words: string): Part => ({ type: 'text', text: words });

const allowed = (conversation: Conversation, tokens = 10) =>
  pickRequest(conversation, all, tokens).allowedModels;

describe('the choice of the router', () => {
  it('is among the models that take the conversation', () => {
    assert.deepEqual(allowed(says(text('hi'))), ['large', 'small', 'beta', 'middle']);
    assert.deepEqual(allowed(says(text('hi')), 500_000), ['large']);
    const image: Part = { type: 'image', mediaType: 'image/png', data: new Uint8Array(3) };
    // None takes images, so the choice is not narrowed to nothing.
    assert.equal(allowed(says(text('hi'), image))?.length, 4);
    const seeing = { ...middle, inputModalities: ['text', 'image'] };
    assert.deepEqual(pickRequest(says(text('hi'), image), [small, seeing], 10).allowedModels, [
      'middle',
    ]);
  });

  it('falls back on a model in the middle, and on no beta', () => {
    assert.equal(middleModel(all)?.id, 'middle');
    assert.equal(middleModel([beta])?.id, 'beta');
    assert.equal(middleModel([]), undefined);
    assert.equal(pickRequest(says(text('hi')), all, 10).defaultModel, 'middle');
  });

  it('goes by the words of the user, not by those around them', () => {
    const turns: Conversation['turns'] = [
      { role: 'system', parts: [text('rules')] },
      {
        role: 'user',
        parts: [text('<context>x</context>\n<userRequest>\nfix it\n</userRequest>')],
      },
      { role: 'assistant', parts: [text('calling')] },
      { role: 'user', parts: [{ type: 'toolResult', callId: 'c', parts: [] }] },
    ];
    assert.equal(lastPrompt(turns), 'fix it');
    assert.equal(lastPrompt([]), '');
  });

  it('keeps a prompt within the limit, by its end', () => {
    const { input } = pickRequest(says(text(`${'many words '.repeat(200_000)}the end`)), all, 10);
    assert.ok(estimateTokens(input) <= 65_536);
    assert.ok(estimateTokens(input) > 50_000);
    assert.ok(input.endsWith('the end'));
  });

  it('is told in one line', () => {
    const pick = { provider: undefined, difficulty: 'hard', confidence: 0.914, signals: {} };
    const choice = choiceOf({ ...pick, model: 'large' }, all, t);
    assert.ok(choice);
    assert.equal(
      choiceText(choice, t).replaceAll('\u00a0', ' '),
      'Auto: large answers (difficulty: hard, 91 % sure).',
    );
    assert.equal(choiceOf({ ...pick, model: 'elsewhere' }, all, t), undefined);
    assert.equal(choiceOf({ ...pick, model: undefined }, all, t), undefined);
  });

  it('stays for a prompt, as long as the model takes it, and not for ever', () => {
    const choices = new ModelChoiceCache();
    const request = pickRequest(says(text('hi')), all, 10);
    choices.keep(request, { model: small, reason: '' });
    assert.equal(choices.get(request)?.model.id, 'small');
    assert.equal(choices.get(pickRequest(says(text('hi')), all, 500_000)), undefined);
    for (let n = 0; n < 50; n++)
      choices.keep(pickRequest(says(text(`other ${n}`)), all, 10), { model: large, reason: '' });
    assert.equal(choices.get(request), undefined);
  });
});
