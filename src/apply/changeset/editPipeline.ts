import * as vscode from 'vscode';
import { splitLines } from '../../base/text/textLines';
import { diffLines } from '../../merge';
import type { EditOrigin } from '../history/applyHistory';
import type { Author } from '../instruct/runEdit';
import type { ChangeSetRef } from '../review/model/fileOperation';
import type { ReviewRegistry } from '../review/registry';
import type { Review } from '../review/review';
import { readTarget } from '../target/readTarget';
import { linesOf } from './editFile';
import type { Merged, MergeFinding, MergeOutcome } from './engine';

const { t } = vscode.l10n;

/** The text that an edit is merged into. */
export interface EditTarget {
  readonly document: vscode.TextDocument;
  /** Display name of the file: its path relative to the workspace. */
  readonly path: string;
  /** The text of the file, or what its pending review makes of it. */
  readonly original: string;
  readonly isOnTop: boolean;
}

/** A merge and what its review has to know of it. */
export interface PolicyOutcome {
  readonly outcome: MergeOutcome;
  /** Why the service did not do the merge although the settings ask for it. */
  readonly note?: string | undefined;
  /** The snippet, if the review may be merged again with another model. */
  readonly update?: string | undefined;
  readonly author?: Author | undefined;
  /** The text of a chat model that the edit was read from. */
  readonly answer?: string | undefined;
}

/** How an edit is performed: who is asked, what may be sent, and who merges. */
export interface EditPolicy {
  /** What the edit was made from. */
  readonly from?: EditOrigin | undefined;
  /**
   * What happens to the pending review of the file: the new edit replaces it, or goes on top of its undecided
   * changes. Undefined when the edit is given up.
   */
  takePending(pending: Review): Promise<'replace' | 'stack' | undefined>;
  /** Clears the edit for sending where needed, and merges. Undefined when the user cancelled. */
  merge(target: EditTarget): Promise<PolicyOutcome | undefined>;
}

/** The outcome of an edit. */
export type Proposal =
  | {
      readonly kind: 'review';
      readonly review: Review;
      /** The text that the edit was merged into. */
      readonly before: string;
      readonly after: string;
      readonly findings: readonly MergeFinding[];
      /** The edit was added to changes that the user has not decided on yet. */
      readonly isOnTop: boolean;
      readonly note?: string;
    }
  | { readonly kind: 'unchanged'; readonly path: string; readonly review?: Review | undefined }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'cancelled' };

/**
 * Turns an edit of one file into a review: reads the file, settles what happens to its pending review, merges
 * as the policy says, and starts the review. Writes no files and shows nothing.
 */
export class EditPipeline {
  readonly #reviews: ReviewRegistry;

  constructor(reviews: ReviewRegistry) {
    this.#reviews = reviews;
  }

  /**
   * @param changeSet the answer that the edit is a part of.
   * @throws {UserError} when the file cannot be read as text; whatever the policy throws.
   */
  async run(uri: vscode.Uri, policy: EditPolicy, changeSet?: ChangeSetRef): Promise<Proposal> {
    const document = await readTarget(uri);
    const pending = this.#reviews.ofFile(document.uri);
    const choice = pending ? await policy.takePending(pending) : 'replace';
    if (!choice) return { kind: 'cancelled' };
    const isOnTop = pending !== undefined && choice === 'stack';
    const base = linesOf(document);
    const original = isOnTop ? proposedText(pending) : document.getText();
    const path = vscode.workspace.asRelativePath(document.uri);
    const answer = await policy.merge({ document, path, original, isOnTop });
    if (!answer) return { kind: 'cancelled' };
    const { outcome, note, update, author, answer: text = policy.from?.answer } = answer;
    if (outcome.kind === 'refused') return outcome;
    const proposed = splitLines(outcome.text);
    if (proposed.join('\n') === splitLines(original).join('\n')) {
      return { kind: 'unchanged', path, review: isOnTop ? pending : undefined };
    }
    const replaced = await this.#settlePending(document, { pending, original, isOnTop, policy });
    if (replaced.kind !== 'settled') return replaced;
    const earlier = isOnTop ? movedFindings(pending.origin.findings, original, outcome.text) : [];
    const review = this.#reviews.start(
      document,
      base,
      proposed,
      {
        ...originOf(outcome, { earlier, update: isOnTop ? undefined : update, author }),
        ...this.#reviews.history.provenanceOf(policy.from && { ...policy.from, answer: text }),
      },
      changeSet,
    );
    const { findings } = outcome;
    return {
      kind: 'review',
      review,
      before: original,
      after: outcome.text,
      findings,
      isOnTop,
      ...(note !== undefined && { note }),
    };
  }

  /** Ends the review that the new one replaces. Another one may have started while the edit was merged. */
  async #settlePending(
    { uri }: vscode.TextDocument,
    merged: {
      readonly pending: Review | undefined;
      readonly original: string;
      readonly isOnTop: boolean;
      readonly policy: EditPolicy;
    },
  ): Promise<{ readonly kind: 'settled' } | Exclude<Proposal, { kind: 'review' }>> {
    const { pending, original, isOnTop, policy } = merged;
    const now = this.#reviews.ofFile(uri);
    const isDecidedOn = isOnTop && pending && proposedText(pending) !== original;
    if (isDecidedOn || (isOnTop && now !== pending)) return changedMeanwhile();
    if (now && now !== pending) {
      const choice = await policy.takePending(now);
      if (!choice) return { kind: 'cancelled' };
      if (choice === 'stack' || this.#reviews.ofFile(uri) !== now) return changedMeanwhile();
    }
    if (now) await this.#reviews.discard(now);
    return { kind: 'settled' };
  }
}

const changedMeanwhile = (): Proposal & { kind: 'refused' } => ({
  kind: 'refused',
  reason: t('The review of this file changed while the edit was merged.'),
});

const proposedText = ({ model }: Review): string => model.proposed().join('\n');

function originOf(
  { engine, ms, findings, model }: Merged,
  {
    earlier,
    update,
    author,
  }: {
    readonly earlier: readonly MergeFinding[];
    readonly update: string | undefined;
    readonly author: Author | undefined;
  },
): Review['origin'] {
  return {
    engine,
    ms,
    findings: [...earlier, ...findings],
    ...(model !== undefined && { model }),
    ...(update !== undefined && { update }),
    ...(author && { author }),
  };
}

/** The findings of an edit with the lines that they have after another one. */
function movedFindings(
  findings: readonly MergeFinding[],
  before: string,
  after: string,
): MergeFinding[] {
  const changes = diffLines(splitLines(before), splitLines(after));
  return findings.map(finding => {
    const shift = changes
      .filter(({ oldStart, oldCount }) => oldStart + oldCount < finding.line)
      .reduce((sum, { oldCount, newCount }) => sum + newCount - oldCount, 0);
    return { ...finding, line: finding.line + shift };
  });
}
