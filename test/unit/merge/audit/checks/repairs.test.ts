import assert from 'node:assert/strict';
import { auditMerge } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';
const file = 'first();\nopen("a");\nlast();\nclose("b");\n';
const found = (update: string, merged: string, original = file): string[] =>
  auditMerge(original, update, merged, { path: 'a.js' }).map(
    ({ line, severity, message }) => `${line} ${severity} ${message}`,
  );

describe('what was repaired in an answer', () => {
  it('is told at the first line that changed', () => {
    const update = `${gap}last();\nclose(“c”);\n`;
    assert.deepEqual(found(update, file.replace('"b"', '"c"')), [
      '4 warning The answer had curly quotes where the file has straight ones; they were made straight.',
    ]);
  });

  it('is not told where the characters are all that changes', () => {
    const update = `${gap}last();\nclose(“b”);\n`;
    assert.deepEqual(found(update, file.replace('"b"', '“b”')), [
      '4 warning Only characters change that a copy may have damaged, such as quotes and blanks. Check that this is meant.',
    ]);
  });
});
