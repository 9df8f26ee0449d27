import assert from 'node:assert/strict';
import { removalOf } from '../../../../src/compact/session/removal';
import { readChat } from '../../../../src/compact/sessions/chat';
import { removedNote } from '../../../../src/compact/sessions/eraseCopies';
import { indexLines, lineCountOf, lineOf } from '../../../../src/compact/worker/sessionLineIndex';
import { chatBytes } from './sessions';

const text = new TextDecoder().decode(
  chatBytes([
    { user: 'Go.' },
    {
      call: { path: 'a.env', content: 'HOST=me\nTOKEN=abc\nPORT=1', times: 3 },
      result: 'read\r\nTOKEN=abc\r\n',
    },
  ]),
);

/** What becomes of the chat when the lines that contain a text go. */
function removalOfLinesWith(wanted: string, own = text) {
  const chat = readChat({ path: 'chat.json', text: own });
  const lineIndex = indexLines(chat);
  const gone = Uint8Array.from({ length: lineCountOf(lineIndex) }, (_, line) =>
    lineOf(lineIndex, line).includes(wanted) ? 1 : 0,
  );
  return removalOf(chat, lineIndex, gone);
}

/** A line of a session of Claude Code. */
const claude = (uuid: string, parent: string | null, type: string, content: unknown) =>
  JSON.stringify({
    parentUuid: parent,
    sessionId: 's',
    uuid,
    type,
    message: { role: type, content },
  });

describe('lines that are removed for good', () => {
  it('become a note in a value of a call and in a result, and nothing else changes', () => {
    const { edits, lines, stuck } = removalOfLinesWith('TOKEN');
    assert.deepEqual(edits, [
      ['Go.'],
      [[null, `HOST=me\n${removedNote}\nPORT=1`, null]],
      [`read\r\n${removedNote}\r\n`],
    ]);
    assert.deepEqual([lines, stuck], [['TOKEN=abc', 'TOKEN=abc'], 0]);
  });

  it('may be the first of a value, whose name stays', () => {
    assert.deepEqual(removalOfLinesWith('HOST').edits[1], [
      [null, `${removedNote}\nTOKEN=abc\nPORT=1`, null],
    ]);
  });

  it('leave a value the line end that it ends with', () => {
    const ended = new TextDecoder().decode(
      chatBytes([{ call: { path: 'a.env', content: 'TOKEN=abc\nPORT=1\n' }, result: 'written' }]),
    );
    const written = [null, `${removedNote}\nPORT=1\n`];
    assert.deepEqual(removalOfLinesWith('TOKEN', ended).edits, [[written], ['written']]);
  });

  it('stay where a call has no text but a number, which is counted', () => {
    const { edits, lines, stuck } = removalOfLinesWith('times');
    assert.deepEqual(edits[1], [[null, null, null]]);
    assert.deepEqual([lines, stuck], [[], 1]);
  });

  it('take a part along that is signed, and no other one', () => {
    const chat = readChat({
      path: 'claude.jsonl',
      text: `${claude('a', null, 'user', 'Go.\nOn.')}\n${claude('b', 'a', 'assistant', [
        { type: 'thinking', thinking: 'Hm.\nThe token.', signature: 'c2ln' },
        { type: 'text', text: 'I see.' },
      ])}\n`,
    });
    const lineIndex = indexLines(chat);
    const removing = (wanted: string) =>
      removalOf(
        chat,
        lineIndex,
        Uint8Array.from({ length: lineCountOf(lineIndex) }, (_, line) =>
          lineOf(lineIndex, line).includes(wanted) ? 1 : 0,
        ),
      ).edits.flat();
    assert.deepEqual(removing('On.'), [`Go.\n${removedNote}`, 'Hm.\nThe token.', 'I see.']);
    assert.deepEqual(removing('token'), ['Go.\nOn.', null, 'I see.']);
    assert.deepEqual(removing('nowhere'), ['Go.\nOn.', 'Hm.\nThe token.', 'I see.']);
  });
});
