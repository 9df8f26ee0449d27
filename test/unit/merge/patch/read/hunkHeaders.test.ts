import assert from 'node:assert/strict';
import { withHunkHeaders } from '../../../../../src/merge/patch/read/hunkHeaders';
import { applied } from '../../../../support/unit/applied';

const added = (...lines: string[]) => withHunkHeaders(lines);
const names = ['--- a/src/a.ts', '+++ b/src/a.ts'];
const rows = [' export function f() {', '-  return 1;', '+  return 2;', ' }'];

describe('the header of a hunk', () => {
  it('is added where rows follow the names of a file', () => {
    assert.deepEqual(added(...names, ...rows), [...names, '@@', ...rows]);
    assert.deepEqual(added('text', ...names, '', ...rows), ['text', ...names, '@@', '', ...rows]);
    for (const pair of [
      ['--- /dev/null', '+++ b/src/a.ts'],
      ['--- src/a.ts\t2024-01-01', '+++ src/a.ts\t2024-01-02'],
      ['--- a.ts', '+++ a.ts'],
      ['--- a.ts ', '+++  a.ts'],
    ])
      assert.deepEqual(added(...pair, '+new'), [...pair, '@@', '+new']);
  });

  it('is added for each file', () => {
    const all = [...names, ...rows, '--- b.ts', '+++ b.ts', '-x'];
    assert.deepEqual(added(...all), [...names, '@@', ...rows, '--- b.ts', '+++ b.ts', '@@', '-x']);
  });

  it('is added nowhere else', () => {
    for (const lines of [
      [...names, '@@ -1,4 +1,4 @@', ...rows],
      [...names, 'Binary files differ', '-x'],
      [...names, 'text', '-x'],
      [...names, ' context', 'text', '-x'],
      names,
      // The rows of a hunk may look like names.
      ['@@', '--- old remark', '+++ new remark', ' x', '-y'],
      ['@@', '--- same', '+++ same', '-y'],
      ['--- a/a.ts', '+++ b/b.ts', '-y'],
      ['--- /dev/null', '+++ /dev/null', '-y'],
    ]) {
      assert.equal(withHunkHeaders(lines), lines);
    }
  });

  it('is not missed by an answer, whatever stands between its hunks', () => {
    const text = 'export function f() {\n  return 1;\n}\n\nexport function g() {\n  return 1;\n}\n';
    const g = [' export function g() {', '-  return 1;', '+  return 3;', ' }'];
    const wanted = text.replace('return 1', 'return 2').replace('return 1', 'return 3');
    for (const between of ['@@ -5,3 +5,3 @@', '@@', '...']) {
      const answer = ['```diff', ...names, ...rows, between, ...g, '```'].join('\n');
      assert.deepEqual(applied(answer, { 'src/a.ts': text }), {
        files: [['edit', 'src/a.ts', wanted]],
        refused: [],
      });
    }
  });
});
