import { type Sentence, sentence } from '../../base/sentence';
import { separateCalls } from './blocks';
import { claudeCode } from './formats/claudeCode';
import { droid } from './formats/clis/droid';
import { grok } from './formats/clis/grok';
import { nanocoder } from './formats/clis/nanocoder';
import { codex, codexEarly } from './formats/codex';
import { continueSession } from './formats/continueSession';
import { copilot, copilotCli } from './formats/copilot';
import { cursor } from './formats/cursor';
import { gemini } from './formats/gemini';
import { kimi } from './formats/kimi/kimi';
import { openai } from './formats/openai';
import { opencode } from './formats/opencode';
import { ohMyPi, pi } from './formats/pi';
import { qwen } from './formats/qwen';
import { cline, roo } from './formats/taskFolders';
import { aider, markdown, text } from './formats/transcript';
import { vscodeExport, vscodeSession } from './formats/vscodeChat';
import { type History, type HistoryFormat, UnsupportedHistory } from './history';
import { HistoryFile } from './historyFile';
import { amp } from './stores/amp';
import { clineSession } from './stores/clineSessions';
import { crush } from './stores/crush';
import { goose } from './stores/goose';
import { zed } from './stores/zed';

export * from './history';
export { decodeHistory, HistoryFile, requireUtf8 } from './historyFile';

/** More specific formats come first; plain text comes last, because it accepts nearly any file. */
export const historyFormats: readonly HistoryFormat[] = [
  qwen,
  claudeCode,
  codex,
  codexEarly,
  pi,
  ohMyPi,
  kimi,
  droid,
  grok,
  crush,
  goose,
  amp,
  zed,
  gemini,
  copilotCli,
  copilot,
  vscodeSession,
  vscodeExport,
  continueSession,
  opencode,
  clineSession,
  nanocoder,
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
 * @param path distinguishes similar formats; no file is opened.
 * @throws {UnsupportedHistory}
 */
export function readHistory(
  path: string,
  content: string | Uint8Array,
  companions: readonly HistoryFile[] = [],
): ReadHistory {
  const file = new HistoryFile(path, content);
  if (file.isBlank) {
    throw new UnsupportedHistory('Chat history', 'the file is empty', 'Choose another file.');
  }
  const format = formatOf(file);
  if (!format) {
    throw new UnsupportedHistory(
      'Chat history',
      'this file is of no tool that is known, or it is damaged',
      'Export the chat as Markdown or JSON and open that.',
    );
  }
  const history = format.read(file, companions);
  const messages = separateCalls(history.messages);
  const notes = [...history.notes, ...damageNotes(file)];
  return { format, history: { ...history, messages, notes } };
}

function damageNotes(file: HistoryFile): Sentence[] {
  const { damaged } = file;
  const [first] = damaged;
  if (!first) return [];
  const line = file.lineAt(first.start);
  return [
    damaged.length === 1
      ? sentence('Line {0} of the session is damaged and left out.', line)
      : sentence(
          'Damaged lines of the session that are left out: {0}. The first is line {1}.',
          damaged.length,
          line,
        ),
  ];
}
