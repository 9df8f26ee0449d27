import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  messageIn,
  messageName,
  promptContext,
  reachedSessions,
} from '../../../../../../src/apply/external/agents/core/handover';

const label = (agent?: string, session?: string) => ({
  from: 1,
  to: 2,
  ...(agent !== undefined && { agent }),
  ...(session !== undefined && { session }),
});

describe('what a hook prints for a message', () => {
  it('is one line of JSON from which the same text is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const output = promptContext('gemini', text);
        assert.equal(output.indexOf('\n'), output.length - 1);
        assert.equal(messageIn(output), text);
      }),
    );
  });

  it("has the agent's own name of the event", () => {
    assert.equal(
      promptContext('gemini', 'a "b"'),
      '{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a \\"b\\""}}\n',
    );
    assert.match(promptContext('qwen', ''), /"hookEventName":"UserPromptSubmit"/);
  });

  it('is no message when it is anything else', () => {
    for (const other of ['', 'text', '{}', '[]', '{"hookSpecificOutput":{}}', 'null'])
      assert.equal(messageIn(other), undefined, other);
  });
});

describe('the sessions that a message can be handed over to', () => {
  it('are those that the labels name, each once', () => {
    const labels = [label('claude', 'a'), label('codex', 'b'), label('claude', 'a'), label()];
    assert.deepEqual(reachedSessions(labels), [
      { agent: 'claude', session: 'a' },
      { agent: 'codex', session: 'b' },
    ]);
  });

  it('are none of agents whose hook cannot, and none with an id that is no plain name', () => {
    const labels = [
      label('copilot', 'a'),
      label('opencode', 'a'),
      label('toString', 'a'),
      label('claude'),
      label(undefined, 'a'),
      ...['', '../x', 'a/b', 'a b', "a'b", 'a"b', '.', 'a.b', 'a\n', 'ü', 'x'.repeat(200)].map(id =>
        label('claude', id),
      ),
    ];
    assert.deepEqual(reachedSessions(labels), []);
  });

  it('have files of different names', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
    const session = fc.record({ agent: fc.constantFrom('claude', 'codex'), session: id } as const);
    fc.assert(
      fc.property(session, session, (a, b) => {
        const isSame = a.agent === b.agent && a.session === b.session;
        assert.equal(messageName(a) === messageName(b), isSame);
      }),
    );
  });
});
