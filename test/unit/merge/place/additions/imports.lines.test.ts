import assert from 'node:assert/strict';
import {
  areNewImports,
  importPlace,
  importsOf,
  startsWithImport,
} from '../../../../../src/merge/place/additions/imports';
import { indexOf, sectionOf } from '../places';

type Markers = Parameters<typeof sectionOf>[2];

/** What the file imports, as `module: names`. */
const imported = (text: string): string[] =>
  [...importsOf(indexOf(text))].map(([module, names]) =>
    names ? `${module}: ${[...names].join()}` : `${module} in several lines`,
  );

describe('the imports of a file', () => {
  it('have their names by module, whatever the language', () => {
    for (const [line, wanted] of [
      ["import path from 'node:path';", 'node:path: path'],
      ["import { a, type B as c } from './both';", './both: a,B,c'],
      ["import 'side-effect';", 'side-effect: '],
      ["const fs = require('fs');", 'fs: fs'],
      ['from os.path import join', 'os.path: join'],
      ['import json', 'json: '],
      ['import static java.util.List;', 'java.util.List: '],
      ['use std::fmt;', 'std::fmt: '],
      ['using System.Text;', 'System.Text: '],
      ['#include <stdio.h>', 'stdio.h: '],
      ["require 'set'", 'set: '],
      ["require_relative 'own'", 'own: '],
      ["} from './reader';", './reader in several lines'],
    ] as const)
      assert.deepEqual(imported(`${line}\n`), [wanted], line);
    for (const line of [
      'using Alias = System.Text;',
      "important('x');",
      'a = b',
      'const x = 1;',
      '}',
    ])
      assert.deepEqual(imported(`${line}\n`), [], line);
  });

  it('are one for each module', () => {
    assert.deepEqual(imported("import { a } from 'm';\nimport { b } from 'm';\nrun();\n"), [
      'm: a,b',
    ]);
    assert.deepEqual(imported("import { a } from 'm';\n} from 'm';\nimport c from 'm';\n"), [
      'm in several lines',
    ]);
  });
});

const file = indexOf("import { a } from 'm';\nimport {\n  b,\n} from 'n';\nimport 'x';\nrun(a);\n");
const starts = (text: string, markers: Markers = { below: 0 }): boolean =>
  startsWithImport(sectionOf(text, file, markers), file);
const areNew = (text: string): boolean =>
  areNewImports(sectionOf(text, file, { below: 0 }), file, importsOf(file));

describe('the names of an import', () => {
  it('may have the name of its module in them', () => {
    assert.deepEqual(imported("import { hostname } from 'os';\n"), ['os: hostname']);
    assert.deepEqual(imported("import { a } from 'port';\n"), ['port: a']);
    assert.deepEqual(imported('import imp\n'), ['imp: ']);
    assert.deepEqual(imported('from os import popen, close\n'), ['os: popen,close']);
    const index = indexOf("import { hostname } from 'os';\nrun();\n");
    const section = sectionOf("import { closeAll } from 'os';", index, { below: 0 });
    assert.equal(areNewImports(section, index, importsOf(index)), true);
  });
});

describe('a section of imports', () => {
  it('starts with one that is not in the file, beside a marker', () => {
    assert.equal(starts("import c from 'c';"), true);
    assert.equal(starts("import c from 'c';", { above: 0 }), true);
    assert.equal(starts("import c from 'c';", {}), false);
    assert.equal(starts("import { a } from 'm';"), false);
    assert.equal(starts('from __future__ import annotations'), false);
    assert.equal(starts('run(c);'), false);
    // The first line of one of several lines may be in the file.
    assert.equal(starts("import {\n  c,\n} from 'c';"), true);
    assert.equal(starts("import {\n  b,\n} from 'n';"), false);
    assert.equal(starts("import {\n} from 'c';"), false);
  });

  it('is new if it has nothing else, and no other names of a known module', () => {
    assert.equal(areNew("import c from 'c';"), true);
    assert.equal(areNew("import c from 'c';\nimport d from 'd';"), true);
    assert.equal(areNew("import {\n  c,\n  d,\n} from 'c';"), true);
    assert.equal(areNew("import c from 'c';\nrun(c);"), false);
    assert.equal(areNew("import c from 'c';\nimport { a } from 'm';"), false, 'in the file');
    assert.equal(areNew("import { c } from 'm';"), true, 'other names');
    assert.equal(areNew("import { a, c } from 'm';"), false, 'the changed form');
    assert.equal(areNew("import {\n  c,\n} from 'n';"), false, 'nobody knows which names');
    assert.equal(areNew('import "x";'), false, 'the same without names');
    assert.equal(areNew("import c from 'c';\nimport { a, d } from 'm';"), false, 'one is changed');
    assert.equal(areNew('import {\n  c,'), false, 'of no module');
    assert.equal(areNew('import (\n  "fmt"\n)'), false, 'a list of modules');
  });
});

const placed = (text: string, section: string, from = 0, to?: number): string | undefined => {
  const index = indexOf(text);
  const block = sectionOf(section, index, { below: 0 });
  const found = importPlace(block, { from, to: to ?? index.count }, index);
  return found && `${found.place.start}-${found.place.end} ${found.isCertain}`;
};

describe('the place of new imports', () => {
  const text =
    "import a from './aaa/one';\nimport b from 'zzz';\nimport {\n  c,\n} from './aaa/two';\nrun();\n";

  it('is below the one that is most like them, the last one of equals', () => {
    assert.equal(placed(text, "import x from 'zzzz';"), '2-2 true');
    assert.equal(placed(text, "import x from './aaa/oneMore';"), '1-1 true');
    assert.equal(placed(text, "import {\n  x,\n} from './aaa/twoMore';"), '5-5 true');
    assert.equal(placed('import a\nimport b\nrun()\n', 'import qqqqqqqqqqqq'), '2-2 true');
  });

  it('is in the gap, at the same depth, and among those of its kind', () => {
    assert.equal(placed(text, "import x from 'zzzz';", 2), '5-5 true');
    assert.equal(placed(text, "import x from './aaa/twoMore';", 0, 2), '1-1 true');
    assert.equal(placed(text, "import x from 'zzzz';", 0, 1), '1-1 true');
    assert.equal(placed(text, "import x from 'zzzz';", 3), undefined, 'below half of one');
    assert.equal(placed('if x:\n  import a\nrun()\n', 'import b'), undefined);
    assert.equal(placed("const a = require('a');\n", "import b from 'b';"), undefined);
    assert.equal(placed('from a import b\n', 'import c'), '1-1 true', 'both forms of Python');
  });

  it('is not certain where their order counts', () => {
    assert.equal(placed('#include <a.h>\n', '#include <b.h>'), '1-1 false');
    assert.equal(placed("require 'a'\n", "require 'b'"), '1-1 false');
    assert.equal(placed("const a = require('a');\n", "const b = require('b');"), '1-1 false');
    assert.equal(placed('using A;\n', 'using B;'), '1-1 true');
  });
});
