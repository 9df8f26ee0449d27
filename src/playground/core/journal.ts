import { isRecord, parseJson, textOf } from '../../base/typeGuards';
import type { PlaygroundTarget, PromptRow, RunPlan, Scoring, StepResult, StepState } from './run';

/** What the list of runs shows; the first line of a file, which may be long. */
export type RunHead = Pick<RunPlan, 'id' | 'createdAt' | 'title'>;

/** One line of the file of a run. */
export type JournalEvent =
  | { readonly head: RunHead }
  | { readonly plan: RunPlan }
  /** Written before the call is sent. */
  | { readonly sent: string }
  | { readonly done: string; readonly result: StepResult }
  | { readonly failed: string; readonly message: string; readonly isSent: boolean };

export const eventLine = (event: JournalEvent): string => `${JSON.stringify(event)}\n`;

export interface StoredRun {
  readonly plan: RunPlan;
  readonly states: Map<string, StepState>;
}

/**
 * The state of a run as its file tells it. A call that was sent and has no outcome is `unknown`. Lines that
 * cannot be read, such as the last one after a crash, are skipped.
 *
 * @returns undefined if the plan cannot be read.
 */
export function readRun(text: string): StoredRun | undefined {
  let plan: RunPlan | undefined;
  const states = new Map<string, StepState>();
  for (const line of text.split('\n')) {
    const event = parseJson(line);
    if (!isRecord(event)) continue;
    if (isPlan(event['plan'])) plan ??= event['plan'];
    const { sent, done, failed, result, message, isSent } = event;
    if (typeof sent === 'string') states.set(sent, { kind: 'unknown' });
    if (typeof done === 'string' && isResult(result)) states.set(done, { kind: 'done', result });
    if (typeof failed === 'string') {
      states.set(failed, {
        kind: 'failed',
        message: textOf(message) ?? '',
        // In doubt it was sent.
        isSent: isSent !== false,
      });
    }
  }
  return plan && { plan, states };
}

/** @param text the beginning of a file */
export function readRunHead(text: string): RunHead | undefined {
  const line = parseJson(text.split('\n', 1)[0] ?? '');
  const head = isRecord(line) ? line['head'] : undefined;
  return isHead(head) ? head : undefined;
}

const isHead = (value: unknown): value is RunHead =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  typeof value['createdAt'] === 'number' &&
  typeof value['title'] === 'string';

// The files are our own; these checks tell a damaged one, or one of another version.
function isPlan(value: unknown): value is RunPlan {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['createdAt'] === 'number' &&
    typeof value['title'] === 'string' &&
    typeof value['origin'] === 'string' &&
    typeof value['maxTokens'] === 'number' &&
    isScoring(value['scoring']) &&
    isListOf(value['targets'], isTarget) &&
    isListOf(value['rows'], isRow)
  );
}

const isListOf = <T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(isItem);

const isTarget = (value: unknown): value is PlaygroundTarget =>
  isRecord(value) &&
  typeof value['label'] === 'string' &&
  (value['kind'] === 'auto' ||
    (['model', 'endpoint', 'reflex'].includes(String(value['kind'])) &&
      typeof value['id'] === 'string'));

const isRow = (value: unknown): value is PromptRow =>
  isRecord(value) && typeof value['text'] === 'string';

const isScoring = (value: unknown): value is Scoring =>
  isRecord(value) && ['none', 'exact', 'schema', 'reflex'].includes(String(value['kind']));

const isResult = (value: unknown): value is StepResult =>
  isRecord(value) && typeof value['text'] === 'string' && typeof value['ms'] === 'number';
