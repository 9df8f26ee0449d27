import assert from 'node:assert/strict';
import { AuditReport } from '../../../../../src/merge/audit/auditReport';
import { LineCodes } from '../../../../../src/merge/audit/auditText';
import { checkBrackets, openBrackets } from '../../../../../src/merge/audit/checks/brackets';

/** What is said of line 2 of three, if it is replaced. */
function said(old: string, fresh: string, [above, below] = ['run(', ');']): string[] {
  const codes = new LineCodes();
  const [before, after] = [old, fresh].map(line => codes.ofLines([above, line, below]));
  assert.ok(before && after);
  const report = new AuditReport(after.height);
  const replaced = [{ oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 }];
  checkBrackets(replaced, before, after, 'a.unknown', report);
  return report.sorted.map(({ line, severity, message }) => `${line} ${severity} ${message}`);
}

const words = (bracket: string | undefined): string =>
  `2 warning A "${bracket}" is missing: brackets were balanced before.`;

describe('the brackets of a merged text', () => {
  it('are as many as before', () => {
    assert.deepEqual(said('a(1)', 'b([2])'), []);
    assert.deepEqual(said('a(', 'b('), []);
    assert.deepEqual(said('a', 'b'), []);
  });

  for (const [open, close] of ['()', '[]', '{}'].map(pair => pair.split('')))
    it(`lack ${open} or ${close}`, () => {
      assert.deepEqual(said('a', `b${open}`), [words(close)]);
      assert.deepEqual(said('a', `b${close}`), [words(open)]);
      assert.deepEqual(said('a', `b${open}${open}${open}`), [words(close)]);
    });

  it('are told of one kind', () => {
    assert.deepEqual(said('a', 'b([{'), [
      '2 warning A ")" is missing: brackets were balanced before.',
    ]);
  });

  it('are only told where they were balanced', () => {
    assert.deepEqual(said('a', 'b(', ['run(', 'end']), []);
    assert.deepEqual(said('a', 'b({', ['run(', 'end']), [
      '2 warning A "}" is missing: brackets were balanced before.',
    ]);
  });

  it('are not counted in lines that are too long to be code', () => {
    const text = new LineCodes().ofLines(['('.repeat(2000), '('.repeat(2001), '<a>']);
    assert.equal(openBrackets(text, 0, 3, undefined)[0], 2000);
    assert.deepEqual([...openBrackets(text, 2, 3, 'a.html')], [0, 0, 0, 1]);
    assert.deepEqual([...openBrackets(text, 2, 3, undefined)], [0, 0, 0, 0]);
  });
});
