import assert from 'node:assert/strict';
import { auditMerge } from '../../../../../src/merge';

const first = 'read_all(Path) ->\n\tLines = split(Path),\n\tcount(Lines).\n';
const last = 'write_all(Path, Text) ->\n\tBytes = encode(Text),\n\tstore(Path, Bytes).\n';
const header = '-module(files).\n';
const original = `${header}\n${first}\n${last}`;

const kindsOf = (snippet: string, merged: string): string[] =>
  auditMerge(original, snippet, merged, { path: 'files.erl' }).map(
    ({ kind, line }) => `${kind} ${line}`,
  );

describe('the audit of a snippet that moves the end of the file', () => {
  const snippet = `% ... existing code ...\n-module(files).\n\n${last}\n${first}`;

  it('reports the end that is still there', () => {
    const merged = `${header}\n${last}\n${first}\n${last}`;
    assert.deepEqual(kindsOf(snippet, merged), ['duplicatedBlock 11']);
  });

  it('says nothing where it is gone', () => {
    assert.deepEqual(kindsOf(snippet, `${header}\n${last}\n${first}`), []);
  });

  it('says nothing of other lines that are kept', () => {
    const other = `% ... existing code ...\n${first.replace('count', 'size')}`;
    assert.ok(
      !kindsOf(other, original.replace('count', 'size')).some(kind =>
        kind.startsWith('duplicated'),
      ),
    );
  });
});
