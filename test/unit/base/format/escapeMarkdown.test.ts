import assert from 'node:assert/strict';
import { escapeMarkdown } from '../../../../src/base/format/text';

describe('text of others in Markdown', () => {
  for (const [text, escaped, what] of [
    ['[pay](command:x)', String.raw`\[pay\](command\:x)`, 'a link that runs a command'],
    ['![i](https://evil.test/?q)', String.raw`\!\[i\](https\://evil.test/?q)`, 'a picture'],
    ['<img src=x>', '&lt;img src=x&gt;', 'HTML'],
    ['&lt;b&gt;', '&amp;lt;b&amp;gt;', 'an entity'],
    ['$(trash) $5', String.raw`\$(trash) $5`, 'an icon'],
    ['`a` *b* _c_ ~d~', String.raw`\`a\` \*b\* \_c\_ \~d\~`, 'code and emphasis'],
    ['a | b', String.raw`a \| b`, 'a cell of a table'],
    ['# a', String.raw`\# a`, 'a heading'],
    ['- a', String.raw`\- a`, 'a list'],
    ['+ a', String.raw`\+ a`, 'another list'],
    ['= a', String.raw`\= a`, 'the line below a heading'],
    ['12. a', String.raw`12\. a`, 'a numbered list'],
    ['1) a', String.raw`1\) a`, 'another numbered list'],
    ['www.evil.test a@b.test', String.raw`www\.evil.test a\@b.test`, 'an address by itself'],
    ['\\[a\\]', String.raw`\\\[a\\\]`, 'what is escaped already'],
    ['a\n\n# b\n```\nc', String.raw`a # b \`\`\` c`, 'several lines'],
  ] as const)
    it(`is not read as ${what}`, () => assert.equal(escapeMarkdown(text), escaped));

  it('stays as it is where nothing can be misread', () =>
    assert.equal(escapeMarkdown('src/a-b.ts, line 3 (new)'), 'src/a-b.ts, line 3 (new)'));
});
