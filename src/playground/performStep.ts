import type { Clock } from '../base/async/clock';
import type { Translate } from '../base/format/text';
import { middleModel } from '../contracts/chatModels';
import type { GatedClient } from '../platform/egress/gatedClient';
import { type EndpointTarget, type Model, ServiceError } from '../service';
import { schemaOf } from './core/estimate';
import type {
  PlaygroundTarget,
  PromptRow,
  RunPlan,
  RunStep,
  StepResult,
  StepStates,
} from './core/run';
import { stepOf } from './core/run';

export type PlaygroundClient = Pick<
  GatedClient,
  'chat' | 'pickModel' | 'predict' | 'endpointStatus' | 'endpointTarget'
>;

export interface StepContext {
  readonly client: PlaygroundClient;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The models that the router picks from. */
  readonly candidates: readonly Model[];
  readonly t: Translate;
}

const purpose = 'playground';

/**
 * Makes the call of one step.
 * @throws {ServiceError} of the call
 * @throws {AbortError} if the signal is aborted
 */
export async function performStep(
  context: StepContext,
  plan: RunPlan,
  states: StepStates,
  step: RunStep,
  signal: AbortSignal,
): Promise<StepResult> {
  const row = plan.rows[step.row];
  const target = plan.targets[step.target];
  if (!row || !target) throw new RangeError(`no step ${step.id}`);
  if (step.isScore) {
    const scored = states.get(stepOf(step.row, step.target).id);
    const reflex = plan.scoring.kind === 'reflex' ? plan.scoring.reflex : '';
    return classify(context, reflex, scored?.kind === 'done' ? scored.result.text : '', signal);
  }
  if (target.kind === 'reflex') return classify(context, target.id, row.text, signal);
  return answer(context, plan, { step, row, target }, signal);
}

async function classify(
  { client }: StepContext,
  model: string,
  text: string,
  signal: AbortSignal,
): Promise<StepResult> {
  const result = await client.predict({ model, text }, { signal, sending: { purpose } });
  // A reflex with independent labels can select several: the best score counts.
  const [best] = result.selected.toSorted((a, b) => b.score - a.score);
  return {
    text: best?.label ?? '',
    ms: result.ms,
    usd: result.cost?.usd,
    isExact: result.cost?.isExact,
  };
}

async function answer(
  context: StepContext,
  plan: RunPlan,
  called: {
    readonly step: RunStep;
    readonly row: PromptRow;
    readonly target: Exclude<PlaygroundTarget, { kind: 'reflex' }>;
  },
  signal: AbortSignal,
): Promise<StepResult> {
  const { client, clock } = context;
  const { step, row, target } = called;
  const startedAt = clock.monotonic();
  const picked = target.kind === 'auto' ? await pick(context, row.text, signal) : undefined;
  const endpoint: EndpointTarget | undefined =
    target.kind === 'endpoint'
      ? await client.endpointTarget(await client.endpointStatus(target.id, { signal }))
      : undefined;
  const calledAt = clock.monotonic();
  let firstAt: number | undefined;
  const schema = schemaOf(plan, step.row);
  const result = await client.chat(
    {
      model:
        picked?.model ?? endpoint?.servedModelName ?? (target.kind === 'model' ? target.id : ''),
      messages: [
        ...(row.system === undefined || row.system === ''
          ? []
          : [{ role: 'system' as const, content: row.system }]),
        { role: 'user', content: row.text },
      ],
      reasoning: target.effort && { effort: target.effort },
      responseFormat: schema && { name: 'answer', schema },
      maxTokens: plan.maxTokens,
      endpoint,
    },
    { signal, stream: true, onDelta: () => (firstAt ??= clock.monotonic()), sending: { purpose } },
  );
  const before = calledAt - startedAt;
  return {
    text: result.text,
    ms: before + result.ms,
    firstMs: firstAt === undefined ? undefined : firstAt - startedAt,
    inTokens: result.usage?.promptTokens,
    outTokens: result.usage?.completionTokens,
    usd: result.cost && result.cost.usd + (picked?.usd ?? 0),
    isExact: result.cost?.isExact,
    model: picked?.model,
    isCut: result.isCut,
  };
}

/** The model that the router picks, as Auto does it in the chat. */
async function pick({ client, candidates, t }: StepContext, input: string, signal: AbortSignal) {
  const { model, cost } = await client.pickModel(
    {
      input,
      allowedModels: candidates.map(({ id }) => id),
      policy: 'balanced',
      defaultModel: middleModel(candidates)?.id,
    },
    { signal, sending: { purpose } },
  );
  if (model === undefined) throw new ServiceError('protocol', t('The router picked no model.'));
  return { model, usd: cost?.usd ?? 0 };
}
