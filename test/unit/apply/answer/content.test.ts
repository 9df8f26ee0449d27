import assert from 'node:assert/strict';
import { partsOfText, type TextNaming } from '../../../../src/apply/answer/content';

const kindsOf = (text: string, naming: TextNaming): string[] =>
  partsOfText(text, naming).map(({ operation: { kind, path } }) => `${kind} ${path}`);

describe('the text of a block, a tag or a call', () => {
  const diff = '@@ -1 +1 @@\n-x\n+y';
  const code = 'const one = call(1);\nconst two = call(2);';

  it('is a file where it stands for the whole of one, unless it leaves out code', () => {
    assert.deepEqual(kindsOf(code, { path: 'a.ts', isWhole: true }), ['write a.ts']);
    assert.deepEqual(
      kindsOf(`${code}\n// ... existing code ...\n`, { path: 'a.ts', isWhole: true }),
      ['snippet a.ts'],
    );
    assert.deepEqual(kindsOf(code, { path: 'a.ts' }), ['snippet a.ts']);
    assert.deepEqual(kindsOf(code, { isWhole: true }), ['snippet undefined']);
  });

  it('is a diff where it begins like one, or holds one where it is no whole file', () => {
    assert.deepEqual(kindsOf(diff, { path: 'a.ts', isWhole: true }), ['diff a.ts']);
    assert.deepEqual(kindsOf(diff, { path: 'a.ts' }), ['diff a.ts']);
    assert.deepEqual(kindsOf('-x\n+y', { path: 'a.ts', info: 'diff' }), ['diff a.ts']);
    assert.deepEqual(kindsOf('-x\n+y', { path: 'a.ts', info: 'ts' }), ['snippet a.ts']);
  });

  it('is commands where it writes files, of which the others are named', () => {
    const written = "cat > b.ts <<'EOF'\nconst x = 1;\nEOF";
    assert.deepEqual(kindsOf(written, {}), ['write b.ts']);
    assert.deepEqual(kindsOf(`# first\nmkdir -p src\n\n${written}`, {}), ['write b.ts']);
    assert.deepEqual(kindsOf(`${written}\nnpm test`, {}), ['write b.ts', 'none undefined']);
    assert.deepEqual(kindsOf(written, { path: 'run.sh', isWhole: true }), ['write run.sh']);
  });

  it('is a patch, with what stands around it', () => {
    const patch = '*** Begin Patch\n*** Delete File: b.ts\n*** End Patch';
    assert.deepEqual(kindsOf(patch, { path: 'a.ts' }), ['delete b.ts']);
    assert.deepEqual(kindsOf(`${patch}\n${patch}`, {}), ['delete b.ts', 'delete b.ts']);
    assert.deepEqual(kindsOf(`${code}\n${patch}\n${code};`, {}), [
      'none undefined',
      'delete b.ts',
      'none undefined',
    ]);
  });
});
