import type { ParsedPart } from '../sessions/chat';

type CallField = NonNullable<ParsedPart['fields']>[number];

/** The lines of a value of a call. */
export interface FieldLines extends CallField {
  readonly first: number;
  readonly end: number;
  /**
   * A line end that ends the part is one of the value, and the index has no line behind it. After other values
   * stands one that is none of them.
   */
  readonly endsPart: boolean;
}

/** The lines of the values of a call, whose part has those from `firstLine` to `endLine`. */
export function fieldLinesOf(
  fields: readonly CallField[],
  firstLine: number,
  endLine: number,
): FieldLines[] {
  let next = firstLine;
  return fields.map(field => {
    const first = next;
    next = Math.min(first + field.lineCount, endLine);
    return { ...field, first, end: next, endsPart: next < first + field.lineCount };
  });
}
