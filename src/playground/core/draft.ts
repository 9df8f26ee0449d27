import type { Translate } from '../../base/format/text';
import { isRecord, textOf } from '../../base/typeGuards';
import { UserError } from '../../base/userError';
import type { ReasoningEffort } from '../../service';
import {
  maxTargets,
  type PlaygroundTarget,
  type PromptRow,
  type RunPlan,
  type Scoring,
} from './run';

/** What the page lets the user choose from. */
export interface TargetOption {
  /** `auto`, `model:ID` or `endpoint:ID`. */
  readonly value: string;
  readonly label: string;
  readonly kind: 'auto' | 'model' | 'endpoint';
  readonly hasEffort: boolean;
}

/** The form of the page. */
export interface Draft {
  readonly prompt: string;
  readonly system: string;
  readonly expected: string;
  readonly targets: readonly { readonly value: string; readonly effort: string }[];
  readonly scoring: Scoring['kind'];
  readonly reflex: string;
  readonly maxTokens: number;
  /** URI of the file of prompts; '' for the prompt of the form. */
  readonly file: string;
  /** URI of the file with the JSON schema. */
  readonly schemaFile: string;
}

/** Longest answers that can be chosen, in tokens. */
export const answerLimits = [256, 1024, 4096, 16_384] as const;

const efforts: readonly ReasoningEffort[] = ['low', 'medium', 'high'];
const scorings: readonly Scoring['kind'][] = ['none', 'exact', 'schema', 'reflex'];

/** The form as the page sends it; what is missing or not valid has its default. */
export function readDraft(value: unknown): Draft {
  const form = isRecord(value) ? value : {};
  const text = (name: string): string => textOf(form[name]) ?? '';
  const list = Array.isArray(form['targets']) ? form['targets'] : [];
  return {
    prompt: text('prompt'),
    system: text('system'),
    expected: text('expected'),
    targets: list
      .flatMap(item =>
        isRecord(item)
          ? [{ value: textOf(item['value']) ?? '', effort: textOf(item['effort']) ?? '' }]
          : [],
      )
      .filter(item => item.value !== '')
      .slice(0, maxTargets),
    scoring: scorings.find(kind => kind === form['scoring']) ?? 'none',
    reflex: text('reflex'),
    maxTokens: answerLimits.find(limit => limit === Number(form['maxTokens'])) ?? 1024,
    file: text('file'),
    schemaFile: text('schemaFile'),
  };
}

export interface DraftParts {
  readonly options: readonly TargetOption[];
  /** Rows of the file; undefined where the form has the prompt. */
  readonly rows: readonly PromptRow[] | undefined;
  readonly fileName: string;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

/** @throws {UserError} that says what is missing. */
export function draftPlan(
  draft: Draft,
  { options, rows, fileName, schema }: DraftParts,
  { id, createdAt, origin }: Pick<RunPlan, 'id' | 'createdAt' | 'origin'>,
  t: Translate,
): RunPlan {
  const targets = targetsOf(draft, options, t);
  const own: PromptRow = {
    text: draft.prompt,
    system: draft.system || undefined,
    expected: draft.expected.trim() === '' ? undefined : draft.expected,
  };
  if (!rows && draft.prompt.trim() === '') {
    throw new UserError(t('Write a prompt, or choose a file of prompts.'));
  }
  if (targets.length === 0) throw new UserError(t('Choose at least one model.'));
  const all = (rows ?? [own]).map(row => ({
    ...row,
    system: row.system ?? (draft.system || undefined),
  }));
  return {
    id,
    createdAt,
    origin,
    title: rows ? fileName : (draft.prompt.trim().split('\n', 1)[0]?.slice(0, 80) ?? ''),
    targets,
    rows: all,
    scoring: scoringOf(draft, all, schema, t),
    maxTokens: draft.maxTokens,
  };
}

function targetsOf(
  draft: Draft,
  options: readonly TargetOption[],
  t: Translate,
): PlaygroundTarget[] {
  const targets = draft.targets.flatMap(({ value, effort: wanted }): PlaygroundTarget[] => {
    const option = options.find(each => each.value === value);
    if (!option) return [];
    const effort = option.hasEffort ? efforts.find(each => each === wanted) : undefined;
    const label = effort ? `${option.label} (${effortText(effort, t)})` : option.label;
    if (option.kind === 'auto') return [{ kind: 'auto', label, effort }];
    return [{ kind: option.kind, id: value.slice(value.indexOf(':') + 1), label, effort }];
  });
  const twice = targets.find(
    ({ label }, at) => targets.findIndex(each => each.label === label) < at,
  );
  if (twice) throw new UserError(t('{0} is chosen twice. Choose another effort.', twice.label));
  return targets;
}

export const effortText = (effort: ReasoningEffort, t: Translate): string =>
  ({ low: t('Low'), medium: t('Medium'), high: t('High') })[effort];

function scoringOf(
  { scoring, reflex }: Draft,
  rows: readonly PromptRow[],
  schema: DraftParts['schema'],
  t: Translate,
): Scoring {
  if (scoring === 'exact' && rows.every(({ expected }) => expected === undefined)) {
    throw new UserError(t('No expected answer is given: there is nothing to compare with.'));
  }
  if (scoring === 'schema') {
    if (!schema && rows.every(row => !row.schema)) {
      throw new UserError(t('Choose the file with the JSON schema.'));
    }
    return { kind: scoring, schema };
  }
  if (scoring !== 'reflex') return { kind: scoring };
  if (reflex === '') throw new UserError(t('Choose the reflex that scores the answers.'));
  return { kind: scoring, reflex };
}
