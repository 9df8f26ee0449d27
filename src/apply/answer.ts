import { readAnswer } from './answer/readAnswer';
import { type AnswerResult, type AnswerWorkspace, WorkingSet } from './answer/workingSet';

export type { AnswerResult, AnswerWorkspace, FileChange, RefusedPart } from './answer/workingSet';

/**
 * What an answer makes of the files of a workspace: edits, new, deleted and renamed files. Several parts for one
 * file are one change, in their order. A part that cannot be placed stops no other one: it is in `refused`,
 * with its text and the reason. Reads files, writes none.
 *
 * @param options `activePath`: the file that the user looks at, for parts that name none.
 */
export function applyAnswer(
  answer: string,
  workspace: AnswerWorkspace,
  { activePath }: { readonly activePath?: string | undefined } = {},
): AnswerResult {
  const files = new WorkingSet(workspace, activePath);
  for (const part of readAnswer(answer)) files.apply(part);
  return files.result();
}
