import assert from 'node:assert/strict';
import { auditDiff, auditMerge } from '../../../../../src/merge';

const original = 'function a() {\n  return [1, 2];\n}\n\nfunction b() {\n  return 2;\n}\n';
const gap = '// ... existing code ...\n';
const snippet = `function a() {\n  return [1, 2;\n}\n\n${gap}`;

const kinds = (text: string, path: string): string[] =>
  auditMerge(text, snippet, text.replace('2]', '2'), { path }).map(({ kind }) => kind);

describe('the audit of syntax', () => {
  it('reports where a well-formed file no longer is', () => {
    const merged = original.replace('2]', '2');
    assert.deepEqual(auditMerge(original, snippet, merged, { path: 'a.js' }), [
      {
        kind: 'syntax',
        severity: 'error',
        line: 2,
        message: '";" fits nothing that is open here; the file was well-formed before.',
      },
    ]);
  });

  it('reads the result of a diff as well', () => {
    const diff =
      '--- a.js\n+++ a.js\n@@ -1,3 +1,3 @@\n function a() {\n-  return [1, 2];\n+  return [1, 2];}\n }\n';
    const merged = original.replace('2];', '2];}');
    const [finding] = auditDiff(original, diff, merged, { path: 'a.js' });
    assert.equal(finding?.kind, 'syntax');
    assert.equal(finding.line, 3);
  });

  it('says nothing of a file that was not well-formed, or whose language it does not read', () => {
    const broken = `${original}}\n`;
    assert.ok(!kinds(broken, 'a.js').includes('syntax'));
    assert.deepEqual(kinds(original, 'a.unknown'), ['imbalance']);
  });

  it('counts no brackets where it reads the language, as of those in an expression', () => {
    const merged = original.replace('2]', '2].filter(one => /[(]/.test(one))');
    const update = merged.slice(0, merged.indexOf('\n\n') + 2) + gap;
    const found = (path: string): string[] =>
      auditMerge(original, update, merged, { path }).map(({ kind }) => kind);
    assert.deepEqual(found('a.js'), []);
    assert.deepEqual(found('a.unknown'), ['imbalance']);
  });

  it('says nothing of an edit that mends the file', () => {
    const broken = original.replace('2]', '2');
    const mended = snippet.replace('[1, 2;', '[1, 2];');
    assert.deepEqual(auditMerge(broken, mended, original, { path: 'a.js' }), []);
  });

  it('ends in time on 10 MB of brackets', () => {
    const text = `a();\n${'('.repeat(10_000_000)}\nb();\n`;
    const merged = text.replace('b()', 'c()');
    const start = process.cpuUsage().user;
    auditMerge(text, '// ... existing code ...\nc();\n', merged, { path: 'a.js' });
    assert.ok((process.cpuUsage().user - start) / 1_000_000 < 20);
  });
});
