import assert from 'node:assert/strict';
import { isStatement, looseCode } from '../../../../src/apply/answer/looseCode';
import { readAnswer } from '../../../../src/apply/answer/readAnswer';

const block = '<<<SEARCH\n  one();\n===\n  eins();\nREPLACE>>>\n';
const drawn = (answer: string): string[] =>
  readAnswer(answer).map(({ operation }) => {
    if (operation.kind === 'blocks') {
      return operation.blocks.map(({ search, replace }) => `${search} => ${replace}`).join(', ');
    }
    return operation.kind === 'none' ? `none: ${operation.reason.text}` : operation.kind;
  });
const kinds = (text: string): string[] =>
  readAnswer(text).map(({ operation }) => `${operation.kind} ${operation.path}`);

const found = (...rows: string[]) => drawn(`In \`a.js\`:\n\n${block}\n${rows.join('\n')}`);

describe('search/replace blocks of an answer', () => {
  it('are read in other spellings, with what they say of their lines', () => {
    assert.deepEqual(drawn(`In \`a.js\`:\n\n${block}`), ['  one(); =>   eins();']);
    const [part] = readAnswer(
      '&lt;&lt;&lt;&lt;&lt; SEARCH\na\n=====\nb\n&gt;&gt;&gt;&gt;&gt; REPLACE\n',
    );
    assert.deepEqual(part?.operation.kind === 'blocks' && part.operation.blocks, [
      { search: 'a', replace: 'b', isEscaped: true },
    ]);
  });

  it('leave the rows of a diff outside of one to be placed by hand', () => {
    const reason =
      'none: It is code outside of a code block, and it is unclear what it belongs to.';
    assert.deepEqual(found('+Ask first.', '', '-Ask never.', '+Then wait.').slice(1), [
      reason,
      reason,
    ]);
    for (const prose of [['+1 to that', '+2 more'], ['+ one', '+ two'], ['+one of them']])
      assert.deepEqual(found(...prose).slice(1), [], prose.join());
  });

  it('are refused by name beside good ones when a mark is missing', () => {
    for (const mark of ['<<<SEARCH\n', '===\n', 'REPLACE>>>\n']) {
      const [good, damaged = '', ...others] = drawn(`${block}\n${block.replace(mark, '')}`);
      assert.equal(good, '  one(); =>   eins();', mark);
      assert.match(damaged, /^none: /, mark);
      assert.deepEqual(others, [], mark);
    }
  });

  it('may be a diff with an empty line between all lines, or without its second name', () => {
    const diff = '--- a/a.js\n+++ b/a.js\n@@ -1,2 +1,2 @@\n a\n-b\n+c';
    assert.deepEqual(kinds(diff.split('\n').join('\n\n')), ['diff a.js']);
    assert.deepEqual(kinds(diff.replace(/^/gm, '   ')), ['diff a.js']);
    assert.deepEqual(kinds(diff.replace('+++ b/a.js\n', '')), ['diff undefined']);
  });
});

const sources = (text: string, isProse: boolean): string[] =>
  looseCode(text.split('\n'), isProse).map(({ source }) => source);

describe('code outside of a block', () => {
  it('is a paragraph of three lines in prose, of which half end like code', () => {
    const code = 'if (ready)\n  start(one,\n    two);\nreturn ready;';
    assert.deepEqual(sources(`Do this:\n\n${code}\n \nThen go on.`, true), [code]);
    assert.deepEqual(sources(`${code}\n\n\n${code}`, true), [code, code]);
  });

  it('is each run of statements among other lines', () => {
    const text =
      'First\nconst a = call(1);\nconst b = call(2);\nand then\nconst c = call(3);\nas said\nabove';
    assert.deepEqual(sources(text, true), [
      'const a = call(1);\nconst b = call(2);',
      'const c = call(3);',
    ]);
  });

  it('is all of a block that is code, unless its lines only name files', () => {
    assert.deepEqual(sources('const a = call(1);', false), ['const a = call(1);']);
    assert.deepEqual(sources('src/a.ts\nsrc/b.ts', false), []);
    assert.deepEqual(sources('some words of prose', false), []);
    assert.deepEqual(sources('', false), []);
  });

  it('is a statement where the line ends like one', () => {
    for (const line of ['const a = 1;', 'if (a) {', '}', 'const a = call(1)', 'a = b() '])
      assert.ok(isStatement(line), line);
    for (const line of ['call (see above)', 'It is a word.', 'const a;  and more words here', ''])
      assert.ok(!isStatement(line), line);
  });
});
