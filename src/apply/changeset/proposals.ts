import type * as vscode from 'vscode';
import { AbortError } from '../../base/async/clock';
import { SequencerByKey } from '../../base/async/sequencer';
import { UserError } from '../../base/userError';
import type { EditOrigin } from '../history/applyHistory';
import type { ClipboardEdit } from '../parse/clipboard';
import type { ChangeSetRef } from '../review/model/fileOperation';
import type { EditPipeline, Proposal } from './editPipeline';
import type { MergeService } from './engine';
import { silentPolicy } from './silentPolicy';

export interface ProposedEdit {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  /** A description of the change in the first person, for the service. */
  readonly instruction?: string | undefined;
  readonly from: EditOrigin;
  /** The edits that it belongs to. */
  readonly changeSet?: ChangeSetRef | undefined;
}

/**
 * Edits from a chat or an agent. Each becomes a review without a question to the user; nothing is written.
 * Edits of one file run one after another, each on top of the changes that are still undecided.
 */
export class Proposals {
  readonly #service: MergeService;
  readonly #pipeline: EditPipeline;
  readonly #sequencer = new SequencerByKey<string>();

  constructor(service: MergeService, pipeline: EditPipeline) {
    this.#service = service;
    this.#pipeline = pipeline;
  }

  /** @throws {AbortError} when `signal` is aborted; no review has started then. */
  async propose(
    { uri, changeSet, ...edit }: ProposedEdit,
    signal: AbortSignal,
  ): Promise<Exclude<Proposal, { kind: 'cancelled' }>> {
    try {
      return await this.#sequencer.run(uri.toString(), async () => {
        signal.throwIfAborted();
        const policy = silentPolicy(edit, this.#service, signal);
        const proposal = await this.#pipeline.run(uri, policy, changeSet);
        // The silent policy never cancels by itself: only the signal ends an edit early.
        if (proposal.kind === 'cancelled') throw new AbortError();
        return proposal;
      });
    } catch (error) {
      if (error instanceof UserError) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }
}
