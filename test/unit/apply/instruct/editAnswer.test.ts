import assert from 'node:assert/strict';
import { readEditAnswer } from '../../../../src/apply/instruct/editAnswer';

const file = { path: 'src/cart.ts', languageId: 'typescript' };
const code = '// ... existing code ...\nconst a = 1;\n// ... existing code ...';
const fenced = (text: string, info = 'ts') => `\`\`\`${info}\n${text}\n\`\`\``;

/** The text of the snippet that an answer comes to. */
function snippetOf(answer: string): string {
  const read = readEditAnswer(answer, file);
  assert.ok(read.kind === 'edit' && read.edit.format === 'snippet', JSON.stringify(read));
  return read.edit.text;
}

describe('the answer to an edit task', () => {
  const same: [string, string][] = [
    ['one fenced block', fenced(code)],
    ['sentences around it', `Sure! Here is the edit:\n\n${fenced(code)}\n\nLet me know.`],
    ['thinking in front', `<think>\nWhat of \`\`\`js\nx()\n\`\`\`?\n</think>\n${fenced(code)}`],
    ['thinking without its opening tag', `I should set a.\n</think>\n${fenced(code)}`],
    ['no fence at all', code],
    ['a fence without its end', `\`\`\`ts\n${code}`],
    [
      'commands for the terminal beside it',
      `${fenced('npm i left-pad', 'bash')}\n\n${fenced(code)}`,
    ],
    ['the path as heading', `**src/cart.ts**\n${fenced(code)}`],
    ['another file beside it', `${fenced(code)}\n\n**src/other.ts**\n${fenced('const b = 2;')}`],
  ];
  for (const [name, answer] of same)
    it(`is its snippet with ${name}`, () => assert.equal(snippetOf(answer).trim(), code));

  it('joins several blocks with a marker between', () => {
    const text = snippetOf(`${fenced('const a = 1;')}\nand\n${fenced('const b = 2;')}`);
    assert.equal(text, 'const a = 1;\n// ... existing code ...\nconst b = 2;');
  });

  it('names the other files whose code is not used', () => {
    const read = readEditAnswer(
      `**src/cart.ts**\n${fenced(code)}\n\n**src/other.ts**\n${fenced('const b = 2;')}`,
      file,
    );
    assert.deepEqual(read.kind === 'edit' && read.otherFiles, ['src/other.ts']);
  });

  it('takes diffs and search/replace blocks', () => {
    const diff = readEditAnswer(
      fenced('--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -1 +1 @@\n-a();\n+b();', 'diff'),
      file,
    );
    assert.equal(diff.kind === 'edit' && diff.edit.format, 'unifiedDiff');
    const block = '<<<<<<< SEARCH\na();\n=======\nb();\n>>>>>>> REPLACE';
    const replace = readEditAnswer(fenced(block), file);
    assert.equal(replace.kind === 'edit' && replace.edit.format, 'searchReplace');
  });

  it('knows the file by its path in any of its forms, and only that file', () => {
    for (const path of [
      'src/cart.ts',
      './src/cart.ts',
      'a/src/cart.ts',
      '/home/me/app/src/cart.ts',
      'src\\cart.ts',
      'cart.ts',
    ])
      assert.equal(readEditAnswer(`**${path}**\n${fenced(code)}`, file).kind, 'edit', path);
    for (const path of ['src/minicart.ts', 'lib/cart.ts', 'src/cart.tsx'])
      assert.equal(readEditAnswer(`**${path}**\n${fenced(code)}`, file).kind, 'unreadable', path);
  });

  it('prefers snippets to other forms, and reads any line end', () => {
    const diff = fenced('@@\n-a();\n+b();', 'diff');
    assert.equal(snippetOf(`${diff}\n\n${fenced(code)}`), code);
    assert.equal(snippetOf(fenced(code).replaceAll('\n', '\r\n')), code);
    assert.equal(snippetOf(fenced(code).replaceAll('\n', '\r')), code);
  });

  it('leaves out thinking of its own name only', () => {
    assert.equal(snippetOf(`<reasoning>\na </think> b\n</reasoning>\n${fenced(code)}`), code);
    const html = 'const end = "</think>";\nshow(end);';
    assert.equal(snippetOf(fenced(html)), html);
  });

  const words: [string, string, string][] = [
    ['CANNOT', 'CANNOT: there is no list here.', 'there is no list here.'],
    ['bold CANNOT', '**CANNOT:** no list.', 'no list.'],
    ['CANNOT after thinking', '<think>hm</think>\nCANNOT: no.', 'no.'],
    ['CANNOT alone', 'CANNOT:', 'CANNOT:'],
    [
      'prose',
      'I am sorry, but this file has no function of that name.',
      'I am sorry, but this file has no function of that name.',
    ],
  ];
  for (const [name, answer, text] of words)
    it(`is words for ${name}`, () =>
      assert.deepEqual(readEditAnswer(answer, file), { kind: 'words', text }));

  const unreadable: [string, string, RegExp][] = [
    ['an empty answer', ' \n', /empty/],
    ['thinking alone', '<think>\nnever ends', /empty/],
    ['too many blocks', `${fenced('a();')}\n`.repeat(1001), /more than 1000 code blocks/],
    ['an empty block', fenced(''), /code block of the answer is empty/],
    [
      'code for another file only',
      `**src/other.ts**\n${fenced('const b = 2;')}`,
      /changes src\/other\.ts, but only src\/cart\.ts/,
    ],
  ];
  for (const [name, answer, reason] of unreadable)
    it(`is unreadable for ${name}`, () => {
      const read = readEditAnswer(answer, file);
      assert.ok(read.kind === 'unreadable', JSON.stringify(read));
      assert.match(read.reason, reason);
    });
});
