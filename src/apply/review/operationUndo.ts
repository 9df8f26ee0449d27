import type * as vscode from 'vscode';
import { hashLines } from './model/lineEdit';
import { linesOfOperation, linesOfSubject, pathSubject } from './operationFile';
import type { Review } from './review';

interface OperationUndoParts {
  readonly reviewsOf: (uri: vscode.Uri) => readonly Review[];
  /** The review that had ended, and has something to decide when its subject has the lines with this hash. */
  readonly recall: (uri: string, hash: string) => Promise<Review | undefined>;
  readonly changed: (review: Review) => void;
  /** Takes up a review that had ended. */
  readonly returned: (review: Review) => void;
  /** Runs a task whose error is only logged. */
  readonly run: (task: () => Promise<void>) => void;
}

/** Reviews of new, deleted and renamed files follow an undo or redo of what they did, as the review of a text does. */
export class OperationUndo {
  readonly #parts: OperationUndoParts;

  constructor(parts: OperationUndoParts) {
    this.#parts = parts;
  }

  /** Call when files were created, deleted or renamed, by whomever. */
  filesAppeared(files: readonly vscode.Uri[]): void {
    const { reviewsOf, recall, changed, returned, run } = this.#parts;
    for (const uri of files.flatMap(file => [file, pathSubject(file)])) {
      const isOwn = reviewsOf(uri).some(({ isDeciding }) => isDeciding);
      for (const review of reviewsOf(uri)) {
        run(async () =>
          review.enqueue(async () => {
            if (!review.operation) return;
            const lines = await linesOfOperation(review.operation);
            if (review.didChangeFile(lines, true)) changed(review);
          }),
        );
      }
      // A decision does not bring back earlier ones on the same file.
      if (isOwn) continue;
      run(async () => {
        const lines = await linesOfSubject(uri);
        const review = await recall(uri.toString(), hashLines(lines));
        if (!review) return;
        review.didChangeFile(lines, true);
        returned(review);
      });
    }
  }
}
