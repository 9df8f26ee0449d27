import { endOfLine } from './quotedText';

/** Where the next part of code starts; the end of the text when there is none. */
export function startOfPhp(text: string, from: number): number {
  const start = text.indexOf('<?', from);
  return start < 0 ? text.length : start + (text.startsWith('<?php', start) ? 5 : 2);
}

/** Characters of a line that may start or end a text such as `<<<END`. */
const maxLabel = 100;

/** The end of the text that starts with `<<<END`; -1 without one, undefined when no text starts here. */
export function endOfHeredoc(text: string, at: number): number | undefined {
  if (!text.startsWith('<<<', at)) return undefined;
  const [open, name] = /^<<<["']?(\w+)["']?\r?\n/.exec(text.slice(at, at + maxLabel)) ?? [];
  if (open === undefined || name === undefined) return undefined;
  for (let line = at + open.length; line < text.length; line = endOfLine(text, line) + 1) {
    const shown = text.slice(line, line + maxLabel);
    const label = shown.trimStart();
    if (label.startsWith(name) && !/^\w/.test(label.slice(name.length))) {
      return line + shown.length - label.length + name.length;
    }
  }
  return -1;
}
