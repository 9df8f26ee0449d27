import assert from 'node:assert/strict';
import {
  isPath,
  pathAbove,
  pathFromComment,
  pathFromHeading,
  pathFromInfo,
} from '../../../src/markdown/pathHint';

describe('isPath', () => {
  const paths =
    'a.ts src/a.ts src\\a.ts C:\\src\\a.ts ./a.py ../lib/b.rb Dockerfile src/Makefile .gitignore .env.local go.mod src/.eslintrc app/[id]/page.tsx pkg/@scope/x.js README LICENSE a.test.ts src/(group)/x.tsx dir/file.unknown src/.a-b a.Py z.zig ab.m C.h a9.c src\\a.b.ts LICENSE.md main.bicep Player.tscn Vagrantfile justfile page.cshtml vars.tfvars';
  const others =
    'a word e.g. i.e. 1.5 v1.2 .5 Node.js Next.js React.js a. .. . / src/ src/dir a.unknown foo() foo.bar() console.log array.map this.props app.use example.org x=1.ts file,name.ts "a.ts" https://a.example.org/b.ts a?.ts b).ts';
  for (const path of paths.split(' '))
    it(`is true for ${path}`, () => assert.equal(isPath(path), true));
  for (const text of others.split(' '))
    it(`is false for ${text}`, () => assert.equal(isPath(text), false));

  it('is false for what is too short or too long', () => {
    assert.equal(isPath('x'), false);
    assert.equal(isPath(''), false);
    assert.equal(isPath(`${'a'.repeat(257)}.ts`), true);
    assert.equal(isPath(`${'a'.repeat(258)}.ts`), false);
    assert.equal(isPath('.e'), true);
    for (const name of [
      'src/.a9',
      'src/.a0',
      'src/.a_',
      'src/.a-',
      'src/.az',
      'src/.aA',
      'src/.aZ',
    ])
      assert.equal(isPath(name), true, name);
    for (const sign of ['!', '/', ':', '@', '[', '`', '{', '^', '.'])
      assert.equal(isPath(`src/.a${sign}`), false, sign);
  });
});

describe('a path beside code', () => {
  it('is read from the info of a fence', () => {
    for (const [info, path] of [
      ['ts src/a.ts', 'src/a.ts'],
      ['ts title="src/a b.ts"', undefined],
      ['ts title="src/a.ts"', 'src/a.ts'],
      ["ts file='src/a.ts'", 'src/a.ts'],
      ['ts path=src/a.ts', 'src/a.ts'],
      ['ts {src/a.ts}', 'src/a.ts'],
      ['src/a.ts', 'src/a.ts'],
      ['12:40:src/a.ts', 'src/a.ts'],
      ['typescript:src/a.ts', 'src/a.ts'],
      ['typescript:src/a.ts#L3-L5', 'src/a.ts'],
      ['ts src/a.ts#L3', 'src/a.ts'],
      ['ts src/a.ts:3-5', 'src/a.ts'],
      ['ts title="src/a.ts#3-5"', 'src/a.ts'],
      ['C:\\src\\a.ts', 'C:\\src\\a.ts'],
      ['ts', undefined],
      ['ts twoslash', undefined],
      ['', undefined],
      [`ts ${'x'.repeat(4000)} a.ts`, undefined],
      [`ts ${'x'.repeat(3992)} a.ts`, 'a.ts'],
      ['ts C#:src/a.cs', 'src/a.cs'],
      ['title="not a path" src/a.ts', 'src/a.ts'],
      ['ts c:\\src\\a.ts', 'c:\\src\\a.ts'],
      ['ts {1,3} src/a.ts', 'src/a.ts'],
      ['{.python filename=src/a.py}', 'src/a.py'],
      ['{.python .numberLines}', undefined],
    ] as const)
      assert.equal(pathFromInfo(info), path, info.slice(0, 40));
  });

  it('is read from the line above', () => {
    for (const [line, path] of [
      ['**src/a.ts**', 'src/a.ts'],
      ['### src/a.ts', 'src/a.ts'],
      ['### 2. src/a.ts', 'src/a.ts'],
      ['1. src/a.ts', 'src/a.ts'],
      ['- *src/a.ts*', 'src/a.ts'],
      ['> src/a.ts', 'src/a.ts'],
      ['File: src/a.ts', 'src/a.ts'],
      ['New file: src/a.ts', 'src/a.ts'],
      ['filename = src/a.ts', 'src/a.ts'],
      ['Update src/a.ts', 'src/a.ts'],
      ['In src/a.ts:', 'src/a.ts'],
      ['src/a.ts (new)', 'src/a.ts'],
      ['src/a.ts - the entry', 'src/a.ts'],
      ['src/a.ts – the entry (of all)', 'src/a.ts'],
      ['src/a.ts:12-40', 'src/a.ts'],
      ['src/a.ts:12', 'src/a.ts'],
      ['src/a.ts#L12-L40', 'src/a.ts'],
      ['📄 src/a.ts', 'src/a.ts'],
      ['### 🛠️ 2. src/a.ts', undefined],
      ['- ✏️ **src/a.ts**', 'src/a.ts'],
      ['Change `src/a.ts` like this', 'src/a.ts'],
      ['Change `src/a.ts` and `src/b.ts`', undefined],
      ['Change `a` in `src/a.ts`, then `src/a.ts`', 'src/a.ts'],
      ['Then change src/a.ts as follows:', 'src/a.ts'],
      ['Then change src/a.ts and src/b.ts:', undefined],
      ['Then change src/a.ts as follows', undefined],
      ['``src/a.ts', 'src/a.ts'],
      ['app/(group) x/a.ts', undefined],
      ['  src/a.ts (new)  ', 'src/a.ts'],
      ['  ## src/a.ts', 'src/a.ts'],
      ['src/a.ts — the entry', 'src/a.ts'],
      ['src/a.ts -- the entry', 'src/a.ts'],
      ['src/a.ts\u00a0(new)', 'src/a.ts'],
      ['src/(group)/a.ts', 'src/(group)/a.ts'],
      ['src/a-b.ts', 'src/a-b.ts'],
      ['src/a.ts (new) (or not)', undefined],
      ['Change this `a` as in src/a.ts:  ', 'src/a.ts'],
      ['`src/a.ts` and `b', 'src/a.ts'],
      ['`a` `src/a.ts`', 'src/a.ts'],
      ['[src/a.ts](src/a.ts)', 'src/a.ts'],
      ['[a.ts](file:///home/me/src/a.ts#L3)', '/home/me/src/a.ts'],
      ['In [a.ts](file:///c%3A/my/a.ts):', 'c:/my/a.ts'],
      ['[src/a.ts](https://example.com/x/src/a.ts#L3)', 'src/a.ts'],
      ['[a](src/a.ts) and [b](src/b.ts)', undefined],
      ['[the docs](https://example.com/a.html)', undefined],
      ['[a.html](https://example.com)', 'a.html'],
      ['[the mail](mailto:ada@a.md)', undefined],
      ['[a.ts](vscode://file/src/a.ts)', 'a.ts'],
      ['[a.ts](not%zz/a.ts)', 'a.ts'],
      ['**src/a.ts** :', 'src/a.ts'],
      ['-old/a.ts', '-old/a.ts'],
      ['(group)/page.tsx (new)', '(group)/page.tsx'],
      ['Here it is', undefined],
      [`src/a.ts${' '.repeat(4000)}`, undefined],
      [`src/a.ts${' '.repeat(3992)}`, 'src/a.ts'],
    ] as const)
      assert.equal(pathFromHeading(line), path, line.slice(0, 50));
  });

  it('is read from a comment that holds nothing else', () => {
    for (const [line, path] of [
      ['// src/a.ts', 'src/a.ts'],
      ['# src/a.py', 'src/a.py'],
      ['-- db/a.sql', 'db/a.sql'],
      ['/* src/a.css */', 'src/a.css'],
      ['/** src/a.ts **/', 'src/a.ts'],
      ['<!-- web/a.html -->', 'web/a.html'],
      ['// file: src/a.ts', 'src/a.ts'],
      ['# @file src/a.py', 'src/a.py'],
      ['// src/a.ts (changed)', 'src/a.ts'],
      ['#!/usr/bin/env.sh', undefined],
      ['// see src/a.ts for more', undefined],
      ['src/a.ts', undefined],
      ['// nothing', undefined],
      ['  // src/a.ts  ', 'src/a.ts'],
      ['{/* src/a.tsx */}', 'src/a.tsx'],
      ['<%# app/a.erb %>', 'app/a.erb'],
      ['""" src/a.py """', 'src/a.py'],
      ['// src/a.ts:12', 'src/a.ts'],
      [`// ${' '.repeat(4000)}src/a.ts`, undefined],
    ] as const)
      assert.equal(pathFromComment(line), path, line);
  });

  it('is read from the lines above, over a blank line and a fence', () => {
    assert.equal(pathAbove(['x', 'src/a.ts', '']), 'src/a.ts');
    assert.equal(pathAbove(['src/a.ts', '```ts']), 'src/a.ts');
    assert.equal(pathAbove(['src/a.ts', 'words', '```']), undefined);
    assert.equal(pathAbove(['src/a.ts', '', '', '']), undefined);
    assert.equal(pathAbove(['src/a.ts', '  ', '\t']), 'src/a.ts');
    assert.equal(pathAbove(['src/a.ts', '```ts src/b.ts']), 'src/b.ts');
    assert.equal(pathAbove([]), undefined);
  });
});
