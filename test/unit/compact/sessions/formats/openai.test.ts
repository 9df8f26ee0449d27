import assert from 'node:assert/strict';
import { detectFormat, readHistory, UnsupportedHistory } from '../../../../../src/compact/sessions';
import { draw, sameEdits, textWritten } from '../fixtures';

const messages = [
  { role: 'user', content: 'a' },
  { role: 'assistant', content: 'b' },
];
const drawn = ['user', '  text: a', 'assistant', '  text: b'];

const step = (name: string) => [
  { role: 'assistant', tool_calls: [{ id: '0', function: { name, arguments: '{}' } }] },
  { role: 'tool', tool_call_id: '0', content: `${name} it` },
];

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

  it('may be whole conversations on each line, as in training data', () => {
    const text = [messages, messages].map(own => `${JSON.stringify({ messages: own })}\n`).join('');
    const { format, history } = readHistory('a.jsonl', text);
    assert.deepEqual([format.id, draw(history)], ['openai', [...drawn, ...drawn]]);
  });

  it('may have instructions beside them', () => {
    for (const system of ['Be brief.', [{ type: 'text', text: 'Be brief.' }]]) {
      const { history } = readHistory('a.json', JSON.stringify({ system, messages }));
      assert.deepEqual(draw(history), ['system', '  text whole: Be brief.', ...drawn]);
    }
  });

  it('have results, thoughts and calls in each of their forms', () => {
    for (const [message, ...lines] of [
      [{ role: 'tool', tool_call_id: 'c', content: 'x' }, 'tool', '  tool_result #c: x'],
      [{ role: 'tool', tool_call_id: 'c', content: null }, 'tool', '  other #c whole: '],
      [{ role: 'tool', tool_call_id: 'c', content: [] }, 'tool', '  other #c whole: '],
      [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] },
        'tool',
        '  tool_result #c: x',
      ],
      [{ role: 'user', content: [] }, 'user'],
      [{ role: 'developer', content: 'x' }, 'system', '  text whole: x'],
      [
        { role: 'assistant', reasoning_content: 'Hm.', content: 'x' },
        'assistant',
        '  thinking whole: Hm.',
        '  text: x',
      ],
      [
        { role: 'assistant', reasoning: 'Hm.', content: '' },
        'assistant',
        '  thinking whole: Hm.',
        '  text: ',
      ],
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
            { id: 'd', type: 'custom', custom: { name: 'g', input: 'words' } },
          ],
        },
        'assistant',
        '  tool_call f #c whole: a: 1',
        '  tool_call g #d whole: words',
      ],
      [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
        'assistant',
        '  tool_call f whole: a: 1',
      ],
      [{ role: 'function', name: 'f', content: 'x' }, 'tool', '  tool_result: x'],
    ] as [object, ...string[]][]) {
      const { history } = readHistory('a.json', JSON.stringify([...messages, message]));
      assert.deepEqual(draw(history), [...drawn, ...lines], JSON.stringify(message));
    }
  });

  it('stay in pairs where a call has no id', () => {
    const pair = [
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'x' },
      { role: 'function', name: 'f', tool_call_id: 'c', content: 'x' },
    ];
    const { history } = readHistory('a.json', JSON.stringify([...messages, ...pair]));
    assert.deepEqual(
      history.messages.map(({ items }) => items.length),
      [1, 1, 0, 0, 1],
    );
  });

  it('stay in their own pairs where a server counts the calls of each answer from 0', () => {
    const [first, second] = [step('lift'), step('drop')];
    const text = JSON.stringify([...messages, ...first, ...second]);
    const read = readHistory('a.json', text);
    assert.deepEqual(draw(read.history).slice(-6), [
      'tool',
      '  tool_result #0: lift it',
      'assistant',
      '  tool_call drop #0 1 whole: ',
      'tool',
      '  tool_result #0 1: drop it',
    ]);
    const edits = sameEdits(read.history).map((own, at) => (at === messages.length ? [null] : own));
    assert.deepEqual(JSON.parse(textWritten(read, edits)), [...messages, ...second]);
    // The copy of a call has no result of its own.
    const copied = readHistory('a.json', JSON.stringify([...messages, ...first, second[0]]));
    assert.equal(draw(copied.history).at(-1), '  tool_call drop #0 whole: ');
  });

  it('may be a trajectory of SWE-agent, in which only tools speak after the task', () => {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'open', arguments: '{"path":"a"}' },
    };
    const history = [
      { role: 'system', content: 'You fix it.' },
      { role: 'user', content: 'Fix the kettle.' },
      { role: 'assistant', content: 'I look.', action: 'open a', tool_calls: [call] },
      { role: 'tool', content: 'on', tool_call_ids: ['c1'] },
      { role: 'assistant', content: 'Again.' },
      { role: 'user', content: 'off' },
    ];
    const task = ['system', '  text whole: You fix it.', 'user', '  text: Fix the kettle.'];
    const run = { trajectory: [], history };
    assert.deepEqual(draw(readHistory('a.traj', JSON.stringify(run)).history), [
      ...task,
      'assistant',
      '  text: I look.',
      '  tool_call open #c1 whole: path: a',
      'tool',
      '  tool_result #c1: on',
      'assistant',
      '  text: Again.',
      'tool',
      '  context: off',
    ]);
    const end = { role: 'exit', content: 'done' };
    const mini = {
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [...history.slice(0, 2), history[4], history[5], end],
    };
    assert.deepEqual(draw(readHistory('a.traj.json', JSON.stringify(mini)).history).slice(4), [
      'assistant',
      '  text: Again.',
      'tool',
      '  context: off',
      'tool',
      '  context: done',
    ]);
    const other = JSON.stringify({ history });
    assert.throws(() => readHistory('a.traj', other), UnsupportedHistory);
  });
});
