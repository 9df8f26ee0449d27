import assert from 'node:assert/strict';
import { type ChatTurn, editSource, editTarget, hasEdits } from '../../../src/chat/editSource';
import {
  fenced,
  firstLines,
  inlineCode,
  messagesToCompact,
  parseCompactPrompt,
} from '../../../src/chat/transcript';

const block = (text: string) => `Here:\n\n\`\`\`ts\n${text}\n\`\`\`\n`;
const said = (text: string, command?: string): ChatTurn => ({ role: 'assistant', text, command });
const asked = (text: string, command?: string): ChatTurn => ({ role: 'user', text, command });
const file = (name: string, text: string, isPassage = false) => ({ name, text, isPassage });

describe('the text whose edits /apply opens', () => {
  it('is the prompt when it holds code', () => {
    const prompt = block('const a = 1;');
    assert.deepEqual(editSource(prompt, [file('n.md', block('b'))], [said(block('c'))]), {
      from: 'prompt',
      text: prompt,
    });
  });

  it('is an attached text with code, else the newest answer with code', () => {
    const history = [said(block('old')), said(block('new')), said('You are welcome.')];
    assert.equal(editSource('', [file('n.md', block('b'))], history)?.name, 'n.md');
    assert.equal(editSource('', [], history)?.text, block('new'));
    // A source file is where an edit goes, whatever its comments hold.
    assert.equal(editSource('', [file('a.ts', block('b'))], history)?.from, 'answer');
    assert.equal(editSource('', [file('a.ts', '@@ -1 +1 @@\n-a\n+b\n', true)], [])?.name, 'a.ts');
  });

  it('is never what a command quoted, nor what the user wrote before', () => {
    assert.equal(editSource('', [], [asked(block('x')), said(block('y'), 'search')]), undefined);
  });

  it('knows fences, diffs and search/replace blocks, and no prose', () => {
    for (const text of [
      block('a'),
      '~~~\na\n~~~',
      '- ```js\n  a\n  ```',
      '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b',
      '*** Begin Patch\n*** Update File: a',
      'a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE',
    ])
      assert.ok(hasEdits(text), text);
    for (const text of ['Use `a` there.', 'a < b << c', 'mail me @@ home'])
      assert.ok(!hasEdits(text), text);
  });

  it('goes to the one other file that is attached', () => {
    const [notes, a, b] = [file('n.md', ''), file('a.ts', ''), file('b.ts', '')];
    const answer = { from: 'answer', text: '' } as const;
    assert.equal(editTarget([a], answer), a);
    assert.equal(editTarget([a, b], answer), undefined);
    assert.equal(editTarget([notes, a], { from: 'attachment', text: '', name: 'n.md' }), a);
  });
});

describe('the turns of a chat', () => {
  const history = [
    asked('Why is it slow?'),
    said('Because\n\n    it waits.\n'),
    asked('where are uploads', 'search'),
    said('3 places', 'search'),
    asked('20%', 'compact'),
    said('# smaller', 'compact'),
  ];

  it('has each turn, each line as it was, and no compaction', () => {
    assert.deepEqual(messagesToCompact(history), [
      { role: 'user', text: 'Why is it slow?' },
      { role: 'assistant', text: 'Because\n\n    it waits.\n' },
      { role: 'user', text: '/search where are uploads' },
      { role: 'assistant', text: '3 places' },
    ]);
    assert.deepEqual(messagesToCompact([asked(' ')]), []);
    assert.deepEqual(messagesToCompact([asked('', 'apply')]), [{ role: 'user', text: '/apply' }]);
  });
});

describe('what is asked of /compact', () => {
  it('is a share, what matters, both or neither', () => {
    assert.deepEqual(parseCompactPrompt(''), { query: '' });
    assert.deepEqual(parseCompactPrompt(' 20 % the failing test '), {
      ratio: 0.2,
      query: 'the failing test',
    });
    assert.deepEqual(parseCompactPrompt('100%'), { ratio: 1, query: '' });
    assert.deepEqual(parseCompactPrompt('the 20% case'), { query: 'the 20% case' });
    for (const text of ['0% x', '101% x', '5%x'])
      assert.deepEqual(parseCompactPrompt(text), { query: text });
  });
});

const note = (left: number) => `… ${left}`;

describe('code in an answer', () => {
  it('is not ended by ticks of its own', () => {
    assert.equal(fenced('a\n```\nb\n', 'md'), '````md\na\n```\nb\n````\n');
    assert.equal(inlineCode('a  `b`'), '`` a `b` ``');
    assert.equal(inlineCode('plain'), '`plain`');
    assert.equal(inlineCode(' '), '');
    assert.equal(inlineCode('abcdef', 3), '`abc…`');
  });

  it('is cut with a note, but not for one line', () => {
    assert.equal(firstLines('1\n2\n3\n', 2, note), '1\n2\n3');
    assert.equal(firstLines('1\n2\n3\n4', 2, note), '1\n2\n… 2');
  });
});
