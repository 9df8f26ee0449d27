import type { PendingFile } from '../core/tracker';

/** How the list of external changes is grouped. */
export type Grouping = 'turn' | 'agent' | 'file';
export const groupings: readonly Grouping[] = ['turn', 'agent', 'file'];

/** A pending file with the name that commands know it by. */
export interface ListedFile {
  /** URI of the file. */
  readonly id: string;
  /** Path as shown to the user. */
  readonly label: string;
  readonly pending: PendingFile;
}

export interface FileGroup<T extends ListedFile> {
  readonly id: string;
  /** Absent for writes that no hook has told about. */
  readonly agent?: string | undefined;
  /** Whether writers overlapped, so that the agent may be another one. */
  readonly isShared: boolean;
  /** Time of the first and of the last write, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Newest first. */
  readonly files: readonly T[];
}

/** Writes that nobody has labelled belong together when no more time lies between them, in milliseconds. */
const maxGapMs = 2 * 60_000;

/** Groups files by the turn or the agent that wrote them last; the newest group first. */
export function groupFiles<T extends ListedFile>(
  files: readonly T[],
  by: 'turn' | 'agent',
): FileGroup<T>[] {
  const sorted = files.toSorted((a, b) => timeOf(b) - timeOf(a) || compare(a.label, b.label));
  const groups = new Map<string, T[]>();
  let last: { readonly key: string; readonly at: number } | undefined;
  for (const file of sorted) {
    const label = file.pending.labels.at(-1);
    const at = timeOf(file);
    let key: string;
    if (label?.agent === undefined) {
      const isNear = last !== undefined && last.at - (label?.to ?? at) <= maxGapMs;
      key = by === 'agent' ? 'time' : isNear && last ? last.key : `time:${at}`;
      last = { key, at: label?.from ?? at };
    } else if (by === 'agent') key = `agent:${label.agent}`;
    else key = `turn:${label.agent}:${label.session ?? ''}:${label.turn ?? ''}`;
    const group = groups.get(key);
    if (group) group.push(file);
    else groups.set(key, [file]);
  }
  return [...groups].map(([id, members]) => {
    const labels = members.flatMap(({ pending }) => pending.labels.slice(-1));
    return {
      id,
      agent: labels[0]?.agent,
      isShared: labels.some(({ isShared }) => isShared === true),
      from: Math.min(...labels.map(({ from }) => from)),
      to: Math.max(...labels.map(({ to }) => to)),
      files: members,
    };
  });
}

const timeOf = ({ pending }: ListedFile): number => pending.labels.at(-1)?.to ?? 0;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
