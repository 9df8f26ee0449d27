import { append } from '../../../base/arrays';
import { sentence } from '../../../base/sentence';
import { asSummary, contentParts, createMessage, joinGroup } from '../blocks';
import {
  applyToSpans,
  cutMembers,
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
  requireMessages,
  type TextSpan,
  unknownEntry,
} from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { isTrueIn, listIn, memberOf, numberIn, stringIn } from '../json';
import { endLine, relinkLines, setParent } from '../lineTree';
import { clearList, SessionSizes, setNumbers } from '../sizes';
import {
  chainKeys,
  isMessage,
  label,
  linkEarlier,
  parentOf,
  readChain,
  uuidOf,
} from './claude/chain';

const command = 'claude --resume';
/** Tokens of the instructions and tools of version 2.1. */
const usualOverhead = 20_000;

function read(file: HistoryFile): History {
  const { records, active, ends, isCut } = readChain(file);
  const groups: HistoryMessage[][] = [];
  const answers = new Map<string, HistoryMessage[]>();
  for (const record of active) {
    if (!isMessage(record)) continue;
    const message = readMessage(record);
    const id = message.role === 'assistant' ? message.id : undefined;
    // The blocks of one answer are one message, even with results of its calls in between.
    const known = id === undefined ? undefined : answers.get(id);
    if (known) {
      known.push(message);
    } else {
      const group = [message];
      groups.push(group);
      if (id !== undefined) answers.set(id, group);
    }
  }
  const messages = groups.flatMap(joinGroup);
  requireMessages(label, messages);
  const uuids = new Set(active.map(uuidOf));
  const isLost = active.some(one => parentOf(one) !== undefined && !uuids.has(parentOf(one)));
  const hasEarlier = ends.length > 0;
  const notes =
    isLost && !hasEarlier ? [sentence('Some earlier lines of the session are missing.')] : [];
  return { ...describe(records), messages, hasEarlier, isCut, notes, file, companions: [] };
}

function describe(
  records: readonly JsonRecord[],
): Pick<History, 'tool' | 'label' | 'sessionId' | 'title' | 'workspace' | 'startedAt'> {
  const first = (key: string) => {
    for (const { node } of records) {
      const value = stringIn(node, key);
      if (value !== undefined) return { value };
    }
    return undefined;
  };
  const titled = records.findLast(
    ({ node }) => memberOf(node, 'customTitle') ?? memberOf(node, 'summary'),
  );
  const title = stringIn(titled?.node, 'customTitle') ?? stringIn(titled?.node, 'summary');
  const [sessionId, workspace, startedAt] = [first('sessionId'), first('cwd'), first('timestamp')];
  return {
    tool: 'claudeCode',
    label,
    ...(sessionId ? { sessionId: sessionId.value } : {}),
    title,
    ...(workspace ? { workspace: workspace.value } : {}),
    ...(startedAt ? { startedAt: startedAt.value } : {}),
  };
}

function readMessage(record: JsonRecord): HistoryMessage {
  const { node, item, span } = record;
  const message = memberOf(node, 'message');
  const role = stringIn(message, 'role');
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const content = memberOf(message, 'content');
  if (!content) throw unknownEntry(label, 'A message', undefined);
  const parts = contentParts(content, { tool: label, parent: item });
  const details = {
    id: stringIn(message, 'id') ?? uuidOf(record),
    at: stringIn(node, 'timestamp'),
    span,
    items: [item],
  };
  if (isTrueIn(node, 'isCompactSummary')) {
    return createMessage('user', parts.map(asSummary), details);
  }
  const isResult = parts.length > 0 && parts.every(({ callId }) => callId !== undefined);
  // Meta lines are added by the tool, not by the user.
  const isOfTool = role === 'user' && (isResult || isTrueIn(node, 'isMeta'));
  return createMessage(isOfTool ? 'tool' : role, parts, details);
}

/** Member of a result line: the `uuid` of the line with its call. */
const callerKey = 'sourceToolAssistantUUID';
/** Members of a boundary that name the messages that a summary kept. */
const keptKeys = new Set(['preservedSegment', 'preservedMessages']);
const titleTypes = new Set(['custom-title', 'ai-title']);

export const claudeCode: HistoryFormat = {
  id: 'claudeCode',
  label,
  isReadOnly: false,

  detect: file =>
    file.hasLine(
      node =>
        memberOf(node, 'sessionId') !== undefined &&
        memberOf(node, 'parentUuid') !== undefined &&
        memberOf(node, 'uuid') !== undefined &&
        stringIn(node, 'type') !== undefined &&
        memberOf(node, 'systemPayload') === undefined &&
        listIn(memberOf(node, 'message'), 'parts') === undefined,
    ),

  read,
  withEarlier: linkEarlier,

  write(history, edits, options) {
    const { file } = history;
    const plan = planEdits(history, edits);
    const { records, active } = readChain(file);
    if (options.asCopy) {
      return editedCopy(command, history, [
        ...plan.patches,
        ...relinkLines(records, plan.removed, chainKeys),
      ]);
    }
    const sessionId = options.newId();
    const kept = active.filter(({ span }) => !plan.removed.has(span));
    const fresh = kept.map(() => options.newId());
    const ids = new Map(kept.map((record, at) => [uuidOf(record) ?? '', fresh[at] ?? '']));
    let parent: string | undefined;
    const patches = kept.flatMap((record, at) => {
      const uuid = fresh[at] ?? '';
      const asker = ids.get(stringIn(record.node, callerKey) ?? '');
      const own = [
        ...setString(record.node, 'uuid', uuid),
        ...setParent(record, chainKeys.parent, parent),
        ...setString(record.node, 'sessionId', sessionId),
        // It names a line that is not in the new session.
        ...replaceMember(record, 'logicalParentUuid', 'null'),
        // The messages that it names are linked to the summary.
        ...cutMembers(memberOf(record.node, 'compactMetadata'), keptKeys),
        // Else the tool takes the session of a sub-agent for an empty one.
        ...replaceMember(record, 'isSidechain', 'false'),
        ...(asker === undefined ? [] : setString(record.node, callerKey, asker)),
      ];
      parent = uuid;
      return own;
    });
    const titles = [...titleTypes].flatMap(
      type => records.findLast(({ node }) => stringIn(node, 'type') === type) ?? [],
    );
    append(patches, usagePatches(history, edits, kept));
    append(
      patches,
      titles.flatMap(({ node }) => setString(node, 'sessionId', sessionId)),
    );
    const spans = [...kept, ...titles].map(({ span }) => span).sort((a, b) => a.start - b.start);
    const lines = applyToSpans(file.text, [...plan.patches, ...patches], spans);
    return resumedBy(command, sessionId, {
      path: `${sessionId}.jsonl`,
      text: inOrderOf(kept, spans, lines).map(endLine).join(''),
    });
  },
};

/** The lines in the order of the records, each with those that follow it in the file and are of no record. */
function inOrderOf(
  records: readonly JsonRecord[],
  spans: readonly TextSpan[],
  lines: readonly string[],
): string[] {
  const orderOf = new Map(records.map(({ span }, at) => [span, at]));
  let last = -1;
  return lines
    .map((line, at) => {
      const span = spans[at];
      last = (span && orderOf.get(span)) ?? last;
      return { line, order: last };
    })
    .toSorted((a, b) => a.order - b.order)
    .map(({ line }) => line);
}

/** Figures of the size that is left: the tool compacts by those of the last answer. */
function usagePatches(history: History, edits: Edits, records: readonly JsonRecord[]): Patch[] {
  const answers = records.flatMap(({ node, span }) => {
    const message = memberOf(node, 'message');
    const usage = memberOf(message, 'usage');
    const input = numberIn(usage, 'input_tokens');
    if (!usage || input === undefined) return [];
    const cached = ['cache_creation_input_tokens', 'cache_read_input_tokens']
      .map(key => numberIn(usage, key) ?? 0)
      .reduce((sum, tokens) => sum + tokens, 0);
    return [{ usage, id: stringIn(message, 'id'), offset: span.start, tokens: input + cached }];
  });
  const sizes = new SessionSizes(history, edits, answers, usualOverhead);
  const starts = new Map<string | undefined, number>();
  return answers.flatMap(({ usage, id, offset }) => {
    // Each block of an answer is a line with the figures of the whole.
    const start = id === undefined ? offset : (starts.get(id) ?? offset);
    starts.set(id, start);
    return [
      ...setNumbers(usage, {
        input_tokens: sizes.requestAt(start),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: sizes.answerAt(start),
      }),
      ...setNumbers(memberOf(usage, 'cache_creation'), {
        ephemeral_1h_input_tokens: 0,
        ephemeral_5m_input_tokens: 0,
      }),
      ...clearList(memberOf(usage, 'iterations')),
    ];
  });
}

function replaceMember({ node }: JsonRecord, key: string, text: string): Patch[] {
  const member = memberOf(node, key);
  return member ? [{ start: member.start, end: member.end, text }] : [];
}
