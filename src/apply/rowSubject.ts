import { isRecord } from '../base/typeGuards';
import type { TreeRow } from '../platform/tree/rows';

/** The id of a review or an answer, from the id itself or from its tree item. */
export function subjectOf(argument: unknown): unknown {
  return isRow(argument) ? argument.data.subject : argument;
}

/** The number of the change, or of the part of an answer, that a tree item stands for. */
export function hunkOf(argument: unknown): number | undefined {
  const id = isRow(argument) ? Number(argument.id.split(':')[2] ?? Number.NaN) : Number.NaN;
  return Number.isInteger(id) ? id : undefined;
}

function isRow(argument: unknown): argument is TreeRow {
  return isRecord(argument) && isRecord(argument['data']) && typeof argument['id'] === 'string';
}
