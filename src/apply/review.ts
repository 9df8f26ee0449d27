import * as vscode from 'vscode';
import { ids } from '../manifest';
import type { MergeFinding } from './engine';
import type { Author } from './instruct/run';
import { linesOf } from './editFile';
import { previewFolder } from './previewLanguages';
import type { Hunk, ReviewModel } from './reviewModel';
import { buildView, type View } from './reviewView';

/** Where a proposed text came from; shown in the review and kept for another try. */
export interface Origin {
  readonly engine: 'local' | 'service';
  readonly model?: string;
  /** Milliseconds of the merge. */
  readonly ms: number;
  readonly findings: readonly MergeFinding[];
  /** The chat model that wrote the edit, when it was made from an instruction. */
  readonly author?: Author;
  /** What was applied, for another try with the service. */
  readonly update?: string;
}

export type ReviewState = 'pending' | 'dismissed' | 'done' | 'orphan';

/** One file's proposed change, its documents and what is decided so far. */
export class Review {
  readonly id: string;
  readonly model: ReviewModel;
  readonly origin: Origin;
  readonly createdAt: number;
  readonly languageId: string;
  fileUri: vscode.Uri;
  state: ReviewState = 'pending';
  /** Set once the user has agreed to accept in spite of the audit's errors. */
  isConfirmed = false;
  view: View;
  /** File lines of the first accepted change, to show when all is decided. */
  firstAcceptedLine: number | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(from: {
    id: string;
    fileUri: vscode.Uri;
    languageId: string;
    model: ReviewModel;
    origin: Origin;
    createdAt: number;
  }) {
    this.id = from.id;
    this.fileUri = from.fileUri;
    this.languageId = from.languageId;
    this.model = from.model;
    this.origin = from.origin;
    this.createdAt = from.createdAt;
    this.view = buildView(this.model);
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
    this.view = buildView(this.model);
  }

  /** Takes in a change of the file that was not ours. */
  didChangeFile(document: vscode.TextDocument, isUndoOrRedo: boolean): boolean {
    if (this.model.didChange(linesOf(document), isUndoOrRedo) === 'unchanged') return false;
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
      path: `/${previewFolder(this.languageId)}/${this.id}/${this.fileName} (${kind})`,
    });
  }
}
