import * as vscode from 'vscode';
import { ids } from '../manifest';
import type { MergeFinding } from './engine';
import type { JournaledReview } from './journaledReview';
import { previewFolder } from './previewLanguages';
import type { Origin } from './reviewMeta';
import type { FileChange, Hunk, ReviewModel } from './reviewModel';
import { buildView, type View } from './reviewView';

export type { Origin } from './reviewMeta';

export type ReviewState = 'pending' | 'dismissed' | 'done' | 'orphan';

/** One file's proposed change, its documents and what is decided so far. */
export class Review {
  readonly id: string;
  /** The review with its journal: all decisions go through it. */
  readonly journaled: JournaledReview;
  state: ReviewState = 'pending';
  /** Set once the user has agreed to accept in spite of the audit's errors. */
  isConfirmed = false;
  /** File lines of the first accepted change, to show when all is decided. */
  firstAcceptedLine: number | undefined;
  /** The preview in the window is older than the model. */
  isStale = false;
  #fileUri: vscode.Uri;
  /** The name of the file when the review was opened: its documents keep theirs when the file is renamed. */
  readonly #name: string;
  #view: View | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(id: string, journaled: JournaledReview) {
    this.id = id;
    this.journaled = journaled;
    this.#fileUri = vscode.Uri.parse(journaled.meta.uri);
    this.#name = this.fileName;
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

  /** The file was renamed. */
  set fileUri(uri: vscode.Uri) {
    this.#fileUri = uri;
    this.journaled.meta = { ...this.journaled.meta, uri: uri.toString() };
    void this.journaled.store();
  }

  /** Built when it is asked for: typing in the file must not pay for previews that nobody sees. */
  get view(): View {
    return (this.#view ??= buildView(this.model));
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

  /** The file as it would be with all pending changes; the right side of the diff editor. */
  get proposedUri(): vscode.Uri {
    return this.#uri(vscode.l10n.t('proposed'));
  }

  get errors(): readonly MergeFinding[] {
    return this.origin.findings.filter(({ severity }) => severity === 'error');
  }

  /** Added and removed lines of what is pending. */
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

  /** Takes in a change of the file that was not ours. */
  didChangeFile(lines: readonly string[], isUndoOrRedo: boolean, change?: FileChange): boolean {
    if (!this.journaled.fileChanged(lines, isUndoOrRedo, change)) return false;
    this.update();
    return true;
  }

  /** Runs one decision after another, never two at once. */
  enqueue<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(task);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  // No real extension at the end of the path, so that no custom or notebook editor claims it.
  #uri(kind: string): vscode.Uri {
    return vscode.Uri.from({
      scheme: ids.scheme,
      path: `/${previewFolder(this.languageId)}/${this.id}/${this.#name} (${kind})`,
    });
  }
}
