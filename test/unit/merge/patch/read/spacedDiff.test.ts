import assert from 'node:assert/strict';
import { applyUnifiedDiff, mergePatch } from '../../../../../src/merge/patch/mergePatch';
import { unspacedDiffs, withoutMargin } from '../../../../../src/merge/patch/read/spacedDiff';

const diff = `--- a/a.py
+++ b/a.py
@@ -1,4 +1,4 @@
 one
-two
+zwei
${' '}
 three
@@ -7,2 +7,3 @@
 seven
+neu
 eight`;
const file = 'one\ntwo\n\nthree\nfour\nfive\nseven\neight\n';
const wanted = 'one\nzwei\n\nthree\nfour\nfive\nseven\nneu\neight\n';
const spaced = (text: string): string => text.split('\n').join('\n\n');
const unspaced = (text: string): string => unspacedDiffs(text.split('\n')).join('\n');

describe('a diff with an empty line between all lines', () => {
  it('is read without them, with text around it', () => {
    assert.equal(unspaced(spaced(diff)), diff);
    assert.equal(unspaced(spaced(diff.replace(/^ $/m, ''))), diff.replace(/^ $/m, ''));
    assert.equal(
      unspaced(`Look:\n\n\`\`\`diff\n${spaced(diff)}\n\`\`\`\n\nDone.`),
      `Look:\n\n\`\`\`diff\n${diff}\n\`\`\`\n\nDone.`,
    );
    const two = `${diff}\n${diff.replaceAll('a.py', 'b.py')}`;
    assert.equal(unspaced(spaced(two)), two);
    const git = `diff --git a/a.py b/a.py\nindex 1234567..89abcde 100644\n${diff}\n\\ No newline at end of file`;
    assert.equal(unspaced(spaced(git)), git);
    assert.equal(applyUnifiedDiff(file, spaced(diff)).kind, 'merged');
    assert.deepEqual(mergePatch(file, spaced(diff)), {
      kind: 'merged',
      text: wanted,
      certain: true,
    });
  });

  it('stays as it is where the counts do not prove it', () => {
    const whole = diff.split('\n');
    assert.equal(unspacedDiffs(whole), whole);
    for (const text of [
      spaced(diff).replaceAll('-1,4 +1,4', '-1,9 +1,9').replace('-7,2 +7,3', '-7,5 +7,6'),
      '--- a\n\n+++ b\n\nprose',
      spaced('@@ -1,2 +1,1 @@\n a\n+b\n-c'),
      spaced('@@ -1,1 +1,2 @@\n a\n-b\n+c'),
      '@@ -1,3 +1,3 @@\n\n-a\n+b\n\n c',
    ]) {
      assert.equal(unspaced(text), text);
    }
  });

  it('may have lost the blank lines at its end', () => {
    const cut = '@@ -1,4 +1,4 @@\n\n one\n\n-two\n\n+zwei';
    assert.equal(unspaced(cut), '@@ -1,4 +1,4 @@\n one\n-two\n+zwei');
    assert.equal(unspaced(cut.replace('1,4 +1,4', '1,9 +1,9')).includes('\n\n'), true);
  });

  it('without counts is read by the lines of the file', () => {
    const patch = '*** Begin Patch\n*** Update File: a.py\n@@\n one\n-two\n+zwei\n*** End Patch';
    assert.deepEqual(mergePatch(file, spaced(patch)), {
      kind: 'merged',
      text: file.replace('two', 'zwei'),
      certain: true,
    });
    // A file whose lines are blank every other time.
    const airy = 'one\n\ntwo\n\nthree\n';
    assert.deepEqual(mergePatch(airy, '@@\n one\n\n-two\n+zwei\n\n three'), {
      kind: 'merged',
      text: 'one\n\nzwei\n\nthree\n',
      certain: true,
    });
  });

  it('ends in time on many headers', () => {
    const text = '@@ -1,9 +1,9 @@\n\n'.repeat(20_000);
    assert.equal(unspaced(text), text);
  });
});

describe('an indented patch', () => {
  it('loses the indentation that all lines have', () => {
    const indented = diff.replace(/^/gm, '    ');
    assert.equal(withoutMargin(indented.split('\n')).join('\n'), diff);
    assert.deepEqual(mergePatch(file, indented), { kind: 'merged', text: wanted, certain: true });
    const code = ['    one', '    two'];
    assert.equal(withoutMargin(code), code);
    const odd = ['  @@ -1 +1 @@', ' a'];
    assert.equal(withoutMargin(odd), odd);
  });
});
