import assert from 'node:assert/strict';
import {
  detectFormat,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../../src/compact/sessions';
import { minting, sameEdits, write } from '../../fixtures';

const about = {
  id: 'n',
  title: 'Drip',
  createdAt: '2026-03-02T12:00:00.000Z',
  lastAccessedAt: '2026-03-02T12:05:00.000Z',
  messageCount: 3,
  provider: 'own',
  model: 'm',
  workingDirectory: '/home/ada/kettle',
  titleManuallySet: true,
};
const call = { id: 'c', function: { name: 'execute_bash', arguments: { command: 'ls' } } };
const messages = [
  { role: 'user', content: 'one' },
  { role: 'assistant', content: '', reasoning: 'Hm.', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c', name: 'execute_bash', content: 'out' },
  { role: 'assistant', content: 'two' },
];
const read = (own: readonly object[], more = {}): ReadHistory =>
  readHistory('n.json', JSON.stringify({ ...about, ...more, messages: own }));

describe('a session of Nanocoder', () => {
  it('has no title where the tool has none yet', () => {
    assert.equal(read(messages).history.title, 'Drip');
    assert.equal(read(messages, { title: '' }).history.title, undefined);
  });

  it('is written with a row for the list of the tool, and without an answer that has only lost calls', () => {
    const session = read(messages);
    const edits = sameEdits(session.history).map((own, at) => (at === 2 ? [null] : own));
    const { files, indexRow, continueBy } = write(session, edits, minting());
    const id = '99999999-9999-4999-8999-000000000001';
    const now = '2026-03-03T08:00:00.000Z';
    const told = { ...about, id, createdAt: now, lastAccessedAt: now, messageCount: 2 };
    assert.deepEqual(JSON.parse(files[0]?.text ?? ''), {
      ...told,
      messages: [messages[0], messages[3]],
    });
    const { titleManuallySet: _, ...row } = told;
    assert.deepEqual(JSON.parse(indexRow?.json ?? ''), row);
    assert.deepEqual([indexRow?.path, indexRow?.key], ['sessions.json', 'id']);
    assert.equal(continueBy.shell, `nanocoder --resume ${id}`);
  });

  it('keeps an answer that was empty from the start', () => {
    const own = [...messages, { role: 'assistant', content: '' }];
    const session = read(own);
    const { files } = write(session, sameEdits(session.history), minting());
    assert.ok(files[0]?.text.includes(JSON.stringify(own)));
  });

  it('is refused where a role is not known or nothing was said', () => {
    assert.throws(() => read([{ role: 'ghost', content: 'boo' }]), UnsupportedHistory);
    assert.throws(() => read([]), UnsupportedHistory);
  });

  it('is told by what the tool notes of it', () => {
    for (const missing of ['workingDirectory', 'lastAccessedAt']) {
      const text = JSON.stringify({ ...about, [missing]: undefined, messages });
      assert.equal(detectFormat('n.json', text)?.id, 'openai', missing);
    }
  });
});
