import assert from 'node:assert/strict';
import { openSession } from '../../../src/compact/session';
import { assertApproved } from '../../support/unit/approved';
import { chatBytes, type Step, sourceLines } from './session/sessions';

const log = Array.from({ length: 24 }, (_, at) =>
  at === 17
    ? 'ERROR cart.test.ts: expected 3 items, got 2'
    : `ok ${at} - test of part ${at % 5} took ${at * 3} ms`,
).join('\n');
const worker = sourceLines('worker', 18);

/** All kinds of steps that sessions have. */
const steps: Step[] = [
  { system: 'You are a coding agent.\nBe brief.\nNever delete files.' },
  { user: 'The cart loses items. Find out why, and do not touch the tests.' },
  { assistant: 'I read the worker first.\n\nThen I run the tests.' },
  { call: { path: 'src/worker.ts' }, result: worker, name: 'read' },
  { call: { path: 'src/worker.ts' }, result: worker, name: 'read' },
  { call: { command: 'npm test' }, result: log, name: 'run' },
  { assistant: 'One test fails: the cart counts an item twice.\nI look where it is counted.' },
  {
    user: '<system-reminder>\nThe list of tasks is empty.\nDo not mention this.\n</system-reminder>',
  },
  { call: { pattern: 'count' }, result: sourceLines('match', 30), name: 'grep' },
  {
    call: { path: 'src/cart.ts', content: sourceLines('cart', 22), mode: 'overwrite' },
    result: 'written',
    name: 'write',
  },
  { user: `This is what the server says:\n\n${sourceLines('pasted', 40)}\n\nDoes that help?` },
  { assistant: 'Yes: `pastedValue7` is computed too early.' },
  { call: { path: 'src/server.ts' }, result: sourceLines('server', 26), name: 'read' },
  { call: { command: 'npm test' }, result: log.replace(/ERROR.*/, 'ok 17 - cart'), name: 'run' },
  { assistant: 'All tests pass now.' },
  { user: 'Thanks. Now the same for the wish list.' },
  { user: 'And keep the order.' },
];

describe('a session with all kinds of steps', () => {
  const session = openSession('chat.json', chatBytes(steps));
  assert.ok(!('refused' in session));

  for (const [name, options] of Object.entries({
    half: { ratio: 0.5 },
    'a fifth': { ratio: 0.2 },
    'a fifth, for what matters next': { ratio: 0.2, query: 'where is serverValue11 computed' },
    'a tenth, with the last two turns': { ratio: 0.1, keepRecent: 2 },
  })) {
    it(`is compacted to ${name} as before`, () => {
      const compacted = session.compact(options);
      const { text, tokensBefore, tokensAfter, messages } = compacted;
      const kinds = messages.map(({ id, kind }) => `${id} ${kind}`).join(', ');
      assertApproved(
        `compactedSessions/${name.replaceAll(/\W+/g, '-')}`,
        `${tokensBefore} tokens, ${tokensAfter} left: ${kinds}\n\n${text}\n`,
      );
    });
  }
});
