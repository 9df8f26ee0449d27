import type { HistoryFile, JsonRecord } from '../../historyFile';
import { type JsonNode, listIn, memberOf, numberIn, stringIn } from '../../json';
import { lastBranch, withoutLines } from '../../lineTree';

/** The tools with this format: one is made from the other. */
export interface PiTool {
  readonly id: string;
  readonly label: string;
  readonly command: string;
  /** Tokens of the instructions and tools of version 0.73 of pi, and 18.2 of oh-my-pi. */
  readonly overhead: number;
}

const pi: PiTool = { id: 'pi', label: 'pi', command: 'pi --session', overhead: 2000 };
export const ohMyPiTool: PiTool = {
  id: 'ohMyPi',
  label: 'oh-my-pi',
  command: 'omp --resume',
  overhead: 15_000,
};

export const entryKeys = { id: 'id', parent: 'parentId' };

/** What an extension, or the tool after a failed answer, has the model get in place of messages, by their ids. */
type ContextEdits = ReadonlyMap<string, JsonRecord>;

export const typeOf = ({ node }: JsonRecord) => stringIn(node, 'type');
export const entryIdOf = ({ node }: JsonRecord) => stringIn(node, 'id');
export const isHeader = (node: JsonNode | undefined): boolean =>
  stringIn(node, 'type') === 'session' &&
  stringIn(node, 'id') !== undefined &&
  stringIn(node, 'cwd') !== undefined;
/** The first line of oh-my-pi has the title, and room for a longer one. */
const isTitle = (node: JsonNode | undefined): boolean =>
  stringIn(node, 'type') === 'title' && stringIn(node, 'pad') !== undefined;
/** `.omp` in the home, or `omp` where XDG_DATA_HOME is. */
const ohMyPiFolder = /[\\/]\.?omp[\\/]/;

/** Before it had a line for the title, oh-my-pi was only told from pi by its folder. */
export function toolOf({ first, path }: HistoryFile): PiTool {
  return isTitle(first) || ohMyPiFolder.test(path) ? ohMyPiTool : pi;
}

export function isSession(file: HistoryFile): boolean {
  return isHeader(file.first) || (isTitle(file.first) && file.hasLine(isHeader));
}

interface Session {
  /** The lines that are about the session: the title, and the one with its id. */
  readonly heads: readonly JsonRecord[];
  /** What the model is sent, and changes of settings; the summary where a new session has it. */
  readonly sent: readonly JsonRecord[];
  /** It comes first in what the model is sent, before the messages that it kept. */
  readonly summary?: JsonRecord;
  readonly edits: ContextEdits;
  readonly hasEarlier: boolean;
  readonly isOfSubAgent: boolean;
  readonly isCut: boolean;
}

const headTypes = new Set(['session', 'title']);

export function readSession(file: HistoryFile): Session {
  const { records, isCut } = file.recordsFor(toolOf(file).label, { skipsDamaged: true });
  const heads = records.filter(record => headTypes.has(typeOf(record) ?? ''));
  const entries = records.filter(record => !heads.includes(record));
  // The first version of the format had no tree.
  const hasTree = entries.some(record => entryIdOf(record) !== undefined);
  const branch = hasTree ? lastBranch(entries, entryKeys) : entries;
  const edits = contextEditsIn(branch);
  const isOut = (record: JsonRecord): boolean => isOmitted(record, edits);
  // Only the latest summary is sent, and nothing from before the context was cleared.
  const at = branch.findLastIndex(isStart);
  const start = branch[at];
  const summary = start && typeOf(start) === 'compaction' ? start : undefined;
  const after = branch.slice(at + 1);
  const kept = summary ? keptBy(summary, branch, at, records) : [];
  const all =
    summary && isReplaced(summary)
      ? [summary, ...kept, ...after]
      : [...kept, ...(summary ? [summary] : []), ...after];
  const sent = all.filter(record => !isOut(record));
  const isSent = new Set(sent);
  const hasEarlier = branch.some(
    record => typeOf(record) === 'message' && !isSent.has(record) && !isOut(record),
  );
  const isOfSubAgent = entries.some(record => typeOf(record) === 'session_init');
  const session = { heads, sent, edits, hasEarlier, isOfSubAgent, isCut };
  return summary ? { ...session, summary } : session;
}

function isStart(record: JsonRecord): boolean {
  return typeOf(record) === 'compaction' || typeOf(record) === 'reset_boundary';
}

const isNoStart = (record: JsonRecord): boolean => !isStart(record);

/** The summary has what the provider made of the messages, which is sent in their place. */
function isReplaced({ node }: JsonRecord): boolean {
  const replaced = memberOf(memberOf(node, 'preserveData'), 'openaiRemoteCompaction');
  return listIn(replaced, 'replacementHistory') !== undefined;
}

/** The lines before a summary that are sent as well. */
function keptBy(
  summary: JsonRecord,
  branch: readonly JsonRecord[],
  at: number,
  records: readonly JsonRecord[],
): readonly JsonRecord[] {
  const { node } = summary;
  const before = branch.slice(0, at);
  if (isReplaced(summary)) {
    const through = stringIn(node, 'providerReplayThroughEntryId');
    const last = before.findIndex(record => entryIdOf(record) === through);
    return last < 0 ? [] : before.slice(last + 1).filter(isNoStart);
  }
  const keptId = stringIn(node, 'firstKeptEntryId');
  const index = numberIn(node, 'firstKeptEntryIndex');
  const first = before.findIndex(record =>
    keptId === undefined ? record === records[index ?? -1] : entryIdOf(record) === keptId,
  );
  if (first < 0) return [];
  const kept = before.slice(first).filter(isNoStart);
  if (stringIn(memberOf(node, 'details'), 'kind') !== 'experimental-context-rollover') return kept;
  // The latest question is sent in any case.
  const asked = before.findLastIndex(isQuestion);
  const question = before[asked];
  const cleared = before.findLastIndex(record => typeOf(record) === 'reset_boundary');
  return question && asked < first && asked > cleared ? [question, ...kept] : kept;
}

function isQuestion({ node }: JsonRecord): boolean {
  return stringIn(memberOf(node, 'message'), 'role') === 'user';
}

/** The latest edit of a message counts. */
function contextEditsIn(branch: readonly JsonRecord[]): ContextEdits {
  return new Map(
    branch
      .filter(record => typeOf(record) === 'context_edit')
      .map(record => [stringIn(record.node, 'targetId') ?? '', record]),
  );
}

/** Whether the model no longer gets a message, or an edit says nothing of what it gets. */
function isOmitted(record: JsonRecord, edits: ContextEdits): boolean {
  const isEdit = typeOf(record) === 'context_edit';
  const target = isEdit ? stringIn(record.node, 'targetId') : entryIdOf(record);
  const edit = edits.get(target ?? '');
  const replacement = edit && memberOf(edit.node, 'replacement');
  const isNothing = replacement?.type === 'plain' && replacement.value === null;
  return isNothing || (isEdit && edit !== record);
}

export function withoutSummaries(file: HistoryFile): string {
  const { records } = file.recordsFor(toolOf(file).label, { skipsDamaged: true });
  return withoutLines(file.text, records, records.filter(isStart), entryKeys);
}
