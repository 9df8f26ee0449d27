/** 1-based, inclusive lines of the original. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

export interface MergeOptions {
  path?: string;
  instruction?: string;
  /** Lines outside of it must not change. */
  range?: LineRange;
}

export type MergeResult =
  /** `certain` is false when another reading of the snippet is possible. */
  | { kind: 'merged'; text: string; certain: boolean }
  /** `reason` says what does not fit and what to do, in words for a user. */
  | { kind: 'refused'; reason: string };

export function merged(text: string, certain: boolean): MergeResult {
  return { kind: 'merged', text, certain };
}

export function refused(reason: string): MergeResult {
  return { kind: 'refused', reason };
}

/** The file's name, for messages. */
export function nameOf({ path }: Pick<MergeOptions, 'path'>): string {
  return path?.split(/[\\/]/).at(-1) || 'the file';
}
