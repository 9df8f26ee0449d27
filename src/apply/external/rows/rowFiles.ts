import { type Grouping, groupFiles, type ListedFile } from './groups';

/** What a command was called for. */
export interface PickedFiles<T extends ListedFile> {
  readonly files: readonly T[];
  /** The id of one change of the only file. */
  readonly change?: string;
}

/** Whether an item of the view, by its subject, stands for the files below it. */
export const isRowOfSeveral = (subject: string): boolean =>
  subject === 'external' || /^(?:group|generated):/.test(subject);

/** The files that an item of the view stands for, by its subject; undefined for one that is gone. */
export function filesOfRow<T extends ListedFile>(
  subject: string,
  files: readonly T[],
  grouping: Grouping,
): PickedFiles<T> | undefined {
  if (subject === 'external') return files.length > 0 ? { files } : undefined;
  const [, kind, groupId] = /^(group|generated):(.*)$/s.exec(subject) ?? [];
  if (kind !== undefined) {
    const inGroup =
      grouping === 'file'
        ? files
        : (groupFiles(files, grouping).find(({ id }) => id === groupId)?.files ?? []);
    const picked =
      kind === 'generated' ? inGroup.filter(({ pending }) => pending.isGenerated) : inGroup;
    return picked.length > 0 ? { files: picked } : undefined;
  }
  const mark = subject.indexOf('#');
  const id = mark < 0 ? subject : subject.slice(0, mark);
  const file = files.find(each => each.id === id);
  if (!file) return undefined;
  return { files: [file], ...(mark >= 0 && { change: subject.slice(mark + 1) }) };
}
