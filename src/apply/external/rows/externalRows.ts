import { changesText, filesText } from '../../../base/format/counts';
import { labelText, type Translate } from '../../../base/format/text';
import { recentTimeText } from '../../../base/format/times';
import { contextValue } from '../../../platform/commands/contextValue';
import type { RowData } from '../../../platform/tree/rows';
import { agentName } from '../agents/core/hookEvents';
import type { ExternalChange } from '../core/fileChanges';
import type { PendingFile } from '../core/tracker';
import { type FileGroup, type Grouping, groupFiles, type ListedFile } from './groups';

/** What menus can test on an item of an external change. */
export type ExternalFlag =
  | 'external'
  | 'externalGroup'
  | 'externalFile'
  | 'externalChange'
  | 'externalFolded'
  | 'externalConflict'
  | 'externalQueued';

export interface ExternalRowsInput<T extends ListedFile> {
  readonly files: readonly T[];
  /** How many there are, also those that a filter leaves out. */
  readonly total: number;
  readonly grouping: Grouping;
  /** The changes of a file as far as they are known yet. */
  readonly changesOf: (file: T) => readonly ExternalChange[] | undefined;
  /** Whether the editor has unsaved text over other bytes than those on disk. */
  readonly isInConflict: (file: T) => boolean;
  /** Undos wait for the end of an agent's turn. */
  readonly isQueued: (file: T) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly locale: string | undefined;
  readonly t: Translate;
  /** Opens a file, with the id of a change as second argument. */
  readonly showCommand: string;
}

/** More groups, files or changes than these are closed at first. */
const maxOpenFiles = 20;

/** Tree items of changes that other programs made on disk. */
export function externalRows<T extends ListedFile>(input: ExternalRowsInput<T>): RowData[] {
  const { files, grouping, t } = input;
  if (files.length === 0) return [];
  const label = t('Changed outside of the editor');
  const facts = [
    files.length < input.total
      ? t('{0} of {1} files', files.length, input.total)
      : filesText(files.length, t),
  ];
  return [
    {
      id: 'external',
      subject: 'external',
      context: contextValue<ExternalFlag>('external'),
      label,
      description: facts.join(' · '),
      spoken: [label, ...facts].join(', '),
      icon: { id: 'desktop-download' },
      fold: 'open',
      children:
        grouping === 'file'
          ? fileRows(
              files.toSorted((a, b) => (a.label < b.label ? -1 : 1)),
              'all',
              input,
            )
          : groupFiles(files, grouping).map(group => groupRow(group, input)),
    },
  ];
}

function groupRow<T extends ListedFile>(group: FileGroup<T>, input: ExternalRowsInput<T>): RowData {
  const { t, now, locale } = input;
  const from = recentTimeText(group.from, now, locale);
  const to = recentTimeText(group.to, now, locale);
  const time = from === to ? from : t('{0} to {1}', from, to);
  const who = group.agent === undefined ? t('Another program') : agentName(group.agent);
  const label = t('{0}, {1}', who, time);
  const facts = [
    filesText(group.files.length, t),
    ...(group.isShared ? [t('several at once')] : []),
  ];
  return {
    id: `external:${group.id}`,
    subject: `group:${group.id}`,
    context: contextValue<ExternalFlag>('externalGroup'),
    label,
    description: facts.join(' · '),
    tooltip: [
      label,
      ...facts,
      ...(group.isShared
        ? [t('More than one agent was at work, so the name may be that of another one.')]
        : []),
    ].join('\n'),
    spoken: [label, ...facts].join(', '),
    icon: { id: group.agent === undefined ? 'terminal' : 'hubot' },
    fold: 'open',
    children: fileRows(group.files, group.id, input),
  };
}

/** Files that programs generate are folded into one item. */
function fileRows<T extends ListedFile>(
  files: readonly T[],
  groupId: string,
  input: ExternalRowsInput<T>,
): RowData[] {
  const { t } = input;
  const generated = files.filter(({ pending }) => pending.isGenerated);
  const others = files.filter(({ pending }) => !pending.isGenerated);
  const isOpen = others.length <= maxOpenFiles;
  const rows = others.map(file => fileRow(file, groupId, isOpen, input));
  if (generated.length === 0) return rows;
  const label = t('Generated and lock files');
  const facts = filesText(generated.length, t);
  return [
    ...rows,
    {
      id: `external:${groupId}:generated`,
      subject: `generated:${groupId}`,
      context: contextValue<ExternalFlag>('externalFolded'),
      label,
      description: facts,
      spoken: `${label}, ${facts}`,
      icon: { id: 'package' },
      fold: 'closed',
      children: generated.map(file => fileRow(file, groupId, false, input)),
    },
  ];
}

function fileRow<T extends ListedFile>(
  file: T,
  groupId: string,
  isOpen: boolean,
  input: ExternalRowsInput<T>,
): RowData {
  const { t, showCommand } = input;
  const { pending } = file;
  const changes = pending.whole === undefined ? input.changesOf(file) : undefined;
  const size = changes && sizeOf(changes);
  const isInConflict = input.isInConflict(file);
  const isQueued = input.isQueued(file);
  const words = [
    isQueued ? t('undone at the end of the turn') : undefined,
    wholeText(pending, t),
    changes && changesText(changes.length, t),
    changes && changes.every(({ isWhitespace }) => isWhitespace)
      ? t('white space only')
      : undefined,
    pending.isEdited ? t('edited by you') : undefined,
    isInConflict ? t('unsaved text of yours') : undefined,
  ];
  const name = file.label.slice(file.label.lastIndexOf('/') + 1);
  const folder = file.label.slice(0, Math.max(0, file.label.length - name.length - 1));
  const sign = size && `+${size.added} −${size.removed}`;
  return {
    id: `external:${groupId}:${file.id}`,
    subject: file.id,
    context: contextValue<ExternalFlag>(
      'externalFile',
      ...(isInConflict ? ['externalConflict' as const] : []),
      ...(isQueued ? ['externalQueued' as const] : []),
    ),
    label: labelText(name),
    description: [...words, sign, labelText(folder)].filter(Boolean).join(' · '),
    tooltip: [file.label, ...words, sign].filter(Boolean).join('\n'),
    spoken: [
      file.label,
      ...words,
      size && t('lines added: {0}, removed: {1}', size.added, size.removed),
    ]
      .filter(Boolean)
      .join(', '),
    icon: isInConflict
      ? { id: 'warning', color: 'list.warningForeground' }
      : { id: isQueued ? 'clock' : icons[pending.status] },
    command: { id: showCommand, title: t('Open Changes'), args: [file.id] },
    ...(changes &&
      changes.length > 0 && {
        fold: isOpen && changes.length <= maxOpenFiles ? 'open' : 'closed',
        children: changes.map(change => changeRow(file, groupId, change, input)),
      }),
  };
}

function changeRow<T extends ListedFile>(
  file: T,
  groupId: string,
  change: ExternalChange,
  { t, showCommand }: ExternalRowsInput<T>,
): RowData {
  const { lines, baseLines } = change;
  const label = t('Line {0}', change.start + 1);
  const text = (lines.find(isWord) ?? baseLines.find(isWord) ?? '').trim();
  const space = change.isWhitespace ? t('white space only') : undefined;
  const edited = change.isEdited ? t('edited by you') : undefined;
  return {
    id: `external:${groupId}:${file.id}:${change.id}`,
    subject: `${file.id}#${change.id}`,
    context: contextValue<ExternalFlag>('externalChange'),
    label,
    description: [`+${lines.length} −${baseLines.length}`, space, edited, labelText(text)]
      .filter(Boolean)
      .join(' · '),
    spoken: [
      label,
      t('lines added: {0}, removed: {1}', lines.length, baseLines.length),
      space,
      edited,
      labelText(text),
    ]
      .filter(Boolean)
      .join(', '),
    icon: {
      id:
        lines.length === 0
          ? 'diff-removed'
          : baseLines.length === 0
            ? 'diff-added'
            : 'diff-modified',
    },
    command: { id: showCommand, title: t('Open Changes'), args: [file.id, change.id] },
  };
}

const isWord = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

const icons = {
  changed: 'diff-modified',
  created: 'diff-added',
  deleted: 'diff-removed',
  renamed: 'diff-renamed',
} as const;

export function sizeOf(changes: readonly ExternalChange[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines, baseLines } of changes) {
    added += lines.length;
    removed += baseLines.length;
  }
  return { added, removed };
}

/** Why a file is decided as a whole; undefined for one that is decided change by change. */
export function wholeText({ whole, from }: PendingFile, t: Translate): string | undefined {
  switch (whole) {
    case 'created':
      return t('new file');
    case 'deleted':
      return t('deleted');
    case 'renamed':
      return t('renamed from {0}', from ?? '');
    case 'binary':
      return t('binary');
    case 'encoding':
      return t('not UTF-8');
    case 'large':
      return t('too large to be shown by change');
    case 'unknown':
      return t('no earlier text is known');
    case 'lost':
      return t('the earlier text is lost');
    default:
      return undefined;
  }
}
