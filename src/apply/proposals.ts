import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import { settings } from '../host/settings';
import { diffLines } from '../merge/diff/lineDiff';
import { splitLines } from '../merge/text';
import { explain } from '../service/advice';
import { ServiceError } from '../service/errors';
import { clearedOrLocal } from './clearance';
import type { ClipboardEdit } from './clipboard';
import { linesOf } from './editFile';
import {
  editText,
  isSent,
  merge,
  type MergeFinding,
  type MergeOutcome,
  type MergeRequest,
  mergeLocally,
  type MergeService,
} from './engine';
import { mergeRequest } from './pipeline';
import { readTarget } from './readTarget';
import type { Review } from './review';
import type { Reviews } from './reviews';

export interface ProposedEdit {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  /** What the change is, in the first person; the service gets it. */
  readonly instruction?: string | undefined;
}

/** What became of an edit that a chat or an agent proposed. */
export type Proposal =
  | {
      readonly kind: 'review';
      readonly review: Review;
      /** The text that the edit was merged into: the file's, or what a pending review makes of it. */
      readonly before: string;
      readonly after: string;
      readonly findings: readonly MergeFinding[];
      /** The edit came on top of changes that the user has not decided yet. */
      readonly isOnTop: boolean;
      /** Why the service, which was asked, did not merge. */
      readonly note?: string;
    }
  | { readonly kind: 'unchanged'; readonly review?: Review | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Edits that come from a chat or an agent: nobody is asked anything, nothing is written; each ends in
 * a review. One edit of a file after the other, the later on top of what is still to be decided.
 */
export class Proposals {
  readonly #client: MergeService;
  readonly #reviews: Reviews;
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(client: MergeService, reviews: Reviews) {
    this.#client = client;
    this.#reviews = reviews;
  }

  /** @throws {AbortError} when `signal` is aborted; no review has started then. */
  async propose(proposed: ProposedEdit, signal: AbortSignal): Promise<Proposal> {
    const key = proposed.uri.toString();
    const before = this.#last.get(key) ?? Promise.resolve();
    const own = before.then(() => this.#propose(proposed, signal));
    const settled = own.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, settled);
    try {
      return await own;
    } catch (error) {
      if (error instanceof UserError) return { kind: 'refused', reason: error.message };
      throw error;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
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
    const { request, reason } = await clearedOrLocal(wanted, document.uri);
    const isKept = reason !== undefined && (await isSent(wanted, this.#client));
    const merged = await mergeOrLocal(request, this.#client, signal);
    const { outcome } = merged;
    const note = merged.note ?? (isKept ? reason : undefined);
    signal.throwIfAborted();
    if (outcome.kind === 'refused')
      return isKept ? { ...outcome, reason: `${reason} ${outcome.reason}` } : outcome;
    const text = splitLines(outcome.text);
    if (text.join('\n') === splitLines(original).join('\n'))
      return { kind: 'unchanged', review: pending };
    if (this.#reviews.ofFile(document.uri) !== pending || isDecidedOn(pending, original))
      return {
        kind: 'refused',
        reason: vscode.l10n.t('The review of this file changed while the edit was merged.'),
      };
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

/** As the settings say; where `auto` asked the service in vain, what the local engine makes of it. */
async function mergeOrLocal(
  request: MergeRequest,
  service: MergeService,
  signal: AbortSignal,
): Promise<{ outcome: MergeOutcome; note?: string }> {
  try {
    return { outcome: await merge(request, service, { signal, now: clock }) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message } = explain(error, vscode.l10n.t);
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
