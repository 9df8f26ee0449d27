import assert from 'node:assert/strict';
import { auditMerge, type Finding } from '../../../../../src/merge';

const duplicates = (
  original: string,
  update: string,
  merged: string,
  path: string,
): readonly (readonly [line: number, message: string])[] =>
  auditMerge(original, update, merged, { path })
    .filter(({ kind }: Finding) => kind === 'duplicatedBlock')
    .map(({ line, message }) => [line, message]);

const one = 'function one() {\n  return 1;\n}\n';
const two = 'function two() {\n  return 2;\n}\n';

describe('the audit of duplicates', () => {
  it('reports a declaration that is in its block twice', () => {
    const original = `${one}\n${two}\nrun();\n`;
    const update = `// ...\n${two}\n${one.replace('1', '3')}\nrun();\n`;
    const merged = `${one}\n${two}\n${one.replace('1', '3')}\nrun();\n`;
    assert.deepEqual(duplicates(original, update, merged, 'a.ts'), [
      [9, 'This declaration is in its block twice.'],
    ]);
  });

  it('reports one among lines that change', () => {
    const original = `start(1);\n${one}run(1);\n`;
    const merged = `start(2);\n${one}${one.replace('1', '3')}run(2);\n`;
    assert.deepEqual(duplicates(original, merged, merged, 'a.ts'), [
      [5, 'This declaration is in its block twice.'],
    ]);
  });

  it('reports it in a result of a patch, too', () => {
    const original = `${one}\nrun();\n`;
    const diff = '@@ -3,3 +3,6 @@\n }\n \n+function one() {\n+  return 3;\n+}\n run();\n';
    const merged = `${one}\nfunction one() {\n  return 3;\n}\nrun();\n`;
    assert.deepEqual(duplicates(original, diff, merged, 'a.ts'), [
      [5, 'This declaration is in its block twice.'],
    ]);
  });

  it('reports a key of JSON, YAML and TOML that is in its block twice', () => {
    const json = '{\n  "a": 1,\n  "b": {\n    "a": 2\n  }\n}\n';
    assert.deepEqual(
      duplicates(
        json,
        '  "a": 1,\n  "a": 3,\n  // ...\n',
        json.replace('1,', '1,\n  "a": 3,'),
        'a.json',
      ),
      [[3, 'This key is in its block twice.']],
    );
    const yaml = 'on:\n  push: x\n  pull: y\n';
    assert.deepEqual(duplicates(yaml, `${yaml}  push: z\n`, `${yaml}  push: z\n`, 'a.yml'), [
      [4, 'This key is in its block twice.'],
    ]);
    const toml = '[a]\nname = 1\n\n[b]\nname = 2\n';
    assert.deepEqual(duplicates(toml, `${toml}name = 3\n`, `${toml}name = 3\n`, 'a.toml'), [
      [6, 'This key is in its block twice.'],
    ]);
  });

  it('is silent where the same line is in another block', () => {
    const original = 'class A {\n  static run() {\n  }\n}\n';
    const merged = `${original}\nclass B {\n  function run() {\n  }\n}\n\nclass C {\n  function run() {\n  }\n}\n`;
    assert.deepEqual(duplicates(original, merged, merged, 'a.ts'), []);
    const steps = 'steps:\n  - name: a\n    run: b\n';
    const more = `${steps}  - name: a\n    run: c\n`;
    assert.deepEqual(duplicates(steps, more, more, 'a.yml'), []);
  });

  it('is silent about overloads, conditional code, text, and what the original had', () => {
    const same = [
      ['a.py', 'def f(x):\n    pass\n', '@f.setter\ndef f(x):\n    pass\n'],
      ['a.c', '#if A\nclass f {\n};\n', '#else\nclass f {\n};\n#endif\n'],
      ['a.md', one, one],
      ['b.ts', `const text = \`\n${one}\`;\n`, `const more = \`\n${one}\n${one}\`;\n`],
      ['a.ts', `${one}${one}`, two],
    ] as const;
    for (const [path, original, added] of same) {
      const merged = original + added;
      assert.deepEqual(duplicates(original, merged, merged, path), [], path);
    }
  });
});
