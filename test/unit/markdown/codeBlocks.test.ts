import assert from 'node:assert/strict';
import { fencedBlockAt, hasFence, maxBlocks, readMarkdown } from '../../../src/markdown/codeBlocks';
import { fenceFor } from '../../../src/markdown/fence';

/** `info: text` of each block, with line ends as `|`. */
const blocksOf = (text: string): string[] =>
  readMarkdown(text).blocks.map(block => `${block.info}: ${block.text.replaceAll('\n', '|')}`);
const abovesOf = (text: string) => readMarkdown(text).blocks.map(({ above }) => above);

const countOf = (blocks: number) => readMarkdown('```\na\n```\n'.repeat(blocks)).blocks.length;

describe('the code blocks of a text', () => {
  const cases: [what: string, text: string, blocks: string[]][] = [
    ['none', 'just words\nand more', []],
    ['none, with inline code', 'use ``` and ~~~ as you like', []],
    ['one', '```ts\na();\n\nb();\n```', ['ts: a();||b();']],
    ['an empty one', '```\n```', [': ']],
    ['one of tildes with back-quotes within', '~~~md\n```\na\n```\n~~~', ['md: ```|a|```']],
    ['one without its end', 'x\n```js\na();\nb();', ['js: a();|b();']],
    ['one whose info has blanks around', '```  ts title="a"  \na\n```', ['ts title="a": a']],
    ['two', '```\na\n```\n```\nb\n```', [': a', ': b']],
    ['a longer fence around a shorter one', '````\n```\na\n```\n````', [': ```|a|```']],
    [
      'a line with a fence and words, which closes nothing',
      '```\na\n``` b\nc\n```',
      [': a|``` b|c'],
    ],
    ['a block within one of Markdown', '```md\n```ts\na\n```\nb\n```\nc', ['md: ```ts|a|```|b']],
    ['two within one of Markdown', '```mdx\n```a\n```\n```b\n```\n```', ['mdx: ```a|```|```b|```']],
    ['no nesting in other languages', '```mdfoo\n```ts\na\n```\nb', ['mdfoo: ```ts|a']],
    ['one in a list', '- a\n  ```ts\n  b {\n    c\n  ```\n', ['ts: b {|  c']],
    [
      'one behind a bullet',
      '- ```ts\n  a\n  ```\n* ```\n  b\n  ```\n+ ```\n  c\n  ```',
      ['ts: a', ': b', ': c'],
    ],
    ['one behind a number', '12. ```ts\n    a\n    ```\n9) ```\n   b\n   ```', ['ts: a', ': b']],
    ['one in a list in a list', '- 1. - ```ts\n       a\n       ```', ['ts: a']],
    ['one in a quote', '> ```ts\n> a\n>\n>   b\n> ```\nc', ['ts: a||  b']],
    ['one in a list in a quote', '> - ```ts\n>   a > b\n>   ```', ['ts: a > b']],
    ['one that is indented less than its fence', '    ```ts\n  a\n      b\n    ```', ['ts: a|  b']],
    ['one behind a tab', '\t```ts\n\ta\n\t\tb\n\t```', ['ts: a|\tb']],
    ['a quote sign in a block outside of a quote', '  ```\n > a\n  ```', [': > a']],
    [
      'no block behind a bullet without a blank, or a number without a sign',
      '-```\n12 ```\n1.```',
      [],
    ],
  ];
  for (const [what, text, blocks] of cases)
    it(`are ${what}`, () => {
      assert.deepEqual(blocksOf(text), blocks);
      assert.deepEqual(blocksOf(text.replaceAll('\n', '\r\n')), blocks);
      assert.equal(hasFence(text), blocks.length > 0);
    });

  it('leave the lines between them', () => {
    const text = 'a\n\n```\nb\n```\n[c]\n  \n- d\n~~~\ne\n~~~\n1. f';
    assert.deepEqual(readMarkdown(text).outside, ['a', '', '[c]', '  ', '- d', '1. f']);
    assert.deepEqual(readMarkdown('a\n\nb').outside, ['a', '', 'b']);
  });

  it('have the line with text above them, over two blank lines at most', () => {
    const block = '```\nx\n```';
    for (const above of [
      'Title',
      '**Title**',
      '- Title',
      '  1. Title',
      '`a.ts`:',
      '{title}',
      '~title',
    ]) {
      for (const blanks of ['', '\n', '\n\n', ' \n', '\n\t\n'])
        assert.deepEqual(abovesOf(`${above}\n${blanks}${block}`), [above.trim()], above + blanks);
      for (const blanks of ['\n\n\n', '\n \n\n', ' \n\t\n \n'])
        assert.deepEqual(abovesOf(`${above}\n${blanks}${block}`), [undefined], above + blanks);
    }
    assert.deepEqual(abovesOf(`a\n\n\nb\n\n\n${block}`), ['b']);
    assert.deepEqual(abovesOf(`- a\n\n\n- b\n\n\n${block}`), ['- b']);
    assert.deepEqual(abovesOf(block), [undefined]);
  });

  it('do not share the line above', () => {
    const block = '```\nx\n```\n';
    assert.deepEqual(abovesOf(`a\n${block}${block}\n\n${block}b\n${block}`), [
      'a',
      undefined,
      undefined,
      'b',
    ]);
    assert.deepEqual(abovesOf(`${block}\n\nc\n\n\n${block}`), [undefined, 'c']);
  });

  it('are one more than the most at most', () => {
    assert.deepEqual([maxBlocks, maxBlocks + 1, maxBlocks + 9].map(countOf), [
      maxBlocks,
      maxBlocks + 1,
      maxBlocks + 1,
    ]);
    assert.equal(maxBlocks, 1000);
  });
});

const textsOf = (...lines: string[]) =>
  readMarkdown(lines.join('\n')).blocks.map(({ text }) => text);
const isClosed = (...lines: string[]) => fencedBlockAt(lines, 0)?.isClosed;

describe('a block that holds blocks', () => {
  it('ends at its own fence, not at that of a doc string or a template', () => {
    for (const inner of [
      ['def f():', '    """', '    ```', '    >>> f()', '    ```', '    """'],
      ['def f():', '    """', '    ```python', '    >>> f()', '    ```', '    """'],
      ['\t/**', '\t```ts', '\tf()', '\t```', '\t*/'],
      ['const page = `', '```js', 'f()', '```', '`;'],
    ]) {
      assert.deepEqual(textsOf('```py', ...inner, '```', 'text', '```', 'b', '```'), [
        inner.join('\n'),
        'b',
      ]);
    }
  });

  it('ends as deep as it begins, in a list too', () => {
    assert.deepEqual(textsOf('1. Do:', '    ```py', '    a', '    ```', '2. Run it.'), ['a']);
    assert.deepEqual(textsOf('```py', 'a', '   ```', 'text'), ['a']);
    // Nothing else closes it.
    assert.deepEqual(textsOf('```py', 'a', '      ```', 'text'), ['a']);
  });

  it('ends at the first fence where a later one is missing', () => {
    assert.deepEqual(textsOf('```js', 'a', '```js', 'b', '```', 'text'), ['a\n```js\nb']);
  });

  it('of Markdown may have blocks without a language', () => {
    const page = [
      '# Title',
      '',
      'Run:',
      '```',
      'npm i',
      '```',
      '',
      '```sh',
      'npm t',
      '```',
      'End.',
    ];
    assert.deepEqual(textsOf('```md', ...page, '```', '', 'text'), [page.join('\n')]);
    const lines = ['```', ...page, '```', '', 'text'];
    assert.equal(fencedBlockAt(lines, 0, true)?.text, page.join('\n'));
    assert.equal(fencedBlockAt(lines, 0)?.text, page.slice(0, 3).join('\n'));
  });

  it('of Markdown ends where its last line has text', () => {
    assert.deepEqual(textsOf('```md', 'a', '```', 'text', '', '```js', 'b', '```'), ['a', 'b']);
  });

  it('is not closed where its fence is missing', () => {
    assert.equal(isClosed('```ts', 'a', '```'), true);
    assert.equal(isClosed('```ts', 'a'), false);
    assert.equal(isClosed('```diff', '+a', '```ts', 'b', '```'), false);
    assert.equal(isClosed('```patch a.md', 'a', '```ts', 'b', '```', 'c', '```'), true);
    assert.equal(fencedBlockAt(['```diff', '+a', '```ts', 'b', '```'], 0)?.end, 2);
  });
});

describe('a fence for a text', () => {
  it('is longer than each one in it', () => {
    for (const [text, fence] of [
      ['a', '```'],
      ['a `b` ``c``', '```'],
      ['```\na\n```', '````'],
      ['`````\n```\n`````', '``````'],
      ['```\n`````\n```', '``````'],
    ] as const)
      assert.equal(fenceFor(text), fence, text);
  });
});
