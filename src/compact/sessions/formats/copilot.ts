import {
  createCall,
  createItem,
  createMemberItem,
  createMessage,
  createPart,
  createTextPart,
  joinAssistant,
} from '../blocks';
import {
  applyToSpans,
  type EditPlan,
  editedCopy,
  type Patch,
  planEdits,
  resumedBy,
  setString,
} from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  isSafeId,
  UnsupportedHistory,
} from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, stringIn } from '../json';
import { endLine, linkLines, relinkLines } from '../lineTree';
import { SessionSizes, setNumbers } from '../sizes';
import { titleLine } from '../titles';

const keys = { id: 'id', parent: 'parentId' };
const command = 'copilot --resume';
/** Tokens of the instructions and tools of version 1.0 of the command line. */
const usualOverhead = 11_500;

/** Events after which the tool no longer sends what is before them, in a way that it does not tell. */
const rewriting = new Set([
  'session.compaction_complete',
  'session.snapshot_rewind',
  'session.truncation',
]);
/** Events that only sum up. */
const totals = new Set(['session.shutdown', 'session.resume', 'session.usage_info']);

const typeOf = ({ node }: JsonRecord) => stringIn(node, 'type') ?? '';
const dataOf = ({ node }: JsonRecord) => memberOf(node, 'data');

/** Sessions of the command line, and transcripts that Copilot keeps in VS Code. */
function reader(tool: string, label: string) {
  return (file: HistoryFile): History => {
    const { records, isCut } = file.recordsFor(label);
    const messages = joinAssistant(records.flatMap(readEvent));
    if (messages.length === 0) {
      throw new UnsupportedHistory(
        label,
        'the transcript has no messages',
        'Choose another session.',
      );
    }
    const start = records.find(record => typeOf(record) === 'session.start');
    const about = start && dataOf(start);
    const session = {
      sessionId: stringIn(about, 'sessionId'),
      workspace: stringIn(memberOf(about, 'context'), 'cwd'),
      startedAt: stringIn(about, 'startTime') ?? stringIn(start?.node, 'timestamp'),
    };
    return { tool, label, ...session, messages, isCut, notes: [], file, companions: [] };
  };
}

function readEvent(record: JsonRecord): HistoryMessage[] {
  const { node, item, span } = record;
  const data = dataOf(record);
  const content = memberOf(data, 'content');
  const at = stringIn(node, 'timestamp');
  const details = { id: stringIn(node, 'id'), at, span, items: [item] };
  const text = content?.type === 'string' ? [createTextPart('text', content, {})] : [];
  switch (typeOf(record)) {
    case 'user.message':
      return [createMessage('user', text, details)];
    case 'system.message':
      return [createMessage('system', text, details)];
    case 'assistant.message': {
      const said =
        content?.type === 'string' ? [createTextPart('text', content, { mayBeEmpty: true })] : [];
      const parts = [...thinkingOf(data), ...said, ...callsOf(data)];
      return [createMessage('assistant', parts, details)];
    }
    case 'tool.execution_complete':
      return [createMessage('tool', [resultOf(data, record)], details)];
    default:
      // Events of turns, hooks and tool starts only repeat what the others contain.
      return [];
  }
}

function thinkingOf(data: JsonNode | undefined): HistoryPart[] {
  const text = stringIn(data, 'reasoningText');
  const item = data && createMemberItem(data, 'reasoningText');
  return text === undefined ? [] : [createPart('thinking', text, item ? { items: [item] } : {})];
}

function callsOf(data: JsonNode | undefined): HistoryPart[] {
  const list = listIn(data, 'toolRequests');
  return (list?.items ?? []).map(call => {
    const args = memberOf(call, 'arguments');
    const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'toolCallId') };
    const location = list ? { items: [createItem(list, call)] } : {};
    return createCall(args, location, details);
  });
}

function resultOf(data: JsonNode | undefined, { item }: JsonRecord): HistoryPart {
  const callId = stringIn(data, 'toolCallId');
  const result = memberOf(data, 'result');
  const text =
    memberOf(result, 'content') ?? memberOf(memberOf(data, 'error'), 'message') ?? result;
  const shown = memberOf(result, 'detailedContent');
  const isSame = text?.type === 'string' && shown?.type === 'string' && shown.value === text.value;
  const location = { items: [item], ...(isSame ? { mirrors: [shown] } : {}) };
  return text?.type === 'string'
    ? createTextPart('tool_result', text, location, { callId })
    : createPart('other', '', location, { callId });
}

const isEvent = (node: JsonNode) =>
  /^(?:session\.start|user\.message)$/.test(stringIn(node, 'type') ?? '') &&
  memberOf(node, 'data')?.type === 'object';

function isOfCommandLine(node: JsonNode): boolean {
  const data = memberOf(node, 'data');
  return (
    stringIn(node, 'type') === 'session.start' &&
    stringIn(data, 'producer') === 'copilot-agent' &&
    // A transcript in VS Code has the same producer.
    stringIn(data, 'vscodeVersion') === undefined
  );
}

const transcriptLabel = 'Copilot transcript';

export const copilot: HistoryFormat = {
  id: 'copilot',
  label: transcriptLabel,
  // A copy: nothing reads it back.
  isReadOnly: true,
  detect: file => file.hasLine(isEvent) && !file.hasLine(isOfCommandLine),
  read: reader('copilot', transcriptLabel),
};

const label = 'Copilot CLI';

export const copilotCli: HistoryFormat = {
  id: 'copilotCli',
  label,
  isReadOnly: false,
  detect: file => file.hasLine(isOfCommandLine),
  read: reader('copilotCli', label),

  write(history, edits, options) {
    const { file, workspace } = history;
    const plan = planEdits(history, edits);
    const { records } = file.recordsFor(label);
    if (options.asCopy) {
      const links = relinkLines(records, plan.removed, keys);
      return editedCopy(command, history, [...plan.patches, ...links]);
    }
    if (records.some(record => rewriting.has(typeOf(record)))) {
      throw new UnsupportedHistory(
        label,
        'the tool has summarized or rewound this session, and does not note what it still sends',
        'Save it as Markdown.',
      );
    }
    const id = options.newId();
    const calls = callsLeft(records, plan);
    const kept = records.filter(record => {
      const callId = stringIn(dataOf(record), 'toolCallId');
      const isOfCall = typeOf(record).startsWith('tool.') && callId !== undefined;
      const isLeft = !isOfCall || calls.has(callId);
      return isLeft && !plan.removed.has(record.span) && !totals.has(typeOf(record));
    });
    const patches = [
      ...plan.patches,
      ...sentTexts(kept, plan.patches),
      ...linkLines(kept, keys),
      ...kept.flatMap(record => setString(dataOf(record), 'sessionId', id)),
      ...usagePatches(history, edits, kept),
    ];
    const spans = kept.map(({ span }) => span);
    const text = applyToSpans(file.text, patches, spans).map(endLine).join('');
    const session = resumedBy(command, id, { path: `../${id}/events.jsonl`, text });
    const about = {
      id,
      ...(workspace === undefined ? {} : { cwd: workspace }),
      name: titleLine(history),
      user_named: false,
      created_at: history.startedAt ?? options.now.toISOString(),
      updated_at: options.now.toISOString(),
    };
    // JSON values are YAML values as well.
    const lines = Object.entries(about).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
    return {
      files: [...session.files, { path: `../${id}/workspace.yaml`, text: lines.join('') }],
      continueBy: isSafeId(id)
        ? {
            sentence: session.continueBy.sentence.replace(`${command} ${id}`, `${command}=${id}`),
            shell: `${command}=${id}`,
          }
        : session.continueBy,
    };
  },
};

/** Calls whose request is left. */
function callsLeft(records: readonly JsonRecord[], { removed }: EditPlan): Set<string | undefined> {
  return new Set(
    records
      .filter(({ span }) => !removed.has(span))
      .flatMap(record => listIn(dataOf(record), 'toolRequests')?.items ?? [])
      .filter(call => !removed.has(call))
      .map(call => stringIn(call, 'toolCallId')),
  );
}

/** What is sent of a question is its text with notes of the tool around it. */
function sentTexts(records: readonly JsonRecord[], patches: readonly Patch[]): Patch[] {
  const changed = new Map(patches.map(({ start, text }) => [start, text]));
  return records.flatMap(record => {
    const content = memberOf(dataOf(record), 'content');
    const sent = memberOf(dataOf(record), 'transformedContent');
    const next = content && changed.get(content.start);
    if (next === undefined || content?.type !== 'string' || sent?.type !== 'string') return [];
    const text: unknown = JSON.parse(next);
    const [before, ...after] = sent.value.split(content.value);
    const whole = after.length === 1 ? `${before ?? ''}${String(text)}${after[0] ?? ''}` : text;
    return [{ start: sent.start, end: sent.end, text: JSON.stringify(whole) }];
  });
}

/** Figures of the size that is left. */
function usagePatches(history: History, edits: Edits, records: readonly JsonRecord[]): Patch[] {
  const noted = records.flatMap(record => {
    const usage = memberOf(dataOf(record), 'usage');
    const tokens = numberIn(usage, 'inputTokens') ?? 0;
    return usage && tokens > 0 ? [{ usage, offset: record.span.start, tokens }] : [];
  });
  // The tool sends instructions of its own, whatever became of those in the session.
  const isSent = (_: unknown, at: number): boolean => history.messages[at]?.role !== 'system';
  const sizes = new SessionSizes(
    { messages: history.messages.filter(isSent) },
    edits.filter(isSent),
    noted,
    usualOverhead,
  );
  return noted.flatMap(({ usage, offset }) =>
    setNumbers(usage, {
      inputTokens: sizes.requestAt(offset),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    }),
  );
}
