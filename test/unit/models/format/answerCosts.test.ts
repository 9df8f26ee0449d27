import assert from 'node:assert/strict';
import { answerCostText } from '../../../../src/contracts/lastAnswer';
import { AnswerCosts } from '../../../../src/models/format/answerCosts';
import type { Conversation, Part } from '../../../../src/models/format/conversation';

const t = (message: string, ...values: (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));

const asked = (...parts: Part[]): Conversation => ({
  turns: [{ role: 'user', parts }],
  tools: [],
  toolMode: 'auto',
});
const prompt = asked({ type: 'text', text: 'hello' });
const result = asked({ type: 'toolResult', callId: 'c1', parts: [] });
const call = (promptTokens: number, usd: number, isExact = true) => ({
  usage: { promptTokens, completionTokens: 12 },
  cost: { usd, isExact },
});

describe('the cost of an answer', () => {
  it('is that of its call', () => {
    const cost = new AnswerCosts().add('a', prompt, call(800, 0.0012));
    assert.equal(answerCostText(cost, t), '812 tokens, $0.0012');
  });

  it('has all calls of an agent since the prompt, and those of no other chat', () => {
    const costs = new AnswerCosts();
    costs.add('a', prompt, call(5000, 1));
    costs.add('a', prompt, call(1000, 0.01));
    costs.add('b', prompt, call(9000, 7));
    costs.add('a', result, call(2000, 0.02));
    const all = costs.add('a', result, call(3000, 0.03, false));
    assert.equal(answerCostText(all, t), '3 calls, 6.0k tokens, about $0.06');
    assert.equal(answerCostText(costs.add('a', prompt, call(88, 0.5)), t), '100 tokens, $0.50');
  });

  it('leaves out what one of the calls did not say', () => {
    const costs = new AnswerCosts();
    costs.add('a', prompt, { usage: undefined, cost: { usd: 1, isExact: true } });
    assert.equal(answerCostText(costs.add('a', result, call(88, 2)), t), '2 calls, $3');
    const priceless = new AnswerCosts().add('a', prompt, { ...call(88, 0), cost: undefined });
    assert.equal(answerCostText(priceless, t), '100 tokens');
    const unknown = new AnswerCosts().add('a', prompt, { usage: undefined, cost: undefined });
    assert.equal(answerCostText(unknown, t), '');
  });

  it('begins anew where the calls before are not known', () => {
    assert.equal(
      answerCostText(new AnswerCosts().add('a', result, call(88, 2)), t),
      '100 tokens, $2',
    );
  });
});
