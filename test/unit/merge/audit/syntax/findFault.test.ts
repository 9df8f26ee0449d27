import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { findFault } from '../../../../../src/merge/audit/syntax/findFault';

/** The kind of the first fault, its sign, and its line from 1. */
function faultIn(text: string, path: string): string {
  const fault = findFault(text, path);
  if (!fault) return 'none';
  return `${fault.kind} ${fault.sign} ${text.slice(0, fault.at).split('\n').length}`;
}

describe('the fault of a text', () => {
  const faults: readonly [string, string, string][] = [
    ['a.ts', 'f(() => {\n  g();\n', 'unclosed { 1'],
    ['a.ts', 'f(() => {\n  g();\n}));\n', 'unexpected ) 3'],
    ['a.ts', 'const a = [1, 2};\n', 'unexpected } 1'],
    ['a.ts', "import a from './a\nimport b from './b';\n", "openText ' 1"],
    ['a.ts', 'const a = `x ${b(`y`)}\n', 'openText ` 1'],
    ['a.ts', '/* a\nb();\n', 'openComment /* 1'],
    ['a.ts', 'const a =\nconst b = 1;\n', 'incomplete = 1'],
    ['a.ts', 'const a = ;\n', 'incomplete = 1'],
    ['a.ts', 'f(a, b.)\n', 'incomplete . 1'],
    ['a.ts', 'const a = b ||;\n', 'incomplete | 1'],
    ['a.ts', 'const a = {\n  b: c &&\n  return d;\n};\n', 'incomplete & 2'],
    ['a.java', 'int a =\nprivate int b;\n', 'incomplete = 1'],
    ['a.tsx', 'const a = <p b="x>c</p>;\n', 'openText " 1'],
    ['a.tsx', 'const a = <p b={c;\n', 'unclosed { 1'],
    ['a.tsx', 'const a = <p\n  b;\n', 'unclosed <p 1'],
    ['a.tsx', 'const a = <p>}</p>;\n', 'unexpected } 1'],
    ['a.tsx', 'const a = <A.B>c</A>;\n', 'unexpected </A> 1'],
    ['a.tsx', 'const a = <>b;\n', 'unclosed <> 1'],
    ['a.cs', '#if A\nif (a) {\n#else\nif (b) {\n#endif\n', 'unclosed { 4'],
    ['a.kt', 'val a = "b\n', 'openText " 1'],
    ['a.html', '<a href="x>\n</a>\n', 'unclosed <a 1'],
    ['a.html', '<p a\n<b></b>\n', 'unclosed <p 1'],
    ['a.html', '<div>\n<p>\n', 'unclosed <div> 1'],
    ['a.ts', 'if (a && ) {}\n', 'incomplete & 1'],
    ['a.ts', 'if (a) {\n} else {\n} else {\n}\n', 'secondElse else 3'],
    ['a.ts', 'function f() {\n  return {\n    let x = 1;\n    a,\n  };\n}\n', 'unexpected ; 3'],
    ['a.java', 'f(a; b);\n', 'unexpected ; 1'],
    ['a.tsx', 'const a = <p>\n  <b>x</p>;\n', 'unexpected </p> 2'],
    ['a.tsx', 'const a = (\n  <p>\n    {b}\n);\n', 'unclosed <p> 2'],
    ['a.py', 'def f(:\n    pass\n', 'unclosed ( 1'],
    ['a.py', 'def f():\nx = 1\n', 'noBlock x 2'],
    ['a.py', 'x = 1\n    y = 2\n', 'indentation y 2'],
    ['a.py', 'if a:\n        b\n    c\n', 'indentation c 3'],
    ['a.py', 'if a:\n    b\nelse:\n    c\nelse:\n    d\n', 'secondElse else 5'],
    ['a.py', 'if a:\n    else:\n        b\n', 'secondElse else 2'],
    ['a.py', "x = 'a\n", "openText ' 1"],
    ['a.py', 'x = """a\n', 'openText """ 1'],
    ['a.py', 'x = 1 +\ny = 2\n', 'incomplete + 1'],
    ...['=', '.', '+', '-', '/', '&', '|'].map((sign): [string, string, string] => [
      'a.py',
      `x = a ${sign}\ny = 2\n`,
      `incomplete ${sign} 1`,
    ]),
    ['a.py', 'def f():\n', 'noBlock : 1'],
    ['a.html', '<div>\n<span></div>\n', 'unexpected </div> 2'],
    ['a.vue', '<template>\n<div>\n</template>\n', 'unexpected </template> 3'],
    ['a.html', '<!-- a\n<p>\n', 'openComment <!-- 1'],
    ['a.php', '<p><?php if ($a) { ?></p>\n', 'unclosed { 1'],
    ['a.php', '<?php\n$a = <<<END\nx\n', 'openText <<< 2'],
    ['a.json', '{"a": [1, 2}\n', 'unexpected } 1'],
    ['a.css', '.a { color: red;\n.b { }\n', 'unclosed { 1'],
    ['a.rs', "fn f<'a>(x: &'a str) {\n", 'unclosed { 1'],
    ['a.tsx', 'function f() {\n  return <div\n}\n', 'unclosed <div 2'],
    ['a.ts', 'const a = [\n  b / c,\n', 'unclosed [ 1'],
  ];
  for (const [path, text, expected] of faults) {
    it(`is ${expected} in ${JSON.stringify(text)}`, () =>
      assert.equal(faultIn(text, path), expected));
  }

  const whole: readonly [string, string][] = [
    ['a.ts', "const a = /[/'\"]/.test(b) ? `${c ? `}` : '{'}` : d / e / f;\n"],
    ['a.ts', 'for (let i = 0; i < 3; i++) {}\nfor await (const a of b) {}\n'],
    ['a.ts', 'type A = { a: string; b(x: { c: number; }): void };\nlet x!: A;\nx!;\n'],
    ['a.ts', 'for (;;) {}\nif (a) b();\nelse if (c) d();\nelse e();\n'],
    ['a.ts', 'const a = b as Record<string, (c: D) => E>;\nreturn a / 2 / c;\n'],
    ['a.ts', 'a.else();\nconst { return: b } = c;\nx = y++\nconst d = e--;\n'],
    ['a.tsx', 'const a = <A<B> c={<d />} {...e} /* f */ g="h>i">{/* } */}</A>;\n'],
    ['a.tsx', 'const f = <T extends A>(x: T) => <p>{x > 1 && <b />}</p>;\n'],
    [
      'a.php',
      '<ul>\n<?php foreach ($a as $b): ?>\n<li><?= $b["c"] ?></li>\n<?php endforeach; // { ?>\n</ul>\n',
    ],
    ['a.cpp', '#define A(x) \\\n  { x\nint a() {\n  return 1;\n}\n'],
    ['a.svelte', '{#if a}\n<p class={`b ${c}`}>{d}</p>\n{/if}\n'],
    ['a.html', '<input disabled><p a=b/>c</p><a href=docs/>d</a>\n'],
    ['a.html', '<style>a > b { }</style><textarea><p></textarea><svg:path d="m"/>\n'],
    ['a.ts', 'const { a, ...b } = c;\nconst f = <T>(x: T) => x;\n'],
    [
      'a.tsx',
      'const a = <T,>(x: T) => x;\nconst b = <A b={{ c: 1 }} d="x">don\'t {e} <br /><></></A>;\n',
    ],
    ['a.tsx', 'const a = b < c && d > e;\nuse<F<G>>(h);\n'],
    ['a.java', 'char c = \'"\'; String s = """\n  a " b\n""";\ntry (A a = b(); C d = e()) {}\n'],
    ['a.cs', 'var a = @"c:\\";\n#if X\nif (a) {\n#else\nif (b) {\n#endif\n}\n'],
    ['a.cpp', 'auto a = R"x(")")x"; int b = 1\'000; char c = \'\\\'\';\n'],
    ['a.rs', 'let a = r#""{"#; let b: &\'static str = "x\n y"; let c = \'"\'; /* /* */ */\n'],
    ['a.go', "var a = `{\"\n`\nvar b = '{'\n"],
    ['a.kt', 'val a = "${b["c"]}"\n'],
    ['a.py', 'x = (1 +\n  2)\nif x: y = 1\nelse: y = 2\nclass A: ...\n'],
    [
      'a.py',
      'def f():\n    # c\n  # d\n    """e\n"""\n    try:\n        pass\n    except A:\n        pass\n    else:\n        pass\n',
    ],
    ['a.py', 'for a in b:\n    pass\nelse:\n    pass\nx = a[\\\n    1]\n'],
    ['a.html', '<ul><li>a<li>b</ul><br><img src="a>b"><script>if (a < b) "</div>"</script>\n'],
    ['a.html', '<p title={>a</p>\n'],
    ['a.svelte', '<form use:a={() => { return b < c; }}>\n</form>\n'],
    ['a.php', "<?php\n#[A]\n$a = <<<'X'\n  { \"\n  X;\n$b = 'x\ny'; // ?> <p>{</p> <?php\n"],
    ['a.css', '@media (min-width: 1px) { a::before { content: "}"; } }\n'],
    ['a.scss', "a::after {\n  content: '}';\n}\n"],
    ['a.less', "a::after {\n  content: '}';\n}\n"],
    ['a.scala', 'val a = \'{\'\nval b = "}"\n'],
    ['a.lua', 'if a then (\n'],
    ['Makefile', 'a: (\n'],
  ];
  for (const [path, text] of whole) {
    it(`is none in ${JSON.stringify(text)}`, () => assert.equal(faultIn(text, path), 'none'));
  }

  it('is none in the files of this project', () => {
    const files = ['src', 'scripts', 'test'].flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(name => /\.(?:ts|mjs|json|css|html)$/.test(name) && !name.includes('fixtures'))
        .map(name => `${folder}/${name}`),
    );
    assert.ok(files.length > 1000);
    const found = files
      .map(file => [file, faultIn(readFileSync(file, 'utf8'), file)])
      .filter(([, fault]) => fault !== 'none');
    assert.deepEqual(found, []);
  });
});

describe('the fault of a hostile text', () => {
  const parts: readonly string[] = [
    '(',
    '<a ',
    '<a>',
    '/*',
    '`${',
    '"',
    "'",
    '#if a\n{',
    'R"',
    '@"',
    'r#"',
    '<<<A\n',
    '/[',
    ' {',
    'a:\n ',
    '<!--',
    '<?',
    "'\\",
    '\\',
    '</a',
    "f'",
    '=',
  ];
  const paths = [
    'a.ts',
    'a.tsx',
    'a.py',
    'a.rs',
    'a.cs',
    'a.cpp',
    'a.php',
    'a.html',
    'a.svelte',
    'a.kt',
  ];

  it('takes time in proportion to its length', () => {
    for (const path of paths) {
      for (const part of parts) {
        const timeOf = (length: number): number => {
          const text = part.repeat(Math.ceil(length / part.length));
          const start = process.cpuUsage();
          findFault(text, path);
          const { user, system } = process.cpuUsage(start);
          return (user + system) / 1000;
        };
        const long = timeOf(400_000);
        // Linear reading takes some 20 ms; quadratic reading would take minutes.
        assert.ok(long < 2_000, `${JSON.stringify(part)} in ${path}: ${long} ms`);
      }
    }
  });

  it('is not looked for in more than a million characters', () => {
    assert.equal(findFault('('.repeat(10_000_000), 'a.ts'), undefined);
  });
});
