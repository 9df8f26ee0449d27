import * as vscode from 'vscode';
import { waitUntil } from '../../../base/async/waitUntil';
import { commandItem } from '../../../platform/commands/registerCommands';
import { changeLenses, decisionTitles, labelLens } from '../editor/reviewLenses';
import type { Review } from '../review';
import { operationText } from '../reviewRows';
import { readPageUri } from './pageUri';

/** How long lenses wait for what is being typed, so that they do not jump, in milliseconds. */
const typingMs = 1000;

/** The code lenses of the page: those of each change, and those of each file. */
export class PageLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #reviewsOf: (uri: vscode.Uri) => readonly Review[];

  /** @param reviewsOf the review of a document, and that of the file's new name. */
  constructor(reviewsOf: (uri: vscode.Uri) => readonly Review[]) {
    this.#reviewsOf = reviewsOf;
  }

  refresh(): void {
    this.#changed.fire();
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> {
    if (readPageUri(document.uri)?.side !== 'proposed') return [];
    await waitUntil(() => !document.isDirty, typingMs);
    if (token.isCancellationRequested) return [];
    const reviews = this.#reviewsOf(document.uri);
    if (reviews.every(({ model }) => model.hunks.length === 0)) {
      return [labelLens(top, `$(check) ${vscode.l10n.t('Nothing is left to decide here.')}`)];
    }
    const lastLine = document.lineCount - 1;
    return reviews.flatMap(review =>
      review.operation
        ? wholeLenses(review)
        : review.view.hunks.flatMap(({ id, proposedLine }, index) => {
            const line = Math.min(proposedLine, lastLine);
            return [
              ...changeLenses(review, id, line),
              ...(index === 0 ? fileLenses(review, line) : []),
            ];
          }),
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const top = new vscode.Range(0, 0, 0, 0);

/** A file that is created or gets a new name is decided on as a whole. */
function wholeLenses(review: Review): vscode.CodeLens[] {
  const { operation, model, size } = review;
  if (model.hunks.length === 0) return [];
  const lines = operation?.showsPath ? '' : ` (+${size.added} −${size.removed})`;
  return [
    labelLens(top, `$(git-compare) ${operationText(operation, vscode.l10n.t) ?? ''}${lines}`),
    ...decisions(review, top, decisionTitles(review)),
  ];
}

/** All changes of a file. They stand beside its first change, because the first line of the file may be folded away. */
function fileLenses(review: Review, line: number): vscode.CodeLens[] {
  if (review.model.hunks.length < 2) return [];
  return decisions(review, new vscode.Range(line, 0, line, 0), [
    vscode.l10n.t('Accept File'),
    vscode.l10n.t('Reject File'),
  ]);
}

const decisions = (
  { id }: Review,
  at: vscode.Range,
  [accept, reject]: readonly [accept: string, reject: string],
): vscode.CodeLens[] => [
  new vscode.CodeLens(at, commandItem(`$(check-all) ${accept}`, 'splice.apply.acceptAll', id)),
  new vscode.CodeLens(at, commandItem(`$(close-all) ${reject}`, 'splice.apply.rejectAll', id)),
];
