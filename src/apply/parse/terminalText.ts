import { firstLine } from './pathComment';

/** Blocks with shell commands or their output, which are no edits. */

const terminalInfo =
  /^(?:bash|sh|shell|zsh|fish|console|terminal|powershell|ps1|cmd|bat|shell-?session|text|txt|plaintext|output|log)\b/i;

/** Whether the info string of a fence says so; a script with an interpreter is code. */
export const isTerminalInfo = (info: string, text: string): boolean =>
  terminalInfo.test(info) && !text.startsWith('#!');

/** Whether a text begins with the prompt of a shell. */
export const isTerminalText = (text: string): boolean =>
  /^(?:\$|>|PS [^>]*>|C:\\[^>]*>) \S/.test(firstLine(text.trimStart()));

/** Colors of a terminal, `ESC[31m` and `ESC[K`. */
// oxlint-disable-next-line no-control-regex -- these are control characters
const colors = /\u001b\[\d{0,3}(?:;\d{1,3}){0,8}[mK]/g;
/** Colors whose first character was lost, or is shown as `^[`. */
const bareColors = /(?:\^\[)?\[\d{0,3}(?:;\d{1,3}){0,8}m(?!\])/g;
const bareReset = /\[0?m(?!\])/;
const bareColor = /\[(?:1|[39]\d)(?:;\d{1,3}){0,8}m/;
/** A color in code that writes to a terminal: `"\033[31m"`, `esc + '[31m'`, `${esc}[31m`. */
const colorInCode = /(?:["'`}]|\\(?:0?33|x1b|e|27|u001b|u\{1b\}))\[\d{0,3}(?:;\d{1,3}){0,8}m/i;
/** What logs of build servers have in front of each line. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]{0,12}Z ?/;

/** What was copied, with the line endings of Unix, and without what terminals and logs add. */
export const plainText = (text: string): string =>
  unquoted(withoutTerminalCodes(text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')));

/** A text without the colors and timestamps that terminals and logs add. */
function withoutTerminalCodes(text: string): string {
  const plain = text.includes('\u001b') ? text.replace(colors, '') : text;
  const isBare = bareReset.test(plain) && bareColor.test(plain) && !colorInCode.test(plain);
  const bare = isBare ? plain.replace(bareColors, '') : plain;
  if (!timestamp.test(bare)) return bare;
  const lines = bare.split('\n');
  return lines.every(line => line === '' || timestamp.test(line))
    ? lines.map(line => line.replace(timestamp, '')).join('\n')
    : bare;
}

/** The text that a JSON string holds, as it stands in a log; other texts stay as they are. */
function unquoted(text: string): string {
  const given = text.trim();
  if (!given.startsWith('"') || given.includes('\n') || !given.includes('\\n')) return text;
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
