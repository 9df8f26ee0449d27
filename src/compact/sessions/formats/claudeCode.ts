import { append } from '../../../base/arrays';
import { sentence } from '../../../base/sentence';
import { contentParts, createMessage, joinGroup } from '../blocks';
import {
  applyPatches,
  applyToSpans,
  cut,
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
  requireMessages,
  unknownEntry,
} from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { isTrueIn, listIn, memberOf, numberIn, stringIn } from '../json';
import { endLine, relinkLines, setParent } from '../lineTree';
import { clearList, SessionSizes, setNumbers } from '../sizes';

const label = 'Claude Code';
const command = 'claude --resume';
const keys = { id: 'uuid', parent: 'parentUuid' };
/** Tokens of the instructions and tools of version 2.1. */
const usualOverhead = 20_000;

/** The session is a tree: each line names its parent, and messages that a rewind abandoned stay in the file. */
interface Chain {
  readonly records: readonly JsonRecord[];
  /** From the first message that the model still sees to the last, in the order of the file. */
  readonly active: readonly JsonRecord[];
  /** Lines that the tool does not look behind, newest first, and the line that came before each. */
  readonly ends: readonly (readonly [first: JsonRecord, before: JsonRecord])[];
  readonly isCut: boolean;
}

const isMessage = ({ node }: JsonRecord) => {
  const type = stringIn(node, 'type');
  return type === 'user' || type === 'assistant';
};
const isSidechain = ({ node }: JsonRecord) => isTrueIn(node, 'isSidechain');
const uuidOf = ({ node }: JsonRecord) => stringIn(node, 'uuid');
const parentOf = ({ node }: JsonRecord) => stringIn(node, 'parentUuid');
/** Stands where the tool replaced what is before it by a summary. */
const isBoundary = ({ node }: JsonRecord) => stringIn(node, 'subtype') === 'compact_boundary';

function readChain(file: HistoryFile): Chain {
  const { records, isCut } = file.recordsFor(label, { skipsDamaged: true });
  const byUuid = new Map<string, JsonRecord>();
  let leaf: JsonRecord | undefined;
  const own = records.filter(isOfChain(records));
  for (const record of own) {
    const uuid = uuidOf(record);
    if (uuid === undefined) continue;
    byUuid.set(uuid, record);
    if (isMessage(record)) leaf = record;
  }
  const active = new Set<JsonRecord>();
  let first = leaf;
  for (let at = leaf; at && !active.has(at); at = byUuid.get(parentOf(at) ?? '')) {
    active.add(at);
    first = at;
  }
  const ends = first ? endsOf(own, byUuid, active, first) : [];
  addSiblings(own, active);
  return { records, active: records.filter(record => active.has(record)), ends, isCut };
}

/** Where the chain ends although it goes on: at summaries, and at lines whose parent was never written. */
function endsOf(
  own: readonly JsonRecord[],
  byUuid: ReadonlyMap<string, JsonRecord>,
  active: ReadonlySet<JsonRecord>,
  first: JsonRecord,
): [first: JsonRecord, before: JsonRecord][] {
  const ends: [JsonRecord, JsonRecord][] = [];
  const seen = new Set(active);
  let at = first;
  for (;;) {
    // A session that was begun again has a first line without any parent, and what is before it was abandoned.
    if (parentOf(at) === undefined && !isBoundary(at)) return ends;
    const named = byUuid.get(stringIn(at.node, 'logicalParentUuid') ?? '');
    const before = named ?? own.slice(0, own.indexOf(at)).findLast(record => uuidOf(record));
    if (!before || seen.has(before)) return ends;
    ends.push([at, before]);
    for (let next: JsonRecord | undefined = before; next && !seen.has(next); ) {
      seen.add(next);
      at = next;
      next = byUuid.get(parentOf(next) ?? '');
    }
  }
}

/** Links the lines to what came before them, without summaries and their boundaries. */
function withEarlier(file: HistoryFile): string {
  const { records, ends } = readChain(file);
  const links = new Map(ends.map(([first, before]) => [first, uuidOf(before)]));
  const removed = new Map<string, JsonRecord>();
  const boundaries = new Set([...links.keys()].filter(isBoundary).map(uuidOf));
  for (const record of records) {
    const isSummary =
      isTrueIn(record.node, 'isCompactSummary') && boundaries.has(parentOf(record) ?? '');
    const uuid = uuidOf(record);
    if (uuid !== undefined && (boundaries.has(uuid) || isSummary)) removed.set(uuid, record);
  }
  const linkOf = (record: JsonRecord): string | undefined => {
    const parent = links.get(record) ?? parentOf(record);
    const gone = removed.get(parent ?? '');
    return gone ? linkOf(gone) : parent;
  };
  const patches = records.flatMap(record => {
    if (removed.get(uuidOf(record) ?? '') === record) return [cut(record.span)];
    const link = linkOf(record);
    return link === parentOf(record) ? [] : setParent(record, keys.parent, link);
  });
  return applyPatches(file.text, patches);
}

/** Lines of sub-agents are left out, except in the file of a sub-agent, which holds no others. */
function isOfChain(records: readonly JsonRecord[]): (record: JsonRecord) => boolean {
  const isOfAgent = records.every(record => !isMessage(record) || isSidechain(record));
  return record => isOfAgent || !isSidechain(record);
}

/**
 * Adds lines that are not ancestors of the last one but belong to its conversation: each block of an
 * answer is a line, and parallel calls create branches, so the other blocks of an answer and the results
 * of its calls would be missing.
 */
function addSiblings(records: readonly JsonRecord[], active: Set<JsonRecord>): void {
  const answers = new Set<string>();
  for (const { node } of active) {
    const id = stringIn(memberOf(node, 'message'), 'id');
    if (id !== undefined && stringIn(node, 'type') === 'assistant') answers.add(id);
  }
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const record of records) {
    if (!isMessage(record) || uuidOf(record) === undefined) continue;
    const message = memberOf(record.node, 'message');
    const blocks = listIn(message, 'content')?.items ?? [];
    if (stringIn(record.node, 'type') === 'assistant') {
      if (!active.has(record) && !answers.has(stringIn(message, 'id') ?? '')) continue;
      active.add(record);
      for (const block of blocks) {
        if (stringIn(block, 'type') === 'tool_use') calls.add(stringIn(block, 'id') ?? '');
      }
      continue;
    }
    // What the user said when refusing a call is on the line of its result.
    const ids = blocks.flatMap(block => stringIn(block, 'tool_use_id') ?? []);
    const isAnswer = ids.length > 0 && ids.every(id => calls.has(id));
    if (!active.has(record) && !(isAnswer && !ids.some(id => results.has(id)))) continue;
    active.add(record);
    for (const id of ids) results.add(id);
  }
}

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

function asSummary(part: HistoryPart): HistoryPart {
  return { ...part, type: 'summary', isEditable: false, isPinned: true };
}

/** Member of a result line: the `uuid` of the line with its call. */
const callerKey = 'sourceToolAssistantUUID';
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
  withEarlier,

  write(history, edits, options) {
    const { file } = history;
    const plan = planEdits(history, edits);
    const { records, active } = readChain(file);
    if (options.asCopy) {
      return editedCopy(command, history, [
        ...plan.patches,
        ...relinkLines(records, plan.removed, keys),
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
        ...setParent(record, keys.parent, parent),
        ...setString(record.node, 'sessionId', sessionId),
        // It names a line that is not in the new session.
        ...replaceMember(record, 'logicalParentUuid', 'null'),
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
      text: lines.map(endLine).join(''),
    });
  },
};

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
