import * as vscode from 'vscode';
import { changesText } from '../../../base/format/counts';
import { costText } from '../../../base/format/money';
import { latencyText } from '../../../base/format/times';
import type { CommandId, Commands } from '../../../platform/commands/contribute';
import { commandItem } from '../../../platform/commands/registerCommands';
import type { MergeFinding } from '../../changeset/engine';
import { auditText, findingCount } from '../model/findings';
import type { Review } from '../review';
import { operationText } from '../reviewRows';
import { editorsOf, isLong, meets, visibleSpans } from './visibleRows';

type ChangeCommand =
  | 'splice.apply.acceptChange'
  | 'splice.apply.rejectChange'
  | 'splice.apply.editChange'
  | 'splice.apply.showFindings';

/** A lens that only says something. */
export const labelLens = (at: vscode.Range, title: string): vscode.CodeLens =>
  new vscode.CodeLens(at, { title, command: '' });

/**
 * A lens whose command is only told when it is in sight: VS Code makes elements for all lenses with a command before it
 * draws the first line.
 */
class LateLens extends vscode.CodeLens {
  readonly #late: vscode.Command | undefined;

  constructor({ range, command }: vscode.CodeLens) {
    super(range);
    this.#late = command;
  }

  resolved(): vscode.CodeLens {
    if (this.#late) this.command = this.#late;
    return this;
  }
}

/** Code lenses: actions above each change and the summary above the first line. They carry ids, because ranges may be stale. */
export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #find: (uri: vscode.Uri) => Review | undefined;
  readonly #countOthers: (review: Review) => number;
  /** The change that repeats the summary, in reviews that open far below their first line. */
  readonly #summaryAt = new WeakMap<Review, number>();

  constructor(
    find: (uri: vscode.Uri) => Review | undefined,
    countOthers: (review: Review) => number,
  ) {
    this.#find = find;
    this.#countOthers = countOthers;
  }

  /**
   * Repeats the summary above a revealed change, if the first line is not visible and no undecided change
   * shows the summary yet.
   */
  didReveal(review: Review, hunkId: number, editor: vscode.TextEditor): void {
    const before = this.#summaryAt.get(review);
    if (before !== undefined && review.hunk(before)) return;
    const row = review.view.hunks.find(({ id }) => id === hunkId)?.firstRow ?? 0;
    // Ranges without the change are those of before: on a busy machine they are told late.
    const isTopInSight = editor.visibleRanges.some(
      ({ start, end }) => start.line === 0 && row <= end.line,
    );
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
    const spans = isLong(review)
      ? editorsOf(document.uri).flatMap(editor => visibleSpans(review, editor))
      : undefined;
    const inTime = (row: number, lenses: readonly vscode.CodeLens[]) =>
      spans && !meets(spans, row, row + 1) ? lenses.map(lens => new LateLens(lens)) : lenses;
    return [
      ...this.#header(review, 0),
      ...review.view.hunks
        .filter(({ id, firstRow }) => id === this.#summaryAt.get(review) && firstRow > 2)
        .flatMap(({ firstRow }) => this.#header(review, firstRow - 1)),
      ...review.view.hunks.flatMap(({ id, firstRow }) =>
        inTime(firstRow, changeLenses(review, id, firstRow, true)),
      ),
      ...review.view.gaps.flatMap(({ row, above }) => inTime(row, [gapLens(review, row, above)])),
    ];
  }

  resolveCodeLens(lens: vscode.CodeLens): vscode.CodeLens {
    return lens instanceof LateLens ? lens.resolved() : lens;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #header(review: Review, row: number): vscode.CodeLens[] {
    const top = new vscode.Range(row, 0, row, 0);
    const lens = <Id extends CommandId>(title: string, id: Id, ...args: Commands[Id]) =>
      new vscode.CodeLens(top, commandItem(title, id, ...args));
    const others = this.#countOthers(review);
    const { findings } = review.origin;
    return [
      labelLens(top, `$(git-compare) ${reviewSummary(review)}`),
      ...(findings.length > 0
        ? [
            lens(
              `$(${auditIcon(findings)}) ${findingCount(findings.length, vscode.l10n.t)}`,
              'splice.apply.showFindings',
              review.id,
            ),
          ]
        : []),
      ...(review.model.hunks.length > 0 && !review.operation
        ? [
            lens(
              `$(check-all) ${vscode.l10n.t('Accept All')}`,
              'splice.apply.acceptAll',
              review.id,
            ),
            lens(
              `$(close-all) ${vscode.l10n.t('Reject All')}`,
              'splice.apply.rejectAll',
              review.id,
            ),
          ]
        : []),
      ...(others > 0
        ? [
            lens(
              `$(checklist) ${vscode.l10n.t('Accept All {0} Files', others + 1)}`,
              'splice.apply.acceptAllFiles',
            ),
          ]
        : []),
      lens(`$(diff) ${vscode.l10n.t('Open Diff')}`, 'splice.apply.openDiff', review.id),
    ];
  }
}

const gapLens = ({ id }: Review, row: number, above: number): vscode.CodeLens =>
  new vscode.CodeLens(
    new vscode.Range(row, 0, row, 0),
    commandItem(`$(unfold) ${vscode.l10n.t('Show Lines')}`, 'splice.apply.showLines', id, above),
  );

/**
 * The lenses of one change: what can be decided, what the audit found, and its number.
 * @param isReadOnly the document cannot be edited, but the page with the proposed text can.
 */
export function changeLenses(
  review: Review,
  id: number,
  row: number,
  isReadOnly = false,
): vscode.CodeLens[] {
  const hunk = review.hunk(id);
  if (!hunk) return [];
  const at = new vscode.Range(row, 0, row, 0);
  const lens = (title: string, command: ChangeCommand) =>
    new vscode.CodeLens(at, commandItem(title, command, review.id, id));
  const findings = review.origin.findings.filter(({ change }) => change === id);
  const audit =
    findings.length > 0
      ? [
          lens(
            `$(${auditIcon(findings)}) ${findingCount(findings.length, vscode.l10n.t)}`,
            'splice.apply.showFindings',
          ),
        ]
      : [];
  const canEdit = isReadOnly && (!review.operation || review.operation.kind === 'create');
  const edit = canEdit ? [lens(`$(edit) ${vscode.l10n.t('Edit')}`, 'splice.apply.editChange')] : [];
  const number = review.model.hunks.indexOf(hunk) + 1;
  const count = `${number}/${review.model.hunks.length}  +${hunk.inserted.length} −${hunk.removed.length}`;
  if (hunk.conflict) {
    return [
      labelLens(
        at,
        `$(warning) ${vscode.l10n.t('You changed these lines: Accept replaces your edit')}`,
      ),
      lens(`$(check) ${vscode.l10n.t('Accept Anyway')}`, 'splice.apply.acceptChange'),
      lens(`$(discard) ${vscode.l10n.t('Keep Mine')}`, 'splice.apply.rejectChange'),
      ...edit,
      ...audit,
      labelLens(at, count),
    ];
  }
  const [accept, reject] = decisionTitles(review);
  return [
    lens(`$(check) ${accept}`, 'splice.apply.acceptChange'),
    lens(`$(discard) ${reject}`, 'splice.apply.rejectChange'),
    ...edit,
    ...audit,
    labelLens(at, count),
  ];
}

/** Titles of the two decisions about a change. */
export function decisionTitles({ operation }: Review): readonly [accept: string, reject: string] {
  switch (operation?.kind) {
    case 'create':
      return [vscode.l10n.t('Create File'), vscode.l10n.t('Reject')];
    case 'delete':
      return [vscode.l10n.t('Delete File'), vscode.l10n.t('Keep File')];
    case 'rename':
      return [vscode.l10n.t('Rename File'), vscode.l10n.t('Keep Name')];
    default:
      return [vscode.l10n.t('Accept'), vscode.l10n.t('Reject')];
  }
}

/** One line: file, changes, author, engine and times. */
export function reviewSummary(review: Review): string {
  const { added, removed } = review.size;
  const count = review.model.hunks.length;
  const changes =
    operationText(review.operation, vscode.l10n.t) ?? changesText(count, vscode.l10n.t);
  const facts = [...writtenBy(review), mergedBy(review)].join(' · ');
  return `${review.label}: ${changes} (+${added} −${removed}) · ${facts}`;
}

/** The chat model that wrote the edit, its time and cost; empty for an edit from the clipboard. */
export function writtenBy({ origin: { author } }: Review): string[] {
  if (!author) return [];
  const time = latencyText(author.ms);
  return author.cost
    ? [
        vscode.l10n.t(
          'by {0} in {1}, {2}',
          author.model,
          time,
          costText(author.cost, vscode.l10n.t),
        ),
      ]
    : [vscode.l10n.t('by {0} in {1}', author.model, time)];
}

export function mergedBy({ origin }: Pick<Review, 'origin'>): string {
  // Taken from the history, so nothing was merged.
  if (origin.source === 'undo') return vscode.l10n.t('undo of an earlier edit');
  const time = latencyText(origin.ms);
  return origin.engine === 'local'
    ? vscode.l10n.t('merged locally in {0}', time)
    : vscode.l10n.t('merged by {0} in {1}', origin.model ?? vscode.l10n.t('the service'), time);
}

export const findingsTitle = ({ origin: { findings } }: Review): string =>
  auditText(findings, vscode.l10n.t);

function auditIcon(findings: readonly MergeFinding[]): 'error' | 'warning' {
  return findings.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
}
