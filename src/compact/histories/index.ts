import { claudeCode } from './claudeCode';
import { codex } from './codex';
import { continueSession } from './continueSession';
import { copilot } from './copilot';
import { cursor } from './cursor';
import { HistoryFile } from './file';
import { gemini } from './gemini';
import { type History, type HistoryFormat, UnsupportedHistory } from './history';
import { openai } from './openai';
import { opencode } from './opencode';
import { cline, roo } from './taskFolders';
import { aider, markdown, text } from './transcript';
import { vscodeExport, vscodeSession } from './vscodeChat';

export { decodeHistory, HistoryFile } from './file';
export * from './history';

/** The formats that say more about a file come first; text comes last, since it takes nearly any. */
export const historyFormats: readonly HistoryFormat[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  vscodeSession,
  vscodeExport,
  continueSession,
  opencode,
  cursor,
  cline,
  roo,
  openai,
  aider,
  markdown,
  text,
];

export function detectFormat(name: string, content: string): HistoryFormat | undefined {
  return formatOf(new HistoryFile(name, content));
}

function formatOf(file: HistoryFile): HistoryFormat | undefined {
  return historyFormats.find(format => format.detect(file));
}

export interface ReadHistory {
  readonly format: HistoryFormat;
  readonly history: History;
}

/**
 * @param path Tells formats apart that look alike; nothing is opened.
 * @throws {UnsupportedHistory}
 */
export function readHistory(
  path: string,
  content: string,
  beside: readonly HistoryFile[] = [],
): ReadHistory {
  const file = new HistoryFile(path, content);
  if (file.lines.length === 0)
    throw new UnsupportedHistory('Chat history', 'the file is empty', 'Choose another file.');
  const format = formatOf(file);
  if (!format)
    throw new UnsupportedHistory(
      'Chat history',
      'this file is of no tool that is known, or it is damaged',
      'Export the chat as Markdown or JSON and open that.',
    );
  return { format, history: format.read(file, beside) };
}
