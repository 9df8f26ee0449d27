import type { Translate } from '../../base/sentence';
import type { GatedClient } from '../../platform/egress/gatedClient';
import type { Clearance } from '../../platform/egress/sending';
import type { EngineSetting, ModelSetting } from '../../platform/settings';
import { type CallInfo, type ChatCompletionMessage, type Cost, limitError } from '../../service';
import { editText, type Merged, type MergeOutcome, type MergeService } from '../changeset/engine';
import { readEditAnswer } from './editAnswer';
import { mergeAnswer } from './mergeAnswer';
import { listProblems } from './problems';
import { buildPrompt, type EditTask, retryPrompt } from './prompt';

/** The prompt router picks the model. */
export const autoModel = 'auto';
/** The fastest model in the catalogue with a published speed; its context window has 262k tokens. */
export const defaultEditModel = 'svc-qwen35-397b';

/** Enough for a snippet and, with some models, the reasoning before it. */
const answerTokens = 16_384;
/** Audit errors that are reported back to the model. */
const maxReasons = 5;
/** Characters of a task that are sent to the router; the start shows what kind of task it is. */
const routedChars = 4000;

export type EditClient = MergeService & Pick<GatedClient, 'chat' | 'pickModel'>;

/** The model that wrote an edit, with cost and time. */
export interface Author {
  readonly model: string;
  /** Cost of all calls for this edit; absent when a price is unknown. */
  readonly cost?: Cost | undefined;
  /** Time the model took to answer, in milliseconds, without the merge. */
  readonly ms: number;
}

export type EditProgress =
  | { readonly phase: 'routing' }
  | {
      readonly phase: 'thinking' | 'writing';
      readonly model: string;
      readonly characters: number;
      readonly lines: number;
    }
  | { readonly phase: 'merging' }
  | { readonly phase: 'again'; readonly reason: string }
  /** `retryAt` in milliseconds since the epoch. */
  | { readonly phase: 'waiting'; readonly retryAt: number };

export interface EditContext {
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** A catalogue model, or {@link autoModel}. */
  readonly model: string;
  readonly engine: EngineSetting;
  readonly mergeModel: ModelSetting;
  readonly t: Translate;
  readonly onProgress?: ((progress: EditProgress) => void) | undefined;
  /** Without it the egress gate sends nothing to the models. */
  readonly clearance?: Clearance | undefined;
}

export type EditOutcome =
  | {
      readonly kind: 'merged';
      readonly merged: Merged;
      readonly update: string;
      readonly author: Author;
    }
  /** The model explains why it changes nothing. */
  | { readonly kind: 'words'; readonly answer: string; readonly author: Author }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly answer: string;
      readonly author: Author;
    };

/**
 * Asks a model for an edit and merges its answer. If the answer cannot be merged, the model is asked once more
 * with the reason. Writes no files.
 *
 * @throws {ServiceError} `limit` when the selection does not fit one prompt; whatever a call throws.
 */
export async function runEdit(
  task: EditTask,
  client: EditClient,
  context: EditContext,
): Promise<EditOutcome> {
  const messages = buildPrompt(task);
  if (!messages) {
    throw limitError(
      'The selection is too long for one prompt. Select fewer lines, then try again.',
    );
  }
  const bill = new CostTally();
  const model = await modelFor(task, client, context, bill);
  let answer = await askModel(model, messages, client, context, bill);
  let outcome = retryOnErrors(await mergeModelAnswer(task, answer, client, context));
  if (outcome.kind === 'refused' && outcome.isWorthAgain) {
    context.onProgress?.({ phase: 'again', reason: outcome.reason });
    const again = [...messages, ...retryPrompt(answer.text, outcome.reason, task.languageId)];
    answer = await askModel(model, again, client, context, bill);
    outcome = await mergeModelAnswer(task, answer, client, context);
  }
  const author = bill.author(answer.model);
  if (outcome.kind === 'merged') {
    return { kind: 'merged', merged: outcome.merged, update: outcome.update, author };
  }
  if (outcome.kind === 'words') return { kind: 'words', answer: outcome.text, author };
  return { kind: 'failed', reason: outcome.reason, answer: answer.text, author };
}

/** Treats audit errors as a reason to ask once more; after the second answer, the review shows them. */
function retryOnErrors(outcome: AnswerResult): AnswerResult {
  const errors =
    outcome.kind === 'merged'
      ? outcome.merged.findings.filter(({ severity }) => severity === 'error')
      : [];
  return errors.length === 0
    ? outcome
    : {
        kind: 'refused',
        reason: errors
          .slice(0, maxReasons)
          .map(({ line, message }) => `line ${line} of the merged file: ${message}`)
          .join(' '),
        isWorthAgain: true,
      };
}

interface ModelAnswer {
  readonly text: string;
  readonly isCut: boolean;
  readonly finishReason: string | undefined;
  readonly model: string;
}

async function askModel(
  model: string,
  messages: readonly ChatCompletionMessage[],
  client: EditClient,
  { signal, now, onProgress, clearance }: EditContext,
  bill: CostTally,
): Promise<ModelAnswer> {
  const started = now();
  let characters = 0;
  let lines = 0;
  let thought = 0;
  const onDelta = ({ text, reasoning }: { text: string; reasoning: string }): void => {
    characters += text.length;
    thought += reasoning.length;
    lines += text.split('\n').length - 1;
    onProgress?.(
      characters > 0
        ? { phase: 'writing', model, characters, lines: lines + 1 }
        : { phase: 'thinking', model, characters: thought, lines: 0 },
    );
  };
  const onWait = ({ retryAt }: { readonly retryAt: number }): void =>
    onProgress?.({ phase: 'waiting', retryAt });
  const answer = await client.chat(
    { model, messages, temperature: 0, maxTokens: answerTokens },
    {
      signal,
      stream: true,
      onDelta,
      onWait,
      sending: { purpose: 'edit', files: [], ...clearance },
    },
  );
  bill.add(answer, now() - started);
  return answer;
}

type AnswerResult =
  | { readonly kind: 'merged'; readonly merged: Merged; readonly update: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly isWorthAgain: boolean };

async function mergeModelAnswer(
  task: EditTask,
  answer: ModelAnswer,
  client: EditClient,
  context: EditContext,
): Promise<AnswerResult> {
  // A truncated snippet would delete the code that it did not get to.
  if (answer.finishReason !== 'stop') {
    return {
      kind: 'refused',
      reason:
        answer.finishReason === 'length'
          ? 'The answer was cut off at the maximum length. Select less, or ask for less at once.'
          : `The answer is not complete; the service ended it with "${answer.finishReason}".`,
      isWorthAgain: false,
    };
  }
  const read = readEditAnswer(answer.text, task);
  if (read.kind === 'words') return read;
  if (read.kind === 'unreadable') {
    return { kind: 'refused', reason: read.reason, isWorthAgain: true };
  }
  context.onProgress?.({ phase: 'merging' });
  const { engine, mergeModel, signal, now, onProgress, clearance, t } = context;
  const outcome: MergeOutcome = await mergeAnswer(
    {
      edit: read.edit,
      original: task.text,
      path: task.path,
      engine,
      model: mergeModel,
      clearance,
      t,
      ...(task.range && { range: task.range }),
    },
    client,
    { signal, now, onWait: ({ retryAt }) => onProgress?.({ phase: 'waiting', retryAt }) },
  );
  if (outcome.kind === 'refused') {
    return { kind: 'refused', reason: outcome.reason, isWorthAgain: true };
  }
  const findings = read.otherFiles.map(path => ({
    kind: 'otherFile',
    severity: 'warning' as const,
    line: 1,
    message: `The model also wrote code for ${path}. That was left out.`,
  }));
  return {
    kind: 'merged',
    merged: { ...outcome, findings: [...findings, ...outcome.findings] },
    update: editText(read.edit),
  };
}

/** The router gets the task and the problems, not the file. */
async function modelFor(
  task: EditTask,
  client: EditClient,
  { model, signal, onProgress, clearance }: EditContext,
  bill: CostTally,
): Promise<string> {
  if (model !== autoModel) return model;
  onProgress?.({ phase: 'routing' });
  const problems = task.problems ? `\n${listProblems(task.problems)}` : '';
  const input = `Edit ${task.languageId} code: ${task.instruction}${problems}`.slice(
    0,
    routedChars,
  );
  const pick = await client.pickModel(
    { input, defaultModel: defaultEditModel },
    { signal, sending: { purpose: 'pickModel', ...clearance } },
  );
  bill.add(pick, 0);
  return pick.model ?? defaultEditModel;
}

/** Adds up cost and time of the calls for one edit. */
class CostTally {
  #usd = 0;
  #ms = 0;
  #isExact = true;
  #isComplete = true;

  add({ cost }: CallInfo, ms: number): void {
    this.#ms += ms;
    if (!cost) {
      this.#isComplete = false;
      return;
    }
    this.#usd += cost.usd;
    this.#isExact &&= cost.isExact;
  }

  author(model: string): Author {
    return {
      model,
      ms: this.#ms,
      ...(this.#isComplete && { cost: { usd: this.#usd, isExact: this.#isExact } }),
    };
  }
}
