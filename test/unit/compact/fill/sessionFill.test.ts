import assert from 'node:assert/strict';
import { fillAtEnd } from '../../../../src/compact/fill/sessionFill';

const lines = (...records: readonly object[]): string =>
  records.map(record => `${JSON.stringify(record)}\n`).join('');
const claude = (usage: object, more: object = {}, model = 'model-s') => ({
  type: 'assistant',
  message: { model, usage },
  ...more,
});
const usage = {
  input_tokens: 10,
  cache_read_input_tokens: 120_000,
  cache_creation_input_tokens: 19_000,
  output_tokens: 990,
};

const count = (info: unknown) => ({
  type: 'event_msg',
  payload: { type: 'token_count', info },
});

describe('how full a session is', () => {
  it('is what Claude Code noted last, without its subagents', () => {
    const other = claude({ input_tokens: 5 }, { isSidechain: true });
    const first = claude({ input_tokens: 1 });
    assert.deepEqual(fillAtEnd(lines(first, claude(usage), { type: 'user' }, other)), {
      used: 140_000,
      window: 200_000,
    });
  });

  it('knows the larger context of Claude Code by its name and by its use', () => {
    const named = claude({ input_tokens: 50_000 }, {}, 'model-s[1m]');
    assert.equal(fillAtEnd(lines(named))?.window, 1_000_000);
    assert.equal(fillAtEnd(lines(claude({ input_tokens: 250_000 })))?.window, 1_000_000);
  });

  it('is what Kimi Code measured last', () => {
    const measured = { type: 'token_counting.measured', length: 4, tokens: 17_798 };
    assert.deepEqual(
      fillAtEnd(lines({ ...measured, tokens: 9 }, measured, { type: 'turn.ended' })),
      {
        used: 17_798,
      },
    );
  });

  it('is read from sessions of other tools', () => {
    const codex = {
      total_token_usage: { total_tokens: 900_000 },
      last_token_usage: { total_tokens: 120_000 },
      model_context_window: 258_400,
    };
    assert.deepEqual(fillAtEnd(lines(count(codex), count(null))), {
      used: 120_000,
      window: 258_400,
    });
    assert.deepEqual(fillAtEnd(lines({ type: 'gemini', tokens: { input: 700, output: 30 } })), {
      used: 730,
      window: 1_048_576,
    });
    const qwen = { type: 'assistant', usageMetadata: { totalTokenCount: 18_120 } };
    assert.equal(fillAtEnd(lines(qwen))?.used, 18_120);
    const pi = { type: 'message', message: { usage: { input: 3, totalTokens: 2120 } } };
    assert.deepEqual(fillAtEnd(lines(pi)), { used: 2120 });
  });

  it('is not known from anything else', () => {
    const odd = { message: { usage: { input_tokens: 'many', output_tokens: Number.NaN } } };
    for (const tail of [
      '',
      'no JSON\n{"a":',
      lines(odd),
      lines({ type: 'event_msg', payload: 3 }),
    ]) {
      assert.equal(fillAtEnd(tail), undefined);
    }
    const cut = `ge":{"usage":{}}}\n${lines(claude(usage))}`;
    assert.equal(fillAtEnd(cut)?.used, 140_000);
  });
});
