import { type Content, contentKey } from './content';
import type { NoTextReason } from './fileText';
import { mergeLabels } from './labels';
import { isPending, type RootState, type TrackedFile, type WriteLabel } from './rootState';

/** Why a file is decided as a whole; `lost`: the bytes of the baseline are gone. */
export type WholeReason = 'created' | 'deleted' | 'renamed' | NoTextReason | 'unknown' | 'lost';

/** A file that another program changed and that the user has not decided about. */
export interface PendingFile {
  /** Relative to the root, with '/'. */
  readonly path: string;
  readonly status: 'changed' | 'created' | 'deleted' | 'renamed';
  /** The path before a file was renamed. */
  readonly from?: string;
  /** Decided as a whole, and why; undefined when it is decided change by change. */
  readonly whole?: WholeReason;
  /** Why an editor cannot show it. */
  readonly noText?: NoTextReason;
  readonly baseline: Content;
  readonly now: Content;
  /** Another one whenever baseline or now change; a decision names the one that it was made on. */
  readonly version: string;
  readonly labels: readonly WriteLabel[];
  /** The user edited lines of a change. */
  readonly isEdited: boolean;
  /** A lock file, or written by a generator. */
  readonly isGenerated: boolean;
}

/**
 * @param renames paths before, by the paths now.
 * @param lost ids of contents that can be had from nowhere.
 * @returns sorted by path.
 */
export function pendingFilesOf(
  { files }: RootState,
  renames: ReadonlyMap<string, string>,
  lost: ReadonlySet<string>,
): PendingFile[] {
  const pending: PendingFile[] = [];
  const renamed = new Set(renames.values());
  for (const [path, file] of files) {
    if (!isPending(file) || renamed.has(path)) continue;
    const from = renames.get(path);
    const source = from === undefined ? undefined : files.get(from);
    pending.push(
      from !== undefined && source
        ? renamedFile(path, file, from, source)
        : pendingFile(path, file, lost),
    );
  }
  return pending.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function pendingFile(path: string, file: TrackedFile, lost: ReadonlySet<string>): PendingFile {
  const { baseline, now, labels } = file;
  const status =
    baseline.kind === 'absent' ? 'created' : now.kind === 'absent' ? 'deleted' : 'changed';
  const whole = wholeReason(file, status, lost);
  return {
    path,
    status,
    ...(whole && { whole }),
    ...(file.reason && { noText: file.reason }),
    baseline,
    now,
    version: versionOf(file),
    labels,
    isEdited: file.isEdited === true,
    isGenerated: file.isGenerated === true,
  };
}

function renamedFile(
  path: string,
  file: TrackedFile,
  from: string,
  source: TrackedFile,
): PendingFile {
  return {
    path,
    status: 'renamed',
    from,
    whole: 'renamed',
    ...(file.reason && { noText: file.reason }),
    baseline: source.baseline,
    now: file.now,
    version: `${versionOf(source)} ${versionOf(file)}`,
    labels: mergeLabels(source.labels, file.labels),
    isEdited: file.isEdited === true || source.isEdited === true,
    isGenerated: file.isGenerated === true,
  };
}

function wholeReason(
  { baseline, reason }: TrackedFile,
  status: PendingFile['status'],
  lost: ReadonlySet<string>,
): WholeReason | undefined {
  if (baseline.kind === 'unknown') return 'unknown';
  if (baseline.kind === 'file' && lost.has(baseline.id)) return 'lost';
  return status === 'created' || status === 'deleted' ? status : reason;
}

const versionOf = ({ baseline, now }: TrackedFile): string =>
  `${contentKey(baseline)}:${contentKey(now)}`;
