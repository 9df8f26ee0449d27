import assert from 'node:assert/strict';
import { findFault } from '../../../../../src/merge/audit/syntax/findFault';

/** The kind and the sign of the first fault, and its line from 1. */
function faultIn(text: string, extension: string): string {
  const fault = findFault(text, `a.${extension}`);
  return fault
    ? `${fault.kind} ${fault.sign} ${text.slice(0, fault.at).split('\n').length}`
    : 'none';
}

const each = (extensions: string, text: string, fault = 'none'): void => {
  for (const extension of extensions.split(' '))
    it(`is ${fault} in ${JSON.stringify(text)} of .${extension}`, () =>
      assert.equal(faultIn(text, extension), fault));
};

const script = 'ts mts cts js mjs cjs jsx tsx';
const java = 'java kt kts scala cs dart';
const cLike = 'c h cc cpp cxx hpp hh m mm';
const styles = 'css scss less';
const all = `${script} ${java} ${cLike} ${styles} swift go rs php sol proto json jsonc json5 py pyi`;

describe('the fault of brackets in every language', () => {
  each(all.replace('php', 'sol'), '(\n', 'unclosed ( 1');
  each('php', '<?php\n(\n', 'unclosed ( 2');
  each('html htm vue svelte xml svg', '<div>\n(\n', 'unclosed <div> 1');
});

describe('the fault of comments', () => {
  each(`${script} ${java} ${cLike} swift go rs sol proto json jsonc json5 scss less`, '// (\n');
  each('css', '// (\n', 'unclosed ( 1');
  each(`${script} ${java} ${cLike} ${styles} swift go rs sol proto`, '/* ( */\n');
  each('kt kts scala swift dart rs', '/* /* ( */ ( */\n');
  each(`${script} java cs ${cLike} go`, '/* /* */ (\n', 'unclosed ( 1');
  each('kt scala swift dart rs', '/* /* */ (\n', 'openComment /* 1');
  each('py pyi', '# (\nx = 1 # (\n');
  each('php', '<?php\n# (\n// (\n/* ( */\n');
});

describe('the fault of texts', () => {
  each(`${script} ${styles} dart sol proto json5`, "'('\n");
  each(`java kt scala cs ${cLike} go rs`, "'('\n");
  each(`java kt scala cs ${cLike} go rs`, "'\\'' (\n", 'unclosed ( 1');
  each(`${script} dart sol json5`, "'a\n", "openText ' 1");
  each('json jsonc swift', "'(\n", 'unclosed ( 1');
  each(`${script} ${java} ${cLike} swift go sol`, '"a\n"\n', 'openText " 1');
  each('rs', '"a (\n"\n');
  each('java kt scala cs swift dart', '"""\n( "\n"""\n');
  each('dart', "'''\n( '\n'''\n");
  each('java kt scala swift', '"""\n(\n', 'openText """ 1');
  each(script, '`a\n(${b}`\n');
  each(script, '`a\\` (`\n');
  each(script, '`${a}\n', 'openText ` 1');
  each(script, '`${(a}`\n', 'unexpected } 1');
  each(script, '`${a\n', 'unclosed ${ 1');
  each('go', '`(\\`\n');
  each('go', '`(\n', 'openText ` 1');
  each('rs', 'r#"("#\n');
  each('cs', '@"(\n\\"\n');
  each(cLike, 'R"a(("))a"\n');
  each('kt kts scala dart', '"${a("b\nc")}"\n');
  each('cs', '$"{a("b\nc")}"\n');
  each('swift', '"\\(a("b\nc"))"\n');
});

describe('the fault of what stands for another part', () => {
  each(`${cLike} cs swift`, 'class A {\n#if X\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\n');
  each('c cs', 'class A {\n#if X\n  if (a) {\n#elif Y\n  if (b) {\n#endif\n  }\n', 'unclosed { 1');
  each('c', '#if A\n{\n#if B\n{\n#else\n{\n#endif\n}\n#else\n{\n#endif\n}\n');
  each('c', '  #  define A (\n#define B \\\n(\nint a;\n');
  each('c', 'int a; #define (\n', 'unclosed ( 1');
  each('php', '<p>(</p>\n<?php a(); ?>\n(\n');
  each('php', '<?php a(); ?>\n<?php(b());\n');
  each('php', '<p>\n<?= a( ?>\n', 'unclosed ( 2');
  each('php', '<?php\n$a = <<<"B"\n(\nB;\nf(\n', 'unclosed ( 5');
});

describe('the fault of statements', () => {
  each(script, 'a(b;\n', 'unexpected ; 1');
  each(script, 'a[b;\n', 'unexpected ; 1');
  each(script, 'for (a; b; c) {\n}\n');
  each(script, 'const a = b.;\n', 'incomplete . 1');
  each(script, 'const a = [...b, ...c];\n');
  each(script, 'const a = b => c;\nconst d = e <= f, g = h >= i, j = k != l;\n');
  each(script, 'const a = b & c | d;\n');
  each(script, 'const a = b &&;\n', 'incomplete & 1');
  each(script, 'const a = {\n  b: 1,\n  c =\n}\n', 'incomplete = 3');
  each(script, 'if (a) {\n} else if (b) {\n} else {\n}\n');
  each(script, 'if (a) {\n} else {\n}\nelse b();\n', 'secondElse else 4');
  each(script, 'if (a) {\n} else {\n}\nb();\nif (c) {\n} else {\n}\n');
  each(script, 'const a = b ? c\n  : d;\nreturn /[(]/.test(e);\n');
  each(script, 'a = b++ / c; d = e-- / f;\n');
  each(script, 'a = (b) / (c); d = [e] / f; g = h.return / i;\n');
  each(script, "typeof /'/; void /'/; case /'/: in /'/\n");
  each('java', 'class A {\n  int a =\n  public int b;\n}\n', 'incomplete = 2');
  each('c go rs', 'a = ;\n');
});

describe('the fault of elements in code', () => {
  each('jsx tsx js', 'const a = <A>{b}</A>;\n');
  each('jsx tsx js', 'const a = <A b="(" c={d} />;\n');
  each('jsx tsx js', "const a = <A>don't (</A>;\n");
  each('jsx tsx js', 'const a = <A>\n  <B />\n  <C>d</C>\n</A>;\n');
  each('jsx tsx js', 'const a = <A>\n  <B>\n</A>;\n', 'unexpected </A> 3');
  each('jsx tsx js', 'const a = <A>\n  </A\n', 'unexpected </A> 2');
  each('jsx tsx js', 'const a = <A b={<C />}>{d ? <E /> : <F></F>}</A>;\n');
  each('jsx tsx js', 'const a = <A /* > */ // >\n>b</A>;\n');
  each('jsx tsx js', 'const a = <A /* " { */ // \' {\n>b</A>;\n');
  each('jsx tsx js', 'const a = <a-b c:d="e"><f.g /></a-b>;\n');
  each('ts', 'const a = <A>b;\nconst c = <D>(e);\n');
});

describe('the fault of markup', () => {
  each('html vue svelte xml svg', '<a>\n<b></b>\n</a>\n');
  each('html', '<a href', 'unclosed <a 1');
  each('html', '<a href="x', 'unclosed <a 1');
  each('html', '</a>\n', 'unexpected </a> 1');
  each('html', '<!-- <a> -->\n<!doctype html>\n1 < 2\n< a >\n');
  each('html', '<script>\n"<a>"\n', 'unclosed <script> 1');
  each('html', '<pre>\n<a>\n</pre><code><b></code><title><i></title>\n');
  each('html', '<textarea><b></textarea><style><b></style><script><b></script>\n');
  each('html', '<IMG src="a"><BR><LI>b\n');
  each('html', '<a b = "c>" d=\'>\'>e</a>\n');
  each('html', '<a @click="b => c">d</a>\n<b @c=d=>e></b>\n');
  each('html', '<input value=a/b>\n<div data=a/>b</div>\n<div data="a"/>\n');
  each('svelte', '<a b={c > d} e={{ f: 1 }}>g</a>\n');
  each('svelte', '<a b={c\n', 'unclosed <a 1');
});

describe('the fault of Python', () => {
  each('py', 'x = 1 + \\\n    2\nif a and \\\n        b:\n    c\n');
  each('py', 'x = (\n1,\n    2)\ny = [\n  a\n]\n');
  each('py', 'x = (1]\n', 'unexpected ] 1');
  each('py', 'x = 1)\n', 'unexpected ) 1');
  each('py', 'x = {\n', 'unclosed { 1');
  each('py', 'if a:\n    b\n\n    # c\n\n  # d\n    e\nf\n');
  each('py', 'if a:\n    b\n      c\n', 'indentation c 3');
  each('py', '  a\n', 'indentation  1');
  each('py', 'if a:\n    b\nelif c:\n    d\nelse:\n    e\n');
  each('py', 'a\nelse:\n    b\n', 'secondElse else 2');
  each('py', 'try:\n    a\nfinally:\n    b\n');
  each('py', 'if a:\n    b\nfinally:\n    c\n', 'secondElse finally 3');
  each('py', 'while a:\n    b\nelse:\n    c\nasync for d in e:\n    f\nelse:\n    g\n');
  each('py', 'try:\n    a\nexcept B:\n    c\nexcept D:\n    e\nelse:\n    f\nfinally:\n    g\n');
  each('py', 'if a:\n    b\nexcept C:\n    d\n', 'secondElse except 3');
  each('py', 'if a:\n\tb\nif c:\n        d\n      e\n');
  each('py', 'if a:\n\tb = 1 + 2\n\tc(d, e)\nf\n\tg\n', 'indentation g 5');
  each('py', 'x = """\n  (\n"""\ny = \'\'\'\n(\'\'\'\n');
  each('py', "x = '''a\n", "openText ''' 1");
  each('py', 'x = "a\\\nb"\n');
  each('py', 'def f(): ...\ndef g():\n    ...\n');
  each('py', 'x = a ..\n', 'incomplete . 1');
  each('py', 'x = a.\n', 'incomplete . 1');
  each('py', 'x = 1\r\nif x:\r\n    y\r\n');
  each('py', 'if a:\n    b:\n', 'noBlock : 2');
  each('py', 'x = 1 +', 'incomplete + 1');
  each('py', 'x = a[1:\n  2]\nlambda: x\n');
});

describe('the fault of other files', () => {
  each('lua txt md', '(\n');
  each('TS Py', '(\n', 'unclosed ( 1');
  it('is not looked for in a file without a name', () => {
    assert.equal(findFault('(', 'ts'), undefined);
    assert.equal(findFault('(', 'a.constructor'), undefined);
  });
});
