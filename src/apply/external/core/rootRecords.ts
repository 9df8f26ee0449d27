import { isRecord } from '../../../base/typeGuards';
import type { StoredAlignment } from './alignment/alignment';
import type { Content } from './content';
import type { NoTextReason } from './fileText';
import type {
  DecidedFile,
  FileUpdate,
  PlannedWrites,
  RootState,
  StoredDecision,
  TrackedFile,
  WriteLabel,
} from './rootState';

/** A record of a root's journal. */
export type RootRecord =
  /** The complete state; earlier records are ignored. */
  | { readonly kind: 'checkpoint'; readonly state: RootState }
  /** What happened to files. */
  | {
      readonly kind: 'files';
      readonly files: readonly FileUpdate[];
      /** Paths for which no decision can be undone any more. */
      readonly settled?: readonly string[];
      /** The user undid a decision by the editor's own undo. */
      readonly reverted?: { readonly decision: number; readonly path: string };
    }
  | { readonly kind: 'kept'; readonly at: number; readonly files: readonly DecidedFile[] }
  /** These writes are about to be made; the disk tells at the next start which of them were. */
  | { readonly kind: 'undoing'; readonly planned: PlannedWrites }
  | { readonly kind: 'undone'; readonly at: number; readonly files: readonly DecidedFile[] }
  /** A decision was undone, but for the paths that are left. */
  | {
      readonly kind: 'reverted';
      readonly decision: number;
      readonly files: readonly FileUpdate[];
      readonly left: readonly string[];
    };

/** The form in which a record is stored: JSON has no maps. */
export function toStoredRecord(record: RootRecord): unknown {
  if (record.kind !== 'checkpoint') return record;
  const { files, ...rest } = record.state;
  return { ...record, state: { ...rest, files: [...files] } };
}

/** A record from disk, which may have any shape; undefined when it is not one. */
export function readRootRecord(value: unknown): RootRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, state, files, settled, reverted, at, planned, decision, left } = value;
  switch (kind) {
    case 'checkpoint': {
      const read = readState(state);
      return read && { kind, state: read };
    }
    case 'files': {
      const updates = readList(files, readUpdate);
      const paths = settled === undefined ? [] : readList(settled, readPath);
      if (!updates || !paths) return undefined;
      const optional = { ...(paths.length > 0 && { settled: paths }) };
      if (reverted === undefined) return { kind, files: updates, ...optional };
      const path = isRecord(reverted) ? readPath(reverted['path']) : undefined;
      const id = isRecord(reverted) ? readCount(reverted['decision']) : undefined;
      if (path === undefined || id === undefined) return undefined;
      return { kind, files: updates, ...optional, reverted: { decision: id, path } };
    }
    case 'kept':
    case 'undone': {
      const decided = readList(files, readDecided);
      return decided && isTime(at) ? { kind, at, files: decided } : undefined;
    }
    case 'undoing': {
      const read = readPlanned(planned);
      return read && { kind, planned: read };
    }
    case 'reverted': {
      const updates = readList(files, readUpdate);
      const paths = readList(left, readPath);
      const id = readCount(decision);
      if (!updates || !paths || id === undefined) return undefined;
      return { kind, decision: id, files: updates, left: paths };
    }
    default:
      return undefined;
  }
}

function readState(value: unknown): RootState | undefined {
  if (!isRecord(value)) return undefined;
  const files = readList(value['files'], readUpdate);
  const decisions = readList(value['decisions'], readDecision);
  const planned = value['planned'] === undefined ? undefined : readPlanned(value['planned']);
  if (!files || !decisions || (value['planned'] !== undefined && !planned)) return undefined;
  const entries = files.flatMap(([path, file]) => (file ? [[path, file] as const] : []));
  return { files: new Map(entries), decisions, ...(planned && { planned }) };
}

function readDecision(value: unknown): StoredDecision | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, at } = value;
  const id = readCount(value['id']);
  const files = readList(value['files'], readDecided);
  if ((kind !== 'keep' && kind !== 'undo') || id === undefined || !files || !isTime(at)) {
    return undefined;
  }
  return { id, kind, at, files };
}

function readPlanned(value: unknown): PlannedWrites | undefined {
  if (!isRecord(value)) return undefined;
  const { at } = value;
  const files = readList(value['files'], readDecided);
  const reverts = value['reverts'] === undefined ? undefined : readCount(value['reverts']);
  if (!files || !isTime(at) || (value['reverts'] !== undefined && reverts === undefined)) {
    return undefined;
  }
  return { at, files, ...(reverts !== undefined && { reverts }) };
}

function readUpdate(value: unknown): FileUpdate | undefined {
  if (!Array.isArray(value)) return undefined;
  const path = readPath(value[0]);
  const file = value[1] === null ? null : readTrackedFile(value[1]);
  return path === undefined || file === undefined ? undefined : [path, file];
}

function readDecided(value: unknown): DecidedFile | undefined {
  if (!isRecord(value)) return undefined;
  const { buffer } = value;
  const path = readPath(value['path']);
  const before = readTrackedFile(value['before']);
  const after = readTrackedFile(value['after']);
  if (path === undefined || !before || !after) return undefined;
  if (buffer === undefined) return { path, before, after };
  if (!isRecord(buffer) || !isId(buffer['from']) || !isId(buffer['to'])) return undefined;
  return { path, before, after, buffer: { from: buffer['from'], to: buffer['to'] } };
}

function readTrackedFile(value: unknown): TrackedFile | undefined {
  if (!isRecord(value)) return undefined;
  const { isEdited, reason, isGenerated } = value;
  const baseline = readContent(value['baseline']);
  const now = readContent(value['now']);
  const labels = readList(value['labels'], readLabel);
  const alignment =
    value['alignment'] === undefined ? undefined : readStoredAlignment(value['alignment']);
  if (!baseline || !now || now.kind === 'unknown' || !labels) return undefined;
  if (value['alignment'] !== undefined && !alignment) return undefined;
  return {
    baseline,
    now,
    labels,
    ...(isEdited === true && { isEdited: true as const }),
    ...(isReason(reason) && { reason }),
    ...(isGenerated === true && { isGenerated: true as const }),
    ...(alignment && { alignment }),
  };
}

function readContent(value: unknown): Content | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, id } = value;
  if (kind === 'absent' || kind === 'unknown') return { kind };
  const size = readCount(value['size']);
  return kind === 'file' && isId(id) && size !== undefined ? { kind, id, size } : undefined;
}

function readLabel(value: unknown): WriteLabel | undefined {
  if (!isRecord(value)) return undefined;
  const { from, to, agent, session, turn, tool, isShared } = value;
  if (!isTime(from) || !isTime(to)) return undefined;
  return {
    from,
    to,
    ...(typeof agent === 'string' && { agent }),
    ...(typeof session === 'string' && { session }),
    ...(typeof turn === 'string' && { turn }),
    ...(typeof tool === 'string' && { tool }),
    ...(isShared === true && { isShared: true as const }),
  };
}

function readStoredAlignment(value: unknown): StoredAlignment | undefined {
  if (!isRecord(value)) return undefined;
  const parts = readList(value['parts'], readCount);
  const edited = readList(value['edited'], readCount);
  return parts && edited && { parts, edited };
}

function readList<T>(value: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: T[] = [];
  for (const item of value) {
    const one = read(item);
    if (one === undefined) return undefined;
    items.push(one);
  }
  return items;
}

/** A path that stays within the root. */
function readPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) return undefined;
  const isWithin = value.split('/').every(name => name !== '' && name !== '.' && name !== '..');
  return isWithin ? value : undefined;
}

const readCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** The file name of a stored content, so that nothing else may pass. */
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[\da-f]{40}|[\da-f]{64})$/.test(value);

const isReason = (value: unknown): value is NoTextReason =>
  value === 'binary' || value === 'encoding' || value === 'large';
