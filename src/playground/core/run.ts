import type { ReasoningEffort } from '../../service';

/** What answers a prompt: one column of the results. */
export type PlaygroundTarget = { readonly label: string } & (
  | {
      readonly kind: 'model' | 'endpoint';
      /** A model id of the catalogue, or the id of an endpoint. */
      readonly id: string;
      readonly effort?: ReasoningEffort | undefined;
    }
  | { readonly kind: 'auto'; readonly effort?: ReasoningEffort | undefined }
  /** A classifier, whose answer is the label that it selects. */
  | { readonly kind: 'reflex'; readonly id: string }
);

/** One prompt: one row of the results. */
export interface PromptRow {
  readonly text: string;
  readonly system?: string | undefined;
  /** A text, or any JSON value. */
  readonly expected?: unknown;
  /** JSON schema of the answer to this prompt; overrides that of the run. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  /** Line of the file, from 1. */
  readonly line?: number | undefined;
}

export type Scoring =
  | { readonly kind: 'none' | 'exact' }
  | { readonly kind: 'schema'; readonly schema?: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: 'reflex'; readonly reflex: string };

/** What a run sends; never changed once it has started. */
export interface RunPlan {
  readonly id: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly title: string;
  /** Address of the service whose targets these are. */
  readonly origin: string;
  readonly targets: readonly PlaygroundTarget[];
  readonly rows: readonly PromptRow[];
  readonly scoring: Scoring;
  /** Longest answer in tokens. */
  readonly maxTokens: number;
}

/** At most so many targets are compared. */
export const maxTargets = 5;
/** Prompts of one run, and rows of one evaluation. */
export const maxRows = { prompts: 1000, labelled: 10_000 } as const;

/** One call of a run: the answer of a target to a prompt, or the classification of that answer. */
export interface RunStep {
  readonly id: string;
  readonly row: number;
  readonly target: number;
  readonly isScore: boolean;
}

export const stepOf = (row: number, target: number, isScore = false): RunStep => ({
  id: `${row}.${target}${isScore ? '.s' : ''}`,
  row,
  target,
  isScore,
});

/** What a call gave. */
export interface StepResult {
  readonly text: string;
  /** Over all attempts and waits. */
  readonly ms: number;
  /** Until the first part of the answer. */
  readonly firstMs?: number | undefined;
  readonly inTokens?: number | undefined;
  readonly outTokens?: number | undefined;
  /** Absent where no price is known. */
  readonly usd?: number | undefined;
  readonly isExact?: boolean | undefined;
  /** The model that the router picked. */
  readonly model?: string | undefined;
  /** A limit stopped the answer. */
  readonly isCut?: boolean | undefined;
}

/** Absent for a call that was never sent. */
export type StepState =
  | { readonly kind: 'sent' }
  /** The window ended between sending and the answer, which may have been billed. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'done'; readonly result: StepResult }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** False when nothing was sent, so that nothing was billed. */
      readonly isSent: boolean;
    };

export type StepStates = ReadonlyMap<string, StepState>;

/** All calls of a run in the order in which they start: prompt by prompt, so that targets are compared early. */
export function runSteps({ rows, targets, scoring }: RunPlan): RunStep[] {
  return rows.flatMap((_, row) =>
    targets.flatMap((__, target) =>
      scoring.kind === 'reflex'
        ? [stepOf(row, target), stepOf(row, target, true)]
        : [stepOf(row, target)],
    ),
  );
}

const isOpen = (state: StepState | undefined): boolean =>
  state === undefined || (state.kind === 'failed' && !state.isSent);

/** Calls that were never sent, or of which nothing was sent: what Resume sends. An answer that cannot come is not scored. */
export function openSteps(plan: RunPlan, states: StepStates): RunStep[] {
  return runSteps(plan).filter(({ id, row, target, isScore }) => {
    if (!isOpen(states.get(id))) return false;
    if (!isScore) return true;
    const answer = states.get(stepOf(row, target).id);
    return isOpen(answer) || answer?.kind === 'done';
  });
}

/** Calls that were sent and have no answer: sending them again may cost twice, so the user decides. */
export function doubtfulSteps(plan: RunPlan, states: StepStates): RunStep[] {
  return runSteps(plan).filter(({ id }) => {
    const state = states.get(id);
    return state?.kind === 'unknown' || (state?.kind === 'failed' && state.isSent);
  });
}

/** US dollars that the answers so far cost, as far as prices are known. */
export const spentUsd = (states: StepStates): number =>
  [...states.values()].reduce(
    (sum, state) => sum + (state.kind === 'done' ? (state.result.usd ?? 0) : 0),
    0,
  );
