import assert from 'node:assert/strict';
import type { Translate } from '../../../src/base/format/text';
import { middleModel } from '../../../src/contracts/chatModels';
import {
  choiceOf,
  choiceText,
  lastPrompt,
  ModelChoiceCache,
  pickRequest,
} from '../../../src/models/auto';
import type { Conversation, Part } from '../../../src/models/format/conversation';
import { tokenLimitsOf } from '../../../src/models/listing';
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
const user = (...parts: Part[]) => ({ role: 'user', parts }) as const;
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

  for (const [pick, reason] of [
    [{ difficulty: undefined, confidence: undefined }, ''],
    [{ difficulty: 'easy', confidence: undefined }, 'difficulty: easy'],
    [{ difficulty: undefined, confidence: 0.5 }, '50 % sure'],
    [
      { difficulty: 'needs_info', confidence: 1.7 },
      'the prompt leaves open how hard it is, 100 % sure',
    ],
  ] as const)
    it(`gives a reason where there is one: ${reason}`, () => {
      const choice = choiceOf(
        { provider: undefined, signals: {}, model: 'small', ...pick },
        all,
        t,
      );
      assert.equal(choice?.reason.replaceAll('\u00a0', ' '), reason);
      const shown = choiceText(choice, t).replaceAll('\u00a0', ' ');
      assert.equal(shown, `Auto: small answers${reason && ` (${reason})`}.`);
    });

  it('is by the median price, the higher one of two, where a model without a price is free', () => {
    assert.equal(middleModel([large, small])?.id, 'large');
    assert.equal(middleModel([large, { ...middle, price: undefined }, small])?.id, 'small');
    assert.equal(middleModel([beta, large])?.id, 'large');
  });

  it('is among those that take tools where there are tools, and that hold the prompt exactly', () => {
    const tools = [{ name: 'a', description: '', schema: {} }];
    const without = model('without', 1, { features: ['reasoning'] });
    const given = { ...says(text('hi')), tools };
    assert.deepEqual(pickRequest(given, [without, small], 10).allowedModels, ['small']);
    const { input } = tokenLimitsOf(small);
    assert.deepEqual(allowed(says(text('hi')), input), ['large', 'small', 'beta', 'middle']);
    assert.deepEqual(allowed(says(text('hi')), input + 1), ['large']);
    assert.equal(pickRequest(says(text('hi')), all, 10).policy, 'balanced');
  });

  it('goes by the last words of the user that are not empty', () => {
    for (const [turns, wanted] of [
      [[user(text('first')), user(text(' ')), user()], 'first'],
      [[user(text('one'), text('two'))], 'one\ntwo'],
      [[user(text('<userRequest>a</userRequest> <userRequest>b</userRequest>'))], 'b'],
      [[user(text('x <userRequest> </userRequest>'))], 'x <userRequest> </userRequest>'],
      [[{ role: 'assistant', parts: [text('answer')] } as const], ''],
    ] as const)
      assert.equal(lastPrompt(turns), wanted);
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
