import { isToolText } from '../core/toolTexts';

/** More elements than this in front of what was typed are no longer looked at. */
const maxElements = 20;
const maxTagChars = 200;
/** The notes of an earlier compaction. */
const onlyNotes = /^(?:\s*\[[^[\]\n]*left out(?:; recall \w+)?\])*\s*$/;

/**
 * Where the words of the user start: behind elements that the tool put in front of them in the same text.
 * The length of a text that is all of the tool.
 */
export function typedStart(text: string): number {
  let at = 0;
  for (let count = 0; count < maxElements; count++) {
    const rest = text.slice(at);
    if (!isToolText(rest)) return at > 0 && onlyNotes.test(rest) ? text.length : at;
    const end = elementEnd(rest);
    if (end < 0) return text.length;
    at += end;
  }
  return text.length;
}

/** The end of the element at the start of a text; -1 where there is none, or it is not closed. */
function elementEnd(text: string): number {
  const name = /^\s*<([^<>]+)>/.exec(text.slice(0, maxTagChars))?.[1];
  if (name === undefined) return -1;
  for (const tag of [name, name.split(/\s/)[0] ?? name]) {
    const close = text.indexOf(`</${tag}>`);
    if (close >= 0) return close + tag.length + 3;
  }
  return -1;
}
