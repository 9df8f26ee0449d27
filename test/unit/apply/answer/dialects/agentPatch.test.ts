import assert from 'node:assert/strict';
import {
  agentPatchEnd,
  isAgentPatchStart,
  lastPatchEnd,
  readAgentPatch,
} from '../../../../../src/apply/answer/dialects/agentPatch';

const operationsOf = (text: string) =>
  readAgentPatch(text.split('\n')).map(({ operation }) => operation);

const endOf = (text: string): number => {
  const lines = text.split('\n');
  return agentPatchEnd(lines, 0, lastPatchEnd(lines));
};

describe('a patch with a header for each file', () => {
  it('begins with its own mark or with that of a file', () => {
    for (const line of [
      '*** Begin Patch',
      ' *** Begin Patch ',
      '*** Update File: a.ts',
      '*** Delete File: a',
    ]) {
      assert.equal(isAgentPatchStart(line), true, line);
    }
    for (const line of [' *** Update File: a.ts', '*** Move File: a', '*** End Patch', '***']) {
      assert.equal(isAgentPatchStart(line), false, line);
    }
  });

  it('updates, adds, deletes and moves', () => {
    assert.deepEqual(
      operationsOf(`*** Begin Patch
*** Update File: a.ts
@@
-x
+y
*** Add File: b.ts
+one
+
+two
*** Delete File: c.ts
*** Update File: d.ts
*** Move to: e.ts
*** Update File: f.ts
*** Move to: g.ts
@@
-x
+y
*** End Patch`),
      [
        { kind: 'diff', path: 'a.ts', diff: '*** Update File: a.ts\n@@\n-x\n+y' },
        { kind: 'create', path: 'b.ts', text: 'one\n\ntwo\n' },
        { kind: 'delete', path: 'c.ts' },
        { kind: 'rename', path: 'd.ts', newPath: 'e.ts', diff: undefined },
        {
          kind: 'rename',
          path: 'f.ts',
          newPath: 'g.ts',
          diff: '*** Update File: f.ts\n@@\n-x\n+y',
        },
      ],
    );
  });

  it('may have forgotten the marks of a new file', () => {
    const [created] = operationsOf('*** Add File: b.ts\none\n\n+two\n\n');
    assert.deepEqual(created, { kind: 'create', path: 'b.ts', text: 'one\n\n+two\n' });
  });

  it('is refused where it names no file or changes nothing', () => {
    const reasons = ['*** Begin Patch\n-a\n+b\n*** End Patch', '*** Update File: a.ts\n@@\n a'].map(
      text => {
        const [operation] = operationsOf(text);
        return operation?.kind === 'none' && operation.reason.text;
      },
    );
    assert.deepEqual(reasons, [
      'The patch names no file.',
      'The patch changes nothing in this file.',
    ]);
  });

  it('lists changes above the first file, whose header is damaged', () => {
    const operations = operationsOf('*** Begin Patch\n*** \n+a\n*** Delete File: b\n*** End Patch');
    assert.deepEqual(
      operations.map(({ kind }) => kind),
      ['none', 'delete'],
    );
  });

  it('keeps a header that is a line of the file', () => {
    const text = '*** Update File: a.md\n@@\n-x\n *** Update File: b.md\n+y';
    assert.deepEqual(operationsOf(text), [{ kind: 'diff', path: 'a.md', diff: text }]);
  });

  it('goes on to its end, or as long as its lines have marks', () => {
    assert.equal(endOf('*** Begin Patch\nno mark\n*** End Patch\nwords'), 3);
    assert.equal(endOf('*** Begin Patch\n+a\n *** End Patch\n\n'), 3);
    assert.equal(endOf('*** Begin Patch\n+a\n *** End Patch\n+b\n*** End Patch'), 5);
    assert.equal(endOf('*** Update File: a\n@@\n-a\n\n+b\n\nwords\n+c'), 5);
    assert.equal(lastPatchEnd(['a', 'b']), -1);
  });
});
