import type { Role } from '../../core/message';
import { findSegments } from '../../core/segments/findSegments';
import { sessionStart } from '../../core/segments/logSegments';
import { type Segment, type Speaker, speakerBit } from '../../core/segments/segment';
import { createMessage, createPart } from '../blocks';
import { applyPatches, compactedName, planEdits } from '../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type NewSession,
  type TextSpan,
  UnsupportedHistory,
} from '../history';
import type { HistoryFile } from '../historyFile';

const roles: Record<Speaker, Role> = {
  [speakerBit.user]: 'user',
  [speakerBit.assistant]: 'assistant',
  [speakerBit.tool]: 'tool',
  [speakerBit.system]: 'system',
};

const sessionName = '.aider.chat.history.md';
/** Its name, and those of the files that `write` makes: what is left of one may have no session header. */
const sessionNames = /^\.aider\.chat\.history(?:-compacted)*\.md$/;

/** Characters at the start of the file that are checked for a session header. */
const maxFirstLineChars = 200;

function readText(tool: string, label: string, file: HistoryFile): History {
  const { text, start } = file;
  if (text.slice(start).trim() === '') {
    throw new UnsupportedHistory(label, 'the file is empty', 'Choose another file.');
  }
  if (!isText(text)) {
    throw new UnsupportedHistory(label, 'the file is not text', 'Choose another file.');
  }
  const body = start === 0 ? text : text.slice(start);
  const segments = findSegments(body);
  const messages = segments.map((segment, at) => {
    const end = segments[at + 1]?.start ?? body.length;
    return readSegment(body, start, segment, end);
  });
  const startedAt = /# aider chat started at ([^\r\n]+)/.exec(
    body.slice(0, maxFirstLineChars),
  )?.[1];
  return {
    tool,
    label,
    startedAt,
    messages,
    isCut: false,
    notes: [],
    file,
    companions: [],
  };
}

/** A shorter run of NUL characters is one of a file that is no text, rather than what a power cut leaves. */
const minHole = 16;

function isText(text: string): boolean {
  let end = 0;
  for (let at = text.indexOf('\0'); at >= 0; at = text.indexOf('\0', end)) {
    end = at;
    while (text.charCodeAt(end) === 0) end++;
    if (end - at < minHole) return false;
  }
  return true;
}

/** A header line is a part that cannot be edited, because it makes the text a conversation. */
function readSegment(body: string, shift: number, segment: Segment, end: number): HistoryMessage {
  const { start, speaker, hasHeader } = segment;
  const newline = hasHeader ? body.indexOf('\n', start) : -1;
  const headEnd = !hasHeader ? start : newline < 0 || newline >= end ? end : newline + 1;
  const spanOf = (from: number, to: number): TextSpan => ({ start: from + shift, end: to + shift });
  const parts: HistoryPart[] = [];
  if (headEnd > start) {
    const location = { span: spanOf(start, headEnd), mayBeEmpty: true };
    parts.push(createPart('other', body.slice(start, headEnd), location));
  }
  const own = body.slice(headEnd, end);
  const isAnswered = body.slice(start, headEnd).trim() === userHeader && firstResult.test(own);
  const blocks = splitBlocks(own, isAnswered ? resultStart : elementStart);
  for (const { type, from, to } of blocks) {
    const location = { span: spanOf(headEnd + from, headEnd + to), mayBeEmpty: true };
    parts.push(createPart(type, own.slice(from, to), location, { isEditable: true }));
  }
  const isOfTools =
    isAnswered &&
    blocks.every(({ type, from, to }) => type !== 'text' || noWords.test(own.slice(from, to)));
  const role = isOfTools ? 'tool' : (roles[speaker] ?? 'assistant');
  return createMessage(role, parts, { span: spanOf(start, end) });
}

/** Blank lines, and the line between two messages. */
const noWords = /^[\s-]*$/;
const elementStart = /^<(tool-use|think|environment_details)\b/gm;

/** How exports of Cline and Roo Code mark what is sent as the user, which is also what tools gave. */
const userHeader = '**User:**';
/** `[read_file for 'a.ts'] Result:` */
const textHead = '[a-z]+(?:_[a-z]+)+(?:\\] Result:| (?:for|to) )';
/** `[Tool]`, or `[read_file (Error)]` */
const blockHead = '(?:Tool|[a-z]+(?:_[a-z]+)+)(?: \\(Error\\))?\\](?=\\r?\\n|$)';
const firstResult = new RegExp(`^\\s*\\[(?:${textHead}|${blockHead})`);
/** Elements with what the user said to a tool. */
const userTags = 'answer|feedback|task|user_message';
const userElements = new Set(userTags.split('|'));
const resultStart = new RegExp(
  `^(?:\\[(?:${textHead}|${blockHead})|<(tool-use|think|environment_details|${userTags})\\b)`,
  'gm',
);

interface Block {
  readonly type: 'text' | 'tool_result' | 'thinking';
  readonly from: number;
  readonly to: number;
}

/**
 * Calls with their results, thoughts, and what Cline adds to each message are elements within it. After the head
 * of a result, what is in no element is of a tool.
 */
function splitBlocks(text: string, starts: RegExp): Block[] {
  const blocks: Block[] = [];
  const add = (type: Block['type'], from: number, to: number): void => {
    if (to > from) blocks.push({ type, from, to });
  };
  let between: Block['type'] = 'text';
  let at = 0;
  for (const { 1: name, index } of text.matchAll(starts)) {
    // A tag within a block is part of it.
    if (index < at) continue;
    if (name === undefined) {
      add(between, at, index);
      between = 'tool_result';
      at = index;
      continue;
    }
    const close = text.indexOf(`</${name}>`, index);
    if (close < 0) break;
    const newline = text.indexOf('\n', close);
    const to = newline < 0 ? text.length : newline + 1;
    add(between, at, index);
    add(typeOfElement(name), index, to);
    at = to;
  }
  add(between, at, text.length);
  return blocks;
}

function typeOfElement(name: string): Block['type'] {
  if (userElements.has(name)) return 'text';
  return name === 'think' ? 'thinking' : 'tool_result';
}

function writeText(
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
    sessionNames.test(name) ||
    text
      .slice(start, start + maxFirstLineChars)
      .trimStart()
      .startsWith(sessionStart),
  read: file => readText('aider', 'aider', file),

  write(history, edits, options) {
    const { name } = history.file;
    const written = compactedName(sessionNames.test(name) ? name : sessionName);
    const path = options.asCopy ? name : written;
    const shell = `aider --restore-chat-history --chat-history-file ${written}`;
    const session = writeText(path, history, edits, `Run “${shell}” in the folder of the chat.`);
    return { ...session, continueBy: { ...session.continueBy, shell } };
  },
};

const plainTextFormat = (
  id: string,
  label: string,
  detect: HistoryFormat['detect'],
): HistoryFormat => ({
  id,
  label,
  isReadOnly: false,
  detect,
  read: file => readText(id, label, file),
  write: (history, edits, options) =>
    writeText(
      options.asCopy ? history.file.name : compactedName(history.file.name),
      history,
      edits,
      'Paste the new text into a chat.',
    ),
});

export const markdown = plainTextFormat('markdown', 'Markdown', ({ name }) =>
  /\.(?:md|markdown|mdx)$/i.test(name),
);

/** A file that looks like JSON is damaged or of an unknown tool, and is not treated as plain text. */
export const text = plainTextFormat(
  'text',
  'Plain text',
  file =>
    !/\.jsonl?$/i.test(file.name) &&
    !/^\s*(?:\{\s*"|\[\s*[{\]])/.test(
      file.text.slice(file.start, file.start + maxFirstLineChars),
    ) &&
    isText(file.text),
);
