import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { confirm } from '../../../platform/confirm';
import type { TextDocuments } from '../../../platform/documents/textDocuments';
import { historyScheme } from '../../../platform/ids';
import type { ReviewRegistry } from '../../review/registry';
import { type AppliedEdit, proposedLines } from '../appliedEdit';
import type { StoredHistory } from '../applyHistory';
import { nameOf } from '../editTexts';
import { EditStarter, type StartedReview } from './editStarter';

const { t } = vscode.l10n;

/** What can be done with stored edits. */
export class HistoryActions {
  readonly #reviews: ReviewRegistry;
  readonly #documents: TextDocuments;
  readonly #starter: EditStarter;

  constructor(reviews: ReviewRegistry, documents: TextDocuments) {
    this.#reviews = reviews;
    this.#documents = documents;
    this.#starter = new EditStarter(reviews);
  }

  /** Opens the proposals again, as reviews of the files as they are. */
  async openAgain(entries: readonly AppliedEdit[], { entries: all }: StoredHistory): Promise<void> {
    const { started, refused } = parted(await this.#starter.start(entries, 'again', all));
    const [first] = started;
    if (first) await this.#reviews.show(first.review);
    report(refused, started.length > 0);
  }

  /**
   * Takes the accepted changes out of their files again, as one step. Where the user has changed the same lines since,
   * nothing is changed, and the reviews are shown instead.
   */
  async undo(entries: readonly AppliedEdit[], { entries: all }: StoredHistory): Promise<void> {
    const accepted = entries.filter(entry => entry.accepted.length > 0);
    if (accepted.length === 0) {
      throw new UserError(
        t(
          'Nothing of it was accepted, so there is nothing to undo. Choose "Open Again" to see it.',
        ),
      );
    }
    const { started, refused } = parted(await this.#starter.start(accepted, 'undo', all));
    for (const { id, meta } of accepted) if (meta.operation) this.#reviews.willUndo(id);
    const unclean = started.find(({ isClean }) => !isClean);
    if (unclean) {
      await this.#reviews.show(unclean.review);
      void vscode.window.showInformationMessage(
        t(
          '{0} was changed since at the same place, so nothing is undone yet. Accept in the review what you want to take back.',
          unclean.review.fileName,
        ),
      );
    } else if (started.length > 0) {
      const reviews = started.map(({ review }) => review);
      await this.#reviews.decisions.acceptTogether(reviews);
      const left = reviews.find(({ model }) => model.hunks.length > 0);
      if (left) await this.#reviews.show(left);
      else {
        vscode.window.setStatusBarMessage(
          t('Undone: {0}. Save the files to keep it.', namesOf(accepted)),
          8000,
        );
      }
    }
    report(refused, started.length > 0);
  }

  /** Compares the file before the edit with what the decisions made of it; or with the proposal, if that was rejected. */
  async showChanges(entry: AppliedEdit): Promise<void> {
    const { meta, id, before, accepted, after } = entry;
    const isRejected = accepted.length === 0;
    const name = nameOf(meta.uri);
    const serve = (side: string, lines: readonly string[]): vscode.Uri => {
      const uri = vscode.Uri.from({ scheme: historyScheme, path: `/${id}/${side}/${name}` });
      this.#documents.serve(uri, lines.join('\n'));
      return uri;
    };
    const title = isRejected
      ? t('{0}: before and proposed', name)
      : t('{0}: before and after', name);
    await vscode.commands.executeCommand(
      'vscode.diff',
      serve('before', before),
      serve('after', isRejected ? proposedLines(entry) : after),
      title,
    );
  }

  async copyAnswer(entry: AppliedEdit): Promise<void> {
    const answer = await this.#reviews.history.answerOf(entry);
    if (answer === undefined) {
      throw new UserError(
        t('The text of this answer is not stored. Choose "Show Changes" to see what it changed.'),
      );
    }
    await vscode.env.clipboard.writeText(answer);
    vscode.window.setStatusBarMessage(t('The answer is on the clipboard.'), 4000);
  }

  /** @returns whether the entries were deleted. */
  async remove(entries: readonly AppliedEdit[], { entries: all }: StoredHistory): Promise<boolean> {
    const unsaved = entries.find(({ isSaved }) => !isSaved);
    if (unsaved) {
      throw new UserError(
        t(
          '{0} is not saved yet, and until then this entry protects what you accepted. Save the file first, then delete the entry.',
          nameOf(unsaved.meta.uri),
        ),
      );
    }
    const isAgreed = await confirm(
      t('Delete the entry of {0} from the apply history?', namesOf(entries)),
      t('It can no longer be opened again or undone from there. Your files stay as they are.'),
      t('Delete Entry'),
      t('Keep'),
    );
    if (!isAgreed) return false;
    await this.#reviews.history.remove(
      entries,
      all.filter(entry => !entries.includes(entry)),
    );
    return true;
  }

  /** Deletes the journals that cannot be read. */
  async removeUnreadable({ unreadable }: StoredHistory): Promise<boolean> {
    const isAgreed = await confirm(
      t('Delete the entries that cannot be read: {0}?', unreadable.length),
      t('Their stored data is damaged. Your files stay as they are.'),
      t('Delete'),
      t('Keep'),
    );
    if (isAgreed) await this.#reviews.history.removeIds(unreadable);
    return isAgreed;
  }

  async clear(): Promise<void> {
    const isAgreed = await confirm(
      t('Delete the apply history of this workspace?'),
      t(
        'No applied edit can be opened again or undone from there. Pending reviews and your files stay as they are.',
      ),
      t('Delete History'),
      t('Keep'),
    );
    if (!isAgreed) return;
    await this.#reviews.history.clear();
    vscode.window.setStatusBarMessage(t('The apply history is deleted.'), 4000);
  }
}

function parted(results: readonly (StartedReview | UserError)[]): {
  started: StartedReview[];
  refused: UserError[];
} {
  const refused = results.filter(each => each instanceof UserError);
  const started = results.filter((each): each is StartedReview => !(each instanceof UserError));
  return { started, refused };
}

/** @throws {UserError} when nothing else has happened. */
function report(refused: readonly UserError[], hasStarted: boolean): void {
  if (refused.length === 0) return;
  const text = [...new Set(refused.map(({ message }) => message))].join(' ');
  if (!hasStarted) throw new UserError(text);
  void vscode.window.showWarningMessage(text);
}

function namesOf(entries: readonly AppliedEdit[]): string {
  const names = [...new Set(entries.map(({ meta }) => nameOf(meta.uri)))];
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? t('{0} and {1} more', shown, names.length - 3) : shown;
}
