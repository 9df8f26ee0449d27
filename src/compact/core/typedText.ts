import { isToolText, typedCommand } from './toolTexts';

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

/** The element in which some tools put what was typed, next to what they attach. */
const requestTags = ['userRequest', 'user_query', 'user_message'];

/** The offsets of the tags around what was typed, if the tool marks it. */
export function requestTagsIn(
  text: string,
): readonly [open: number, close: number, tag: string] | undefined {
  for (const tag of requestTags) {
    const open = text.indexOf(`<${tag}>`);
    const close = open < 0 ? -1 : text.indexOf(`</${tag}>`, open);
    if (close >= 0) return [open, close, tag];
  }
  return undefined;
}

/** What was typed of a text with the role of the user; '' for one that is all of the tool. */
export function typedText(text: string): string {
  const command = typedCommand(text);
  if (command !== undefined) return command;
  const request = requestTagsIn(text);
  if (!request) return text.slice(typedStart(text));
  const [open, close, tag] = request;
  return text.slice(open + tag.length + 2, close);
}
