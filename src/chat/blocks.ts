/** Where the edits of `/apply` come from. */
export interface EditSource {
  readonly from: 'prompt' | 'attachment' | 'answer';
  readonly text: string;
  /** Of an attachment. */
  readonly name?: string;
}

/** A file that the user attached, with its text. */
export interface AttachedFile {
  readonly name: string;
  readonly text: string;
  /** A passage of it, not the whole file. */
  readonly isPassage: boolean;
}

/** What a chat has said so far, the newest last. */
export interface ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Of this participant, without the slash. */
  readonly command?: string | undefined;
}

const fence = /^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:`{3,}|~{3,})/m;
const diff = /^(?:@@ |\*\*\* Begin Patch)/m;
const searchReplace = /^<{5,} ?SEARCH\b/m;

/** Whether a text of a chat holds code that could be an edit. */
export function hasEdits(text: string): boolean {
  return fence.test(text) || diff.test(text) || searchReplace.test(text);
}

/** Files that are read for the edits in them; any other attached file is one that an edit goes to. */
const written = /\.(?:md|mdx|markdown|txt|diff|patch)$/i;

/**
 * The text whose edits are meant: code in the prompt, else in an attached text, else in the newest
 * answer that has some. Answers to commands quote code of the workspace, so they do not count.
 */
export function editSource(
  prompt: string,
  attached: readonly AttachedFile[],
  history: readonly ChatTurn[],
): EditSource | undefined {
  if (hasEdits(prompt)) return { from: 'prompt', text: prompt };
  const file = attached.find(one => isWritten(one) && hasEdits(one.text));
  if (file) return { from: 'attachment', text: file.text, name: file.name };
  const answer = history.findLast(
    ({ role, text, command }) => role === 'assistant' && command === undefined && hasEdits(text),
  );
  return answer && { from: 'answer', text: answer.text };
}

/** The attached file that edits without a path go to; undefined unless there is just one. */
export function targetOf<File extends AttachedFile>(
  attached: readonly File[],
  source: EditSource,
): File | undefined {
  const files = attached.filter(({ name }) => source.from !== 'attachment' || name !== source.name);
  return files.length === 1 ? files[0] : undefined;
}

const isWritten = ({ name, isPassage, text }: AttachedFile): boolean =>
  written.test(name) || (isPassage && (diff.test(text) || searchReplace.test(text)));
