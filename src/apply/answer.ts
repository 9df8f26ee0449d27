import { english, type Translate } from '../base/sentence';
import type { AnswerResult, AnswerWorkspace } from './answer/answerResult';
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
  {
    activePath,
    t = english,
  }: { readonly activePath?: string | undefined; readonly t?: Translate } = {},
): AnswerResult {
  const files = new WorkingSet(workspace, activePath, t);
  for (const part of readAnswer(answer)) files.apply(part);
  return files.result();
}
