import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { auditMerge, type MergeResult, mergeEdit } from '../../../../src/merge';

const load = `export function load(path) {
  return parse(read(path));
}
`;
const check = `/** Throws for what cannot be saved. */
export function check(value) {
  if (!value) throw new Error('nothing');
}
`;
const save = `export function save(path, value) {
  check(value);
  write(path, value);
}
`;
const file = `import { read, write } from 'files';\n\n${load}\n${check}\n${save}\nexport default load;\n`;

function merged(original: string, update: string): MergeResult & { kind: 'merged' } {
  const result = mergeEdit(original, update, { path: 'store.js' });
  assert.equal(result.kind, 'merged', result.kind === 'refused' ? written(result.reason) : '');
  return result;
}

describe('a snippet of two declarations without a marker', () => {
  const update = `${load.replace('parse(', 'parseAll(')}\n${save.replace('check(', 'checkAll(')}`;
  const expected = file.replace('parse(', 'parseAll(').replace('  check(', '  checkAll(');

  it('keeps what the file has between them', () => {
    assert.deepEqual(merged(file, update), { kind: 'merged', text: expected, certain: true });
    assert.deepEqual(auditMerge(file, update, expected, { path: 'store.js' }), []);
  });

  it('changes the one between them that it renames', () => {
    const renamed = check.replace('check(', 'checkValue(');
    const all = `${load}\n${renamed}\n${save.replace('check(', 'checkValue(')}`;
    assert.equal(
      merged(file, all).text,
      file.replace(check, renamed).replace('  check(', '  checkValue('),
    );
  });

  it('deletes in a complete new file, which is not certain', () => {
    const whole = file.replace(`${check}\n`, '').replace('  check(value);\n', '');
    assert.deepEqual(merged(file, whole), { kind: 'merged', text: whole, certain: false });
  });
});

describe('a declaration that is gone', () => {
  const gap = '// ... existing code ...\n';

  it('is never certain where nobody mentions it', () => {
    const update = `${gap}${load}\n${save}${gap}`;
    const text = file.replace(`${check}\n`, '');
    assert.deepEqual(merged(file, update), { kind: 'merged', text, certain: false });
  });

  it('is certain where the snippet mentions it', () => {
    const update = `${gap}${load}\n// check is in checks.js now.\n${save}${gap}`;
    const text = file.replace(check, '// check is in checks.js now.').replace('now.\n', 'now.');
    const result = merged(file, update);
    assert.equal(result.certain, true);
    assert.ok(!result.text.includes('function check'), text);
  });
});
