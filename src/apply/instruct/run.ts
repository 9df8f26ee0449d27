import type { Clearance } from '../../host/egress/sending';
import type { EngineSetting, ModelSetting } from '../../host/settings';
import type { GatedClient } from '../../host/egress/gatedClient';
import { limitError } from '../../service/limits';
import type { CallInfo, Cost } from '../../service/operation';
import type { ChatMessage } from '../../service/wire/chatRequest';
import { type MergeOutcome, type MergeService, type Merged, editText } from '../engine';
import { readAnswer } from './answer';
import { listProblems } from './problems';
import { type EditTask, buildPrompt, retryPrompt } from './prompt';
import { mergeAnswer } from './selectionMerge';

/** Leaves the choice to the prompt router. */
export const autoModel = 'auto';
/** Of the catalogue's models with a published speed the fastest; a window of 262k tokens. */
export const defaultEditModel = 'svc-qwen35-397b';

/** An answer needs a snippet and, with some models, its thinking. */
const answerTokens = 16_384;
/** Errors of the audit that a model is told. */
const mostReasons = 5;
/** Characters that the router reads of a task; the kind of task shows at its start. */
const routedChars = 4000;

export type EditClient = MergeService & Pick<GatedClient, 'chat' | 'pickModel'>;

/** Who wrote an edit, and for how much. */
export interface Author {
  readonly model: string;
  /** Of all calls for it; absent where no price is known. */
  readonly cost?: Cost | undefined;
  /** Of the model's answers, without the merge. */
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
  /** `retryAt` in ms since the epoch. */
  | { readonly phase: 'waiting'; readonly retryAt: number };

export interface EditContext {
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** A catalogue model, or {@link autoModel}. */
  readonly model: string;
  readonly engine: EngineSetting;
  readonly mergeModel: ModelSetting;
  readonly onProgress?: ((progress: EditProgress) => void) | undefined;
  /** For the models; without it the gate lets nothing out. */
  readonly clearance?: Clearance | undefined;
}

export type EditOutcome =
  | {
      readonly kind: 'merged';
      readonly merged: Merged;
      readonly update: string;
      readonly author: Author;
    }
  /** The model says in words why it changes nothing. */
  | { readonly kind: 'words'; readonly answer: string; readonly author: Author }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly answer: string;
      readonly author: Author;
    };

/**
 * Asks a model for an edit and merges its answer. An answer that cannot be merged is asked for once more,
 * with the reason. Nothing is written.
 *
 * @throws {ServiceError} `limit` when the selection does not fit one prompt; whatever a call throws.
 */
export async function runEdit(
  task: EditTask,
  client: EditClient,
  context: EditContext,
): Promise<EditOutcome> {
  const messages = buildPrompt(task);
  if (!messages)
    throw limitError(
      'The selection is too long for one prompt. Select fewer lines, then try again.',
    );
  const bill = new Bill();
  const model = await modelFor(task, client, context, bill);
  let answer = await ask(model, messages, client, context, bill);
  let outcome = suspicious(await merged(task, answer, client, context));
  if (outcome.kind === 'refused' && outcome.isWorthAgain) {
    context.onProgress?.({ phase: 'again', reason: outcome.reason });
    const again = [...messages, ...retryPrompt(answer.text, outcome.reason, task.languageId)];
    answer = await ask(model, again, client, context, bill);
    outcome = await merged(task, answer, client, context);
  }
  const author = bill.author(answer.model);
  if (outcome.kind === 'merged')
    return { kind: 'merged', merged: outcome.merged, update: outcome.update, author };
  if (outcome.kind === 'words') return { kind: 'words', answer: outcome.text, author };
  return { kind: 'failed', reason: outcome.reason, answer: answer.text, author };
}

/** A merge that the audit calls wrong is asked for once more; after that, the review shows what is wrong. */
function suspicious(outcome: Read): Read {
  const errors =
    outcome.kind === 'merged'
      ? outcome.merged.findings.filter(({ severity }) => severity === 'error')
      : [];
  return errors.length === 0
    ? outcome
    : {
        kind: 'refused',
        reason: errors
          .slice(0, mostReasons)
          .map(({ line, message }) => `line ${line} of the merged file: ${message}`)
          .join(' '),
        isWorthAgain: true,
      };
}

interface Answer {
  readonly text: string;
  readonly isCut: boolean;
  readonly finishReason: string | undefined;
  readonly model: string;
}

async function ask(
  model: string,
  messages: readonly ChatMessage[],
  client: EditClient,
  { signal, now, onProgress, clearance }: EditContext,
  bill: Bill,
): Promise<Answer> {
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

type Read =
  | { readonly kind: 'merged'; readonly merged: Merged; readonly update: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly isWorthAgain: boolean };

async function merged(
  task: EditTask,
  answer: Answer,
  client: EditClient,
  context: EditContext,
): Promise<Read> {
  // A snippet without its end deletes what it has not come to.
  if (answer.finishReason !== 'stop')
    return {
      kind: 'refused',
      reason:
        answer.finishReason === 'length'
          ? 'The answer was cut off at its longest length. Select less, or ask for less at once.'
          : `The answer is not complete; the service ended it with "${answer.finishReason}".`,
      isWorthAgain: false,
    };
  const read = readAnswer(answer.text, task);
  if (read.kind === 'words') return read;
  if (read.kind === 'unreadable')
    return { kind: 'refused', reason: read.reason, isWorthAgain: true };
  context.onProgress?.({ phase: 'merging' });
  const { engine, mergeModel, signal, now, onProgress, clearance } = context;
  const outcome: MergeOutcome = await mergeAnswer(
    {
      edit: read.edit,
      original: task.text,
      path: task.path,
      engine,
      model: mergeModel,
      clearance,
      ...(task.range && { range: task.range }),
    },
    client,
    { signal, now, onWait: ({ retryAt }) => onProgress?.({ phase: 'waiting', retryAt }) },
  );
  if (outcome.kind === 'refused')
    return { kind: 'refused', reason: outcome.reason, isWorthAgain: true };
  const findings = read.otherFiles.map(path => ({
    kind: 'otherFile',
    severity: 'warning' as const,
    line: 1,
    message: `The model also wrote code for ${path}. That is left out.`,
  }));
  return {
    kind: 'merged',
    merged: { ...outcome, findings: [...findings, ...outcome.findings] },
    update: editText(read.edit),
  };
}

/** The router sees the task and what is wrong, not the file. */
async function modelFor(
  task: EditTask,
  client: EditClient,
  { model, signal, onProgress, clearance }: EditContext,
  bill: Bill,
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

/** What the calls for one edit took. */
class Bill {
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
