import { median } from '../../base/median';
import { type Evaluation, evaluate } from './confusion';
import { type RunPlan, type StepResult, type StepStates, stepOf } from './run';
import type { Scorer } from './score';

/** One column of a run in numbers. A median is absent where nothing was measured. */
export interface TargetSummary {
  readonly answers: number;
  readonly medianMs: number | undefined;
  readonly medianFirstMs: number | undefined;
  readonly medianSpeed: number | undefined;
  readonly usd: number;
  /** Answers without a known price. */
  readonly unpriced: number;
  readonly passed: number;
  /** Answers that passed or failed. */
  readonly scored: number;
}

/** Output tokens per second from the first part of the answer on; absent for answers that came at once. */
export function tokensPerSecond({ ms, firstMs, outTokens }: StepResult): number | undefined {
  if (outTokens === undefined || firstMs === undefined || outTokens < 2) return undefined;
  const seconds = (ms - firstMs) / 1000;
  return seconds > 0.001 ? outTokens / seconds : undefined;
}

export function targetSummary(
  { rows }: RunPlan,
  states: StepStates,
  target: number,
  scorer: Scorer,
): TargetSummary {
  const results: StepResult[] = [];
  let [usd, unpriced, passed, scored] = [0, 0, 0, 0];
  rows.forEach((_, row) => {
    const answer = states.get(stepOf(row, target).id);
    if (answer?.kind !== 'done') return;
    const label = states.get(stepOf(row, target, true).id);
    results.push(answer.result);
    if (answer.result.usd === undefined) unpriced++;
    usd += (answer.result.usd ?? 0) + (label?.kind === 'done' ? (label.result.usd ?? 0) : 0);
    const isPassed = scorer.score(states, row, target)?.isPassed;
    if (isPassed !== undefined) scored++;
    if (isPassed === true) passed++;
  });
  return {
    answers: results.length,
    medianMs: median(results.map(({ ms }) => ms)),
    medianFirstMs: median(results.flatMap(({ firstMs }) => firstMs ?? [])),
    medianSpeed: median(results.flatMap(result => tokensPerSecond(result) ?? [])),
    usd,
    unpriced,
    passed,
    scored,
  };
}

/** How well a reflex classifies the labelled rows that are answered. */
export function evaluationOf({ rows }: RunPlan, states: StepStates, target: number): Evaluation {
  return evaluate(
    rows.flatMap(({ expected }, row) => {
      const answer = states.get(stepOf(row, target).id);
      return answer?.kind === 'done' && typeof expected === 'string'
        ? [{ expected, predicted: answer.result.text }]
        : [];
    }),
  );
}
