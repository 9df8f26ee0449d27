import type { Chat, ParsedPart } from '../sessions/chat';
import { removedNote } from '../sessions/eraseCopies';
import type { Edits, PartEdit } from '../sessions/history';
import { lineOf, type SessionLineIndex } from '../worker/sessionLineIndex';
import { fieldLinesOf } from './fieldLines';

export interface LineRemoval {
  readonly edits: Edits;
  /** The lines that go, without the white space around them. */
  readonly lines: readonly string[];
  /** How many of the lines have to stay, because their part can neither be changed nor go. */
  readonly stuck: number;
}

/**
 * What a writer has to change so that lines are gone for good. A line becomes a note; a part whose text may not
 * be changed, such as one that is signed, goes as a whole.
 * @param gone 1 for each line to remove.
 */
export function removalOf(chat: Chat, lineIndex: SessionLineIndex, gone: Uint8Array): LineRemoval {
  const edits = chat.messages.map(({ parts }) => parts.map(({ text }): PartEdit => text));
  const lines: string[] = [];
  let stuck = 0;
  for (const { message, part, firstLine, lineCount } of lineIndex.parts) {
    const own = chat.messages[message]?.parts[part];
    const partEdits = edits[message];
    const range = gone.subarray(firstLine, firstLine + lineCount);
    if (!own || !partEdits || !range.includes(1)) continue;
    const texts = Array.from({ length: lineCount }, (_, at) => lineOf(lineIndex, firstLine + at));
    const edit = editOf(own, texts, range);
    for (const [at, text] of texts.entries()) {
      if (range[at] !== 1) continue;
      if (edit === undefined || !isGone(own, edit, at)) stuck++;
      else lines.push(text.trim());
    }
    if (edit !== undefined) partEdits[part] = edit;
  }
  return { edits, lines, stuck };
}

function editOf(
  part: ParsedPart,
  lines: readonly string[],
  gone: Uint8Array,
): PartEdit | undefined {
  const textOf = (first: number, end: number, nameLength = 0): string =>
    lines
      .slice(first, end)
      .map((line, at) =>
        gone[first + at] === 1
          ? line.replace(/^.*?(?=\r?\n$)/s, removedNote)
          : line.slice(at === 0 ? nameLength : 0),
      )
      .join('');
  if (part.fields && part.fields.length > 0) {
    const fields = fieldLinesOf(part.fields, 0, lines.length);
    return fields.map(({ first, end, nameLength, isText, endsPart }) => {
      if (!isText || !gone.subarray(first, end).includes(1)) return null;
      const text = textOf(first, end, nameLength);
      return endsPart ? text : text.slice(0, -1);
    });
  }
  // The index adds a line end to a part that has none.
  if (part.isEditable) {
    const text = textOf(0, lines.length);
    return part.text.endsWith('\n') ? text : text.slice(0, -1);
  }
  return part.isRemovable && part.isPinned !== true ? null : undefined;
}

/** Whether an edit removes a line; a value of a call that is no text stays. */
function isGone({ fields }: ParsedPart, edit: PartEdit, line: number): boolean {
  if (!fields || !Array.isArray(edit)) return true;
  let end = 0;
  const at = fields.findIndex(({ lineCount }) => line < (end += lineCount));
  return edit[at] !== null && edit[at] !== undefined;
}
