import { labelText, type Translate } from '../../base/format/text';
import { contextValue } from '../../platform/commands/contextValue';
import type { RowData } from '../../platform/tree/rows';
import type { MergeFinding } from '../changeset/engine';
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
}

/** What menus can test on an item of the view. */
export type ReviewFlag = 'review' | 'change' | ListedReview['state'];

export interface ReviewRowsInput<T extends ListedReview> {
  readonly reviews: readonly T[];
  /** "merged locally in 12 ms" */
  readonly mergedBy: (review: T) => string;
  readonly t: Translate;
  readonly showCommand: string;
}

/** Tree items of the reviews and their undecided changes: pending reviews first, then closed ones. */
export function reviewRows<T extends ListedReview>(input: ReviewRowsInput<T>): RowData[] {
  const { reviews } = input;
  const of = (state: ListedReview['state']) =>
    reviews.filter(review => review.state === state).map(review => reviewRow(review, input));
  return [...of('pending'), ...of('dismissed'), ...of('orphan')];
}

function reviewRow<T extends ListedReview>(
  review: T,
  { mergedBy, t, showCommand }: ReviewRowsInput<T>,
): RowData {
  const { id, fileName, label, state, model, size } = review;
  const { hunks } = model;
  const count = hunks.length === 1 ? t('1 change') : t('{0} changes', hunks.length);
  const sign = `+${size.added} −${size.removed}`;
  const spokenSize = t('lines added: {0}, removed: {1}', size.added, size.removed);
  const audit = auditText(review, t);
  const stateWords = stateText(state, t);
  const conflicts = hunks.filter(({ conflict }) => conflict).length;
  const own = conflicts > 0 ? t('{0} on lines that you changed', conflicts) : undefined;
  return {
    id: `review:${id}`,
    subject: id,
    context: contextValue<ReviewFlag>('review', state),
    label: labelText(fileName),
    description: [stateWords, count, sign, own].filter(Boolean).join(' · '),
    tooltip: [label, `${count}, ${sign}`, stateWords, mergedBy(review), audit, own]
      .filter(Boolean)
      .join('\n'),
    spoken: [label, stateWords, count, spokenSize, audit, own].filter(Boolean).join(', '),
    icon: iconOf(review),
    ...(hunks.length > 0 && { fold: state === 'pending' ? 'open' : 'closed' }),
    command: { id: showCommand, title: t('Open Review'), args: [id] },
    children: hunks.map(hunk => hunkRow(review, hunk, t, showCommand)),
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

function iconOf({ state, origin }: ListedReview): NonNullable<RowData['icon']> {
  if (state === 'orphan') return { id: 'circle-slash', color: 'disabledForeground' };
  if (origin.findings.some(({ severity }) => severity === 'error')) {
    return { id: 'error', color: 'list.errorForeground' };
  }
  if (origin.findings.length > 0) return { id: 'warning', color: 'list.warningForeground' };
  return { id: state === 'pending' ? 'git-compare' : 'history' };
}

function stateText(state: ListedReview['state'], t: Translate): string | undefined {
  if (state === 'dismissed') return t('closed');
  return state === 'orphan' ? t('file is gone') : undefined;
}

function auditText({ origin: { findings } }: ListedReview, t: Translate): string {
  if (findings.length === 0) return t('audit clean');
  return findings.length === 1 ? t('1 finding') : t('{0} findings', findings.length);
}
