import assert from 'node:assert/strict';
import { detectFormat, readHistory, UnsupportedHistory } from '../../../../../src/compact/sessions';
import { draw } from '../fixtures';

const messages = [
  { role: 'user', content: 'a' },
  { role: 'assistant', content: 'b' },
];
const drawn = ['user', '  text: a', 'assistant', '  text: b'];

describe('messages in the shape of Chat Completions', () => {
  it('are a list, a member of an object, or one on each line', () => {
    for (const [name, text] of [
      ['a.json', JSON.stringify(messages)],
      ['a.json', JSON.stringify({ model: 'm', messages })],
      ['a.jsonl', messages.map(message => `${JSON.stringify(message)}\n`).join('')],
    ] as const) {
      const { format, history } = readHistory(name, text);
      assert.deepEqual([format.id, draw(history)], ['openai', drawn], text);
    }
  });

  it('are of roles that are known, and at least one', () => {
    assert.throws(
      () => readHistory('a.json', JSON.stringify([...messages, { role: 'ghost', content: 'c' }])),
      UnsupportedHistory,
    );
    assert.equal(detectFormat('a.json', '[]'), undefined);
    assert.equal(detectFormat('a.json', '{"messages": []}')?.id, undefined);
    assert.equal(detectFormat('a.json', '{"messages": "a"}')?.id, undefined);
  });
});
