import * as vscode from 'vscode';
import { SequencerByKey } from '../../base/async/sequencer';
import { splitLines } from '../../base/text/textLines';
import { UserError } from '../../base/userError';
import { diffLines } from '../../merge';
import { settings } from '../../platform/settings';
import { adviceFor, ServiceError } from '../../service';
import type { ClipboardEdit } from '../parse/clipboard';
import type { ReviewRegistry } from '../review/registry';
import type { Review } from '../review/review';
import { readTarget } from '../target/readTarget';
import { clearOrKeepLocal } from './clearance';
import { linesOf } from './editFile';
import { mergeRequest } from './editPipeline';
import {
  editText,
  isSent,
  type MergeFinding,
  type MergeOutcome,
  type MergeRequest,
  type MergeService,
  merge,
  mergeLocally,
} from './engine';

export interface ProposedEdit {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  /** A description of the change in the first person, for the service. */
  readonly instruction?: string | undefined;
}

/** The outcome of an edit that a chat or an agent proposed. */
export type Proposal =
  | {
      readonly kind: 'review';
      readonly review: Review;
      /** The text that the edit was merged into: the file's, or what a pending review makes of it. */
      readonly before: string;
      readonly after: string;
      readonly findings: readonly MergeFinding[];
      /** The edit was added to changes that the user has not decided on yet. */
      readonly isOnTop: boolean;
      /** Why the service did not do the merge although the settings ask for it. */
      readonly note?: string;
    }
  | { readonly kind: 'unchanged'; readonly review?: Review | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Edits from a chat or an agent. Each becomes a review without a question to the user; nothing is written.
 * Edits of one file run one after another, each on top of the changes that are still undecided.
 */
export class Proposals {
  readonly #client: MergeService;
  readonly #reviews: ReviewRegistry;
  readonly #sequencer = new SequencerByKey<string>();

  constructor(client: MergeService, reviews: ReviewRegistry) {
    this.#client = client;
    this.#reviews = reviews;
  }

  /** @throws {AbortError} when `signal` is aborted; no review has started then. */
  async propose(proposed: ProposedEdit, signal: AbortSignal): Promise<Proposal> {
    try {
      return await this.#sequencer.run(proposed.uri.toString(), () =>
        this.#propose(proposed, signal),
      );
    } catch (error) {
      if (error instanceof UserError) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async #propose({ edit, uri, instruction }: ProposedEdit, signal: AbortSignal): Promise<Proposal> {
    signal.throwIfAborted();
    const document = await readTarget(uri);
    const pending = this.#reviews.ofFile(document.uri);
    const base = linesOf(document);
    const original = pending ? pending.model.proposed().join('\n') : document.getText();
    const wanted = mergeRequest(edit, splitLines(original), {
      original,
      path: vscode.workspace.asRelativePath(document.uri),
      instruction,
    });
    const { request, reason } = await clearOrKeepLocal(wanted, document.uri);
    const isKept = reason !== undefined && (await isSent(wanted, this.#client));
    const merged = await mergeOrLocal(request, this.#client, signal);
    const { outcome } = merged;
    const note = merged.note ?? (isKept ? reason : undefined);
    signal.throwIfAborted();
    if (outcome.kind === 'refused') {
      return isKept ? { ...outcome, reason: `${reason} ${outcome.reason}` } : outcome;
    }
    const text = splitLines(outcome.text);
    if (text.join('\n') === splitLines(original).join('\n')) {
      return { kind: 'unchanged', review: pending };
    }
    if (this.#reviews.ofFile(document.uri) !== pending || isDecidedOn(pending, original)) {
      return {
        kind: 'refused',
        reason: vscode.l10n.t('The review of this file changed while the edit was merged.'),
      };
    }
    const { engine, ms, findings, model } = outcome;
    const earlier = pending ? movedFindings(pending.origin.findings, original, outcome.text) : [];
    const update = edit.format === 'snippet' && !pending ? editText(edit) : undefined;
    if (pending) await this.#reviews.discard(pending);
    const review = this.#reviews.start(document, base, text, {
      engine,
      ms,
      findings: [...earlier, ...findings],
      ...(model !== undefined && { model }),
      ...(update !== undefined && { update }),
    });
    return {
      kind: 'review',
      review,
      before: original,
      after: outcome.text,
      findings,
      isOnTop: pending !== undefined,
      ...(note !== undefined && { note }),
    };
  }
}

const clock = () => performance.now();

/** Merges by the settings; with `auto`, a failure of the service falls back to the local engine. */
async function mergeOrLocal(
  request: MergeRequest,
  service: MergeService,
  signal: AbortSignal,
): Promise<{ outcome: MergeOutcome; note?: string }> {
  try {
    return { outcome: await merge(request, service, { signal, now: clock }) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message } = adviceFor(error, vscode.l10n.t);
    const local = settings.engine === 'auto' ? mergeLocally(request, clock) : undefined;
    if (local?.kind === 'merged') return { outcome: local, note: message };
    const reason = local?.kind === 'refused' ? `${message} ${local.reason}` : message;
    return { outcome: { kind: 'refused', reason } };
  }
}

function isDecidedOn(review: Review | undefined, original: string): boolean {
  return review !== undefined && review.model.proposed().join('\n') !== original;
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
