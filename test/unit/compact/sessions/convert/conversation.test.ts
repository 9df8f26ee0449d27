import assert from 'node:assert/strict';
import type { Edits } from '../../../../../src/compact/sessions';
import { convertSession } from '../../../../../src/compact/sessions/convert';
import { sharedTurns, textOfCall } from '../../../../../src/compact/sessions/convert/conversation';
import { historyOf, minting, sameEdits } from '../fixtures';

const call = (id: string, input: string, name = 'read') => ({
  id,
  type: 'function',
  function: { name, arguments: input },
});
const calls = (...own: readonly object[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: own,
});
const answer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const text = (own: string) => ({ type: 'text', text: own });

function turnsOf(messages: readonly object[], edits?: Edits) {
  const history = historyOf(messages);
  return sharedTurns(history, edits ?? sameEdits(history));
}

describe('what tools share of a session', () => {
  it('is one turn for each side at a time', () => {
    assert.deepEqual(
      turnsOf([
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
        { role: 'assistant', content: 'c' },
        { role: 'assistant', content: 'd' },
        { role: 'user', content: 'e' },
      ]),
      [
        { role: 'user', text: 'a\n\nb' },
        { role: 'assistant', blocks: [text('c'), text('d')] },
        { role: 'user', text: 'e' },
      ],
    );
  });

  it('has a command as it was typed', () => {
    const content =
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the last commit</command-args>';
    assert.deepEqual(turnsOf([{ role: 'user', content }]), [
      { role: 'user', text: '/review the last commit' },
    ]);
    assert.deepEqual(turnsOf([{ role: 'user', content }], [['<command-message>review']]), [
      { role: 'user', text: '<command-message>review' },
    ]);
  });

  it('has calls with their results, also where several results belong to one', () => {
    assert.deepEqual(
      turnsOf([
        { role: 'user', content: 'a' },
        calls(call('c1', '{"path":"a.ts","deep":{"list":[1,"x",null,true]}}')),
        answer('c1', 'one'),
        answer('c1', 'two'),
      ])[1],
      {
        role: 'assistant',
        blocks: [
          {
            type: 'call',
            call: {
              name: 'read',
              input: { path: 'a.ts', deep: { list: [1, 'x', null, true] } },
              result: 'one\ntwo',
            },
          },
        ],
      },
    );
  });

  it('has what is left of the arguments, which most tools keep as JSON in a text', () => {
    const input = { path: 'a.ts', content: 'one\ntwo\n', more: [{ note: 'x\ny' }] };
    const [, turn] = turnsOf(
      [
        { role: 'user', content: 'a' },
        calls(call('c1', JSON.stringify(input), 'write')),
        answer('c1', 'Done.'),
      ],
      [['a'], [[null, 'two\n', 'y']], ['Done.']],
    );
    const left = { path: 'a.ts', content: 'two\n', more: [{ note: 'y' }] };
    assert.deepEqual(turn, {
      role: 'assistant',
      blocks: [{ type: 'call', call: { name: 'write', input: left, result: 'Done.' } }],
    });
  });

  it('has a call that nobody answered as words', () => {
    assert.deepEqual(
      turnsOf([{ role: 'user', content: 'a' }, calls(call('c1', '{"path":"a.ts"}'))])[1],
      {
        role: 'assistant',
        blocks: [text('(called read)\npath: a.ts')],
      },
    );
  });

  it('has a call without a name as one of a tool', () => {
    const { function: _, ...unnamed } = call('c1', '{}');
    assert.deepEqual(
      turnsOf([
        { role: 'user', content: 'a' },
        calls({ ...unnamed, function: { arguments: '{}' } }),
        answer('c1', 'x'),
      ])[1],
      {
        role: 'assistant',
        blocks: [{ type: 'call', call: { name: 'tool', input: {}, result: 'x' } }],
      },
    );
  });

  it('has arguments that are no object under one name', () => {
    for (const [input, value] of [
      ['[1]', [1]],
      ['3', 3],
      ['null', 'null'],
      ['words', 'words'],
    ] as const) {
      const turn = turnsOf([
        { role: 'user', content: 'a' },
        calls(call('c1', input)),
        answer('c1', 'x'),
      ])[1];
      assert.deepEqual(
        turn?.role === 'assistant' &&
          turn.blocks.map(block => block.type === 'call' && block.call.input),
        [{ input: value }],
        input,
      );
    }
  });

  it('is without instructions, and without what is left out or blank', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ];
    assert.deepEqual(turnsOf(messages, [['Be brief.'], ['a'], [null], [' \n']]), [
      { role: 'user', text: 'a' },
    ]);
  });
});

describe('a session without a question', () => {
  it('is not written for another tool', () => {
    const history = historyOf([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ]);
    const conversion = { target: 'codex', workspace: '/home/ada' } as const;
    assert.throws(
      () => convertSession(history, [[null], ['b']], conversion, minting()),
      /no question of the user is left/,
    );
    assert.equal(convertSession(history, [['a'], [null]], conversion, minting()).files.length, 1);
  });
});

describe('a call in words', () => {
  it('names its arguments, and its result if there is one', () => {
    const input = { path: 'a.ts', count: 2, list: ['x'], none: null, nothing: undefined };
    const words = '(called read)\npath: a.ts\ncount: 2\nlist: ["x"]\nnone: null\nnothing: ';
    assert.equal(textOfCall('read', input), words);
    assert.equal(textOfCall('read', input, 'found'), `${words}\n(result)\nfound`);
    assert.equal(textOfCall('read', {}, ''), '(called read)\n(result)\n');
  });
});
