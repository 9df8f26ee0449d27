import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { BatchRuns } from '../contracts/batchRuns';
import type { ChosenReflexes } from '../contracts/chosenReflexes';
import type { CommandId } from '../platform/commands/contribute';
import { DisposableStore } from '../platform/disposables';
import type { JsonDocuments } from '../platform/documents/textDocuments';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { Host } from '../platform/host';
import type { RowParts } from '../platform/tree/rowView';
import type { Batch, FineTuningJob } from '../service';
import { batchRows } from './batchRows';
import { batchesView, contextKeys, fineTuningView } from './ids';
import { JobView } from './jobView';
import { tuningRows } from './tuningRows';

const { t } = vscode.l10n;

export type JobsClient = Pick<GatedClient, 'listBatches' | 'listFineTuningJobs'>;

/** Services that the views share with other features. */
export interface JobsShared {
  readonly documents: JsonDocuments;
  readonly chosen: ChosenReflexes;
  readonly runs: BatchRuns;
}

export function createJobsController(
  host: Host,
  client: JobsClient,
  views: { readonly batches: RowParts; readonly tuning: RowParts },
  shared: JobsShared,
  store: DisposableStore,
): JobsController {
  return store.add(new JobsController(host, client, views, shared));
}

/** The views of batches and of fine-tuning jobs. */
export class JobsController implements vscode.Disposable {
  readonly batches: JobView<Batch>;
  readonly tuning: JobView<FineTuningJob>;
  readonly #shared: JobsShared;
  readonly #store = new DisposableStore();

  constructor(
    host: Host,
    client: JobsClient,
    views: { readonly batches: RowParts; readonly tuning: RowParts },
    shared: JobsShared,
  ) {
    const { runs, chosen } = shared;
    this.#shared = shared;
    this.batches = this.#store.add(
      new JobView<Batch>(host, views.batches, {
        viewId: batchesView,
        refreshCommand: 'splice.batches.refresh' satisfies CommandId,
        offKey: contextKeys.batchesOff,
        filteredKey: contextKeys.isBatchesFiltered,
        paging: options => ({
          // Newer batches may have shifted the pages, so the last known one is read again.
          read: known => client.listBatches({ after: Math.max(0, known.length - 1) }, options),
          overlaps: true,
        }),
        rows: input =>
          batchRows({
            ...input,
            moreCommand: 'splice.batches.more' satisfies CommandId,
            runs: runs.all,
            runCommand: 'splice.reflex.batchRuns' satisfies CommandId,
          }),
      }),
    );
    this.tuning = this.#store.add(
      new JobView<FineTuningJob>(host, views.tuning, {
        viewId: fineTuningView,
        refreshCommand: 'splice.fineTuning.refresh' satisfies CommandId,
        offKey: contextKeys.tuningOff,
        filteredKey: contextKeys.isTuningFiltered,
        paging: options => ({
          read: known => client.listFineTuningJobs({ before: known.at(-1)?.id }, options),
          overlaps: false,
        }),
        rows: input =>
          tuningRows({
            ...input,
            moreCommand: 'splice.fineTuning.more' satisfies CommandId,
            chosen: new Set(chosen.names),
          }),
      }),
    );
    this.#store.add(runs.onDidChange(() => this.batches.draw()));
    this.#store.add(chosen.onDidChange(() => this.tuning.draw()));
  }

  /** Adds a trained classifier to the chosen reflexes, or removes it. */
  async useAsReflex(argument: unknown, isWanted: boolean): Promise<void> {
    const { chosen } = this.#shared;
    const job = this.tuning.item(argument) ?? (await this.#pickTrained(isWanted));
    if (!job) return;
    const { fineTunedModel: name, status } = job;
    if (name === undefined || status !== 'succeeded') {
      throw new UserError(t('This job has not produced a classifier.'));
    }
    if (isWanted) await chosen.add(name);
    else await chosen.remove(name);
  }

  async show(argument: unknown): Promise<void> {
    const item = this.batches.item(argument) ?? this.tuning.item(argument);
    if (!item) throw new UserError(t('Select a batch or a job in the view first.'));
    await this.#shared.documents.show(item.id, item);
  }

  async copy(argument: unknown): Promise<void> {
    const value = (this.batches.row(argument) ?? this.tuning.row(argument))?.value;
    if (value === undefined) throw new UserError(t('Select a batch or a job in the view first.'));
    await vscode.env.clipboard.writeText(value);
    vscode.window.setStatusBarMessage(t('Copied.'), 4000);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #pickTrained(isWanted: boolean): Promise<FineTuningJob | undefined> {
    const { names } = this.#shared.chosen;
    const fitting = (await this.tuning.all()).filter(
      ({ status, fineTunedModel: name }) =>
        status === 'succeeded' && name !== undefined && names.includes(name) !== isWanted,
    );
    if (fitting.length === 0) {
      throw isWanted
        ? new UserError(t('All trained classifiers are already in use. Refresh to see new ones.'), {
            title: t('Refresh'),
            command: 'splice.fineTuning.refresh' satisfies CommandId,
          })
        : new UserError(t('No trained classifier is used as a reflex. Choose one first.'), {
            title: t('Use as Reflex'),
            command: 'splice.fineTuning.useAsReflex' satisfies CommandId,
          });
    }
    const picked = await vscode.window.showQuickPick(
      fitting.map(job => ({
        label: job.fineTunedModel ?? job.id,
        description: job.labels.join(', '),
        job,
      })),
      { title: isWanted ? t('Use as Reflex') : t('Stop Using as Reflex') },
    );
    return picked?.job;
  }
}
