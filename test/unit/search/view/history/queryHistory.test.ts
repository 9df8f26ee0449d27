import assert from 'node:assert/strict';
import { withoutCode } from '../../../../../src/search/view/history/queryHistory';

describe('the files of a past search', () => {
  const span = { startLine: 3, endLine: 9, title: 'function close() {', highlights: [] };
  const found = (path: string, score: number) => ({ root: 0, path, score, spans: [span] });

  it('have no code, and are as likely as they were', () => {
    assert.deepEqual(withoutCode([found('a.ts', 1), found('b.ts', 0.5), found('c.ts', 0.001)]), [
      { root: 0, path: 'a.ts', ranges: [[3, 9]], isSure: true },
      { root: 0, path: 'b.ts', ranges: [[3, 9]], isSure: true },
      { root: 0, path: 'c.ts', ranges: [[3, 9]], isSure: false },
    ]);
  });

  it('are those that the search model and the local search were sure of', () => {
    const by = { foundBy: 'both', isSure: true } as const;
    const files = withoutCode([
      { ...found('a.ts', 1), ...by },
      { ...found('b.ts', 1), isSure: false },
    ]);
    assert.deepEqual(files[0], {
      root: 0,
      path: 'a.ts',
      foundBy: 'both',
      ranges: [[3, 9]],
      isSure: true,
    });
    assert.equal(files[1]?.isSure, false);
  });
});
