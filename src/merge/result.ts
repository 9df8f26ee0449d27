import { type Sentence, sentence, verbatim } from '../base/sentence';

/** 1-based, inclusive lines of the original. */
export interface LineInterval {
  startLine: number;
  endLine: number;
}

export interface MergeOptions {
  path?: string;
  /** The edit itself names the file: then a new declaration belongs there though no line of it is in the file. */
  isNamed?: boolean;
  instruction?: string;
  /** Lines outside it must not change. */
  range?: LineInterval;
}

export type MergeResult =
  /** `certain` is false when the snippet can be interpreted in another way. */
  | { kind: 'merged'; text: string; certain: boolean }
  /** `reason` tells the user what does not fit and what to do. */
  | { kind: 'refused'; reason: Sentence };

export function merged(text: string, certain: boolean): MergeResult {
  return { kind: 'merged', text, certain };
}

export function refused(reason: Sentence): MergeResult {
  return { kind: 'refused', reason };
}

/** The file's name, for messages. */
export function displayName({ path }: Pick<MergeOptions, 'path'>): Sentence {
  const name = path?.split(/[\\/]/).at(-1) ?? '';
  return name === '' ? sentence('the file') : verbatim(name);
}
