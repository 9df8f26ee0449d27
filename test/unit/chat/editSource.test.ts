import assert from 'node:assert/strict';
import { editSource, editTarget } from '../../../src/chat/editSource';
import {
  fenced,
  firstLines,
  inlineCode,
  languageOf,
  messagesToCompact,
  parseCompactPrompt,
} from '../../../src/chat/transcript';

const note = (left: number): string => `${left} more`;

describe('text of a chat', () => {
  it('reads how much to keep and what for', () => {
    for (const [prompt, wish] of [
      ['20% the failing test', { ratio: 0.2, query: 'the failing test' }],
      ['20 %', { ratio: 0.2, query: '' }],
      [' 100% all ', { ratio: 1, query: 'all' }],
      ['1%', { ratio: 0.01, query: '' }],
      ['0% x', { query: '0% x' }],
      ['101% x', { query: '101% x' }],
      ['20%x', { query: '20%x' }],
      ['20', { query: '20' }],
      ['', { query: '' }],
      ['keep 20%', { query: 'keep 20%' }],
    ] as const)
      assert.deepEqual(parseCompactPrompt(prompt), wish, prompt);
  });

  it('stands in a fence that none of its lines closes', () => {
    assert.equal(fenced('a\n', 'ts'), '```ts\na\n```\n');
    assert.equal(fenced('a'), '```\na\n```\n');
    assert.equal(fenced('```\nb\n```'), '````\n```\nb\n```\n````\n');
    assert.equal(fenced('`````'), '``````\n`````\n``````\n');
    assert.equal(fenced('a\n\n'), '```\na\n\n```\n');
  });

  it('stands in a line as code', () => {
    for (const [text, code] of [
      ['a', '`a`'],
      [' a\n  b ', '`a b`'],
      ['', ''],
      [' \n', ''],
      ['`a', '`` `a ``'],
      ['a`', '`` a` ``'],
      ['a``b`c', '```a``b`c```'],
    ] as const)
      assert.equal(inlineCode(text), code);
    assert.equal(inlineCode('abcdef', 5), '`abcde…`');
    assert.equal(inlineCode('abcde', 5), '`abcde`');
    assert.equal(inlineCode('x'.repeat(201)), `\`${'x'.repeat(200)}…\``);
  });

  it('shows its first lines, with a note on more than one that is left', () => {
    assert.equal(firstLines('a\nb\nc\nd\n', 2, note), 'a\nb\n2 more');
    assert.equal(firstLines('a\nb\nc\n', 2, note), 'a\nb\nc');
    assert.equal(firstLines('a\n', 2, note), 'a');
  });

  it('has the language of a path', () => {
    for (const [path, language] of [
      ['src/a.TS', 'ts'],
      ['a.test.js', 'js'],
      ['Makefile', ''],
      ['a.', ''],
      ['a.b-c', ''],
      ['x.h5', 'h5'],
    ] as const)
      assert.equal(languageOf(path), language);
  });

  it('leaves out what was compacted, and what is empty', () => {
    assert.deepEqual(
      messagesToCompact([
        { role: 'user', text: 'find it', command: 'search' },
        { role: 'assistant', text: 'found', command: 'search' },
        { role: 'user', text: '', command: 'apply' },
        { role: 'user', text: '20%', command: 'compact' },
        { role: 'assistant', text: 'shorter', command: 'compact' },
        { role: 'user', text: ' ' },
        { role: 'user', text: 'plain ' },
      ]),
      [
        { role: 'user', text: '/search find it' },
        { role: 'assistant', text: 'found' },
        { role: 'user', text: '/apply' },
        { role: 'user', text: 'plain ' },
      ],
    );
  });
});

describe('attached files', () => {
  const code = '```\nx();\n```\n';
  const file = (name: string, text = code, isPassage = false) => ({ name, text, isPassage });

  it('are read for edits in their order, by what they are', () => {
    assert.equal(editSource('', [file('a.md'), file('b.md')], [])?.name, 'a.md');
    assert.equal(editSource('', [file('a.md', 'words'), file('b.TXT')], [])?.name, 'b.TXT');
    for (const name of ['a.mdx', 'a.markdown', 'a.diff', 'a.patch'])
      assert.equal(editSource('', [file(name)], [])?.from, 'attachment', name);
    for (const one of [file('a.ts'), file('a.ts', '@@ x\n'), file('a.ts', code, true), file('amd')])
      assert.equal(editSource('', [one], []), undefined);
    assert.equal(editSource('', [file('a.ts', '<<<<<<< SEARCH\n', true)], [])?.name, 'a.ts');
  });

  it('are where edits go, when there is just one besides', () => {
    const [a, b, c] = [file('a.md'), file('b.ts'), file('c.ts')];
    const source = { from: 'attachment', text: code, name: 'a.md' } as const;
    assert.equal(editTarget([a, b], source), b);
    assert.equal(editTarget([a, b, c], source), undefined);
    assert.equal(editTarget([a], source), undefined);
    assert.equal(editTarget([a], { from: 'prompt', text: code }), a);
  });
});
