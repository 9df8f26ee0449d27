import assert from 'node:assert/strict';
import { changeOf, type FileState } from '../../../../src/apply/answer/fileState';
import type { EditOperation } from '../../../../src/apply/answer/operations';

const state = (more: Partial<FileState> = {}): FileState => ({
  origin: { path: 'a.ts', text: 'x\n' },
  text: 'y\n',
  certain: true,
  findings: [],
  operations: [],
  ...more,
});
const about = { certain: true, findings: [] };
const snippet = (text: string, more: object = {}): EditOperation => ({
  kind: 'snippet',
  text,
  ...more,
});
const shown = (...operations: EditOperation[]) => changeOf('a.ts', state({ operations }))?.snippet;

describe('the change of a file', () => {
  it('is told by what it was and what it is', () => {
    const created = { kind: 'create', path: 'a.ts', text: 'y\n', ...about };
    assert.deepEqual(changeOf('a.ts', state({ origin: undefined })), created);
    assert.equal(changeOf('a.ts', state({ origin: undefined, text: undefined })), undefined);
    assert.deepEqual(changeOf('a.ts', state({ text: undefined })), {
      kind: 'delete',
      path: 'a.ts',
      ...about,
    });
    assert.deepEqual(changeOf('a.ts', state()), {
      kind: 'edit',
      path: 'a.ts',
      text: 'y\n',
      ...about,
    });
    assert.equal(changeOf('a.ts', state({ text: 'x\n' })), undefined);
    const renamed = { kind: 'rename', path: 'a.ts', newPath: 'b.ts', ...about };
    assert.deepEqual(changeOf('b.ts', state()), { ...renamed, text: 'y\n' });
    assert.deepEqual(changeOf('b.ts', state({ text: 'x\n' })), renamed);
  });

  it('has all that the answer shows of the file, where that is nothing but code', () => {
    assert.deepEqual(shown(snippet('one')), { text: 'one' });
    assert.deepEqual(
      shown(snippet('one', { pathComment: '// a.ts' }), snippet('two', { pathComment: '// b' })),
      {
        text: 'one\n\n// ... existing code ...\n\ntwo',
        pathComment: '// a.ts',
      },
    );
    assert.equal(shown(), undefined);
    assert.equal(shown(snippet('one', { isNew: true })), undefined);
    assert.equal(shown(snippet('one'), { kind: 'write', path: 'a.ts', text: 'y' }), undefined);
    assert.deepEqual(shown(snippet('one', { isNew: false })), { text: 'one' });
  });
});
