import assert from 'node:assert/strict';
import { sentence } from '../../../../src/base/sentence';
import { AuditReport } from '../../../../src/merge/audit/auditReport';

const words = sentence('The line endings changed.');

describe('the findings of an audit', () => {
  it('are in the order of the lines, each kind once per line', () => {
    const report = new AuditReport(10);
    assert.equal(report.isEmpty, true);
    report.warning('droppedCode', 4, words);
    report.error('codeFence', 2, words);
    report.error('droppedCode', 4, words);
    report.error('truncated', 4, words);
    assert.deepEqual(
      report.sorted.map(({ line, severity, kind }) => `${line} ${severity} ${kind}`),
      ['3 error codeFence', '5 warning droppedCode', '5 error truncated'],
    );
    assert.equal(report.isEmpty, false);
    assert.deepEqual([report.hasFindingAt(4), report.hasFindingAt(5)], [true, false]);
  });

  it('are at lines of the text', () => {
    const report = new AuditReport(3);
    for (const row of [-1, 2, 9]) report.error('droppedCode', row, words);
    assert.deepEqual(
      report.sorted.map(({ line }) => line),
      [1, 3],
    );
    const empty = new AuditReport(0);
    empty.error('truncated', 0, words);
    assert.equal(empty.sorted[0]?.line, 1);
  });

  it('are at most fifty', () => {
    const report = new AuditReport(100);
    for (let row = 0; row < 60; row++) report.error('droppedCode', row, words);
    assert.equal(report.sorted.length, 50);
  });

  it('are in the language of the user', () => {
    const report = new AuditReport(3, text => `[${text}]`);
    report.error('lineEndings', 0, words);
    assert.equal(report.sorted[0]?.message, '[The line endings changed.]');
  });
});
