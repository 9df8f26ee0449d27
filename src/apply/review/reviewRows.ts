import { changesText, filesText } from '../../base/format/counts';
import { labelText, type Translate } from '../../base/format/text';
import { timeOfDay } from '../../base/format/times';
import { contextValue } from '../../platform/commands/contextValue';
import type { RowData } from '../../platform/tree/rows';
import type { MergeFinding } from '../changeset/engine';
import type { ChangeSetRef, FileOperation } from './model/fileOperation';
import { auditText } from './model/findings';
import type { Hunk } from './model/reviewModel';

/** The part of a review that the Reviews view shows. */
export interface ListedReview {
  readonly id: string;
  readonly fileName: string;
  /** Path as shown to the user. */
  readonly label: string;
  /** `orphan`: the file no longer exists. */
  readonly state: 'pending' | 'dismissed' | 'done' | 'orphan';
  readonly model: { readonly hunks: readonly Hunk[] };
  readonly size: { readonly added: number; readonly removed: number };
  readonly origin: { readonly findings: readonly MergeFinding[] };
  readonly operation?: FileOperation | undefined;
  /** The answer that it belongs to, with the reviews of other files. */
  readonly changeSet?: ChangeSetRef | undefined;
}

/** What was not applied of an answer. */
export interface ListedRefusals {
  readonly setId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly parts: readonly {
    readonly part: string;
    readonly reason: string;
    readonly path?: string;
  }[];
}

/** What menus can test on an item of the view. */
export type ReviewFlag = 'set' | 'refused' | 'review' | 'change' | ListedReview['state'];

export interface ReviewRowsInput<T extends ListedReview> {
  readonly reviews: readonly T[];
  readonly refused: readonly ListedRefusals[];
  /** "merged locally in 12 ms" */
  readonly mergedBy: (review: T) => string;
  readonly t: Translate;
  readonly showCommand: string;
  readonly placeCommand: string;
}

/**
 * Tree items of the reviews and their undecided changes: first each answer with its files and what was not
 * applied, the newest first, then the reviews of single edits; pending reviews before closed ones.
 */
export function reviewRows<T extends ListedReview>(input: ReviewRowsInput<T>): RowData[] {
  const sets = new Map<string, { createdAt: number; reviews: T[]; refused?: ListedRefusals }>();
  for (const review of input.reviews) {
    const { changeSet } = review;
    if (!changeSet) continue;
    const set = sets.get(changeSet.id);
    if (set) set.reviews.push(review);
    else sets.set(changeSet.id, { createdAt: changeSet.createdAt, reviews: [review] });
  }
  for (const refused of input.refused) {
    const set = sets.get(refused.setId) ?? { createdAt: refused.createdAt, reviews: [] };
    sets.set(refused.setId, { ...set, refused });
  }
  const ordered = [...sets].toSorted(([, a], [, b]) => b.createdAt - a.createdAt);
  const single = input.reviews.filter(({ changeSet }) => !changeSet);
  return [
    ...ordered.map(([id, set]) => setRow(id, set, input)),
    ...byState(single).map(review => reviewRow(review, input)),
  ];
}

const states: readonly ListedReview['state'][] = ['pending', 'dismissed', 'orphan'];

function byState<T extends ListedReview>(reviews: readonly T[]): T[] {
  return states.flatMap(state => reviews.filter(review => review.state === state));
}

function setRow<T extends ListedReview>(
  id: string,
  {
    createdAt,
    reviews,
    refused,
  }: { createdAt: number; reviews: readonly T[]; refused?: ListedRefusals },
  input: ReviewRowsInput<T>,
): RowData {
  const { t } = input;
  const time = timeOfDay(createdAt);
  const label = t('Answer at {0}', time);
  const changes = reviews.reduce((sum, { model }) => sum + model.hunks.length, 0);
  const parts = refused?.parts ?? [];
  const factsOf = (count: string): string[] => [
    ...(reviews.length > 0 ? [t('to review: {0}', count), changesText(changes, t)] : []),
    ...(parts.length > 0 ? [t('not applied: {0}', parts.length)] : []),
  ];
  const facts = factsOf(`${reviews.length}`);
  const ordered = reviews.toSorted((a, b) => (a.changeSet?.index ?? 0) - (b.changeSet?.index ?? 0));
  return {
    id: `set:${id}`,
    subject: id,
    context: reviews.length > 0 ? contextValue<ReviewFlag>('set') : '',
    label,
    description: facts.join(' · '),
    tooltip: [label, ...facts].join('\n'),
    spoken: [label, ...factsOf(filesText(reviews.length, t))].join(', '),
    icon: parts.length > 0 ? { id: 'warning', color: 'list.warningForeground' } : { id: 'files' },
    fold: 'open',
    children: [
      ...byState(ordered).map(review => reviewRow(review, input)),
      ...parts.map((refusal, index) => refusedRow(id, index, refusal, input)),
    ],
  };
}

function refusedRow(
  setId: string,
  index: number,
  { part, reason, path }: ListedRefusals['parts'][number],
  { t, placeCommand }: Pick<ReviewRowsInput<ListedReview>, 't' | 'placeCommand'>,
): RowData {
  const label = path === undefined ? t('Not applied') : t('Not applied: {0}', labelText(path));
  return {
    id: `refused:${setId}:${index}`,
    subject: setId,
    context: contextValue<ReviewFlag>('refused'),
    label,
    description: labelText(reason),
    tooltip: `${reason}\n\n${part.slice(0, maxTooltip)}`,
    spoken: `${label}, ${reason}`,
    icon: { id: 'circle-slash', color: 'list.warningForeground' },
    command: { id: placeCommand, title: t('Place by Hand'), args: [setId, index] },
    value: part,
  };
}

/** Length of a refused part in its tooltip, in UTF-16 code units. */
const maxTooltip = 1000;

function reviewRow<T extends ListedReview>(
  review: T,
  { mergedBy, t, showCommand }: ReviewRowsInput<T>,
): RowData {
  const { id, fileName, label, state, model, size } = review;
  const { hunks } = model;
  const count = operationText(review.operation, t) ?? changesText(hunks.length, t);
  const sign = review.operation?.showsPath ? undefined : `+${size.added} −${size.removed}`;
  const spokenSize = t('lines added: {0}, removed: {1}', size.added, size.removed);
  const audit = auditText(review.origin.findings, t);
  const stateWords = stateText(state, t);
  const conflicts = hunks.filter(({ conflict }) => conflict).length;
  const own = conflicts > 0 ? t('{0} on lines that you changed', conflicts) : undefined;
  return {
    id: `review:${id}`,
    subject: id,
    context: contextValue<ReviewFlag>('review', state),
    label: labelText(fileName),
    description: [stateWords, count, sign, own].filter(Boolean).join(' · '),
    tooltip: [
      label,
      [count, sign].filter(Boolean).join(', '),
      stateWords,
      mergedBy(review),
      audit,
      own,
    ]
      .filter(Boolean)
      .join('\n'),
    spoken: [label, stateWords, count, spokenSize, audit, own].filter(Boolean).join(', '),
    icon: iconOf(review),
    ...(hunks.length > 0 && !review.operation && { fold: state === 'pending' ? 'open' : 'closed' }),
    command: { id: showCommand, title: t('Open Review'), args: [id] },
    children: review.operation ? [] : hunks.map(hunk => hunkRow(review, hunk, t, showCommand)),
  };
}

function hunkRow(
  { id: reviewId, state }: ListedReview,
  hunk: Hunk,
  t: Translate,
  showCommand: string,
): RowData {
  const line = hunk.at + 1;
  const text = (hunk.inserted.find(isWord) ?? hunk.removed.find(isWord) ?? '').trim();
  const own = hunk.conflict ? t('you changed these lines') : undefined;
  return {
    id: `review:${reviewId}:${hunk.id}`,
    subject: reviewId,
    context: contextValue<ReviewFlag>('change', state),
    label: t('Line {0}', line),
    description: [`+${hunk.inserted.length} −${hunk.removed.length}`, own, labelText(text)]
      .filter(Boolean)
      .join(' · '),
    spoken: [
      t('Line {0}', line),
      t('lines added: {0}, removed: {1}', hunk.inserted.length, hunk.removed.length),
      own,
      labelText(text),
    ]
      .filter(Boolean)
      .join(', '),
    icon: hunk.conflict
      ? { id: 'warning', color: 'list.warningForeground' }
      : { id: hunk.inserted.length === 0 ? 'diff-removed' : changeIcon(hunk) },
    command: { id: showCommand, title: t('Open Review'), args: [reviewId, hunk.id] },
  };
}

const isWord = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

const changeIcon = ({ removed }: Hunk): string =>
  removed.length === 0 ? 'diff-added' : 'diff-modified';

/** What happens to the file itself. */
export function operationText(
  operation: FileOperation | undefined,
  t: Translate,
): string | undefined {
  switch (operation?.kind) {
    case 'create':
      return t('new file');
    case 'delete':
      return t('deleted');
    case 'rename':
      return t('renamed to {0}', newNameOf(operation));
    default:
      return undefined;
  }
}

function newNameOf({ newUri }: Extract<FileOperation, { kind: 'rename' }>): string {
  const name = newUri.slice(newUri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    // A name with a percent sign that stands for itself.
    return name;
  }
}

const operationIcons = {
  create: 'diff-added',
  delete: 'diff-removed',
  rename: 'diff-renamed',
} as const;

function iconOf({ state, origin, operation }: ListedReview): NonNullable<RowData['icon']> {
  if (state === 'orphan') return { id: 'circle-slash', color: 'disabledForeground' };
  if (origin.findings.some(({ severity }) => severity === 'error')) {
    return { id: 'error', color: 'list.errorForeground' };
  }
  if (origin.findings.length > 0) return { id: 'warning', color: 'list.warningForeground' };
  if (operation) return { id: operationIcons[operation.kind] };
  return { id: state === 'pending' ? 'git-compare' : 'history' };
}

function stateText(state: ListedReview['state'], t: Translate): string | undefined {
  if (state === 'dismissed') return t('closed');
  return state === 'orphan' ? t('file is gone') : undefined;
}
