import * as vscode from 'vscode';
import type { Host } from '../../../platform/host';
import { linesOf } from '../../changeset/editFile';
import { openReviewed } from '../editor/placeAfterClose';
import { reviewIdOf } from '../editor/reviewId';
import { documentOf, isOutdated, tabsOf } from '../editor/reviewTabs';
import { WindowFolders } from '../journal/windowFolders';
import { linesOfOperation } from '../operationFile';
import { Review } from '../review';
import { reviewFolder } from './reviewFolder';
import { storageErrorReason } from './reviewStorage';
import type { LostReview, ReviewStore, StoredReview } from './reviewStore';

/** Number of files that are opened concurrently. */
const filesAtOnce = 10;

export interface RestoreTarget {
  readonly byId: (id: string) => Review | undefined;
  readonly add: (review: Review) => void;
  readonly show: (review: Review) => Promise<void>;
}

/** Restores the reviews of the last session; for tabs whose review cannot be restored, tells the user why. */
export class ReviewRestore {
  readonly #host: Host;
  readonly #store: ReviewStore;
  readonly #target: RestoreTarget;
  /** Reviews with changes that were accepted but never saved, and are pending again. */
  readonly #offered: Review[] = [];
  readonly #damaged: Review[] = [];
  readonly #decided = new Set<string>();

  constructor(host: Host, store: ReviewStore, target: RestoreTarget) {
    this.#host = host;
    this.#store = store;
    this.#target = target;
  }

  async run(): Promise<void> {
    let loaded: Awaited<ReturnType<ReviewStore['load']>>;
    try {
      loaded = await this.#store.load();
    } catch (error) {
      this.#host.log.error('stored reviews', error);
      void this.#showUnreadable(error);
      return;
    }
    const waiting = loaded.stored.filter(({ id }) => !this.#target.byId(id));
    const work = Array.from({ length: filesAtOnce }, async () => {
      for (let stored = waiting.pop(); stored; stored = waiting.pop()) await this.#restore(stored);
    });
    await Promise.all(work);
    for (const { id, error } of loaded.lost) {
      if (error !== undefined) this.#host.log.error(`stored review ${id}`, error);
    }
    void this.#showWhatChanged();
    this.#host.quietly(async () => this.#renewTabs())();
    void this.#closeTabs(loaded.lost);
  }

  async #restore({ id, review: journaled, lost }: StoredReview): Promise<void> {
    const review = new Review(id, journaled);
    const before = new Set(review.model.hunks.map(hunk => hunk.id));
    try {
      const { operation } = review;
      if (operation) await journaled.resume(await linesOfOperation(operation), false);
      else {
        const document = await openReviewed(review.fileUri);
        await journaled.resume(linesOf(document), document.isDirty);
      }
      review.update();
    } catch {
      review.state = 'orphan';
    }
    const { hunks } = review.model;
    if (hunks.length === 0) {
      review.state = 'done';
      this.#decided.add(id);
    } else if (review.state !== 'orphan' && !review.changeSet && tabsOf(review).length === 0) {
      // An answer for several files opens only one tab, so there the lack of one means nothing.
      review.state = 'dismissed';
    }
    if (hunks.some(hunk => !before.has(hunk.id))) this.#offered.push(review);
    if (lost > 0) this.#damaged.push(review);
    this.#target.add(review);
  }

  /** Offers the reviews of closed windows without a workspace; they are moved here only if the user agrees. */
  async offerOfOtherWindows(): Promise<void> {
    const { context } = this.#host;
    if (context.storageUri) return;
    const windows = new WindowFolders(reviewFolder(context).fsPath);
    await windows.claim();
    const left = await windows.left();
    if (left.length === 0) return;
    const show = vscode.l10n.t('Show Here');
    const picked = await vscode.window.showInformationMessage(
      vscode.l10n.t('Reviews from closed windows without a folder: {0}', left.length),
      show,
    );
    if (picked !== show) return;
    await windows.adopt(left);
    await this.run();
  }

  async #showUnreadable(error: unknown): Promise<void> {
    const again = vscode.l10n.t('Try Again');
    const showLog = vscode.l10n.t('Show Log');
    const picked = await vscode.window.showErrorMessage(
      vscode.l10n.t(
        'The stored reviews cannot be read: {0} Nothing was deleted.',
        storageErrorReason(error),
      ),
      again,
      showLog,
    );
    if (picked === again) await this.run();
    if (picked === showLog) this.#host.log.show();
  }

  async #showWhatChanged(): Promise<void> {
    const [first] = this.#offered;
    for (const { id, label } of this.#damaged) {
      this.#host.log.error(`stored review ${id} of ${label}`, new Error('records are damaged'));
    }
    const show = vscode.l10n.t('Show Review');
    if (this.#damaged.length > 0) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'The stored reviews of {0} are partly damaged. Check their changes again: a decision may be missing.',
          namesOf(this.#damaged),
        ),
      );
    }
    if (!first) return;
    const picked = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Changes that were accepted in {0} were never saved. They are pending again.',
        namesOf(this.#offered),
      ),
      show,
    );
    if (picked === show) await this.#target.show(first);
  }

  /** Opens reviews again whose tabs name them in another way: an earlier version did, or the file was renamed. */
  async #renewTabs(): Promise<void> {
    const outdated = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.flatMap(tab => {
        const review = this.#target.byId(reviewIdOf(documentOf(tab)) ?? '');
        return review && isOutdated(tab, review) ? [{ tab, review }] : [];
      }),
    );
    if (outdated.length === 0) return;
    const inFront = vscode.window.tabGroups.activeTabGroup.activeTab;
    for (const { tab, review } of outdated) {
      await this.#target.show(review);
      await vscode.window.tabGroups.close(tab, true);
    }
    const old = outdated.find(({ tab }) => tab === inFront)?.review;
    const uri = old?.previewUri ?? (inFront && documentOf(inFront));
    if (uri) await vscode.commands.executeCommand('vscode.open', uri);
  }

  /** Closes tabs without a review, which would show "This review has ended" forever. */
  async #closeTabs(lost: readonly LostReview[]): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    const dead = tabs.flatMap(tab => {
      const uri = documentOf(tab);
      const id = reviewIdOf(uri);
      if (!uri || id === undefined || this.#target.byId(id)) return [];
      return [{ tab, id, name: fileNameOf(uri) }];
    });
    if (dead.length === 0) return;
    const reasons = new Set<string>();
    for (const { id, name } of dead) reasons.add(await this.#reason(id, name, lost));
    await vscode.window.tabGroups.close(
      dead.map(({ tab }) => tab),
      true,
    );
    for (const reason of reasons) this.#host.log.info(reason);
    const showLog = vscode.l10n.t('Show Log');
    const isBroken = lost.some(({ why }) => why !== 'expired');
    const picked = await vscode.window.showInformationMessage(
      [...reasons].join(' '),
      ...(isBroken ? [showLog] : []),
    );
    if (picked === showLog) this.#host.log.show();
  }

  async #reason(id: string, name: string, lost: readonly LostReview[]): Promise<string> {
    const why = lost.find(review => review.id === id)?.why;
    if (why === 'expired') {
      return vscode.l10n.t('The review of {0} was closed: it was not used for 30 days.', name);
    }
    if (why === 'damaged') {
      return vscode.l10n.t(
        'The review of {0} was closed: its stored data is damaged. Apply the edit again.',
        name,
      );
    }
    if (why === 'unreadable') {
      return vscode.l10n.t(
        'The review of {0} was closed: its stored data cannot be read. Reload the window to try again.',
        name,
      );
    }
    const isDecided = this.#decided.has(id) || (await this.#store.ended()).includes(id);
    return isDecided
      ? vscode.l10n.t('The review of {0} was closed: all of its changes are decided.', name)
      : vscode.l10n.t('The review of {0} was closed: it is no longer stored.', name);
  }
}

function namesOf(reviews: readonly Review[]): string {
  const names = reviews.slice(0, 3).map(({ label }) => label);
  const more = reviews.length - names.length;
  return more > 0 ? vscode.l10n.t('{0} and {1} more', names.join(', '), more) : names.join(', ');
}

/** The file's name without the document kind after it, such as ` (review)`. */
function fileNameOf({ path }: vscode.Uri): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = name.lastIndexOf(' (');
  return kind < 0 ? name : name.slice(0, kind);
}
