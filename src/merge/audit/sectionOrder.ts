import type { Section } from '../snippet/sections';
import type { AuditText, Postings } from './auditText';

/** Positions that are tried for a section; only files of few repeated lines have more. */
const maxTries = 200;

/** The sections of a snippet, and their lines. */
export interface ShownSections {
  readonly texts: readonly AuditText[];
  readonly sections: readonly Section[];
}

/**
 * The sections in the order in which the merged text has them: a snippet may list its parts in another one. Undefined if
 * one of them is not there, or if the order is the same.
 */
export function inOrderOfResult(
  { texts, sections }: ShownSections,
  merged: AuditText,
  inMerged: Postings,
): ShownSections | undefined {
  const places = texts.map(({ codes }) => placeOf(codes, merged.codes, inMerged, 0));
  if (places.includes(undefined)) return undefined;
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  if (order.every((nth, at) => nth === at)) return undefined;
  return {
    texts: order.flatMap(nth => texts[nth] ?? []),
    sections: order.flatMap(nth => sections[nth] ?? []),
  };
}

export function placeOf(
  codes: Int32Array,
  all: Int32Array,
  postings: Postings,
  from: number,
): number | undefined {
  let rare = 0;
  codes.forEach((code, at) => {
    rare = postings.count(code) < postings.count(codes[rare] ?? 0) ? at : rare;
  });
  for (const place of postings.from(codes[rare] ?? 0, from + rare).subarray(0, maxTries)) {
    const start = place - rare;
    if (codes.every((code, at) => code === all[start + at])) {
      return start;
    }
  }
  return undefined;
}
