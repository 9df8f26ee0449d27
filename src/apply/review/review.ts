import * as vscode from 'vscode';
import { Sequencer } from '../../base/async/sequencer';
import type { MergeFinding } from '../changeset/engine';
import { previewParts } from './editor/previewUri';
import type { ChangeSetRef, FileOperation } from './model/fileOperation';
import type { JournaledReview } from './model/journaledReview';
import type { DocumentChange } from './model/lineSnapshot';
import type { Origin } from './model/reviewMeta';
import type { Hunk, ReviewModel } from './model/reviewModel';
import { buildReviewView, type ReviewView } from './model/reviewView';

export type { Origin } from './model/reviewMeta';

export type ReviewState = 'pending' | 'dismissed' | 'done' | 'orphan';

/** The review of one file: its model, its documents and its state. */
export class Review {
  readonly id: string;
  /** The model with its journal; all decisions go through it. */
  readonly journaled: JournaledReview;
  state: ReviewState = 'pending';
  /** Set once the user has agreed to accept despite audit errors. */
  isConfirmed = false;
  /** 0-based file line of the first accepted change, revealed when everything is decided. */
  firstAcceptedLine: number | undefined;
  /** The preview is older than the model. */
  isStale = false;
  /** The id of the change that the cursor is on, or of the next one. */
  currentChange: number | undefined;
  #fileUri: vscode.Uri;
  /** The file's path when the review was opened; the URIs of the review's documents keep it when the file is renamed. */
  readonly #path: string;
  #view: ReviewView | undefined;
  /** Unchanged lines that the user wanted to see, named by the change below them. */
  readonly #openedGaps = new Set<number>();
  readonly #decisions = new Sequencer();
  #waiting = 0;

  constructor(id: string, journaled: JournaledReview) {
    this.id = id;
    this.journaled = journaled;
    this.#fileUri = vscode.Uri.parse(journaled.meta.uri);
    this.#path = shownPath(this.#fileUri);
  }

  get model(): ReviewModel {
    return this.journaled.model;
  }

  get origin(): Origin {
    return this.journaled.meta.origin;
  }

  get createdAt(): number {
    return this.journaled.meta.createdAt;
  }

  get languageId(): string {
    return this.journaled.meta.languageId;
  }

  get fileUri(): vscode.Uri {
    return this.#fileUri;
  }

  /** What happens to the file itself; absent for a review that only changes its lines. */
  get operation(): FileOperation | undefined {
    return this.journaled.meta.operation;
  }

  get changeSet(): ChangeSetRef | undefined {
    return this.journaled.meta.changeSet;
  }

  /** Stores the operation, before it happens. */
  async setOperation(operation: FileOperation): Promise<void> {
    this.journaled.meta = { ...this.journaled.meta, operation };
    await this.journaled.store();
  }

  /** Set when the file was renamed. */
  set fileUri(uri: vscode.Uri) {
    this.#fileUri = uri;
    this.journaled.meta = { ...this.journaled.meta, uri: uri.toString() };
    void this.journaled.store();
  }

  /** Built lazily: typing in the file must not pay for previews that are not visible. */
  get view(): ReviewView {
    return (this.#view ??= buildReviewView(this.model, {
      opened: this.#openedGaps,
      gapText: count => vscode.l10n.t('⋯ {0} unchanged lines', count),
    }));
  }

  /** Shows the unchanged lines above a change, or those at the end of the file where it is 0. */
  openGap(above: number): void {
    this.#openedGaps.add(above);
    this.#view = undefined;
  }

  get fileName(): string {
    return this.fileUri.path.split('/').at(-1) || this.fileUri.path;
  }

  get label(): string {
    return vscode.workspace.asRelativePath(this.fileUri);
  }

  /** The read-only document with old and new lines. */
  get previewUri(): vscode.Uri {
    return this.#uri(vscode.l10n.t('review'));
  }

  /** The file with all pending changes accepted; the right side of the diff editor. */
  get proposedUri(): vscode.Uri {
    return this.#uri(vscode.l10n.t('proposed'));
  }

  get errors(): readonly MergeFinding[] {
    return this.origin.findings.filter(({ severity }) => severity === 'error');
  }

  /** Number of added and removed lines of the pending changes. */
  get size(): { added: number; removed: number } {
    let added = 0;
    let removed = 0;
    for (const hunk of this.model.hunks) {
      added += hunk.inserted.length;
      removed += hunk.removed.length;
    }
    return { added, removed };
  }

  hunk(id: number): Hunk | undefined {
    return this.model.hunks.find(hunk => hunk.id === id);
  }

  /** Call after any change of the model. */
  update(): void {
    this.#view = undefined;
  }

  /**
   * Call when the user or another extension changed the file.
   * @param bySave the change formats the file that is about to be saved.
   */
  didChangeFile(
    lines: readonly string[],
    isUndoOrRedo: boolean,
    change?: DocumentChange,
    bySave = false,
  ): boolean {
    if (!this.journaled.fileChanged(lines, isUndoOrRedo, change, bySave)) return false;
    this.update();
    return true;
  }

  /** Call when the file is about to be saved; true when that changed the review. */
  willSaveFile(): boolean {
    if (!this.journaled.willSave()) return false;
    this.update();
    return true;
  }

  /** Runs one decision after another, never two at once. */
  async enqueue<T>(task: () => Promise<T>): Promise<T> {
    this.#waiting++;
    try {
      return await this.#decisions.run(task);
    } finally {
      this.#waiting--;
    }
  }

  /** Whether a decision waits or is being made. */
  get isDeciding(): boolean {
    return this.#waiting > 0;
  }

  #uri(kind: string): vscode.Uri {
    const { id, languageId } = this;
    return vscode.Uri.from(previewParts({ id, languageId, path: this.#path }, kind));
  }
}

/** The path within the workspace, else the whole one. */
function shownPath(file: vscode.Uri): string {
  const uri = file.with({ fragment: '' });
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isInWorkspace ? vscode.workspace.asRelativePath(uri) : uri.path;
}
