import type { HistoryFile, JsonRecord } from '../../historyFile';
import { isTrueIn, listIn, memberOf, stringIn } from '../../json';
import { withoutLines } from '../../lineTree';

export const label = 'Claude Code';
export const chainKeys = { id: 'uuid', parent: 'parentUuid' };

/** The session is a tree: each line names its parent, and messages that a rewind abandoned stay in the file. */
export interface Chain {
  readonly records: readonly JsonRecord[];
  /** What the model still sees, oldest first. */
  readonly active: readonly JsonRecord[];
  /** Where the tool does not look further back, newest first. */
  readonly ends: readonly ChainEnd[];
  readonly isCut: boolean;
}

export interface ChainEnd {
  /** The oldest line that the tool finds. */
  readonly first: JsonRecord;
  /** The line that was written before it. */
  readonly before: JsonRecord;
  /** The last of the messages that a summary kept; absent where it kept none. */
  readonly kept?: JsonRecord | undefined;
}

/** Messages that stay behind a summary although they stand before it in the file. */
interface KeptMessages {
  readonly head: JsonRecord;
  readonly tail: JsonRecord;
  /** The summary. */
  readonly anchor: JsonRecord;
}

export const isMessage = ({ node }: JsonRecord) => {
  const type = stringIn(node, 'type');
  return type === 'user' || type === 'assistant';
};
const isSidechain = ({ node }: JsonRecord) => isTrueIn(node, 'isSidechain');
export const uuidOf = ({ node }: JsonRecord) => stringIn(node, 'uuid');
export const parentOf = ({ node }: JsonRecord) => stringIn(node, 'parentUuid');
/** Stands where the tool replaced what is before it by a summary. */
const isBoundary = ({ node }: JsonRecord) => stringIn(node, 'subtype') === 'compact_boundary';

export function readChain(file: HistoryFile): Chain {
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
  const kept = keptBehind(leaf, byUuid);
  const before = (record: JsonRecord): JsonRecord | undefined => {
    const parent = record === kept?.head ? kept.anchor : byUuid.get(parentOf(record) ?? '');
    return kept && parent === kept.anchor && record !== kept.head ? kept.tail : parent;
  };
  const active = new Set<JsonRecord>();
  let first = leaf;
  for (let at = leaf; at && !active.has(at); at = before(at)) {
    active.add(at);
    first = at;
  }
  const ends = first ? endsOf(own, byUuid, active, first) : [];
  addSiblings(own, active);
  const sent = records.filter(record => active.has(record));
  return { records, active: kept ? behindSummary(sent, kept) : sent, ends, isCut };
}

/** The messages that the newest summary kept, of those before a line. */
function keptBehind(
  leaf: JsonRecord | undefined,
  byUuid: ReadonlyMap<string, JsonRecord>,
): KeptMessages | undefined {
  const seen = new Set<JsonRecord>();
  for (let at = leaf; at && !seen.has(at); at = byUuid.get(parentOf(at) ?? '')) {
    if (isBoundary(at)) return keptMessages(at, byUuid);
    seen.add(at);
  }
  return undefined;
}

/** The messages that a summary kept, if it did. Later ones go on from the last of them. */
function keptMessages(
  boundary: JsonRecord,
  byUuid: ReadonlyMap<string, JsonRecord>,
): KeptMessages | undefined {
  const range = memberOf(memberOf(boundary.node, 'compactMetadata'), 'preservedSegment');
  const named = (key: string) => byUuid.get(stringIn(range, key) ?? '');
  const [head, tail, anchor] = [named('headUuid'), named('tailUuid'), named('anchorUuid')];
  return head && tail && anchor ? { head, tail, anchor } : undefined;
}

/** The summary with its boundary comes before the messages that it kept. */
function behindSummary(
  sent: readonly JsonRecord[],
  { anchor }: KeptMessages,
): readonly JsonRecord[] {
  const start = sent.findLastIndex(isBoundary);
  const end = sent.indexOf(anchor) + 1;
  if (start < 0 || end <= start) return sent;
  return [...sent.slice(start, end), ...sent.slice(0, start), ...sent.slice(end)];
}

/** Where the chain ends although it goes on: at summaries, and at lines whose parent was never written. */
function endsOf(
  own: readonly JsonRecord[],
  byUuid: ReadonlyMap<string, JsonRecord>,
  active: ReadonlySet<JsonRecord>,
  oldest: JsonRecord,
): ChainEnd[] {
  const ends: ChainEnd[] = [];
  const seen = new Set(active);
  // Most sessions have no line to look for.
  let places: ReadonlyMap<JsonRecord, number> | undefined;
  /** The nearest line above that others can link to. */
  const above = (record: JsonRecord): JsonRecord | undefined => {
    places ??= new Map(own.map((each, at) => [each, at]));
    for (let at = (places.get(record) ?? 0) - 1; at >= 0; at--) {
      const other = own[at];
      if (other && uuidOf(other) !== undefined) return other;
    }
    return undefined;
  };
  let first = oldest;
  for (;;) {
    // A session that was begun again has a first line without any parent, and what is before it was abandoned.
    if (parentOf(first) === undefined && !isBoundary(first)) return ends;
    const kept = keptMessages(first, byUuid);
    const named = kept ? parentOf(kept.head) : stringIn(first.node, 'logicalParentUuid');
    const before = byUuid.get(named ?? '') ?? above(first);
    if (!before || seen.has(before)) return ends;
    ends.push({ first, before, kept: kept?.tail });
    for (let at: JsonRecord | undefined = before; at && !seen.has(at); ) {
      seen.add(at);
      first = at;
      at = byUuid.get(parentOf(at) ?? '');
    }
  }
}

/** Links the lines to what came before them, without summaries and their boundaries. */
export function linkEarlier(file: HistoryFile): string {
  const { records, ends } = readChain(file);
  const links = new Map(ends.map(({ first, before, kept }) => [first, uuidOf(kept ?? before)]));
  const boundaries = new Set([...links.keys()].filter(isBoundary));
  const uuids = new Set([...boundaries].map(uuidOf));
  const removed = records.filter(
    record =>
      boundaries.has(record) ||
      (isTrueIn(record.node, 'isCompactSummary') && uuids.has(parentOf(record) ?? '')),
  );
  return withoutLines(file.text, records, removed, chainKeys, links);
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
