import * as vscode from 'vscode';
import { changesText } from '../../base/format/counts';
import { isCurrent, type ReviewEditor, whenCurrent } from './editor/reviewEditor';
import { mergedBy } from './editor/reviewLenses';
import { severityText } from './model/findings';
import type { Hunk } from './model/reviewModel';
import type { Review } from './review';

/**
 * Whether an editor shows the review as it is. If it has just changed, the user would decide on other lines than
 * those that were in sight: a message says so, once the editor shows the new state.
 */
export async function isSettled(review: Review, shown: ReviewEditor): Promise<boolean> {
  if (isCurrent(review, shown)) return true;
  await whenCurrent(review, shown);
  vscode.window.setStatusBarMessage(
    vscode.l10n.t('The review has just changed, so nothing was decided. Press again.'),
    4000,
  );
  return false;
}

/** Lists the lines and findings of a change, for screen readers. */
export async function describeHunk(review: Review, hunk: Hunk): Promise<void> {
  const findings = review.origin.findings.filter(({ change }) => change === hunk.id);
  await vscode.window.showQuickPick(
    [
      ...findings.map(finding => ({
        label: finding.message,
        iconPath: new vscode.ThemeIcon(finding.severity),
        description: `${severityText(finding, vscode.l10n.t)} · ${vscode.l10n.t('audit')}`,
      })),
      ...hunk.removed.map(text => ({
        label: `− ${text}`,
        description: vscode.l10n.t('removed'),
      })),
      ...hunk.inserted.map(text => ({ label: `+ ${text}`, description: vscode.l10n.t('added') })),
    ],
    {
      title: vscode.l10n.t(
        '{0}, line {1}: {2}',
        review.fileName,
        hunk.at + 1,
        vscode.l10n.t('lines added: {0}, removed: {1}', hunk.inserted.length, hunk.removed.length),
      ),
    },
  );
}

/**
 * Lets the user pick a finding of the audit.
 *
 * @param onlyChange the id of a change; without it, the findings of all changes are listed.
 * @returns the id of the change of the picked finding, if that is undecided.
 */
export async function pickFinding(
  review: Review,
  onlyChange?: number,
): Promise<number | undefined> {
  const { findings } = review.origin;
  if (findings.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The audit of {0} found nothing: {1}.', review.fileName, mergedBy(review)),
    );
    return undefined;
  }
  const { hunks } = review.model;
  const items = findings
    .filter(({ change }) => onlyChange === undefined || change === onlyChange)
    .map(finding => {
      const { severity, message, change } = finding;
      const number = hunks.findIndex(({ id }) => id === change) + 1;
      return {
        label: message,
        iconPath: new vscode.ThemeIcon(severity),
        description: `${severityText(finding, vscode.l10n.t)} · ${whereOf(number, hunks.length)}`,
        change: number > 0 ? change : undefined,
      };
    });
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Audit findings in {0}', review.fileName),
    placeHolder: vscode.l10n.t('Pick a finding to go to its change'),
  });
  return picked?.change;
}

function whereOf(number: number, count: number): string {
  return number > 0
    ? vscode.l10n.t('change {0} of {1}', number, count)
    : vscode.l10n.t('not at an undecided change');
}

/** Explains why a command decided nothing, and where the cursor is now. */
export function showCursorMove(
  { model }: Review,
  hunkId: number,
  why: 'onNoChange' | 'outOfSight' | 'notInFront',
): void {
  const number = model.hunks.findIndex(({ id }) => id === hunkId) + 1;
  const count = model.hunks.length;
  const { t } = vscode.l10n;
  const text = {
    onNoChange: () =>
      t(
        'The cursor was not on a change, so nothing was decided. It is now on change {0} of {1}.',
        number,
        count,
      ),
    outOfSight: () =>
      t(
        'The change at the cursor was not visible, so nothing was decided. It is change {0} of {1}.',
        number,
        count,
      ),
    notInFront: () =>
      t(
        'The review was not in front, so nothing was decided. This is change {0} of {1}.',
        number,
        count,
      ),
  };
  void vscode.window.showInformationMessage(text[why]());
}

/** Lists the reviews, pending ones first; offers to accept all pending ones where there are several. */
export async function pickReview({
  pending,
  dismissed,
  gone,
}: Record<'pending' | 'dismissed' | 'gone', readonly Review[]>): Promise<
  Review | 'acceptAll' | undefined
> {
  const all = {
    label: vscode.l10n.t('Accept all changes in {0} files', pending.length),
    iconPath: new vscode.ThemeIcon('checklist'),
    review: 'acceptAll' as const,
  };
  const items = [...pending, ...dismissed, ...gone].map(review => ({
    label: review.label,
    iconPath: new vscode.ThemeIcon('git-compare'),
    description: `${changesText(review.model.hunks.length, vscode.l10n.t)} · +${review.size.added} −${review.size.removed}`,
    review,
  }));
  const picked = await vscode.window.showQuickPick(
    [...items, ...(pending.length > 1 ? [all] : [])],
    {
      title: vscode.l10n.t('Pending reviews'),
      placeHolder: vscode.l10n.t('Pick a review to open it'),
    },
  );
  return picked?.review;
}
