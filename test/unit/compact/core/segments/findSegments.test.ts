import assert from 'node:assert/strict';
import { findSegments } from '../../../../../src/compact/core/segments/findSegments';
import { speakerBit } from '../../../../../src/compact/core/segments/segment';
import { headerStyles } from '../../chats';

const names = new Map(Object.entries(speakerBit).map(([name, bit]) => [bit as number, name]));
/** `speaker*: first line`; a star where a turn starts, a plus where the line is only a header. */
const drawn = (text: string): string[] =>
  findSegments(text).map(
    ({ start, speaker, startsTurn, hasHeader }) =>
      `${names.get(speaker)}${startsTurn ? '*' : ''}${hasHeader ? '+' : ''}: ${text.slice(start).split('\n')[0]}`,
  );

describe('the speakers of a transcript', () => {
  for (const { name, user, assistant } of headerStyles)
    it(`are found in ${name}`, () => {
      const text = [user('one'), assistant('two'), user('three'), assistant('four')].join('');
      const found = findSegments(text).filter(({ startsTurn }) => startsTurn);
      const users = found.filter(({ speaker }) => speaker === speakerBit.user);
      assert.equal(users.length, 2, drawn(text).join('; '));
      assert.ok(text.slice(users[1]?.start).includes('three'));
      assert.ok(!text.slice(users[1]?.start).includes('two'));
    });

  it('may be tools and the system, and calls belong to the assistant', () => {
    const text =
      '## System\nrules\n## User\ngo\n## Assistant\nok\n## Tool call\nls\n## Tool result\na\n## Assistant\ndone\n';
    assert.deepEqual(drawn(text), [
      'system+: ## System',
      'user*+: ## User',
      'assistant*+: ## Assistant',
      'assistant+: ## Tool call',
      'tool+: ## Tool result',
      'assistant*+: ## Assistant',
    ]);
  });

  it('are not those of a block, unless it never closes', () => {
    const closed = '## User\n```\n## Assistant\nquoted\n```\n## Assistant\nreal\n';
    assert.deepEqual(drawn(closed), ['user*+: ## User', 'assistant*+: ## Assistant']);
    assert.equal(findSegments(closed)[1]?.start, closed.lastIndexOf('## Assistant'));
    const open = '## User\n```\nx\n## Assistant\nreal\n## User\ny\n';
    assert.equal(drawn(open).length, 3);
    const longer = '## User\n````\n```\n## Assistant\n```\n````\n## Assistant\nreal\n';
    assert.equal(drawn(longer).length, 2);
    // The first block never closes: another one opens before.
    const reopened = '## User\n```js\nx\n````ts\n```\n## Assistant\n````\n## Assistant\nreal\n';
    assert.deepEqual(drawn(reopened), ['user*+: ## User', 'assistant*+: ## Assistant']);
    assert.equal(findSegments(reopened)[1]?.start, reopened.lastIndexOf('## Assistant'));
  });

  it('are of the style that comes first, not of a transcript within a message', () => {
    const text = `## User\nlook:\n\nUser: a\nAssistant: b\nUser: c\n\n## Assistant\nseen\n`;
    assert.deepEqual(drawn(text), ['user*+: ## User', 'assistant*+: ## Assistant']);
  });

  it('may have their step in parentheses, unless that is a text of its own', () => {
    const step = `step 3, ${'$0.02, '.repeat(6)}`;
    const text = `user: go\nagent (${step}): a\nuser: b\nagent (${'x '.repeat(200)}): c\n`;
    assert.deepEqual(drawn(text), [
      'user*: user: go',
      `assistant*: agent (${step}): a`,
      'user*: user: b',
    ]);
  });

  it('need more than a tool that answers once to be those of an agent', () => {
    assert.deepEqual(drawn(`${'Assistant: x\n'.repeat(8)}Tool: y\n`), ['assistant: Assistant: x']);
  });

  it('are not taken from words of a text', () => {
    for (const text of [
      'Model: x-1\nOutput: none\n',
      '# User guide for the tool\ntext\n# Assistant settings\ntext\n',
      'plain text\n',
      '',
      'Note: a\nWarning: b\nNote: c\n',
    ])
      assert.deepEqual(
        findSegments(text).filter(({ startsTurn }) => startsTurn),
        [],
        text,
      );
  });

  it('have a start at the start of the text', () => {
    assert.deepEqual(drawn('intro\n## User\na\n## Assistant\nb\n'), [
      'assistant: intro',
      'user*+: ## User',
      'assistant*+: ## Assistant',
    ]);
    assert.deepEqual(
      findSegments('').map(({ start }) => start),
      [0],
    );
  });

  it('may be prompts of a terminal, and sections of a log', () => {
    assert.deepEqual(drawn('$ ls\na\nb\n$ pwd\n/x\n'), [
      'user*: $ ls',
      'tool: a',
      'user*: $ pwd',
      'tool: /x',
    ]);
    assert.deepEqual(drawn('start\n=== FAILURES ===\nx\n==== short summary ====\ny\n'), [
      'assistant: start',
      'tool*: === FAILURES ===',
      'tool*: ==== short summary ====',
    ]);
    assert.equal(drawn('> a quote\ntext\n> another\n').length, 1, 'a quote is no prompt');
    assert.equal(drawn('> first task\n● I did it\n> second task\n● done\n').length, 4);
  });
});
