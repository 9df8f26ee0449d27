import { type Translate, translated } from '../../base/sentence';
import {
  applySearchReplace,
  applyUnifiedDiff,
  auditBlocks,
  auditDiff,
  auditMerge,
  confinedTo,
  type LineRange,
  type MergeResult,
  mergeEdit,
} from '../../merge';
import type { Clearance, Sending } from '../../platform/egress/sending';
import type { EngineSetting, ModelSetting } from '../../platform/settings';
import type { ClipboardEdit } from '../parse/clipboard';
import { withPathComment } from '../parse/pathComment';

/** A finding of the audit or of the merge engine. */
export interface MergeFinding {
  readonly kind: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** 1-based line of the merged text. */
  readonly line: number;
  /** In a review: the id of the change that it concerns, and the 0-based line among those that the change inserts. */
  readonly change?: number;
  readonly lineInChange?: number;
}

export interface MergeRequest {
  readonly edit: ClipboardEdit;
  readonly original: string;
  readonly path: string;
  /** Lines of the original outside of which nothing may change. */
  readonly range?: LineRange;
  /** A description of the change in the first person, for the service. */
  readonly instruction?: string | undefined;
  readonly engine: EngineSetting;
  readonly model: ModelSetting;
  /** Translates what the merge finds. */
  readonly t: Translate;
  /** Without it the egress gate sends nothing. */
  readonly clearance?: Clearance | undefined;
}

/** Progress of a merge by the service. */
export interface MergeProgress {
  readonly onText?: (textSoFar: string) => void;
  /** Called before a retry; `retryAt` in milliseconds since the epoch. */
  readonly onWait?: (wait: { readonly retryAt: number }) => void;
}

/** The part of the service that a merge uses. */
export interface MergeService {
  isReady(): Promise<boolean>;
  apply(
    request: {
      original: string;
      update: string;
      model: ModelSetting;
      instruction?: string | undefined;
    },
    options: { signal: AbortSignal; stream: boolean; sending: Sending } & MergeProgress,
  ): Promise<{ text: string; model: string }>;
}

export interface Merged {
  readonly kind: 'merged';
  readonly text: string;
  readonly engine: 'local' | 'service';
  readonly model?: string;
  readonly ms: number;
  /** False when the local engine found more than one place or interpretation. */
  readonly certain: boolean;
  readonly findings: readonly MergeFinding[];
}

export type MergeOutcome = Merged | { readonly kind: 'refused'; readonly reason: string };

/** The snippet as text, for the service and the audit. */
export function editText(edit: ClipboardEdit): string {
  if (edit.format === 'unifiedDiff') return edit.diff;
  if (edit.format === 'snippet') return edit.text;
  return edit.blocks.map(({ replace }) => replace).join('\n');
}

/**
 * The request for an edit of a text.
 *
 * @param base the lines of `original`.
 */
export function mergeRequest(
  edit: ClipboardEdit,
  base: readonly string[],
  { engine, model }: Pick<MergeRequest, 'engine' | 'model'>,
  where: Pick<MergeRequest, 'original' | 'path' | 'range' | 'instruction' | 't'>,
): MergeRequest {
  const whole = edit.format === 'snippet' ? { ...edit, text: withPathComment(edit, base) } : edit;
  return { ...where, edit: whole, engine, model };
}

/** Merges without sending anything. */
export function mergeLocally(request: MergeRequest, now: () => number): MergeOutcome {
  const { edit, original, path, range, t } = request;
  const started = now();
  const where = { path, t, ...(range && { range }) };
  const result =
    edit.format === 'snippet'
      ? mergeEdit(original, edit.text, { ...where, isNamed: edit.path !== undefined })
      : patched(request);
  if (result.kind === 'refused') {
    return { kind: 'refused', reason: translated(result.reason, t) };
  }
  const findings = auditOf(edit, original, result.text, where);
  return {
    kind: 'merged',
    text: result.text,
    engine: 'local',
    ms: now() - started,
    certain: result.certain,
    findings: result.certain ? findings : [uncertain(t), ...findings],
  };
}

function auditOf(
  edit: ClipboardEdit,
  original: string,
  text: string,
  where: Pick<MergeRequest, 'path' | 'range' | 't'>,
): readonly MergeFinding[] {
  if (edit.format === 'unifiedDiff') return auditDiff(original, edit.diff, text, where);
  return edit.format === 'snippet'
    ? auditMerge(original, edit.text, text, where)
    : auditBlocks(original, edit.blocks, text, where);
}

/** A diff and search/replace blocks are exact; one that reaches out of the range is refused. */
function patched({ edit, original, path, range }: MergeRequest): MergeResult {
  const result =
    edit.format === 'unifiedDiff'
      ? applyUnifiedDiff(original, edit.diff)
      : applySearchReplace(original, edit.format === 'searchReplace' ? edit.blocks : []);
  return range ? confinedTo(range, original, result, { path }) : result;
}

/** The finding of a merge that is not the only one possible. */
export const uncertain = (t: Translate): MergeFinding => ({
  kind: 'uncertain',
  severity: 'warning',
  message: t(
    'The snippet could be read in more than one way. Check that each change is where you want it.',
  ),
  line: 1,
});

/**
 * Merges as the settings say. `auto` sends the file only when the local merge is not certain and a
 * key is set; diffs and search/replace blocks are exact and always stay here.
 *
 * @throws {ServiceError} when the service was asked and failed; nothing is merged then.
 */
export async function merge(
  request: MergeRequest,
  service: MergeService,
  context: { signal: AbortSignal; now: () => number } & MergeProgress,
): Promise<MergeOutcome> {
  const local = settledLocally(request, context.now);
  if (local?.isFinal) return local.outcome;
  // Without a key, `service` fails with an error and `auto` uses the local result.
  if (local && !(await service.isReady())) return local.outcome;
  return mergeByService(request, service, context);
}

/** Whether {@link merge} would send the file. */
export async function isSent(
  request: MergeRequest,
  service: Pick<MergeService, 'isReady'>,
): Promise<boolean> {
  const local = settledLocally(request, () => 0);
  return local?.isFinal !== true && service.isReady();
}

/** Undefined when the settings demand the service; `isFinal` when the service is not needed. */
function settledLocally(
  request: MergeRequest,
  now: () => number,
): { outcome: MergeOutcome; isFinal: boolean } | undefined {
  const { engine, edit } = request;
  const isExact = edit.format !== 'snippet';
  if (engine === 'service' && !isExact) return undefined;
  const outcome = mergeLocally(request, now);
  const isCertain = outcome.kind === 'merged' && outcome.certain;
  return { outcome, isFinal: isCertain || engine === 'local' || isExact };
}

async function mergeByService(
  { original, edit, path, range, model, instruction, clearance, t }: MergeRequest,
  service: MergeService,
  context: { signal: AbortSignal; now: () => number } & MergeProgress,
): Promise<Merged> {
  const started = context.now();
  const update = editText(edit);
  const answer = await service.apply(
    { original, update, model, ...(instruction ? { instruction } : {}) },
    { ...context, stream: true, sending: { purpose: 'apply', files: [], ...clearance } },
  );
  return {
    kind: 'merged',
    text: answer.text,
    engine: 'service',
    model: answer.model,
    ms: context.now() - started,
    certain: true,
    findings: auditMerge(original, update, answer.text, { path, t, ...(range && { range }) }),
  };
}
