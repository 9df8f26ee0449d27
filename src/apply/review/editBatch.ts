import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { isReadOnly, linesOf } from '../changeset/editFile';
import { type EditorText, StaleChangeError } from './model/journaledReview';
import { hashLines, type LineEdit, toTextEdits } from './model/lineEdit';
import { applyEdits, sameLines } from './model/rebase';
import { addOperation, bytesBeforeDelete, linesOfOperation } from './operationFile';
import type { Review } from './review';

const { t } = vscode.l10n;

interface WaitingEdit {
  readonly review: Review;
  readonly edits: readonly LineEdit[];
  readonly before: readonly string[];
  readonly done: (after: readonly string[]) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The edits of several reviews as one workspace edit, which is one step of undo. It is made once each review
 * has either made its edit or has left the batch.
 */
export class EditBatch {
  readonly #whileEditing: (
    documents: readonly vscode.TextDocument[],
    run: () => Promise<boolean>,
  ) => Promise<boolean>;
  readonly #open: (review: Review) => Promise<vscode.TextDocument>;
  readonly #waiting: WaitingEdit[] = [];
  #expected: number;

  /** @param count number of reviews that take part. */
  constructor(
    count: number,
    parts: {
      /** Edits of these documents do not count as changes by the user. */
      readonly whileEditing: (
        documents: readonly vscode.TextDocument[],
        run: () => Promise<boolean>,
      ) => Promise<boolean>;
      /** @throws {UserError} when the file is gone. */
      readonly open: (review: Review) => Promise<vscode.TextDocument>;
    },
  ) {
    this.#expected = count;
    this.#whileEditing = parts.whileEditing;
    this.#open = parts.open;
  }

  /** The text of a review's file. Its edit waits for the edits of the other reviews. */
  async textOf(review: Review): Promise<EditorText> {
    const { operation } = review;
    const first = operation ? await linesOfOperation(operation) : undefined;
    const document = operation ? undefined : await this.#open(review);
    let after: readonly string[] | undefined;
    // Until the edit, the user may type in the document.
    const lines = () => after ?? first ?? (document ? linesOf(document) : []);
    return {
      lines,
      edit: async edits => {
        after = await new Promise<readonly string[]>((done, failed) => {
          this.#waiting.push({ review, edits, before: lines(), done, failed });
          void this.#makeIfComplete();
        });
      },
    };
  }

  /** Call when a review cannot make its edit, so that the others do not wait for it. */
  leave(): void {
    this.#expected--;
    void this.#makeIfComplete();
  }

  async #makeIfComplete(): Promise<void> {
    if (this.#waiting.length < this.#expected || this.#waiting.length === 0) return;
    const waiting = this.#waiting.splice(0);
    try {
      await this.#make(waiting);
    } catch (error) {
      for (const { failed } of waiting) failed(error);
    }
  }

  async #make(waiting: readonly WaitingEdit[]): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const planned: { readonly one: WaitingEdit; readonly after: readonly string[] }[] = [];
    const documents: vscode.TextDocument[] = [];
    // The lines of a renamed file before its rename: VS Code cannot undo them in the other order after a save.
    for (const one of waiting.toSorted((a, b) => rankOf(a.review) - rankOf(b.review))) {
      try {
        planned.push({ one, after: await this.#add(edit, one, documents) });
      } catch (error) {
        one.failed(error);
      }
    }
    const isApplied = await this.#whileEditing(documents, async () =>
      // Not as a refactoring, which VS Code would save: the user saves what was accepted.
      vscode.workspace.applyEdit(edit),
    );
    for (const { one, after } of planned) {
      const now = await linesNow(one.review, planned);
      if (now && sameLines(now, after)) one.done(after);
      else one.failed(new UserError(failure(one.review, isApplied)));
    }
  }

  async #add(
    edit: vscode.WorkspaceEdit,
    { review, before, edits }: WaitingEdit,
    documents: vscode.TextDocument[],
  ): Promise<readonly string[]> {
    const { operation } = review;
    if (operation) {
      const isDeletion = operation.kind === 'delete' && sameLines(applyEdits(before, edits), ['']);
      const bytes = isDeletion ? await bytesBeforeDelete(operation) : undefined;
      if (bytes !== undefined && operation.kind === 'delete') {
        await review.setOperation({ ...operation, deleted: { bytes, hash: hashLines(before) } });
      }
      return addOperation(edit, review.operation ?? operation, { before, edits }, documents);
    }
    const document = await this.#open(review);
    if (await isReadOnly(document.uri)) {
      throw new UserError(t('{0} is read-only, so nothing was changed.', review.fileName));
    }
    if (!sameLines(linesOf(document), before)) throw new StaleChangeError();
    documents.push(document);
    const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    for (const change of toTextEdits(edits, { lines: before, eol })) {
      const { startLine, startCharacter, endLine, endCharacter, text } = change;
      edit.replace(
        document.uri,
        new vscode.Range(startLine, startCharacter, endLine, endCharacter),
        text,
      );
    }
    return applyEdits(before, edits);
  }
}

const ranks = { create: 1, delete: 2, rename: 3 } as const;

const rankOf = ({ operation }: Review): number => (operation ? ranks[operation.kind] : 0);

/** The lines of a review's file, which another review of the batch may have renamed. */
async function linesNow(
  { operation, fileUri }: Review,
  planned: readonly { readonly one: WaitingEdit }[],
): Promise<readonly string[] | undefined> {
  try {
    if (operation) return await linesOfOperation(operation);
    const renamed = planned
      .map(({ one }) => one.review.operation)
      .find(other => other?.kind === 'rename' && other.uri === fileUri.toString());
    const uri = renamed?.kind === 'rename' ? vscode.Uri.parse(renamed.newUri) : fileUri;
    return linesOf(await vscode.workspace.openTextDocument(uri));
  } catch {
    // Reported as a failure of this file.
    return undefined;
  }
}

const failure = ({ fileName }: Review, isApplied: boolean): string =>
  isApplied
    ? t('{0} has not become what was accepted. Look at the file and at its review.', fileName)
    : t('VS Code could not change {0}. The review is still open.', fileName);
