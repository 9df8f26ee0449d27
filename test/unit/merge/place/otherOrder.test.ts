import assert from 'node:assert/strict';
import { auditMerge, mergeEdit } from '../../../../src/merge';

const gap = '// ... existing code ...\n';
const first = 'function first(a) {\n  const one = read(a);\n  return one.value;\n}\n';
const second = 'function second(b) {\n  const two = write(b);\n  return two.length;\n}\n';
const third = 'function third(c) {\n  return c;\n}\n';
const original = [first, third, second].join('\n');
const newFirst = first.replace('read(a)', 'read(a, true)');
const newSecond = second.replace('write(b)', 'write(b, true)');
const wanted = [newFirst, third, newSecond].join('\n');

const findings = (update: string, merged: string): string[] =>
  auditMerge(original, update, merged, { path: 'a.js' }).map(({ message }) => message);

describe('parts of a snippet in another order than in the file', () => {
  it('are merged each at its place, and audited so', () => {
    const update = `${gap}\n${newSecond}\n${gap}\n${newFirst}\n${gap}`;
    assert.deepEqual(mergeEdit(original, update, { path: 'a.js' }), {
      kind: 'merged',
      text: wanted,
      certain: true,
    });
    assert.deepEqual(findings(update, wanted), []);
    const broken = wanted.replace('write(b, true)', 'write(b)');
    assert.notDeepEqual(findings(update, broken), []);
  });

  it('are changed functions in a list, and not moved, where no marker is between them', () => {
    const update = `${newSecond}\n${newFirst}`;
    const result = mergeEdit(original, update, { path: 'a.js' });
    assert.equal(result.kind === 'merged' && result.text, wanted);
    assert.deepEqual(findings(update, wanted), []);
  });

  it('are refused where one of them has no place, and where nothing would change', () => {
    const foreign = 'call(1);\nother(2);\n';
    for (const last of [foreign, first]) {
      const update = `${gap}\n${second}\n${gap}\n${last}\n${gap}`;
      assert.equal(mergeEdit(original, update, { path: 'a.js' }).kind, 'refused');
    }
  });
});
