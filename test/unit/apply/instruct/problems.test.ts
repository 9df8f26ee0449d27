import assert from 'node:assert/strict';
import {
  groupProblems,
  listProblems,
  maxProblems,
  type Problem,
} from '../../../../src/apply/instruct/problems';
import { estimateTokens } from '../../../../src/service/tokens';

const problem = (startLine: number, more: Partial<Problem> = {}): Problem => ({
  severity: 'error',
  message: `m${startLine}`,
  startLine,
  startColumn: 1,
  endLine: startLine,
  endColumn: 5,
  related: [],
  ...more,
});
const lines = Array.from({ length: 1000 }, (_, at) => `line number ${at}`);
/** What the 61 lines around one problem have. */
const around = estimateTokens(lines.slice(500, 561).join('\n'));
const startsOf = (all: readonly Problem[], tokens: number): number[][] =>
  groupProblems(all, lines, tokens).groups.map(group => group.map(one => one.startLine));

describe('groups of problems', () => {
  it('have code that fits a prompt, and shown lines count once', () => {
    const far = [100, 300, 500].map(line => problem(line));
    assert.deepEqual(startsOf(far, 2.5 * around), [[100, 300], [500]]);
    assert.deepEqual(startsOf(far, 10 * around), [[100, 300, 500]]);
    assert.deepEqual(startsOf(far, 1), [[100], [300], [500]]);
    const near = [100, 101, 102, 103].map(line => problem(line));
    assert.deepEqual(startsOf(near, 1.5 * around), [[100, 101, 102, 103]]);
  });

  it('have fifteen at most', () => {
    const many = Array.from({ length: 20 }, (_, at) => problem(at + 1));
    assert.deepEqual(
      startsOf(many, 1e9).map(group => group.length),
      [15, 5],
    );
  });

  it('are errors and warnings in the order of the file, each once', () => {
    const all = [
      problem(9, { severity: 'hint' }),
      problem(8, { severity: 'information' }),
      problem(7, { severity: 'warning' }),
      problem(5, { startColumn: 9, message: 'second' }),
      problem(5, { message: 'first' }),
      problem(5, { message: 'first', source: 'other' }),
    ];
    const { groups, count, left } = groupProblems(all, lines, 1e9);
    assert.deepEqual(
      groups.flat().map(({ message }) => message),
      ['first', 'second', 'm7'],
    );
    assert.deepEqual([count, left], [3, 0]);
  });

  it('have the errors first when there are too many', () => {
    const warnings = Array.from({ length: maxProblems }, (_, at) =>
      problem(at + 1, { severity: 'warning' }),
    );
    const { groups, count, left } = groupProblems([...warnings, problem(900)], lines, 1e9);
    assert.deepEqual([count, left], [maxProblems, 1]);
    assert.equal(groups.flat().at(-1)?.startLine, 900);
    assert.ok(!groups.flat().some(({ startLine }) => startLine === maxProblems));
  });

  it('are none without problems', () =>
    assert.deepEqual(groupProblems([], lines, 100), { groups: [], count: 0, left: 0 }));
});

describe('a list of problems', () => {
  it('has a line for each, with its place, its source and what is related', () => {
    const related = Array.from({ length: 7 }, (_, at) => ({
      path: 'b.ts',
      line: at,
      message: 'r\nr',
    }));
    assert.equal(
      listProblems([
        problem(3, { code: '2322', source: 'ts', message: ' a\n  b ' }),
        problem(4, { endLine: 6, severity: 'warning', code: '', related }),
        problem(5, { message: 'x'.repeat(1001) }),
      ]),
      [
        '1. error (ts 2322), line 3, columns 1 to 5: a b',
        '2. warning, lines 4 to 6: m4',
        ...[0, 1, 2, 3, 4].map(line => `   see b.ts:${line}: r r`),
        `3. error, line 5, columns 1 to 5: ${'x'.repeat(1000)}`,
      ].join('\n'),
    );
  });
});
