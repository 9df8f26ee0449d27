import assert from 'node:assert/strict';
import type { TextOperation } from '../../../../src/apply/answer/mergeOperation';
import { shownLines, textOfNewFile } from '../../../../src/apply/answer/shownText';

const path = 'a.ts';
const gap = '// ... existing code ...\n';
const snippet = (text: string): TextOperation => ({ kind: 'snippet', path, text });
const blocks = (...pairs: [search: string, replace: string][]): TextOperation => ({
  kind: 'blocks',
  path,
  blocks: pairs.map(([search, replace]) => ({ search, replace })),
});
const diff = (text: string): TextOperation => ({ kind: 'diff', path, diff: text });
const insert: TextOperation = { kind: 'insert', path, line: 1, text: 'a' };

describe('the text of a file that is not there', () => {
  it('is all that an edit shows', () => {
    assert.equal(textOfNewFile({ kind: 'write', path, text: '  a' }), '  a');
    assert.equal(textOfNewFile(snippet('\na();\n  b();\n')), '\na();\n  b();\n');
    assert.equal(textOfNewFile(blocks([' \n', 'a();\n'])), 'a();\n');
    assert.equal(textOfNewFile(diff('@@ -0,0 +1,2 @@\n+a\n+\n+b')), 'a\n\nb\n');
  });

  it('is unknown where an edit shows a part of a file', () => {
    for (const part of [
      snippet(`a();\n${gap}`),
      snippet('\n  a();\n'),
      blocks(['b', 'a']),
      blocks(['', 'a'], ['', 'b']),
      blocks(),
      diff('@@\n+a\n b'),
      diff('@@'),
      insert,
    ]) {
      assert.equal(textOfNewFile(part), undefined, JSON.stringify(part));
    }
  });
});

describe('the lines of a file that an edit shows', () => {
  it('are those of its old side, without markers and blank lines', () => {
    assert.deepEqual(shownLines(snippet(`a();\n\n${gap}  b();\n`)), ['a();', '  b();']);
    assert.deepEqual(shownLines(blocks(['a\nb', 'x'], ['c', 'y'])), ['a', 'b', 'c']);
    assert.deepEqual(shownLines(diff('--- a/a.ts\n+++ b/a.ts\n@@\n-a\n+x\n b\n--c')), [
      'a',
      'b',
      '-c',
    ]);
    assert.deepEqual(shownLines(insert), []);
  });

  it('are 5,000 at most', () => {
    assert.equal(shownLines(snippet('a\n'.repeat(6000))).length, 5000);
  });
});
