import type { Translate } from '../../base/format/text';
import { csvCell, inertText } from '../../base/text/csv';
import { type RunPlan, type StepStates, stepOf } from './run';
import { Scorer } from './score';
import { tokensPerSecond } from './summary';

/** One line of the saved results for each prompt and target. */
function records(plan: RunPlan, states: StepStates, t: Translate) {
  const scorer = new Scorer(plan, t);
  return plan.rows.flatMap((prompt, row) =>
    plan.targets.map((target, at) => {
      const state = states.get(stepOf(row, at).id);
      const result = state?.kind === 'done' ? state.result : undefined;
      const score = scorer.score(states, row, at);
      return {
        line: prompt.line,
        prompt: prompt.text,
        expected: prompt.expected,
        target: target.label,
        model: result?.model,
        state: state?.kind ?? 'notSent',
        answer: result?.text,
        score: score?.text,
        passed: score?.isPassed,
        milliseconds: result && Math.round(result.ms),
        firstTokenMilliseconds:
          result?.firstMs === undefined ? undefined : Math.round(result.firstMs),
        tokensPerSecond: result && tokensPerSecond(result),
        inputTokens: result?.inTokens,
        outputTokens: result?.outTokens,
        usd: result?.usd,
        error: state?.kind === 'failed' ? state.message : undefined,
      };
    }),
  );
}

export const runJsonl = (plan: RunPlan, states: StepStates, t: Translate): string =>
  records(plan, states, t)
    .map(record => `${JSON.stringify(record)}\n`)
    .join('');

const columns = [
  'line',
  'prompt',
  'expected',
  'target',
  'model',
  'state',
  'answer',
  'score',
  'passed',
  'milliseconds',
  'firstTokenMilliseconds',
  'tokensPerSecond',
  'inputTokens',
  'outputTokens',
  'usd',
  'error',
] as const;

/** Texts are kept from running as formulas. */
export function runCsv(plan: RunPlan, states: StepStates, t: Translate): string {
  const rows = records(plan, states, t).map(record =>
    columns.map(name => cellOf(record[name])).join(','),
  );
  return [columns.join(','), ...rows].map(line => `${line}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return csvCell(inertText(value));
  return csvCell(JSON.stringify(value));
}
