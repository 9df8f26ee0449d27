import { english, type Translate } from '../base/sentence';
import type { AnswerResult, AnswerWorkspace } from './answer/answerResult';
import type { EditPart } from './answer/operations';
import { readAnswer } from './answer/readAnswer';
import { WorkingSet } from './answer/workingSet';

export type {
  AnswerResult,
  AnswerWorkspace,
  FileChange,
  RefusedPart,
} from './answer/answerResult';

/**
 * What an answer makes of the files of a workspace: edits, new, deleted and renamed files. Several parts for one
 * file are one change, in their order. A part that cannot be placed stops no other one: it is in `refused`,
 * with its text and the reason. Reads files, writes none.
 *
 * @param options `activePath`: the file that the user looks at, for parts that name none; `t` translates the
 *   reasons.
 */
export function applyAnswer(
  answer: string,
  workspace: AnswerWorkspace,
  options: AnswerOptions = {},
): AnswerResult {
  return applyParts(readAnswer(answer), workspace, options);
}

interface AnswerOptions {
  readonly activePath?: string | undefined;
  readonly t?: Translate;
}

/** {@link applyAnswer} for an answer that has been read. */
export function applyParts(
  parts: readonly EditPart[],
  workspace: AnswerWorkspace,
  { activePath, t = english }: AnswerOptions,
): AnswerResult {
  const files = new WorkingSet(parts, workspace, activePath, t);
  for (const part of parts) files.apply(part);
  return files.result();
}
