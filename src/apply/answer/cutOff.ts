import { endsOpen as endsPatchOpen } from './dialects/agentPatch';
import { endsOpen as endsDiffOpen } from './dialects/gitDiff';
import type { EditPart } from './operations';

/** Whether the lines of a patch, which are the last ones of an answer, lack its end. */
export const isPatchCutOff = (lines: readonly string[]): boolean =>
  endsPatchOpen(lines) || endsDiffOpen(lines);

/** The parts of a text that breaks off: its end is missing in the last one. */
export const markedCutOff = (parts: readonly EditPart[]): EditPart[] =>
  parts.map((one, at) => (at === parts.length - 1 ? { ...one, isCutOff: true } : one));
