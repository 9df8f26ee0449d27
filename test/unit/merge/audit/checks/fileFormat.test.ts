import assert from 'node:assert/strict';
import { auditMerge } from '../../../../../src/merge';

const kindsOf = (original: string, snippet: string, merged: string, path = 'a.zig'): string[] =>
  auditMerge(original, snippet, merged, { path }).map(({ kind, line }) => `${kind} ${line}`);

describe('the audit of markers left over', () => {
  const original = 'const a = 1;\n// ...\nconst b = 2;\nconst c = 3;\n';

  it('counts those that the file has itself', () => {
    const merged = 'const a = 1;\n// ...\nconst b = 2;\n// ...\nconst c = 4;\n';
    assert.ok(kindsOf(original, '// ...\nconst c = 4;\n', merged).includes('leakedMarker 4'));
    const right = original.replace('c = 3', 'c = 4');
    assert.deepEqual(
      kindsOf(original, '// ... existing code ...\nconst b = 2;\nconst c = 4;\n', right),
      [],
    );
  });

  it('does not count dots that are code', () => {
    const r = 'f(\n  a,\n  ...\n)\n\ng(\n  b\n)\n';
    const merged = r.replace('  b\n', '  b,\n  ...\n');
    const snippet = '# ... existing code ...\n\ng(\n  b,\n  ...\n)\n';
    assert.deepEqual(kindsOf(r, snippet, merged, 'a.R'), []);
  });
});
