import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { applySearchReplace } from '../../../../src/merge/patch/mergePatch';
import type { SearchReplaceBlock } from '../../../../src/merge/patch/read/searchReplace';

const file = 'def a():\n    one()\n    two()\n\ndef b():\n    one()\n    three()\n';
const applied = (
  search: string,
  replace: string,
  more: Partial<SearchReplaceBlock> = {},
  original = file,
): string => {
  const result = applySearchReplace(original, [{ search, replace, ...more }]);
  if (result.kind === 'refused') return `refused: ${written(result.reason)}`;
  return `${result.certain ? '' : 'perhaps: '}${result.text}`;
};
const wanted = file.replace('    two()', '    new()\n    zwei()');

describe('a search/replace block with line numbers', () => {
  for (const [name, gutter] of [
    ['|', (n: number) => `${n} | `],
    ['a tab', (n: number) => `${n}\t`],
    [':', (n: number) => `${n}: `],
    ['an arrow', (n: number) => `  ${n}→`],
    ['blanks', (n: number) => `${n}  `],
  ] as const) {
    const numbered = (text: string, from = 1): string =>
      text
        .split('\n')
        .map((line, at) => `${gutter(from + at)}${line}`.trimEnd())
        .join('\n');
    const [search, replace] = [
      'def a():\n    one()\n    two()\n',
      'def a():\n    one()\n    new()\n    zwei()\n',
    ];

    it(`and ${name} is read without them`, () => {
      const isShifted = name === 'blanks' ? /^(?:perhaps: )?/ : /^/;
      for (const given of [replace, numbered(replace)]) {
        assert.equal(applied(numbered(search), given).replace(isShifted, ''), wanted);
      }
    });
  }

  it('keeps the indentation of lines that all start with a blank behind a tab', () => {
    assert.equal(applied('2\t    one()\n3\t    two()', '    one()\n    new()\n    zwei()'), wanted);
  });

  it('is read without those of its replacement', () => {
    assert.equal(
      applied('    one()\n    two()', '2 |     one()\n3 |     new()\n4 |     zwei()'),
      wanted,
    );
  });

  it('is read without a first line of which only blanks are left', () => {
    assert.equal(
      applied('2 |     one()\n3 |     two()', '  \n    one()\n    new()\n    zwei()'),
      wanted,
    );
  });

  it('is not certain when only some new lines have them', () => {
    assert.equal(
      applied('2 |     one()\n3 |     two()', '2 |     one()\n    new()\n3 |     zwei()'),
      `perhaps: ${wanted}`,
    );
  });

  it('goes to its number among equal lines', () => {
    assert.equal(
      applied('6 |     one()', '6 |     eins()'),
      file.replace(/one(?=\(\)\n {4}three)/, 'eins'),
    );
    assert.match(applied('    one()', '    eins()'), /^refused: The search text fits at 2 places/);
  });

  it('keeps numbers that the file has', () => {
    const list = '1: one\n2: two\n3: three\n';
    assert.equal(applied('2: two', '2: zwei', {}, list), '1: one\n2: zwei\n3: three\n');
    assert.equal(
      applied('2: two', '2: two\n3: new', {}, list),
      '1: one\n2: two\n3: new\n3: three\n',
    );
  });
});

describe('a search/replace block that was copied from a page', () => {
  it('is read without the escapes of its marks', () => {
    const code = 'if (a && b) c();\nd();\n';
    const isEscaped = true as const;
    assert.equal(
      applied('if (a &amp;&amp; b) c();', 'if (a &lt; b) c();', { isEscaped }, code),
      'if (a < b) c();\nd();\n',
    );
    assert.equal(
      applied('d();', 'd(a &amp;&amp; b);', { isEscaped }, code),
      'if (a && b) c();\nd(a && b);\n',
    );
    const page = '<p>a &amp; b</p>\n';
    assert.equal(
      applied('<p>a &amp; b</p>', '<p>a &amp; c</p>', { isEscaped }, page),
      '<p>a &amp; c</p>\n',
    );
  });

  it('is read without the empty lines between all lines', () => {
    assert.equal(
      applied('\n    one()\n\n    two()\n', '\n    one()\n\n    new()\n\n    zwei()\n'),
      wanted,
    );
  });

  it('is read without the backslash before a mark', () => {
    const text = 'Title\n=======\ntext\n';
    assert.equal(applied('Title\n\\=======', 'New\n\\=======', {}, text), 'New\n=======\ntext\n');
    const deep = '  Title\n  =======\n';
    assert.equal(
      applied('  Title\n  \\=======', '  New\n  \\=======', {}, deep),
      '  New\n  =======\n',
    );
    const raw = 'a\n\\=======\n';
    assert.equal(applied('\\=======', '\\========', {}, raw), 'a\n\\========\n');
  });
});
