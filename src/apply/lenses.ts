import * as vscode from 'vscode';
import { costText } from '../host/figures';
import { ids } from '../manifest';
import type { MergeFinding } from './engine';
import type { Review } from './review';

const { command } = ids;

/** The actions above each change and the summary above the first line. Ids, not ranges: a lens may be stale. */
export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #find: (uri: vscode.Uri) => Review | undefined;
  readonly #countOthers: (review: Review) => number;
  /** The change that shows the summary, too, in reviews that open far below their first line. */
  readonly #summaryAt = new WeakMap<Review, number>();

  constructor(
    find: (uri: vscode.Uri) => Review | undefined,
    countOthers: (review: Review) => number,
  ) {
    this.#find = find;
    this.#countOthers = countOthers;
  }

  /**
   * Puts the summary above a change that was gone to, if it is neither there nor above a change that
   * is still to be decided, and the first line is not in sight.
   */
  didReveal(review: Review, hunkId: number, editor: vscode.TextEditor): void {
    const before = this.#summaryAt.get(review);
    if (before !== undefined && review.hunk(before)) return;
    const isTopInSight = editor.visibleRanges.some(({ start }) => start.line === 0);
    if (isTopInSight) this.#summaryAt.delete(review);
    else this.#summaryAt.set(review, hunkId);
    if (this.#summaryAt.get(review) !== before) this.refresh();
  }

  refresh(): void {
    this.#changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const review = this.#find(document.uri);
    if (!review || document.uri.toString() !== review.previewUri.toString()) return [];
    return [
      ...this.#header(review, 0),
      ...review.view.hunks
        .filter(({ id, firstRow }) => id === this.#summaryAt.get(review) && firstRow > 1)
        .flatMap(({ firstRow }) => this.#header(review, firstRow - 1)),
      ...review.view.hunks.flatMap(place => this.#hunk(review, place.id, place.firstRow)),
    ];
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #header(review: Review, row: number): vscode.CodeLens[] {
    const top = new vscode.Range(row, 0, row, 0);
    const lens = (title: string, id = '', ...args: unknown[]) =>
      new vscode.CodeLens(top, { title, command: id, arguments: args });
    const others = this.#countOthers(review);
    const { findings } = review.origin;
    return [
      lens(`$(git-compare) ${summary(review)}`),
      ...(findings.length > 0
        ? [lens(`$(${auditIcon(findings)}) ${countOf(findings)}`, command.showFindings, review.id)]
        : []),
      ...(review.model.hunks.length > 0
        ? [
            lens(`$(check-all) ${vscode.l10n.t('Accept All')}`, command.acceptAll, review.id),
            lens(`$(close-all) ${vscode.l10n.t('Reject All')}`, command.rejectAll, review.id),
          ]
        : []),
      ...(others > 0
        ? [
            lens(
              `$(checklist) ${vscode.l10n.t('Accept All {0} Files', others + 1)}`,
              command.acceptAllFiles,
            ),
          ]
        : []),
      lens(`$(diff) ${vscode.l10n.t('Open Diff')}`, command.openDiff, review.id),
    ];
  }

  #hunk(review: Review, id: number, row: number): vscode.CodeLens[] {
    const hunk = review.hunk(id);
    if (!hunk) return [];
    const at = new vscode.Range(row, 0, row, 0);
    const lens = (title: string, name = '') =>
      new vscode.CodeLens(at, { title, command: name, arguments: [review.id, id] });
    const findings = review.origin.findings.filter(({ change }) => change === id);
    const audit =
      findings.length > 0
        ? [lens(`$(${auditIcon(findings)}) ${countOf(findings)}`, command.showFindings)]
        : [];
    const number = review.model.hunks.indexOf(hunk) + 1;
    const count = `${number}/${review.model.hunks.length}  +${hunk.inserted.length} −${hunk.removed.length}`;
    if (hunk.conflict) {
      return [
        lens(`$(warning) ${vscode.l10n.t('You changed these lines: Accept replaces your edit')}`),
        lens(`$(check) ${vscode.l10n.t('Accept Anyway')}`, command.acceptChange),
        lens(`$(discard) ${vscode.l10n.t('Keep Mine')}`, command.rejectChange),
        ...audit,
        lens(count),
      ];
    }
    return [
      lens(`$(check) ${vscode.l10n.t('Accept')}`, command.acceptChange),
      lens(`$(discard) ${vscode.l10n.t('Reject')}`, command.rejectChange),
      ...audit,
      lens(count),
    ];
  }
}

/** One line: what, where, how much, by whom, how fast. */
export function summary(review: Review): string {
  const { added, removed } = review.size;
  const count = review.model.hunks.length;
  const changes = count === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', count);
  const facts = [...writtenBy(review), mergedBy(review)].join(' · ');
  return `${review.label}: ${changes} (+${added} −${removed}) · ${facts}`;
}

/** The chat model behind the edit, its time and its price; empty for an edit from the clipboard. */
export function writtenBy({ origin: { author } }: Review): string[] {
  if (!author) return [];
  const time = timeText(author.ms);
  return author.cost
    ? [vscode.l10n.t('by {0} in {1}, {2}', author.model, time, costText(author.cost))]
    : [vscode.l10n.t('by {0} in {1}', author.model, time)];
}

const timeText = (ms: number): string =>
  ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;

export function mergedBy({ origin }: Review): string {
  const time = timeText(origin.ms);
  return origin.engine === 'local'
    ? vscode.l10n.t('merged locally in {0}', time)
    : vscode.l10n.t('merged by {0} in {1}', origin.model ?? vscode.l10n.t('the service'), time);
}

export function findingsTitle({ origin }: Review): string {
  const { findings } = origin;
  return findings.length === 0 ? vscode.l10n.t('audit clean') : countOf(findings);
}

function countOf({ length }: readonly MergeFinding[]): string {
  return length === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', length);
}

function auditIcon(findings: readonly MergeFinding[]): 'error' | 'warning' {
  return findings.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
}
