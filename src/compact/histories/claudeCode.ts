import { append } from '../../base/arrays';
import { contentParts, joinGroup, messageOf } from './blocks';
import { applyToSpans, editedCopy, type Patch, planEdits, resumedBy, setString } from './edit';
import type { HistoryFile, JsonRecord } from './file';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  requireMessages,
  type Span,
  unknown,
} from './history';
import { isTrueIn, listIn, memberOf, stringIn } from './json';

const label = 'Claude Code';
const command = 'claude --resume';

/** A tree: each line names its parent, and what a rewind left behind stays in the file. */
interface Chain {
  readonly records: readonly JsonRecord[];
  /** From the first message that the model still sees to the last, in the order of the file. */
  readonly active: readonly JsonRecord[];
  readonly isCut: boolean;
}

const isMessage = ({ node }: JsonRecord) => {
  const type = stringIn(node, 'type');
  return type === 'user' || type === 'assistant';
};
const isSide = ({ node }: JsonRecord) => isTrueIn(node, 'isSidechain');
const uuidOf = ({ node }: JsonRecord) => stringIn(node, 'uuid');
const parentOf = ({ node }: JsonRecord) => stringIn(node, 'parentUuid');

function readChain(file: HistoryFile): Chain {
  const { records, isCut } = file.recordsFor(label);
  const byUuid = new Map<string, JsonRecord>();
  let leaf: JsonRecord | undefined;
  for (const record of records) {
    const uuid = uuidOf(record);
    if (uuid === undefined || isSide(record)) continue;
    byUuid.set(uuid, record);
    if (isMessage(record)) leaf = record;
  }
  const active = new Set<JsonRecord>();
  for (let at = leaf; at && !active.has(at); at = byUuid.get(parentOf(at) ?? '')) active.add(at);
  addSiblings(records, active);
  return { records, active: records.filter(record => active.has(record)), isCut };
}

/**
 * Blocks of one answer are lines of their own, and calls made at the same time make branches: an
 * answer's other blocks and the results of its calls belong to it, though the last line's ancestors
 * pass them by.
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
    if (isSide(record) || !isMessage(record) || uuidOf(record) === undefined) continue;
    const message = memberOf(record.node, 'message');
    const blocks = listIn(message, 'content')?.items ?? [];
    if (stringIn(record.node, 'type') === 'assistant') {
      if (!active.has(record) && !answers.has(stringIn(message, 'id') ?? '')) continue;
      active.add(record);
      for (const block of blocks)
        if (stringIn(block, 'type') === 'tool_use') calls.add(stringIn(block, 'id') ?? '');
      continue;
    }
    const ids = blocks.map(block => stringIn(block, 'tool_use_id'));
    const isAnswer = ids.length > 0 && ids.every(id => id !== undefined && calls.has(id));
    if (!active.has(record) && !(isAnswer && !ids.some(id => results.has(id ?? '')))) continue;
    active.add(record);
    for (const id of ids) if (id !== undefined) results.add(id);
  }
}

function read(file: HistoryFile): History {
  const { records, active, isCut } = readChain(file);
  const groups: HistoryMessage[][] = [];
  const answers = new Map<string, HistoryMessage[]>();
  for (const record of active) {
    if (!isMessage(record)) continue;
    const message = readMessage(record);
    const id = message.role === 'assistant' ? message.id : undefined;
    // Blocks of one answer are one message; results of its calls may stand between them.
    const known = id === undefined ? undefined : answers.get(id);
    if (known) known.push(message);
    else {
      const group = [message];
      groups.push(group);
      if (id !== undefined) answers.set(id, group);
    }
  }
  const messages = groups.flatMap(joinGroup);
  requireMessages(label, messages);
  const uuids = new Set(active.map(uuidOf));
  const isLost = active.some(one => parentOf(one) !== undefined && !uuids.has(parentOf(one)));
  const notes = isLost ? ['Some earlier lines of the session are missing.'] : [];
  return { ...describe(records), messages, isCut, notes, file, beside: [] };
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
  if (role !== 'user' && role !== 'assistant') throw unknown(label, 'A role', role);
  const content = memberOf(message, 'content');
  if (!content) throw unknown(label, 'A message', undefined);
  const parts = contentParts(content, { tool: label, parent: item });
  const details = {
    id: stringIn(message, 'id') ?? uuidOf(record),
    at: stringIn(node, 'timestamp'),
    place: span,
    items: [item],
  };
  if (isTrueIn(node, 'isCompactSummary')) return messageOf('user', parts.map(asSummary), details);
  const isResult = parts.length > 0 && parts.every(({ callId }) => callId !== undefined);
  // Notes that the tool adds by itself are no words of the user.
  const isOfTool = role === 'user' && (isResult || isTrueIn(node, 'isMeta'));
  return messageOf(isOfTool ? 'tool' : role, parts, details);
}

function asSummary(part: HistoryPart): HistoryPart {
  return { ...part, type: 'summary', isEditable: false, isPinned: true };
}

/** Makes the children of lines that go children of the nearest line that stays. */
function relink(records: readonly JsonRecord[], removed: ReadonlySet<Span>): Patch[] {
  const parents = new Map<string, string | undefined>();
  for (const record of records) {
    const uuid = uuidOf(record);
    if (uuid !== undefined && removed.has(record.span)) parents.set(uuid, parentOf(record));
  }
  return records.flatMap(record => {
    const parent = parentOf(record);
    if (parent === undefined || !parents.has(parent) || removed.has(record.span)) return [];
    const seen = new Set<string>();
    let kept: string | undefined = parent;
    for (; kept !== undefined && parents.has(kept) && !seen.has(kept); kept = parents.get(kept))
      seen.add(kept);
    if (kept !== undefined && seen.has(kept)) kept = undefined;
    // The next one to ask need not go the whole way.
    for (const uuid of seen) parents.set(uuid, kept);
    return setParent(record, kept === uuidOf(record) ? undefined : kept);
  });
}

function setParent({ node }: JsonRecord, uuid: string | undefined): Patch[] {
  const member = memberOf(node, 'parentUuid');
  const text = JSON.stringify(uuid ?? null);
  if (member) return [{ start: member.start, end: member.end, text }];
  const start = node.start + 1;
  return [{ start, end: start, text: `"parentUuid":${text},` }];
}

/** Names the line with the call that a result is for. */
const caller = 'sourceToolAssistantUUID';
const titleTypes = new Set(['custom-title', 'ai-title']);

export const claudeCode: HistoryFormat = {
  id: 'claudeCode',
  label,
  isReadOnly: false,

  detect: file =>
    file.head.some(
      node =>
        node.members.has('sessionId') &&
        node.members.has('parentUuid') &&
        node.members.has('uuid') &&
        stringIn(node, 'type') !== undefined,
    ),

  read,

  write(history, edits, options) {
    const { file } = history;
    const plan = planEdits(history, edits);
    const { records, active } = readChain(file);
    if (options.asCopy)
      return editedCopy(command, history, [...plan.patches, ...relink(records, plan.removed)]);
    const sessionId = options.newId();
    const kept = active.filter(({ span }) => !plan.removed.has(span));
    const fresh = kept.map(() => options.newId());
    const ids = new Map(kept.map((record, at) => [uuidOf(record) ?? '', fresh[at] ?? '']));
    let parent: string | undefined;
    const patches = kept.flatMap((record, at) => {
      const uuid = fresh[at] ?? '';
      const asker = ids.get(stringIn(record.node, caller) ?? '');
      const own = [
        ...setString(record.node, 'uuid', uuid),
        ...setParent(record, parent),
        ...setString(record.node, 'sessionId', sessionId),
        ...dropLogicalParent(record),
        ...(asker === undefined ? [] : setString(record.node, caller, asker)),
      ];
      parent = uuid;
      return own;
    });
    const titles = [...titleTypes].flatMap(
      type => records.findLast(({ node }) => stringIn(node, 'type') === type) ?? [],
    );
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

/** It would name a line that is not in the new session. */
function dropLogicalParent({ node }: JsonRecord): Patch[] {
  const member = memberOf(node, 'logicalParentUuid');
  return member ? [{ start: member.start, end: member.end, text: 'null' }] : [];
}

function endLine(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`;
}
