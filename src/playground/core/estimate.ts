import { estimateTokens, eventPrices, type TokenPrice } from '../../service';
import type { RunPlan, RunStep } from './run';

/** What is known of the prices when a run is prepared. */
export interface KnownPrices {
  /** By the id of a model or an endpoint. */
  readonly byId: ReadonlyMap<string, TokenPrice>;
  /** The models that the router picks from. */
  readonly candidates: readonly string[];
}

/** The most that calls can cost, with answers as long as the limit allows. */
export interface Estimate {
  readonly usd: number;
  readonly calls: number;
  /** Calls whose price is not known; they are not in the sum. */
  readonly unpriced: number;
}

/** What a message costs besides its text: role, separators. */
const tokensPerMessage = 8;

/**
 * The most that one call can cost in US dollars; undefined where no price is known. Prompt tokens are
 * counted here, which may differ from the count of the service.
 */
export function stepUsd(plan: RunPlan, step: RunStep, prices: KnownPrices): number | undefined {
  const { row, target, isScore } = step;
  const to = plan.targets[target];
  const prompt = plan.rows[row];
  if (!to || !prompt) return undefined;
  if (isScore || to.kind === 'reflex') return eventPrices.reflex.first;
  const promptTokens =
    estimateTokens(prompt.text) +
    estimateTokens(prompt.system ?? '') +
    estimateTokens(schemaText(plan, row)) +
    2 * tokensPerMessage;
  const of = (id: string): number | undefined => {
    const price = prices.byId.get(id);
    return price && (promptTokens * price.input + plan.maxTokens * price.output) / 1e6;
  };
  if (to.kind !== 'auto') return of(to.id);
  const all = prices.candidates.flatMap(id => of(id) ?? []);
  return all.length === 0 ? undefined : Math.max(...all) + eventPrices.router;
}

export function estimate(plan: RunPlan, steps: readonly RunStep[], prices: KnownPrices): Estimate {
  let [usd, unpriced] = [0, 0];
  for (const step of steps) {
    const most = stepUsd(plan, step, prices);
    if (most === undefined) unpriced++;
    else usd += most;
  }
  return { usd, calls: steps.length, unpriced };
}

/** The schema that the answer to a prompt must match. */
export function schemaOf(
  { scoring, rows }: RunPlan,
  row: number,
): Readonly<Record<string, unknown>> | undefined {
  return scoring.kind === 'schema' ? (rows[row]?.schema ?? scoring.schema) : undefined;
}

function schemaText(plan: RunPlan, row: number): string {
  const schema = schemaOf(plan, row);
  return schema ? JSON.stringify(schema) : '';
}

/** The most that each target can cost, its classified answers included. */
export const estimateByTarget = (
  plan: RunPlan,
  steps: readonly RunStep[],
  prices: KnownPrices,
): Estimate[] =>
  plan.targets.map((_, target) =>
    estimate(
      plan,
      steps.filter(step => step.target === target),
      prices,
    ),
  );
