import assert from 'node:assert/strict';
import {
  endBehind,
  endOfChar,
  endOfComment,
  endOfLine,
  endOfQuoted,
  endOfRaw,
  endOfRegex,
  endOfTriple,
  isTripled,
} from '../../../../../src/merge/audit/syntax/quotedText';

/** What is read from the first of these signs on; undefined where it has no end. */
const readFrom = (text: string, sign: string, end: (at: number) => number | undefined) => {
  const at = text.indexOf(sign);
  const found = end(at);
  return found === undefined || found < 0 ? undefined : text.slice(at, found);
};

const quoted = (text: string, isMultiline = false) =>
  readFrom(text, '"', at => endOfQuoted(text, at, isMultiline));

const raw = (text: string, kind: 'csharp' | 'rust' | 'cpp') =>
  readFrom(text, '"', at => endOfRaw(text, at, kind));

const char = (text: string) => readFrom(text, "'", at => endOfChar(text, at));

const triple = (text: string) => readFrom(text, '"""', at => endOfTriple(text, at));

describe('the end of a quoted text', () => {
  it('is its quote, unless that is escaped', () => {
    assert.equal(quoted('a "b" "c"'), '"b"');
    assert.equal(quoted('""'), '""');
    assert.equal(quoted(String.raw`"b\"c" "d"`), String.raw`"b\"c"`);
    assert.equal(quoted(String.raw`"b\\" "d"`), String.raw`"b\\"`);
    assert.equal(quoted('"b'), undefined);
    assert.equal(quoted(String.raw`"b\"`), undefined);
  });

  it('is in its line, unless that is escaped or the text may have several', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      assert.equal(quoted(`"b${end}c"`), undefined);
      assert.equal(quoted(`"b${end}c"`, true), `"b${end}c"`);
      assert.equal(quoted(`"b\\${end}c"`), `"b\\${end}c"`);
    }
  });

  it('is three quotes for a text that begins with three', () => {
    assert.equal(triple('"""b"" c\n""" """d"""'), '"""b"" c\n"""');
    assert.equal(triple('"""b""""'), '"""b""""');
    assert.equal(triple('"""b"""""'), '"""b"""""');
    assert.equal(triple(String.raw`"""b\""" c"""`), String.raw`"""b\""" c"""`);
    assert.equal(triple(String.raw`"""b\\""" c"""`), String.raw`"""b\\"""`);
    assert.equal(triple('"""b""'), undefined);
    assert.equal(isTripled('a"""', 1), true);
    assert.equal(isTripled('a""b', 1), false);
  });

  it('is that of one character, or of none', () => {
    assert.equal(char("'c', 'd'"), "'c'");
    assert.equal(char("'😀'"), "'😀'");
    assert.equal(char(String.raw`'\n'`), String.raw`'\n'`);
    assert.equal(char(String.raw`'\''`), String.raw`'\''`);
    assert.equal(char(String.raw`'\u{10FFFF}'`), String.raw`'\u{10FFFF}'`);
    assert.equal(char(String.raw`'\u{10FFFFFFF}'`), "'");
    assert.equal(char("<'a>(b: &'a str)"), "'");
    assert.equal(char(String.raw`'\n`), "'");
  });

  it('is that of a raw text', () => {
    assert.equal(raw(String.raw`@"c:\" + "d"`, 'csharp'), String.raw`"c:\"`);
    assert.equal(raw('@"a ""b"" c" "d"', 'csharp'), '"a ""b"" c"');
    assert.equal(raw('$@"a"', 'csharp'), '"a"');
    assert.equal(raw('@$"a"', 'csharp'), '"a"');
    assert.equal(raw('@"a', 'csharp'), undefined);
    assert.equal(endOfRaw('$"a"', 1, 'csharp'), undefined);
    assert.equal(raw(String.raw`r"a\" "b"`, 'rust'), String.raw`"a\"`);
    assert.equal(raw('r##"a"# b"## "c"', 'rust'), '"a"# b"##');
    assert.equal(raw('br#"a"#', 'rust'), '"a"#');
    assert.equal(endOfRaw('for"a"', 3, 'rust'), undefined);
    assert.equal(endOfRaw('#"a"', 1, 'rust'), undefined);
    assert.equal(raw('R"x(a)" )x" "b"', 'cpp'), '"x(a)" )x"');
    assert.equal(raw('R"(a)"', 'cpp'), '"(a)"');
    assert.equal(endOfRaw('R"a"', 1, 'cpp'), undefined);
    assert.equal(endOfRaw(`R"${'x'.repeat(17)}(a)${'x'.repeat(17)}"`, 1, 'cpp'), undefined);
    assert.equal(endOfRaw('"a"', 0, undefined), undefined);
  });
});

const regex = (text: string) => readFrom(text, '/', at => endOfRegex(text, at));

const comment = (text: string, nests: boolean) =>
  readFrom(text, '/*', at => endOfComment(text, at, ['/*', '*/'], nests));

describe('the end of other parts of code', () => {
  it('is that of a comment, or of all comments in it', () => {
    assert.equal(comment('a /* b */ c */', false), '/* b */');
    assert.equal(comment('/* b /* c */ d */ e', true), '/* b /* c */ d */');
    assert.equal(comment('/* b /* c */ d', true), undefined);
    assert.equal(comment('/*/ b */', false), '/*/ b */');
    assert.equal(comment('/**/ */', true), '/**/');
    assert.equal(comment('/* /* c */* d */ e', true), '/* /* c */* d */');
    assert.equal(comment('/* /*/ c */ d */ e', true), '/* /*/ c */ d */');
    assert.equal(comment('/* b', false), undefined);
  });

  it('is that of a regular expression, in its line', () => {
    assert.equal(regex('/a/g'), '/a/');
    assert.equal(regex('/[/]/ /'), '/[/]/');
    assert.equal(regex(String.raw`/\/[\]/]/`), String.raw`/\/[\]/]/`);
    assert.equal(regex('/a\n/'), undefined);
    assert.equal(regex('/a'), undefined);
  });

  it('is that of a line or behind a sign', () => {
    assert.equal(endOfLine('a\nb', 0), 1);
    assert.equal(endOfLine('a\nb', 2), 3);
    assert.equal(endBehind('a-->b', '-->', 0), 4);
    assert.equal(endBehind('a-->b', '-->', 2), -1);
  });
});
