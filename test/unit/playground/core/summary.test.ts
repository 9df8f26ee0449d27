import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import { runCsv, runJsonl } from '../../../../src/playground/core/exportRun';
import { type StepState, spentUsd } from '../../../../src/playground/core/run';
import { Scorer } from '../../../../src/playground/core/score';
import {
  evaluationOf,
  targetSummary,
  tokensPerSecond,
} from '../../../../src/playground/core/summary';
import { done, plan, result } from '../plans';

const rows = [
  { text: 'one', expected: 'a', line: 1 },
  { text: '=two,"x"\n', expected: { b: 1 }, line: 2 },
  { text: 'three', line: 4 },
];
const run = plan({ rows, scoring: { kind: 'exact' } });
const states = new Map<string, StepState>([
  ['0.0', done('a', { ms: 1500, firstMs: 500, outTokens: 100, inTokens: 7, usd: 0.25 })],
  ['1.0', done('no', { ms: 3000, firstMs: 1000, outTokens: 100 })],
  ['2.0', done('-x', { ms: 2000, usd: 0.5 })],
  ['0.1', { kind: 'unknown' }],
  ['1.1', { kind: 'failed', message: 'reset', isSent: true }],
]);

describe('the numbers of a run', () => {
  it('are medians of what was measured, and sums of what has a price', () => {
    const scorer = new Scorer(run, english);
    assert.deepEqual(targetSummary(run, states, 0, scorer), {
      answers: 3,
      medianMs: 2000,
      medianFirstMs: 750,
      medianSpeed: 75,
      usd: 0.75,
      unpriced: 1,
      passed: 1,
      scored: 2,
    });
    assert.equal(spentUsd(states), 0.75);
    assert.deepEqual(targetSummary(run, states, 1, scorer), {
      answers: 0,
      medianMs: undefined,
      medianFirstMs: undefined,
      medianSpeed: undefined,
      usd: 0,
      unpriced: 0,
      passed: 0,
      scored: 0,
    });
  });

  it('have no speed where an answer came at once, or nothing was counted', () => {
    assert.equal(tokensPerSecond(result('', { ms: 1000, firstMs: 500, outTokens: 50 })), 100);
    for (const more of [
      { ms: 500, firstMs: 500, outTokens: 50 },
      { firstMs: 500 },
      { outTokens: 50 },
      { firstMs: 500, outTokens: 1 },
    ])
      assert.equal(tokensPerSecond(result('', more)), undefined);
  });

  it('evaluate the rows that are answered and labelled', () => {
    const { total, accuracy } = evaluationOf(run, states, 0);
    assert.deepEqual([total, accuracy], [1, 1]);
  });
});

describe('saved results', () => {
  it('have one line for each prompt and target', () => {
    const lines = runJsonl(run, states, english)
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    assert.equal(lines.length, 6);
    assert.deepEqual(lines[0], {
      line: 1,
      prompt: 'one',
      expected: 'a',
      target: 'svc-a',
      state: 'done',
      answer: 'a',
      score: 'as expected',
      passed: true,
      milliseconds: 1500,
      firstTokenMilliseconds: 500,
      tokensPerSecond: 100,
      inputTokens: 7,
      outputTokens: 100,
      usd: 0.25,
    });
    assert.deepEqual(
      lines.map(({ state }) => state),
      ['done', 'unknown', 'done', 'failed', 'done', 'notSent'],
    );
    assert.equal(lines[3].error, 'reset');
  });

  it('run no formula in a spreadsheet', () => {
    const csv = runCsv(run, states, english);
    assert.equal(csv.split('\r\n').length, 8);
    assert.match(csv, /^line,prompt,expected,target,model,state,answer,score,passed,/);
    assert.ok(csv.includes('2,"\'=two,""x""\n","{""b"":1}",svc-a,,done,no,not as expected,false,'));
    assert.ok(csv.includes(",done,'-x,"));
  });
});
