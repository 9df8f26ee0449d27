import assert from 'node:assert/strict';
import { type Edits, readHistory, UnsupportedHistory } from '../../../../src/compact/sessions';
import {
  applyPatches,
  applyToSpans,
  compactedName,
  omissionMarker,
  planEdits,
  replaceIds,
  resumedBy,
  setString,
} from '../../../../src/compact/sessions/edit';
import { parseJsonNode } from '../../../../src/compact/sessions/json';
import { historyOf, sameEdits } from './fixtures';

const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a.ts"}' },
});
const user = (content: string) => ({ role: 'user', content });
const calls = (content: string | null, ...ids: readonly string[]) => ({
  role: 'assistant',
  content,
  tool_calls: ids.map(call),
});
const answer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

/** The messages after these edits; `undefined` leaves a part as it is. */
function edited(
  messages: readonly object[],
  edits: readonly (readonly (string | null | undefined)[])[],
) {
  const history = historyOf(messages);
  const whole = sameEdits(history).map((own, at) =>
    own.map((text, index) => {
      const edit = edits[at]?.[index];
      return edit === undefined ? text : edit;
    }),
  );
  return JSON.parse(applyPatches(history.file.text, planEdits(history, whole).patches));
}

describe('the edits of a session', () => {
  const pair = [user('Go.'), calls('I read.', 'c'), answer('c', 'a\nb'), user('Next.')];

  it('take a call along with its result, and a result with its call', () => {
    const without = [user('Go.'), { role: 'assistant', content: 'I read.' }, user('Next.')];
    assert.deepEqual(edited(pair, [[], [undefined, null]]), without);
    assert.deepEqual(edited(pair, [[], [], [null]]), without);
  });

  it('put a note where a result is left empty, so that its call has an answer', () => {
    assert.deepEqual(edited(pair, [[], [], ['']])[2], answer('c', omissionMarker));
  });

  it('take a message away whose parts all go, and put a note where one is emptied', () => {
    assert.deepEqual(edited(pair, [[null]]), pair.slice(1));
    assert.deepEqual(edited(pair, [['']])[0], user(omissionMarker));
    assert.deepEqual(edited([user(''), ...pair], [['']])[0], user(''));
  });

  it('do not count a line end that was added to a part', () => {
    assert.deepEqual(edited(pair, [['Go.\n'], [], ['b\n']])[2], answer('c', 'b'));
    assert.deepEqual(edited([user('one\ntwo'), user('c')], [['two\n']])[0], user('two'));
    assert.deepEqual(edited([user('a\none\ntwo'), user('c')], [['a\ntwo\n']])[0], user('a\ntwo'));
    assert.deepEqual(edited(pair, [['Went.\n']])[0], user('Went.\n'));
    assert.deepEqual(edited([user('a\nb\n'), user('c')], [['b\n']])[0], user('b\n'));
    assert.deepEqual(edited([user('a\nb'), user('c')], [['note b\n']])[0], user('note b\n'));
  });

  it('leave something', () => {
    assert.throws(
      () => edited(pair, [[null], [null, null], [null], [null]]),
      (error: unknown) =>
        error instanceof UnsupportedHistory && /nothing of the chat/.test(error.message),
    );
  });

  it('are for these messages and parts', () => {
    const history = historyOf(pair);
    const whole = sameEdits(history);
    for (const [edits, message] of [
      [whole.slice(1), 'one list of edits for each message'],
      [[['a', 'b'], ...whole.slice(1)], 'one edit for each part'],
      [[['Go.'], ['I read.', []], ['a'], ['b']], 'one edit for each field of a call'],
    ] satisfies [Edits, string][])
      assert.throws(() => planEdits(history, edits), new RangeError(message), message);
  });

  it('cannot change what has to stay whole', () => {
    const text = `${JSON.stringify({ type: 'session_meta', payload: { id: 's' } })}\n${JSON.stringify(
      {
        type: 'compacted',
        payload: { message: 'sum' },
      },
    )}\n`;
    const { history } = readHistory('rollout-1.jsonl', text);
    for (const edit of ['x', '', null])
      assert.throws(() => planEdits(history, [[edit]]), /must stay whole \(summary\)/);
    assert.deepEqual(planEdits(history, [['sum']]).patches, []);
  });
});

const at = (start: number, end: number, text: string) => ({ start, end, text });

describe('patches of a text', () => {
  it('are applied in any order, and within another one not at all', () => {
    assert.equal(applyPatches('abcdef', [at(4, 5, 'E'), at(0, 1, 'A')]), 'AbcdEf');
    assert.equal(applyPatches('abcdef', [at(2, 3, 'x'), at(1, 5, '-')]), 'a-f');
    assert.equal(applyPatches('abcdef', [at(1, 2, 'x'), at(1, 5, '-')]), 'a-f');
    assert.equal(applyPatches('abc', [at(3, 3, 'd'), at(0, 0, '_')]), '_abcd');
    assert.equal(applyPatches('abc', []), 'abc');
  });

  it('are applied to each span by itself', () => {
    const patches = [at(1, 2, 'B'), at(3, 4, '-'), at(6, 7, 'G')];
    const spans = [
      { start: 0, end: 3 },
      { start: 4, end: 6 },
      { start: 6, end: 8 },
    ];
    assert.deepEqual(applyToSpans('abcdefgh', patches, spans), ['aBc', 'ef', 'Gh']);
    assert.deepEqual(applyToSpans('abcdefgh', patches, []), []);
  });
});

const node = (text: string) => {
  const parsed = parseJsonNode(text);
  assert.ok(parsed);
  return parsed;
};

describe('members of JSON', () => {
  it('are set where they are texts, and another one', () => {
    const text = '{"a": "x", "b": 3}';
    assert.equal(applyPatches(text, setString(node(text), 'a', 'y"')), '{"a": "y\\"", "b": 3}');
    assert.deepEqual(setString(node(text), 'a', 'x'), []);
    assert.deepEqual(setString(node(text), 'b', 'x'), []);
    assert.deepEqual(setString(node(text), 'c', 'x'), []);
    assert.deepEqual(setString(undefined, 'a', 'x'), []);
  });

  it('are other ids where their names say that they are ids', () => {
    const text =
      '{"id":"1","parentId":"1","ids":["1","2"],"text":"1","deep":{"sessionID":"1"},"idea":"1"}';
    assert.equal(
      applyPatches(text, replaceIds([node(text)], new Map([['1', 'n']]))),
      '{"id":"n","parentId":"n","ids":["n","2"],"text":"1","deep":{"sessionID":"n"},"idea":"1"}',
    );
  });
});

describe('the new file of a session', () => {
  it('is named after the old one', () => {
    assert.deepEqual(['chat.json', 'a.b.jsonl', 'notes', '.hidden'].map(compactedName), [
      'chat-compacted.json',
      'a.b-compacted.jsonl',
      'notes-compacted',
      '.hidden-compacted',
    ]);
  });

  it('is continued by a command with its id, unless the id could be one itself', () => {
    const file = { path: 'a', text: 'x' };
    for (const [id, shell] of [
      ['1a-2b', 'tool -r 1a-2b'],
      ['$(rm x)', 'tool -r'],
      [undefined, 'tool -r'],
    ] as const)
      assert.deepEqual(resumedBy('tool -r', id, file), {
        files: [file],
        continueBy: { shell, sentence: `Run “${shell}” in the folder of the session.` },
      });
  });
});
