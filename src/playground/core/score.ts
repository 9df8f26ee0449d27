import { isDeepStrictEqual } from 'node:util';
import type { Translate } from '../../base/format/text';
import { parseJson } from '../../base/typeGuards';
import { schemaOf } from './estimate';
import { type CheckableSchema, readSchema } from './jsonSchema';
import { type RunPlan, type StepStates, stepOf } from './run';

export interface Score {
  /** Absent where there is nothing to compare with. */
  readonly isPassed?: boolean | undefined;
  readonly text: string;
}

/**
 * Whether an answer is the expected text: white space at both ends and the kind of line breaks do not
 * count, everything else does. An expected value that is no text is compared with the answer read as JSON.
 */
export function isExactMatch(answer: string, expected: unknown): boolean {
  if (typeof expected === 'string') return normal(answer) === normal(expected);
  const value = parseJson(answer);
  return value !== undefined && isDeepStrictEqual(value, expected);
}

const normal = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** Scores the answers of one run. */
export class Scorer {
  readonly #plan: RunPlan;
  readonly #t: Translate;
  /** By the schema of the plan, whose rows often share one. */
  readonly #schemas = new Map<object, CheckableSchema>();

  constructor(plan: RunPlan, t: Translate) {
    this.#plan = plan;
    this.#t = t;
  }

  /** @returns undefined where the answer has not come, or is not scored. */
  score(states: StepStates, row: number, target: number): Score | undefined {
    const answer = states.get(stepOf(row, target).id);
    if (answer?.kind !== 'done') return undefined;
    const t = this.#t;
    const { scoring, rows, targets } = this.#plan;
    const { expected } = rows[row] ?? {};
    const { text } = answer.result;
    if (targets[target]?.kind === 'reflex' || scoring.kind === 'exact') {
      return expected === undefined ? undefined : this.#match(isExactMatch(text, expected));
    }
    if (scoring.kind === 'schema') return this.#schema(row, text);
    if (scoring.kind !== 'reflex') return undefined;
    const label = states.get(stepOf(row, target, true).id);
    if (label?.kind !== 'done') return undefined;
    const found = label.result.text;
    return {
      text: found === '' ? t('no label') : found,
      isPassed: expected === undefined ? undefined : isExactMatch(found, expected),
    };
  }

  #match(isPassed: boolean): Score {
    const t = this.#t;
    return { isPassed, text: isPassed ? t('as expected') : t('not as expected') };
  }

  #schema(row: number, text: string): Score | undefined {
    const t = this.#t;
    const schema = schemaOf(this.#plan, row);
    if (!schema) return undefined;
    const known = this.#schemas.get(schema) ?? readSchema(schema);
    this.#schemas.set(schema, known);
    const problem = known.problemOf(text);
    return problem === undefined
      ? { isPassed: true, text: t('matches the schema') }
      : { isPassed: false, text: t('does not match the schema: {0}', problem) };
  }
}
