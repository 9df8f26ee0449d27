import { hasFence } from '../markdown';

/** Where the edits of `/apply` come from. */
export interface EditSource {
  readonly from: 'prompt' | 'attachment' | 'answer';
  readonly text: string;
  /** Name of the attachment. */
  readonly name?: string;
}

/** A file that the user attached, with its text. */
export interface AttachedFile {
  readonly name: string;
  readonly text: string;
  /** Whether only a selection of the file is attached. */
  readonly isPassage: boolean;
}

/** One turn of the conversation so far. */
export interface ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Command of this participant, without the slash. */
  readonly command?: string | undefined;
}

const diff = /^(?:@@ |\*\*\* Begin Patch)/m;
const searchReplace = /^<{5,} ?SEARCH\b/m;

/** Whether a chat text contains code that could be an edit. */
export function hasEdits(text: string): boolean {
  return hasFence(text) || diff.test(text) || searchReplace.test(text);
}

/** Attached files that contain edits; any other attached file is a possible target of an edit. */
const written = /\.(?:md|mdx|markdown|txt|diff|patch)$/i;

/**
 * The text that holds the edits to apply: the prompt if it contains code, else an attachment, else the
 * newest answer with code. Answers to commands quote workspace code, so they are skipped.
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

/** The attached file that edits without a path apply to; undefined unless there is exactly one. */
export function editTarget<File extends AttachedFile>(
  attached: readonly File[],
  source: EditSource,
): File | undefined {
  const files = attached.filter(({ name }) => source.from !== 'attachment' || name !== source.name);
  return files.length === 1 ? files[0] : undefined;
}

const isWritten = ({ name, isPassage, text }: AttachedFile): boolean =>
  written.test(name) || (isPassage && (diff.test(text) || searchReplace.test(text)));
