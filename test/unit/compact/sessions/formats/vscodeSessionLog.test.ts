import assert from 'node:assert/strict';
import { written } from '../../../../../src/base/sentence';
import { readHistory, UnsupportedHistory } from '../../../../../src/compact/sessions';
import { minting, sameEdits, write } from '../fixtures';

const question = (text: string) => ({ message: { text }, response: [{ value: `to ${text}` }] });
const root = {
  version: 3,
  sessionId: 's',
  responderUsername: 'A',
  initialLocation: 'panel',
  customTitle: 'Kettle',
  requests: [question('a'), question('b')],
};
const start = { kind: 0, v: root };
const read = (...changes: readonly object[]) =>
  readHistory(
    'chat.jsonl',
    [start, ...changes].map(change => `${JSON.stringify(change)}\n`).join(''),
  );
const textsAfter = (...changes: readonly object[]): string =>
  read(...changes)
    .history.messages.flatMap(({ parts }) => parts.map(({ text }) => text))
    .join(', ');

describe('the log of a chat of VS Code', () => {
  it('sets values, adds to lists, cuts them, and deletes', () => {
    const whole = 'a, to a, b, to b';
    for (const [change, texts] of [
      [{ kind: 1, k: ['customTitle'], v: 'x' }, whole],
      [{ kind: 1, k: ['requests', 0], v: question('c') }, 'c, to c, b, to b'],
      [{ kind: 1, k: ['requests', 2], v: question('c') }, `${whole}, c, to c`],
      [{ kind: 1, k: ['requests', 1, 'message', 'text'], v: 'c' }, 'a, to a, c, to b'],
      [{ kind: 1, k: [], v: { ...root, requests: [question('c')] } }, 'c, to c'],
      [{ kind: 0, v: { ...root, requests: [question('c')] } }, 'c, to c'],
      [{ kind: 2, k: ['requests'], v: [question('c')] }, `${whole}, c, to c`],
      [{ kind: 2, k: ['requests'], i: 1, v: [question('c')] }, 'a, to a, c, to c'],
      [{ kind: 2, k: ['requests'], i: 2, v: [question('c')] }, `${whole}, c, to c`],
      [{ kind: 2, k: ['requests'], i: 1 }, 'a, to a'],
      [{ kind: 2, k: ['requests', 1, 'response'], i: 0, v: [{ value: 'c' }] }, 'a, to a, b, c'],
      [{ kind: 3, k: ['requests', 0] }, 'b, to b'],
      [{ kind: 3, k: ['requests', 2] }, whole],
      [{ kind: 3, k: ['customTitle'] }, whole],
      // A list that is not there begins with what is added to it.
      [{ kind: 2, k: ['pendingRequests'], v: [{}] }, whole],
    ] as [object, string][])
      assert.equal(textsAfter(change), texts, JSON.stringify(change));
    assert.equal(read({ kind: 1, k: ['customTitle'], v: 'Tea' }).history.title, 'Tea');
    assert.equal(read({ kind: 3, k: ['customTitle'] }).history.title, undefined);
  });

  it('makes a list that is missing, and adds to it later', () => {
    const none = { ...root, requests: undefined };
    assert.equal(
      textsAfter(
        { kind: 0, v: none },
        { kind: 2, k: ['requests'], v: [question('c')] },
        { kind: 2, k: ['requests'], v: [question('d')] },
      ),
      'c, to c, d, to d',
    );
  });

  it('makes a list within an object within a list', () => {
    const open = { kind: 1, k: ['requests', 1], v: { message: { text: 'c' } } };
    assert.equal(
      textsAfter(open, { kind: 2, k: ['requests', 1, 'response'], v: [{ value: 'd' }] }),
      'a, to a, c, d',
    );
  });

  it('is refused by the line that does not fit', () => {
    const nowhere = /line 2 changes something that is not there/;
    const noList = /line 2 adds to something that is no list/;
    for (const [change, reason] of [
      [{ kind: 1, k: ['none', 'deep'], v: 1 }, nowhere],
      [{ kind: 1, k: ['requests', 3], v: 1 }, nowhere],
      [{ kind: 1, k: ['requests', -1], v: 1 }, nowhere],
      [{ kind: 1, k: ['requests', 0.5], v: 1 }, nowhere],
      [{ kind: 1, k: ['requests', 'first'], v: 1 }, nowhere],
      [{ kind: 1, k: ['customTitle', 'x'], v: 1 }, nowhere],
      [{ kind: 3, k: [] }, nowhere],
      [{ kind: 2, k: ['customTitle'], v: [] }, noList],
      [{ kind: 2, k: ['requests'], i: 3 }, noList],
      [{ kind: 2, k: ['requests'], i: -1 }, noList],
      [{ kind: 2, k: ['none', 'deep'], v: [] }, noList],
      [{ kind: 7 }, /line 2 is an entry of kind 7/],
      [{ note: 'x' }, /line 2 is an entry of kind without a number/],
      [{ kind: 1, k: [true], v: 1 }, /a path is no list of keys/],
    ] as [object, RegExp][])
      assert.throws(
        () => read(change),
        error => error instanceof UnsupportedHistory && reason.test(error.message),
        JSON.stringify(change),
      );
    assert.throws(() => read({ kind: 0, v: { ...root, version: 4 } }), /version 4/);
  });

  it('is written for the import as it stands at its end', () => {
    const session = read(
      { kind: 2, k: ['requests'], i: 1, v: [question('c')] },
      { kind: 1, k: ['requests', 0, 'message', 'text'], v: 'changed' },
      { kind: 1, k: ['hasPendingEdits'], v: true },
    );
    assert.deepEqual(session.history.notes.map(written), [
      'The chat has edits that are not accepted.',
    ]);
    const [file] = write(session, sameEdits(session.history), minting()).files;
    assert.equal(file?.path, 'chat-compacted.json');
    assert.deepEqual(JSON.parse(file?.text ?? ''), {
      responderUsername: 'A',
      initialLocation: 'panel',
      requests: [{ ...question('a'), message: { text: 'changed' } }, question('c')],
    });
  });
});
