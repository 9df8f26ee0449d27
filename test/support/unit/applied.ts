import { applyAnswer } from '../../../src/apply/answer';

/** What an answer makes of files with these texts: the kind, path and new text of each change, and what was refused. */
export function applied(answer: string, texts: Readonly<Record<string, string>>) {
  const { files, refused } = applyAnswer(answer, {
    files: () => Object.keys(texts),
    read: path => texts[path],
  });
  return {
    files: files.map(({ kind, path, text }) => [kind, path, text]),
    refused: refused.map(({ path, part }) => [path, part]),
  };
}
