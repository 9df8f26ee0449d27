import assert from 'node:assert/strict';
import { ChatIds } from '../../../src/models/chatIds';
import type { Conversation, ConversationTurn, Part } from '../../../src/models/format/conversation';
import type { TurnSink } from '../../../src/models/turn';
import { randomOf } from '../apply/review/journal/world';

const nothing = (): void => undefined;
const sink: TurnSink = {
  text: nothing,
  thinking: nothing,
  endThinking: nothing,
  note: nothing,
  toolCall: nothing,
  usage: nothing,
};

const say = (role: ConversationTurn['role'], ...parts: readonly Part[]): ConversationTurn => ({
  role,
  parts,
});
const words = (text: string): Part => ({ type: 'text', text });
const conversation = (turns: readonly ConversationTurn[]): Conversation => ({
  turns,
  tools: [],
  toolMode: 'auto',
});

/** Asks in a chat and answers; the id that the calls get. */
function ask(ids: ChatIds, turns: ConversationTurn[], question: string, answer: readonly string[]) {
  turns.push(say('user', words(question)));
  const asked = conversation([...turns]);
  const id = ids.idOf(asked);
  const recorder = ids.recorder(id, asked, sink);
  for (const piece of answer) recorder.text(piece);
  recorder.end();
  turns.push(say('assistant', words(answer.join(''))));
  return id;
}

describe('the ids of chats', () => {
  it('are right for 100 chats that are continued in any order, also where they begin alike', () => {
    const ids = new ChatIds();
    const random = randomOf(7);
    const chats = Array.from({ length: 100 }, () => ({
      turns: [] as ConversationTurn[],
      ids: [] as string[],
    }));
    for (let turn = 0; turn < 700; turn++) {
      const at = turn < 100 ? turn : Math.floor(random() * 100);
      const chat = chats[at] ?? assert.fail();
      const answer = [`Look at ${at}, `, 'please.'];
      // Later answers are the same in all chats.
      const said = chat.turns.length === 0 ? answer : ['Done.'];
      chat.ids.push(ask(ids, chat.turns, 'Mend the tests', said));
    }
    for (const chat of chats) assert.equal(new Set(chat.ids).size, 1);
    assert.equal(new Set(chats.map(chat => chat.ids[0])).size, 100);
  });

  it('stay through calls of tools, which have no text', () => {
    const ids = new ChatIds();
    const asked = conversation([say('user', words('Go'))]);
    const id = ids.idOf(asked);
    const recorder = ids.recorder(id, asked, sink);
    recorder.toolCall('call-1', 'look', {});
    recorder.end();
    const next = conversation([
      ...asked.turns,
      say('assistant', { type: 'toolCall', callId: 'call-1', name: 'look', input: {} }),
      say('user', { type: 'toolResult', callId: 'call-1', parts: [] }),
    ]);
    assert.equal(ids.idOf(next), id);
  });

  it('stay where earlier answers were summed up', () => {
    const ids = new ChatIds();
    const turns: ConversationTurn[] = [];
    const id = ask(ids, turns, 'One', ['First answer']);
    assert.equal(ask(ids, turns, 'Two', ['Second answer']), id);
    const summed = conversation([
      say('user', words('Summary: one')),
      say('assistant', words('Second answer\n')),
      say('user', words('Three')),
    ]);
    assert.equal(ids.idOf(summed), id);
  });

  it('are new for a chat that begins, and for one that nobody knows', () => {
    const ids = new ChatIds();
    const first = conversation([say('user', words('Hello'))]);
    assert.notEqual(ids.idOf(first), ids.idOf(first));
    const known = ask(ids, [], 'Hello', ['Hi']);
    const other = conversation([
      say('user', words('Hello')),
      say('assistant', words('Good morning')),
      say('user', words('Go')),
    ]);
    assert.notEqual(ids.idOf(other), known);
  });
});
