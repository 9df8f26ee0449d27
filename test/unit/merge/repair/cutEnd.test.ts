import assert from 'node:assert/strict';
import { auditMerge, mergeEdit } from '../../../../src/merge';

const file = `import { read } from 'files';

export function load(path) {
  const text = read(path);
  const lines = text.split('\\n');
  return lines.map(parse);
}

export function save(path) {
  return write(path);
}
`;

describe('an answer that was cut off', () => {
  const changed = file.replace('read(path)', 'readAll(path)');

  it('keeps the rest of the file, is not certain, and is reported', () => {
    for (const end of ['const lines = text.sp', 'return lines', 'export function sa']) {
      const update = changed.slice(0, changed.indexOf(end) + end.length);
      const result = mergeEdit(file, update, { path: 'a.js' });
      assert.deepEqual(result, { kind: 'merged', text: changed, certain: false });
      const [finding, ...others] = auditMerge(file, update, changed, { path: 'a.js' });
      assert.equal(finding?.kind, 'truncated');
      assert.match(finding.message, new RegExp(`"${end.replace(/[.()]/g, String.raw`\$&`)}"`));
      assert.deepEqual(others, []);
    }
  });

  it('is complete where its last line is no part of the next one', () => {
    const update = changed.slice(0, changed.indexOf('return lines'));
    assert.ok(
      !auditMerge(file, update, changed, { path: 'a.js' }).some(({ kind }) => kind === 'truncated'),
    );
  });

  it('is complete where it ends with a marker', () => {
    const update = `${changed.slice(0, changed.indexOf('.split'))}\n// ... existing code ...\n`;
    const result = mergeEdit(file, update, { path: 'a.js' });
    assert.equal(result.kind, 'merged');
    assert.match(result.text, /const lines = text\n/);
  });
});
