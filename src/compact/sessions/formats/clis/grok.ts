import { parseJson } from '../../../../base/typeGuards';
import { isToolText } from '../../../core/toolTexts';
import {
  asSummary,
  contentParts,
  createCall,
  createItem,
  createMemberItem,
  createMessage,
  createPart,
  createTextPart,
} from '../../blocks';
import {
  applyPatches,
  applyToSpans,
  cutMembers,
  editedCopy,
  planEdits,
  resumedBy,
  setString,
} from '../../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  requireMessages,
  requireSessionId,
  unknownEntry,
} from '../../history';
import { HistoryFile, type JsonRecord } from '../../historyFile';
import { type JsonObject, listIn, memberOf, numberIn, stringIn } from '../../json';
import { endLine } from '../../lineTree';
import { SessionSizes, setNumbers } from '../../sizes';

const label = 'Grok';
const command = 'grok --resume';
/** The files of a session: what is sent, what is told of it, its figures, and what is shown. */
export const grokFiles = {
  sent: 'chat_history.jsonl',
  about: 'summary.json',
  figures: 'signals.json',
  shown: 'updates.jsonl',
} as const;
/** Tokens of the tools of version 1.0; the instructions are a line of the session. */
const usualOverhead = 9000;

const typeOf = ({ node }: JsonRecord) => stringIn(node, 'type');

function read(file: HistoryFile, companions: readonly HistoryFile[] = []): History {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const messages = records.map(readItem);
  requireMessages(label, messages);
  const about = companions.find(({ name }) => name === grokFiles.about)?.json;
  const info = memberOf(about, 'info');
  return {
    tool: 'grok',
    label,
    sessionId: stringIn(info, 'id'),
    title: stringIn(about, 'generated_title') || stringIn(about, 'session_summary') || undefined,
    workspace: stringIn(info, 'cwd'),
    startedAt: stringIn(about, 'created_at'),
    isOfSubAgent: stringIn(about, 'session_kind')?.startsWith('subagent') === true,
    messages,
    isCut,
    notes: [],
    file,
    companions,
  };
}

function readItem(record: JsonRecord): HistoryMessage {
  const { node, span, item } = record;
  const location = { items: [item] };
  const details = { span, items: [item] };
  const type = typeOf(record);
  switch (type) {
    case 'system':
      return createMessage('system', contentParts(memberOf(node, 'content'), { tool: label }), {
        span,
      });
    case 'user':
      return readUser(record);
    case 'assistant':
      return createMessage('assistant', answerParts(record), details);
    case 'tool_result': {
      const callId = stringIn(node, 'tool_call_id');
      const content = memberOf(node, 'content');
      const part =
        content?.type === 'string'
          ? createTextPart('tool_result', content, location, { callId })
          : createPart('other', '', location, { callId });
      return createMessage('tool', [part], details);
    }
    case 'reasoning': {
      const blocks = ['summary', 'content'].flatMap(key => listIn(node, key)?.items ?? []);
      const text = blocks.map(block => stringIn(block, 'text') ?? '').join('\n');
      return createMessage('assistant', [createPart('thinking', text, location)], details);
    }
    case 'backend_tool_call':
      return createMessage('assistant', [createPart('other', '', location)], details);
    default:
      throw unknownEntry(label, 'A line', type);
  }
}

/** What the tool wraps around the words of the user. */
const queryStart = '<user_query>\n';
const queryEnd = '\n</user_query>';

function readUser({ node, span, item }: JsonRecord): HistoryMessage {
  const parts = contentParts(memberOf(node, 'content'), { tool: label, parent: item }).map(
    withoutTag,
  );
  const own = parts.length > 0 ? parts : [createPart('other', '', { items: [item] })];
  const details = { span, items: [item] };
  const reason = stringIn(node, 'synthetic_reason');
  // The other one describes the machine.
  if (reason === 'compaction_meta' && own[0]?.text.startsWith('<user_info>') === false) {
    return createMessage('user', own.map(asSummary), details);
  }
  if (reason === 'project_instructions' || own.every(isOfTool)) {
    return createMessage('system', own, details);
  }
  // A task that ended, or another agent, said the rest.
  const isOfUser = reason === undefined || reason === 'interjection';
  return createMessage(isOfUser ? 'user' : 'tool', own, details);
}

function isOfTool({ type, text, location }: HistoryPart): boolean {
  return type === 'text' && location.written === undefined && isToolText(text);
}

/** The words of the user; what is around them is written again. */
function withoutTag(part: HistoryPart): HistoryPart {
  const { text, location } = part;
  const { literal, ...others } = location;
  if (!literal || !text.startsWith(queryStart) || !text.endsWith(queryEnd)) return part;
  const written = (next: string): string => JSON.stringify(`${queryStart}${next}${queryEnd}`);
  return {
    ...part,
    text: text.slice(queryStart.length, -queryEnd.length),
    location: { ...others, span: literal, written },
  };
}

function answerParts({ node, item }: JsonRecord): HistoryPart[] {
  const content = memberOf(node, 'content');
  const list = listIn(node, 'tool_calls');
  const calls = (list?.items ?? []).map(call => {
    const items = list ? [createItem(list, call, createMemberItem(node, 'tool_calls'))] : [];
    const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'id') };
    return createCall(memberOf(call, 'arguments'), { items }, details);
  });
  const isEmpty = content?.type !== 'string' || content.value === '';
  const said = isEmpty ? [] : [createTextPart('text', content, { mayBeEmpty: true })];
  const parts = [...said, ...calls];
  return parts.length > 0 ? parts : [createPart('other', '', { items: [item] })];
}

/** Members by which other tools, whose lines have the same types, name and date them. */
const othersKeys = ['id', 'uuid', 'role', 'message', 'timestamp'];

function isItem(node: JsonObject): boolean {
  const type = stringIn(node, 'type');
  const content = memberOf(node, 'content')?.type;
  const isOne =
    type === 'user'
      ? content === 'list'
      : (type === 'assistant' || type === 'tool_result') && content === 'string';
  return isOne && !othersKeys.some(key => node.members.has(key));
}

export const grok: HistoryFormat = {
  id: 'grok',
  label,
  isReadOnly: false,

  detect: file => file.hasLine(isItem),

  read,

  write(history, edits, options) {
    const { file, companions } = history;
    const plan = planEdits(history, edits);
    if (options.asCopy) return editedCopy(command, history, plan.patches);
    // The file beside it has the id, and the new session needs that file too.
    requireSessionId(history);
    const about = companions.find(({ name }) => name === grokFiles.about);
    const { records } = file.recordsFor(label, { skipsDamaged: true });
    const spans = records.filter(({ span }) => !plan.removed.has(span)).map(({ span }) => span);
    const text = applyToSpans(file.text, plan.patches, spans).map(endLine).join('');
    const id = options.newId();
    const now = options.now.toISOString();
    const path = `../${id}/${grokFiles.sent}`;
    const shown = shownLines(read(new HistoryFile(path, text)), {
      id,
      tokens: sizeLeft(history, edits),
      seconds: Math.floor(options.now.getTime() / 1000),
    });
    const { text: told = '', json } = about ?? {};
    const isInWorktree = stringIn(json, 'session_kind') === 'worktree';
    const summary = applyPatches(told, [
      ...setString(memberOf(json, 'info'), 'id', id),
      ...['updated_at', 'last_active_at'].flatMap(key => setString(json, key, now)),
      ...setNumbers(json, { num_messages: shown.length, num_chat_messages: spans.length }),
      ...cutMembers(json, isInWorktree ? originKeys : new Set([...originKeys, 'session_kind'])),
    ]);
    const session = resumedBy(command, id, { path, text });
    return {
      ...session,
      files: [
        ...session.files,
        { path: `../${id}/${grokFiles.about}`, text: summary },
        { path: `../${id}/${grokFiles.shown}`, text: shown.join('') },
      ],
    };
  },
};

/** What makes a session a fork, or one of a sub-agent, which the tool does not list. */
const originKeys = new Set([
  'parent_session_id',
  'forked_at',
  'hidden',
  'fork_context_source',
  'fork_parent_prompt_id',
  'inherited_prefix_len',
]);

/** The size of the context that is left. */
function sizeLeft(history: History, edits: Edits): number {
  const { companions, file } = history;
  const figures = companions.find(({ name }) => name === grokFiles.figures)?.json;
  const tokens = numberIn(figures, 'contextTokensUsed') ?? 0;
  const noted = tokens > 0 ? [{ offset: file.text.length, tokens }] : [];
  return new SessionSizes(history, edits, noted, usualOverhead).requestAt(file.text.length);
}

interface ShownSession {
  readonly id: string;
  readonly tokens: number;
  readonly seconds: number;
}

/** The lines of the file from which the tool shows a session, and takes how full the context is. */
function shownLines({ messages }: History, { id, tokens, seconds }: ShownSession): string[] {
  return messages
    .flatMap(({ role, parts }) => parts.flatMap(part => updatesOf(role, part)))
    .map(update => {
      const params = { sessionId: id, update, _meta: { totalTokens: tokens } };
      const line = { timestamp: seconds, method: 'session/update', params };
      return `${JSON.stringify(line)}\n`;
    });
}

const shownAs: Readonly<Record<string, string>> = {
  user: 'user_message_chunk',
  assistant: 'agent_message_chunk',
};

function updatesOf(role: HistoryMessage['role'], part: HistoryPart): object[] {
  const { type, text, name, callId, location } = part;
  const content = { type: 'text', text };
  if (type === 'tool_call') {
    const rawInput = parseJson(location.call?.quoted?.value ?? '');
    return [{ sessionUpdate: 'tool_call', toolCallId: callId, title: name, rawInput }];
  }
  if (type === 'tool_result') {
    const update = { sessionUpdate: 'tool_call_update', toolCallId: callId, status: 'completed' };
    return [{ ...update, content: [{ type: 'content', content }] }];
  }
  const sessionUpdate = shownAs[role];
  // Only words in the tag were typed by the user.
  const isSaid = type === 'text' && (role !== 'user' || location.written !== undefined);
  return isSaid && sessionUpdate !== undefined ? [{ sessionUpdate, content }] : [];
}
