import {
  asSummary,
  contentParts,
  createCall,
  createItem,
  createMessage,
  createPart,
  joinAssistant,
} from '../blocks';
import {
  editedCopy,
  linesToAddTo,
  type Patch,
  planEdits,
  replaceIds,
  resumedBy,
  withoutRecords,
} from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type Item,
  requireMessages,
  requireSessionId,
  unknownEntry,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';
import { SessionSizes, setNumbers } from '../sizes';

const label = 'Codex';
const command = 'codex resume';
/** Tokens of the instructions and tools of version 0.169. */
const usualOverhead = 12_000;

const callTypes = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'tool_search_call',
]);
const resultTypes = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'tool_search_output',
]);
/** Kept whole: calls that the provider ran itself, encrypted items, and bookkeeping. */
const wholeTypes = new Set([
  'web_search_call',
  'image_generation_call',
  'ghost_snapshot',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'agent_message',
  'other',
]);
/** Texts with the role `user` that the tool wrote. */
const ownTexts =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|skills?|turn_aborted)\b|# AGENTS\.md instructions)/;
/** How a summary begins, which Codex puts among the messages of the user (`SUMMARY_PREFIX` in its source). */
const ownSummary =
  /^Another language model started to solve this problem and produced a summary of its thinking process\./;

/** A line of the session, or an item of a compacted history that replaced earlier lines. */
interface Entry {
  readonly node: JsonNode;
  readonly item: Item;
  readonly at: string | undefined;
}

/** The first line of a session of before September 2025: items followed it as lines of their own. */
const isEarlyStart = (node: JsonNode | undefined) =>
  stringIn(node, 'id') !== undefined &&
  stringIn(node, 'timestamp') !== undefined &&
  memberOf(node, 'instructions') !== undefined &&
  memberOf(node, 'type') === undefined;

function readEarly(file: HistoryFile): History {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const [start] = records;
  const items = records.filter(({ node }) => stringIn(node, 'type') !== undefined);
  const messages = joinAssistant(
    items.map(({ node, item }) => readEntry({ node, item, at: stringIn(node, 'timestamp') })),
  );
  requireMessages(label, messages);
  const session = {
    sessionId: stringIn(start?.node, 'id'),
    startedAt: stringIn(start?.node, 'timestamp'),
  };
  return {
    tool: 'codexEarly',
    label,
    ...session,
    messages,
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

function read(file: HistoryFile): History {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  let entries: Entry[] = [];
  let hasEarlier = false;
  for (const { node, item } of records) {
    const payload = memberOf(node, 'payload');
    const at = stringIn(node, 'timestamp');
    const type = stringIn(node, 'type');
    if (type === 'response_item' && payload) {
      entries.push({ node: payload, item, at });
    } else if (type === 'compacted') {
      hasEarlier ||= entries.length > 0;
      const list = listIn(payload, 'replacement_history');
      entries = list ? list.items.map(one => ({ node: one, item: createItem(list, one), at })) : [];
      const summary = memberOf(payload, 'message');
      // Older builds store only the summary, without what they add to it when sending.
      if (!list && summary?.type === 'string') entries.push({ node: summary, item, at });
    } else if (type === 'event_msg' && stringIn(payload, 'type') === 'thread_rolled_back') {
      dropLastTurns(entries, numberIn(payload, 'num_turns') ?? 0);
    }
  }
  const messages = joinAssistant(entries.map(readEntry));
  requireMessages(label, messages);
  const meta = records.find(({ node }) => stringIn(node, 'type') === 'session_meta')?.node;
  const about = memberOf(meta, 'payload');
  const session = {
    sessionId: stringIn(about, 'id'),
    workspace: stringIn(about, 'cwd'),
    startedAt: stringIn(about, 'timestamp') ?? stringIn(meta, 'timestamp'),
  };
  return {
    tool: 'codex',
    label,
    ...session,
    messages,
    hasEarlier,
    isCut,
    notes: [],
    file,
    companions: [],
  };
}

function withEarlier(file: HistoryFile): string {
  const { records } = file.recordsFor(label, { skipsDamaged: true });
  const summaries = records.filter(({ node }) => stringIn(node, 'type') === 'compacted');
  return withoutRecords(file.text, summaries);
}

function isOfUser({ node }: Entry): boolean {
  const text = stringIn(listIn(node, 'content')?.items[0], 'text') ?? '';
  return stringIn(node, 'role') === 'user' && !ownTexts.test(text);
}

function dropLastTurns(entries: Entry[], count: number): void {
  for (let left = count; left > 0 && entries.length > 0; ) {
    const entry = entries.pop();
    if (entry && isOfUser(entry)) left--;
  }
}

function readEntry({ node, item, at }: Entry): HistoryMessage {
  const details = { id: stringIn(node, 'id'), at, span: item.node, items: [item] };
  if (node.type === 'string') {
    return createMessage('user', [createPart('summary', node.value, { items: [item] })], details);
  }
  const type = stringIn(node, 'type');
  const callId = stringIn(node, 'call_id') ?? stringIn(node, 'id');
  const location = { items: [item] };
  if (type === 'message') {
    const role = stringIn(node, 'role');
    const parts = contentParts(memberOf(node, 'content'), { tool: label, parent: item });
    if (role === 'developer' || role === 'system') return createMessage('system', parts, details);
    if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
    if (role === 'user' && ownSummary.test(parts[0]?.text ?? '')) {
      return createMessage(role, parts.map(asSummary), details);
    }
    const isOwn = role === 'user' && ownTexts.test(parts[0]?.text ?? '');
    return createMessage(isOwn ? 'system' : role, parts, details);
  }
  if (type === 'reasoning') {
    const blocks = [
      ...(listIn(node, 'summary')?.items ?? []),
      ...(listIn(node, 'content')?.items ?? []),
    ];
    const text = blocks.map(block => stringIn(block, 'text') ?? '').join('\n');
    return createMessage('assistant', [createPart('thinking', text, location)], details);
  }
  if (type !== undefined && callTypes.has(type)) {
    const input =
      memberOf(node, 'arguments') ?? memberOf(node, 'input') ?? memberOf(node, 'action');
    const name = stringIn(node, 'name');
    return createMessage('assistant', [createCall(input, location, { name, callId })], details);
  }
  if (type !== undefined && resultTypes.has(type)) {
    const output = memberOf(node, 'output');
    // An older shape puts the text one level down.
    const content = output?.type === 'object' ? memberOf(output, 'content') : output;
    const options = { tool: label, type: 'tool_result', callId, ...location } as const;
    const parts = contentParts(content, options);
    const whole = createPart('other', '', location, { callId });
    return createMessage('tool', parts.length > 0 ? parts : [whole], details);
  }
  if (type !== undefined && wholeTypes.has(type)) {
    return createMessage('assistant', [createPart('other', '', location)], details);
  }
  throw unknownEntry(label, 'An item', type);
}

export const codex: HistoryFormat = {
  id: 'codex',
  label,
  isReadOnly: false,

  detect: file =>
    file.hasLine(
      node =>
        stringIn(node, 'type') === 'session_meta' && memberOf(node, 'payload')?.type === 'object',
    ),

  read,
  withEarlier,

  write(history, edits, options) {
    const { file } = history;
    const { patches } = planEdits(history, edits);
    if (options.asCopy) return editedCopy(command, history, patches);
    const sessionId = requireSessionId(history);
    const id = options.newId();
    // Ids are replaced only outside of messages, where they are not part of the text.
    const records = file
      .recordsFor(label, { skipsDamaged: true })
      .records.filter(({ node }) => stringIn(node, 'type') !== 'response_item');
    const ids = replaceIds(
      records.map(({ node }) => node),
      new Map([[sessionId, id]]),
    );
    const time = options.now.toISOString().slice(0, 19).replaceAll(':', '-');
    return resumedBy(command, id, {
      path: `rollout-${time}-${id}.jsonl`,
      text: linesToAddTo(history, [...patches, ...ids, ...usagePatches(history, edits)]),
    });
  },
};

export const codexEarly: HistoryFormat = {
  id: 'codexEarly',
  label,
  // Later versions of Codex do not read it, so there is nothing to write back; it can be continued as a new session.
  isReadOnly: true,
  detect: ({ first }) => isEarlyStart(first),
  read: readEarly,
};

/** Figures of the size that is left: the tool compacts by the latest of them. */
function usagePatches(history: History, edits: Edits): Patch[] {
  const noted = history.file
    .recordsFor(label, { skipsDamaged: true })
    .records.flatMap(({ node, span }) => {
      const payload = memberOf(node, 'payload');
      const isCount = stringIn(payload, 'type') === 'token_count';
      if (!isCount && stringIn(node, 'type') !== 'token_usage_record') return [];
      const about = isCount ? memberOf(payload, 'info') : payload;
      const last = memberOf(about, isCount ? 'last_token_usage' : 'usage');
      const tokens = numberIn(last, 'input_tokens');
      if (!about || tokens === undefined) return [];
      return [{ about, offset: span.start, tokens }];
    });
  // Instructions that are missing, such as those of skills, are sent again.
  const sent = history.messages.map(({ role, parts }, at) =>
    role === 'system' ? parts.map(({ text }) => text) : (edits[at] ?? []),
  );
  const sizes = new SessionSizes(history, sent, noted, usualOverhead);
  return noted.flatMap(({ about, offset }) => {
    const input = sizes.requestAt(offset);
    const figures = {
      input_tokens: input,
      cached_input_tokens: 0,
      cache_write_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
      total_tokens: input,
    };
    return usageMembers.flatMap(key => setNumbers(memberOf(about, key), figures));
  });
}

const usageMembers = [
  'last_token_usage',
  'total_token_usage',
  'usage',
  'turn_token_usage',
  'thread_token_usage',
];
