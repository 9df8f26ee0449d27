import type { Translate } from '../../../../base/format/text';
import type { MergeFinding } from '../../../changeset/engine';
import type { ChangeSetRef, FileOperation } from '../fileOperation';
import { findingCount } from '../findings';
import { decisionKeys } from './decisionKeys';

interface PlacedReview {
  readonly fileName: string;
  readonly model: { readonly hunks: readonly { readonly id: number }[] };
  readonly origin: { readonly findings: readonly MergeFinding[] };
  readonly operation?: FileOperation | undefined;
  readonly changeSet?: ChangeSetRef | undefined;
  /** The id of the change that the cursor is on, or of the next one. */
  readonly currentChange?: number | undefined;
}

/** Which file of its answer and which change is in front: "file 2 of 5", "change 3 of 7". */
export function positionParts(
  { model: { hunks }, operation, changeSet, currentChange }: PlacedReview,
  t: Translate,
): string[] {
  const file =
    changeSet && changeSet.size > 1
      ? [t('file {0} of {1}', changeSet.index + 1, changeSet.size)]
      : [];
  if (hunks.length === 0) return [...file, t('nothing left to decide')];
  if (operation) return file;
  const index = hunks.findIndex(({ id }) => id === currentChange);
  return [...file, t('change {0} of {1}', Math.max(index, 0) + 1, hunks.length)];
}

/** How the audit findings of undecided changes are counted; empty when there are none. */
function findingParts({ model: { hunks }, origin }: PlacedReview, t: Translate): string[] {
  const pending = new Set(hunks.map(({ id }) => id));
  const { length } = origin.findings.filter(({ change }) => pending.has(change ?? -1));
  return length === 0 ? [] : [findingCount(length, t)];
}

/**
 * The first row of a review, which stays at the top of the editor. It is drawn with the colours of the reviewed language,
 * so it has nothing that begins a string or a comment there.
 *
 * @param operation what happens to the file itself, such as "new file".
 */
export function headerRow(
  review: PlacedReview,
  { operation, isMac }: { readonly operation: string | undefined; readonly isMac: boolean },
  t: Translate,
): string {
  const { yes, no } = decisionKeys(isMac);
  const facts = [
    review.fileName,
    ...(operation === undefined ? [] : [operation]),
    ...positionParts(review, t),
    ...findingParts(review, t),
  ].join(' · ');
  const hints =
    review.model.hunks.length === 0
      ? []
      : [
          t('{0} accept', yes),
          t('{0} reject', no),
          ...(review.model.hunks.length > 1 ? [t('{0} next', 'F7')] : []),
        ];
  return withoutQuotes([facts, ...hints].join('   '));
}

/** With the typographic forms of what begins a string or a comment in code. */
const withoutQuotes = (text: string): string =>
  text
    .replaceAll("'", '’')
    .replaceAll('"', '”')
    .replaceAll('`', '‘')
    .replaceAll('/*', '/∗')
    .replaceAll('<!--', '<!‐‐')
    .replaceAll('\n', ' ');
