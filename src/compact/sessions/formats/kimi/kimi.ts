import { isRecord, parseJson, textOf } from '../../../../base/typeGuards';
import {
  asSummary,
  contentParts,
  createCall,
  createItem,
  createMessage,
  createPart,
  partsOfBlock,
} from '../../blocks';
import {
  applyToSpans,
  editedCopy,
  type Patch,
  planEdits,
  resumedBy,
  setString,
  withoutRecords,
} from '../../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  isoTime,
  type NewSession,
  requireMessages,
  requireSessionId,
  unknownEntry,
  type WriteOptions,
} from '../../history';
import type { HistoryFile, JsonRecord } from '../../historyFile';
import { listIn, memberOf, numberIn, stringIn } from '../../json';
import { endLine } from '../../lineTree';
import { SessionSizes, setNumbers } from '../../sizes';
import { titleLine } from '../../titles';
import {
  Context,
  type ContextMessage,
  eventOf,
  eventType,
  isFigure,
  isPart,
  isSaid,
  isSummaryLine,
  isTyped,
  keepsTail,
  lineType,
  originKind,
} from './context';

const label = 'Kimi Code';
const command = 'kimi --session';
/** Tokens of the instructions and tools of version 2.1. */
const usualOverhead = 18_000;
/** The log of an agent, in a folder with its name in that of the agents of a session. */
export const kimiLog = 'wire.jsonl';
/** About the session. */
export const kimiAbout = '../../state.json';

interface Session {
  readonly records: readonly JsonRecord[];
  readonly messages: readonly ContextMessage[];
  readonly hasEarlier: boolean;
  readonly isCut: boolean;
}

function readSession(file: HistoryFile): Session {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const context = new Context();
  for (const record of records) context.add(record);
  const messages = context.messages.filter(isSaid);
  return { records, messages, hasEarlier: context.hasEarlier, isCut };
}

/** The messages that a summary replaced, or that were cleared, are only followed by that. */
function withoutCompactions(file: HistoryFile): string {
  const { records } = file.recordsFor(label, { skipsDamaged: true });
  const ends = records.filter(one => isSummaryLine(one) || lineType(one) === 'context.clear');
  return withoutRecords(file.text, ends);
}

function read(file: HistoryFile, companions: readonly HistoryFile[] = []): History {
  const { records, messages, hasEarlier, isCut } = readSession(file);
  requireMessages(label, messages);
  const about = companions[0]?.json;
  const disclosed = records.findLast(({ node }) => memberOf(node, 'environmentDisclosure'));
  const [id, agents] = file.path.split(/[\\/]/).slice(-4);
  const agent = messages[0] && stringIn(messages[0].head.node, 'agentId');
  return {
    tool: 'kimi',
    label,
    sessionId: agents === 'agents' ? id : stringIn(about, 'id'),
    title: stringIn(about, 'title'),
    workspace:
      stringIn(about, 'cwd') ?? stringIn(memberOf(disclosed?.node, 'environmentDisclosure'), 'cwd'),
    startedAt: isoTime(numberIn(file.first, 'created_at')),
    ...(agent === undefined || agent === mainAgent ? {} : { isOfSubAgent: true }),
    messages: messages.map(readMessage),
    hasEarlier,
    isCut,
    notes: [],
    file,
    companions,
  };
}

const mainAgent = 'main';

function readMessage(message: ContextMessage): HistoryMessage {
  const { head, lines } = message;
  const { node, span, item } = head;
  const details = { at: isoTime(numberIn(node, 'time')), span, items: [item] };
  if (isSummaryLine(head)) {
    const summary = stringIn(node, 'contextSummary') ?? stringIn(node, 'summary');
    const old = contentParts(memberOf(memberOf(node, 'summary'), 'content'), { tool: label });
    const text = summary ?? old.map(part => part.text).join('');
    return createMessage('user', [createPart('summary', text, { items: [item] })], details);
  }
  switch (eventType(head)) {
    case undefined:
      return readSaid(head);
    case 'tool.result': {
      const output = memberOf(memberOf(eventOf(head), 'result'), 'output');
      const callId = stringIn(eventOf(head), 'toolCallId');
      const options = { tool: label, type: 'tool_result', callId, items: [item] } as const;
      const parts = contentParts(output, options);
      const own =
        parts.length > 0 ? parts : [createPart('other', '', { items: [item] }, { callId })];
      return createMessage('tool', own, details);
    }
    default: {
      const others = lines.filter(line => !isPart(line)).map(line => line.item);
      const items = [item, ...others];
      return createMessage('assistant', lines.filter(isPart).flatMap(readPart), {
        ...details,
        items,
      });
    }
  }
}

function readPart(record: JsonRecord): HistoryPart[] {
  const event = eventOf(record);
  const location = { items: [record.item] };
  if (eventType(record) === 'tool.call') {
    const details = { name: stringIn(event, 'name'), callId: stringIn(event, 'toolCallId') };
    return [createCall(memberOf(event, 'args'), location, details)];
  }
  const block = memberOf(event, 'part');
  return block
    ? partsOfBlock(block, { tool: label, ...location })
    : [createPart('other', '', location)];
}

function readSaid(record: JsonRecord): HistoryMessage {
  const { node, item } = record;
  const message = memberOf(node, 'message');
  const role = stringIn(message, 'role');
  const callId = role === 'tool' ? stringIn(message, 'toolCallId') : undefined;
  // The line of a result goes as a whole.
  const place =
    role === 'tool' ? { type: 'tool_result' as const, callId, items: [item] } : { parent: item };
  const said = contentParts(memberOf(message, 'content'), { tool: label, ...place });
  const calls = listIn(message, 'toolCalls');
  const called = (calls?.items ?? []).map(call => {
    // In the first version, they were as the provider has them.
    const own = memberOf(call, 'function') ?? call;
    const details = { name: stringIn(own, 'name'), callId: stringIn(call, 'id') };
    const items = calls ? [createItem(calls, call)] : [];
    return createCall(memberOf(own, 'arguments'), { items }, details);
  });
  const parts = [...said, ...called];
  const all = parts.length > 0 ? parts : [createPart('other', '', { items: [item] }, { callId })];
  const details = {
    id: stringIn(message, 'id'),
    at: isoTime(numberIn(node, 'time')),
    span: record.span,
    items: [item],
  };
  if (originKind(record) === 'compaction_summary')
    return createMessage('user', all.map(asSummary), details);
  if (role === 'user') return createMessage(isTyped(record) ? 'user' : 'tool', all, details);
  if (role === 'system') return createMessage('system', all, { ...details, items: [] });
  if (role !== 'assistant' && role !== 'tool') throw unknownEntry(label, 'A role', role);
  return createMessage(role, all, details);
}

/** Notes about turns and requests, what was sent to a screen, and work that goes on beside the chat. */
const noteTypes =
  /^(?:agent|context|cron|full_compaction|interaction|llm|prompt|task|token_counting|turn|usage)\./;

function write(history: History, edits: Edits, options: WriteOptions): NewSession {
  const { file } = history;
  const plan = planEdits(history, edits);
  if (options.asCopy) return editedCopy(command, history, plan.patches);
  const old = requireSessionId(history);
  const { records, messages } = readSession(file);
  const left = messages.filter(({ head }) => !plan.removed.has(head.span));
  const sent = new Set(left.flatMap(({ head, lines }) => [head, ...lines]));
  const kept = records.filter(record =>
    sent.has(record) ? !plan.removed.has(record.span) : !noteTypes.test(lineType(record) ?? ''),
  );
  const id = `session_${options.newId()}`;
  const patches = [
    ...plan.patches,
    ...kept.flatMap(({ node }) => setString(node, 'agentId', mainAgent)),
    ...summaryPatches(left),
    ...usagePatches(history, edits, left),
  ];
  const lines = applyToSpans(
    file.text,
    patches,
    kept.map(({ span }) => span),
  );
  const folder = `../../../${id}`;
  const own = `${folder}/agents/${mainAgent}`;
  const text = lines.map(endLine).join('');
  const session = resumedBy(command, id, { path: `${own}/${kimiLog}`, text });
  const about = { path: `${folder}/state.json`, text: aboutSession(history, old, id, options.now) };
  const blobs = new Set([...text.matchAll(blobName)].map(([, name]) => `blobs/${name ?? ''}`));
  return {
    ...session,
    files: [...session.files, about],
    copies: [...blobs].map(from => ({ from, path: `${own}/${from}` })),
    within: '../../..',
  };
}

/** Images are files beside the log, which names them by their type and hash. */
const blobName = /;([0-9a-f]{64})"/g;

/** What the tool lists: that of the session with ids, a title and times of its own. */
function aboutSession(history: History, old: string, id: string, now: Date): string {
  const about = parseJson(history.companions[0]?.text ?? '');
  const own = isRecord(about) ? about : { cwd: history.workspace };
  const agents = isRecord(own['agents']) ? own['agents'] : {};
  const main = isRecord(agents[mainAgent]) ? agents[mainAgent] : {};
  const homedir = textOf(main['homedir'])?.replace(old, id);
  const title = history.title ?? titleLine(history);
  const times = { createdAt: now.getTime(), updatedAt: now.getTime() };
  const only = { [mainAgent]: { ...main, ...(homedir ? { homedir } : {}), type: 'main' } };
  return JSON.stringify({
    version: 2,
    custom: {},
    ...own,
    ...times,
    id,
    title,
    archived: false,
    agents: only,
  });
}

/** How many messages a summary finds before it in the file, and keeps. */
function summaryPatches(left: readonly ContextMessage[]): Patch[] {
  const at = left.findIndex(({ head }) => isSummaryLine(head));
  return left
    .slice(at, at + 1)
    .flatMap(({ head: { node } }) =>
      setNumbers(node, { compactedCount: 0, count: 0, keptUserMessageCount: at }),
    );
}

/** Figures of the size that is left: the tool summarizes by those of the last answer. */
function usagePatches(history: History, edits: Edits, left: readonly ContextMessage[]): Patch[] {
  const noted = left.flatMap(({ head, lines }, at) => {
    const end = lines.find(line => eventType(line) === 'step.end');
    const usage = end && memberOf(eventOf(end), 'usage');
    const tokens = ['inputOther', 'inputCacheRead', 'inputCacheCreation']
      .map(key => numberIn(usage, key) ?? 0)
      .reduce((sum, value) => sum + value, 0);
    // A line of the tool itself follows its summary.
    const isBehind = left.slice(0, at).some(one => isSummaryLine(one.head) && !keepsTail(one.head));
    const length = at + (isBehind ? 2 : 1);
    const figure = lines.find(isFigure)?.node;
    return usage && tokens > 0 ? [{ usage, figure, length, offset: head.span.start, tokens }] : [];
  });
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  return noted.flatMap(({ usage, figure, length, offset }) => {
    const [input, output] = [sizes.requestAt(offset), sizes.answerAt(offset)];
    return [
      ...setNumbers(usage, { inputOther: input, output, inputCacheRead: 0, inputCacheCreation: 0 }),
      ...setNumbers(figure, { length, tokens: input + output }),
    ];
  });
}

export const kimi: HistoryFormat = {
  id: 'kimi',
  label,
  isReadOnly: false,
  detect: ({ first }) =>
    stringIn(first, 'type') === 'metadata' &&
    stringIn(first, 'protocol_version') !== undefined &&
    numberIn(first, 'created_at') !== undefined,
  read,
  withEarlier: withoutCompactions,
  write,
};
