import {
  contentParts,
  createItem,
  createMessage,
  createPart,
  createTextPart,
  partsOfBlock,
} from '../blocks';
import { applyPatches, editedCopy, type Patch, planEdits, resumedBy, setString } from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  type Item,
  isoTime,
  requireMessages,
  requireSessionId,
  UnsupportedHistory,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';
import { SessionSizes, setNumbers } from '../sizes';

const label = 'Cline 3';
const command = 'cline --id';
/** Tokens of the instructions and tools of version 3.0. */
const usualOverhead = 6000;

function read(file: HistoryFile, companions: readonly HistoryFile[] = []): History {
  const list = listIn(file.json, 'messages');
  requireMessages(label, list?.items ?? []);
  const messages = (list?.items ?? []).map(node =>
    readMessage(node, list && createItem(list, node)),
  );
  const about = companions[0]?.json;
  const started = numberIn(list?.items[0], 'ts');
  return {
    tool: 'clineSession',
    label,
    sessionId: stringIn(file.json, 'sessionId'),
    title: stringIn(memberOf(about, 'metadata'), 'title'),
    workspace: stringIn(about, 'workspace_root') ?? stringIn(about, 'cwd'),
    startedAt: isoTime(started),
    messages,
    isCut: false,
    notes: [],
    file,
    companions,
  };
}

function readMessage(node: JsonNode, item: Item | undefined): HistoryMessage {
  const role = stringIn(node, 'role');
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const ts = numberIn(node, 'ts');
  const details = {
    id: stringIn(node, 'id'),
    at: isoTime(ts),
    span: node,
    items: item ? [item] : [],
  };
  const content = memberOf(node, 'content');
  const parts =
    content?.type === 'list'
      ? content.items.flatMap(block => blockParts(block, createItem(content, block, item)))
      : contentParts(content, { tool: label, parent: item });
  const isResult = parts.length > 0 && parts.every(({ callId }) => callId !== undefined);
  return createMessage(role === 'user' && isResult ? 'tool' : role, parts, details);
}

/** A result may be a list of what each command gave. */
function blockParts(block: JsonNode, item: Item): HistoryPart[] {
  const results = listIn(block, 'content');
  const isOwn =
    stringIn(block, 'type') === 'tool_result' &&
    (results?.items.some(one => stringIn(one, 'type') === undefined) ?? false);
  if (!isOwn || !results) {
    return partsOfBlock(block, { tool: label, items: [item] });
  }
  const callId = stringIn(block, 'tool_use_id');
  return results.items.map(one => {
    const text = memberOf(one, 'result') ?? memberOf(one, 'error');
    return text?.type === 'string'
      ? createTextPart('tool_result', text, { items: [item] }, { callId })
      : createPart('other', '', { items: [item] }, { callId });
  });
}

export const clineSession: HistoryFormat = {
  id: 'clineSession',
  label,
  isReadOnly: false,
  detect: ({ json }) =>
    stringIn(json, 'sessionId') !== undefined &&
    stringIn(json, 'agent') !== undefined &&
    (listIn(json, 'messages')?.items.every(node => stringIn(node, 'role') !== undefined) ?? false),
  read,

  write(history, edits, options) {
    const { patches } = planEdits(history, edits);
    if (options.asCopy) return editedCopy(command, history, patches);
    const { file } = history;
    const about = history.companions[0];
    if (about?.json?.type !== 'object') {
      throw new UnsupportedHistory(
        label,
        'the file beside it that tells the tool about the session is missing',
        'Save the result as a file instead.',
      );
    }
    const sessionId = requireSessionId(history);
    // As the tool names its sessions: a folder with a file for the messages and one that lists them.
    const id = `${options.now.getTime()}_${options.newId().slice(0, 5)}`;
    const usage = usagePatches(history, edits);
    const own = [
      ...setString(file.json, 'sessionId', id),
      ...setString(memberOf(file.json, 'origin'), 'sessionId', id),
    ];
    const text = applyPatches(file.text, [...patches, ...own, ...usage.messages]);
    const session = resumedBy(command, id, { path: `../${id}/${id}.messages.json`, text });
    const listed = applyPatches(about.text, [
      ...aboutPatches(about.json, sessionId, id, options.now.toISOString()),
      ...usage.about,
    ]);
    return { ...session, files: [...session.files, { path: `../${id}/${id}.json`, text: listed }] };
  },
};

function aboutPatches(about: JsonNode, oldId: string, id: string, now: string): Patch[] {
  // Paths of the files of the session: the old ones would be written to.
  const paths = ['messages_path', 'compaction_path'].flatMap(key =>
    setString(about, key, (stringIn(about, key) ?? '').replaceAll(oldId, id)),
  );
  const times = ['started_at', 'ended_at'].flatMap(key => setString(about, key, now));
  return [...setString(about, 'session_id', id), ...paths, ...times];
}

/** Figures of the size that is left: of each answer, and of the session. */
function usagePatches(history: History, edits: Edits): { messages: Patch[]; about: Patch[] } {
  const noted = (listIn(history.file.json, 'messages')?.items ?? []).flatMap(node => {
    const usage = memberOf(node, 'metrics');
    const tokens = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens']
      .map(key => numberIn(usage, key) ?? 0)
      .reduce((sum, value) => sum + value, 0);
    return usage && tokens > 0 ? [{ usage, offset: node.start, tokens }] : [];
  });
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  const figuresAt = (offset: number) => ({
    inputTokens: sizes.requestAt(offset),
    outputTokens: sizes.answerAt(offset),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  });
  const last = noted.at(-1);
  const metadata = memberOf(history.companions[0]?.json, 'metadata');
  return {
    messages: noted.flatMap(({ usage, offset }) => setNumbers(usage, figuresAt(offset))),
    about: last
      ? ['usage', 'aggregateUsage'].flatMap(key =>
          setNumbers(memberOf(metadata, key), figuresAt(last.offset)),
        )
      : [],
  };
}
