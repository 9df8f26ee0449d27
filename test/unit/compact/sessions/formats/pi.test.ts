import assert from 'node:assert/strict';
import { readHistory } from '../../../../../src/compact/sessions';
import { draw } from '../fixtures';

const message = (id: string, parentId: string | null, content: Record<string, unknown>) =>
  JSON.stringify({ type: 'message', id, parentId, message: content });

describe('a message of pi that sums up others', () => {
  const session = '{"type":"session","version":3,"id":"s","cwd":"/home/ada/kettle"}';
  for (const role of ['branchSummary', 'compactionSummary']) {
    it(`is a summary: ${role}`, () => {
      const lines = [
        session,
        message('a', null, { role: 'user', content: 'Which valve leaks?' }),
        message('b', 'a', { role, summary: 'It is not the first one.', fromId: 'x' }),
        message('c', 'b', { role: 'assistant', content: [{ type: 'text', text: 'The second.' }] }),
      ];
      assert.deepEqual(draw(readHistory('s.jsonl', `${lines.join('\n')}\n`).history), [
        'user',
        '  text: Which valve leaks?',
        'user',
        '  summary whole: It is not the first one.',
        'assistant',
        '  text: The second.',
      ]);
    });
  }
});
