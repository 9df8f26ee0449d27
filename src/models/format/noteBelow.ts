import { missingFence } from '../../markdown';

/** The same in all languages, so that a note is found again. */
const start = '*Splice: ';

/** What is added to an answer to say something of it: a last line, outside of its code. */
export function noteBelow(answer: string, note: string): string {
  const fence = missingFence(answer);
  const line = note.replace(/\s+/g, ' ').replaceAll('*', '\\*');
  return `${fence === undefined ? '' : `\n${fence}`}\n\n${start}${line}*`;
}

/**
 * An earlier answer without the notes below it, which are for the reader and not for the model. A compacted chat
 * may have lost the blank lines above them.
 */
export function withoutNotesBelow(answer: string): string {
  let text = answer;
  for (;;) {
    const shown = text.trimEnd();
    const end = shown.lastIndexOf('\n');
    const last = shown.slice(end + 1);
    if (end < 0 || !last.startsWith(start) || !/^.+\*$/.test(last)) return text;
    text = shown.slice(0, shown[end - 1] === '\n' ? end - 1 : end);
  }
}
