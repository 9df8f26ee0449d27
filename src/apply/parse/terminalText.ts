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
