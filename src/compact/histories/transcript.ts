import { findSegments, SPEAKER, type Segment, type Speaker } from '../turns';
import type { Role } from '../message';
import { messageOf, partOf } from './blocks';
import { applyPatches, compactedName, planEdits } from './edit';
import type { HistoryFile } from './file';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type NewSession,
  type Span,
  UnsupportedHistory,
} from './history';

const roles: Record<Speaker, Role> = {
  [SPEAKER.user]: 'user',
  [SPEAKER.assistant]: 'assistant',
  [SPEAKER.tool]: 'tool',
  [SPEAKER.system]: 'system',
};

const sessionStart = '# aider chat started at ';
const sessionName = '.aider.chat.history.md';

/** Longer first lines are no start of a session. */
const farthest = 200;

function readText(tool: string, label: string, file: HistoryFile): History {
  const { text, start } = file;
  if (text.slice(start).trim() === '')
    throw new UnsupportedHistory(label, 'the file is empty', 'Choose another file.');
  if (text.includes('\0'))
    throw new UnsupportedHistory(label, 'the file is not text', 'Choose another file.');
  const body = start === 0 ? text : text.slice(start);
  const segments = findSegments(body);
  const messages = segments.map((segment, at) => {
    const end = segments[at + 1]?.start ?? body.length;
    return readSegment(body, start, segment, end);
  });
  const startedAt = /# aider chat started at ([^\r\n]+)/.exec(body.slice(0, farthest))?.[1];
  return {
    tool,
    label,
    startedAt,
    messages,
    isCut: false,
    notes: [],
    file,
    beside: [],
  };
}

/** A line that names the speaker stays: it is what makes the text a conversation. */
function readSegment(body: string, shift: number, segment: Segment, end: number): HistoryMessage {
  const { start, speaker, hasHeader } = segment;
  const newline = hasHeader ? body.indexOf('\n', start) : -1;
  const headEnd = !hasHeader ? start : newline < 0 || newline >= end ? end : newline + 1;
  const place = (from: number, to: number): Span => ({ start: from + shift, end: to + shift });
  const parts: HistoryPart[] = [];
  if (headEnd > start) {
    const slot = { span: place(start, headEnd), mayBeEmpty: true };
    parts.push(partOf('other', body.slice(start, headEnd), slot));
  }
  if (end > headEnd) {
    const slot = { span: place(headEnd, end), mayBeEmpty: true };
    parts.push(partOf('text', body.slice(headEnd, end), slot, { isEditable: true }));
  }
  return messageOf(roles[speaker] ?? 'assistant', parts, { place: place(start, end) });
}

function written(
  path: string,
  history: History,
  edits: Parameters<typeof planEdits>[1],
  sentence: string,
): NewSession {
  const text = applyPatches(history.file.text, planEdits(history, edits).patches);
  return { files: [{ path, text }], continueBy: { sentence } };
}

export const aider: HistoryFormat = {
  id: 'aider',
  label: 'aider',
  isReadOnly: false,
  detect: ({ name, text, start }) =>
    name === sessionName ||
    text
      .slice(start, start + farthest)
      .trimStart()
      .startsWith(sessionStart),
  read: file => readText('aider', 'aider', file),

  write(history, edits, options) {
    const path = options.asCopy ? history.file.name : compactedName(sessionName);
    const shell = `aider --restore-chat-history --chat-history-file ${compactedName(sessionName)}`;
    const session = written(path, history, edits, `Run “${shell}” in the folder of the chat.`);
    return { ...session, continueBy: { ...session.continueBy, shell } };
  },
};

const plain = (id: string, label: string, detect: HistoryFormat['detect']): HistoryFormat => ({
  id,
  label,
  isReadOnly: false,
  detect,
  read: file => readText(id, label, file),
  write: (history, edits, options) =>
    written(
      options.asCopy ? history.file.name : compactedName(history.file.name),
      history,
      edits,
      'Paste the new text into a chat.',
    ),
});

export const markdown = plain('markdown', 'Markdown', ({ name }) =>
  /\.(?:md|markdown|mdx)$/i.test(name),
);

/** What looks like JSON is a damaged or foreign file, and no text to take lines out of. */
export const text = plain(
  'text',
  'Plain text',
  file =>
    !/\.jsonl?$/i.test(file.name) &&
    !/^\s*(?:\{\s*"|\[\s*[{\]])/.test(file.text.slice(file.start, file.start + farthest)) &&
    !file.text.includes('\0'),
);
