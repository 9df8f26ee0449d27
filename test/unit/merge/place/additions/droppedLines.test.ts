import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';

function mergedText(original: string, update: string): string {
  const result = mergeEdit(original, update, { path: 'a.ts' });
  return result.kind === 'merged' ? result.text : `refused: ${result.reason}`;
}

describe('one more entry, shown below its neighbor', () => {
  const errors = `const errors = [
  'the server was stopped',
  'the server timed out: EOF',
  'read: reset by peer',
  'closed',
];
`;

  it('replaces no similar one', () => {
    const added = "  'the server timed out: reset by peer',\n";
    const neighbor = "  'the server timed out: EOF',\n";
    assert.equal(
      mergedText(errors, `  ${gap}${neighbor}${added}  ${gap}`),
      errors.replace(neighbor, neighbor + added),
    );
  });

  it('replaces the one of the same name', () => {
    const original = 'const a = 1;\nconst limit = compute(a, 1);\nconst b = 3;\nrun(limit, b);\n';
    const update = `${gap}const a = 1;\nconst limit = computeLimits(a, { most: 1 });\n${gap}`;
    assert.equal(
      mergedText(original, update),
      original.replace('compute(a, 1)', 'computeLimits(a, { most: 1 })'),
    );
  });

  it('replaces the one that it hardly changes', () => {
    const original = "use('actions/first@v2');\nuse('actions/checkout@v3');\nuse('others');\n";
    const update = `use('actions/first@v2');\nuse('actions/checkout@v4');\n${gap}`;
    assert.equal(mergedText(original, update), original.replace('@v3', '@v4'));
  });

  it('keeps the function below a new one', () => {
    const below = 'function below(value) {\n  const one = read(value);\n  return one;\n}\n';
    const above = 'function above() {\n  return read(0);\n}\n';
    const added = 'function added(value) {\n  const one = read(value);\n  return one + 1;\n}\n';
    const original = `${above}\n${below}\nfunction other() {\n  const one = read(value);\n}\n`;
    assert.equal(
      mergedText(original, `${gap}${above}\n${added}\n${gap}`),
      original.replace(below, `${added}\n${below}`),
    );
  });

  it('keeps the same line elsewhere, which is indented otherwise', () => {
    const original =
      "import a from 'a';\n\nif (TYPES) {\n  other();\n  import b from 'b';\n}\n\nrun(a);\n";
    const update = `${gap}import a from 'a';\nimport b from 'b';\n${gap}`;
    assert.equal(
      mergedText(original, update),
      original.replace("'a';\n", "'a';\nimport b from 'b';\n"),
    );
  });
});
