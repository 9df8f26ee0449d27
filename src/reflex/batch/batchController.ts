import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../base/async/clock';
import { eventsText } from '../../base/format/counts';
import { formatUsd } from '../../base/format/money';
import { numberText } from '../../base/format/numbers';
import { dateTimeText, timeOfDay } from '../../base/format/times';
import { withoutIcons } from '../../base/text/withoutIcons';
import { isRecord } from '../../base/typeGuards';
import { UserError } from '../../base/userError';
import { batchRunIcon } from '../../contracts/batchRunIcon';
import type { BatchRuns } from '../../contracts/batchRuns';
import type { OpenLedger } from '../../platform/client/client';
import type { CommandId } from '../../platform/commands/contribute';
import { confirm } from '../../platform/confirm';
import type { Host } from '../../platform/host';
import { withProgress } from '../../platform/progress';
import { settings } from '../../platform/settings';
import { hasRunsKey } from '../../platform/storageKeys';
import { adviceFor, eventPrices, serviceLimits } from '../../service';
import { serviceOrigin } from '../consent';
import { type ChooseClient, pickReflexes } from '../pickReflexes';
import { ResultsPages } from '../results/resultsPage';
import { checkTrust } from '../router/routerController';
import { batchPrice, nextEventPrice } from './batchPrice';
import { type BatchRun, batchProgress, isActiveRun } from './batchRun';
import { type BatchClient, BatchRunner } from './batchRunner';
import { type BatchChoices, pickColumn, pickOutput, pickTableFile, readHead } from './batchSetup';
import { BatchStore, diskFiles } from './batchStore';
import { progressText, rowsText, stateText } from './batchTexts';
import { countRows, type FileCounts } from './inputRows';

const { t } = vscode.l10n;

interface Running {
  run: BatchRun;
  readonly controller: AbortController;
  /** Stopped by the user, not because the window closes. */
  isStopped: boolean;
}

/** Commands of Batch Classify: starts runs, resumes them after a reload, and lists them. */
export class BatchController implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: BatchClient & ChooseClient;
  readonly #ledger: OpenLedger;
  readonly #store: BatchStore;
  /** Shared with the Batches view. */
  readonly #runs: BatchRuns;
  readonly #running = new Map<string, Running>();
  readonly #results: ResultsPages;

  constructor(
    host: Host,
    client: BatchClient & ChooseClient,
    { ledger, runs }: { readonly ledger: OpenLedger; readonly runs: BatchRuns },
  ) {
    this.#host = host;
    this.#client = client;
    this.#ledger = ledger;
    this.#runs = runs;
    this.#store = new BatchStore(host.context);
    this.#results = new ResultsPages(host);
    if (host.context.workspaceState.get(hasRunsKey) === true) {
      host.quietly(() => this.#resumeAll())();
    }
  }

  /** @param file URI from the Explorer; the user is asked if it is missing. */
  async start(file?: unknown): Promise<void> {
    checkTrust();
    const uri = file instanceof vscode.Uri ? file : await pickTableFile();
    if (!uri) return;
    if (uri.scheme !== 'file') {
      throw new UserError(t('Only files on this computer can be classified.'));
    }
    const obstacle = await this.#client.obstacle();
    if (obstacle) throw obstacle;
    const input = uri.fsPath;
    const chosen = await this.#choose(input);
    if (!chosen) return;
    const inputBytes = await diskFiles.size(input);
    const counts = await withProgress(t('Counting the rows'), signal =>
      countRows(diskFiles.read(input), chosen.format, chosen.column, signal),
    );
    if (counts.sendable === 0) throw new UserError(t('No row contains text that can be sent.'));
    if (!(await this.#agreesToPrice(path.basename(input), chosen, counts))) return;
    const run: BatchRun = {
      ...chosen,
      id: randomUUID(),
      input,
      inputBytes,
      origin: serviceOrigin(),
      createdAt: Date.now(),
      rows: counts.rows,
      state: 'uploading',
      uploads: [],
      isUploaded: false,
    };
    await this.#store.save(run);
    await this.#host.context.workspaceState.update(hasRunsKey, true);
    // The command ends here; the run continues in the background.
    this.#follow(run);
  }

  /**
   * Lists the runs, each with its actions.
   * @param only object with the `id` of a run whose actions are shown directly
   */
  async show(only?: unknown): Promise<void> {
    const runs = await this.#store.all();
    const known = isRecord(only) ? runs.find(({ id }) => id === only['id']) : undefined;
    if (known) return this.#showActions(this.#running.get(known.id)?.run ?? known);
    if (runs.length === 0) {
      throw new UserError(t('No file has been classified yet. Run "Splice: Batch Classify…".'), {
        title: t('Batch Classify…'),
        command: 'splice.reflex.batch' satisfies CommandId,
      });
    }
    const picked = await vscode.window.showQuickPick(
      runs.map(stored => {
        const run = this.#running.get(stored.id)?.run ?? stored;
        return {
          label: withoutIcons(path.basename(run.input)),
          iconPath: new vscode.ThemeIcon(batchRunIcon(run.state, run.failedRows).id),
          description: stateText(run),
          detail: withoutIcons(
            [rowsText(run.rows), run.models.join(', '), dateTimeText(run.createdAt)].join(' · '),
          ),
          run,
        };
      }),
      { title: t('Batch Runs'), matchOnDescription: true, matchOnDetail: true },
    );
    if (picked) await this.#showActions(picked.run);
  }

  dispose(): void {
    for (const { controller } of this.#running.values()) controller.abort();
    this.#results.dispose();
  }

  async #showActions(run: BatchRun): Promise<void> {
    const running = this.#running.get(run.id);
    const { result } = run;
    const batchIds = run.uploads.flatMap(({ batchId }) => batchId ?? []);
    const resumeLabel = run.state === 'noResults' ? t('Ask for the results again') : t('Resume');
    const items = [
      ...(result === undefined
        ? []
        : [
            {
              label: t('Open Results as Table'),
              iconPath: new vscode.ThemeIcon('table'),
              description: t('With a summary'),
              act: async () => this.#results.show(run),
            },
            {
              label: t('Open File'),
              iconPath: new vscode.ThemeIcon('go-to-file'),
              act: async () => openResult(result),
            },
          ]),
      ...(running
        ? [
            {
              label: t('Stop'),
              iconPath: new vscode.ThemeIcon('debug-stop'),
              act: async () => this.#stop(running),
            },
          ]
        : run.state === 'done'
          ? []
          : [
              {
                label: resumeLabel,
                iconPath: new vscode.ThemeIcon('play'),
                act: async () => this.#resume(run),
              },
            ]),
      {
        label: t('Copy batch ids'),
        iconPath: new vscode.ThemeIcon('copy'),
        description: numberText(batchIds.length),
        act: async () => vscode.env.clipboard.writeText(batchIds.join('\n')),
      },
      ...(running
        ? []
        : [
            {
              label: t('Forget'),
              iconPath: new vscode.ThemeIcon('trash'),
              description: t('The service keeps its batches'),
              act: async () => {
                this.#runs.remove(run.id);
                await this.#store.remove(run.id);
              },
            },
          ]),
    ];
    const picked = await vscode.window.showQuickPick(items, {
      title: `${path.basename(run.input)} · ${stateText(run)}`,
      placeHolder: run.problem ?? '',
    });
    await picked?.act();
  }

  #stop(running: Running): void {
    running.isStopped = true;
    running.controller.abort();
  }

  #resume(run: BatchRun): void {
    checkTrust();
    if (run.origin !== serviceOrigin()) {
      throw new UserError(t('This run belongs to the service at {0}.', run.origin));
    }
    this.#follow(run);
  }

  /** Called after a reload. */
  async #resumeAll(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const runs = await this.#store.all();
    for (const run of runs) {
      this.#publish(run);
      if (isActiveRun(run) && run.origin === serviceOrigin()) this.#follow(run);
    }
    if (runs.length === 0) await this.#host.context.workspaceState.update(hasRunsKey, undefined);
  }

  #follow(run: BatchRun): void {
    if (this.#running.has(run.id)) return;
    const running: Running = { run, controller: new AbortController(), isStopped: false };
    this.#running.set(run.id, running);
    const done = vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t('Batch Classify') },
      progress => this.#runToEnd(running, message => progress.report({ message })),
    );
    void done.then(
      async end => {
        if (end) await this.#notify(end);
      },
      (error: unknown) => this.#host.report('batch', error),
    );
  }

  /** @returns undefined if the run was stopped or the window closes. */
  async #runToEnd(
    running: Running,
    tell: (message: string) => void,
  ): Promise<BatchRun | undefined> {
    const { controller } = running;
    const runner = new BatchRunner({
      client: this.#client,
      clock: systemClock,
      files: diskFiles,
      explain: error => (error instanceof UserError ? error.message : adviceFor(error, t).message),
      save: async run => {
        running.run = run;
        tell(progressText(run));
        this.#publish(run);
        await this.#store.save(run);
      },
      onWait: (until, error) => {
        this.#host.log.error('batch', error);
        tell(t('waiting until {0}', timeOfDay(until)));
      },
    });
    try {
      return await runner.run(running.run, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      if (running.isStopped) {
        const stopped: BatchRun = { ...running.run, state: 'stopped' };
        this.#publish(stopped);
        await this.#store.save(stopped);
      }
      return undefined;
    } finally {
      this.#running.delete(running.run.id);
    }
  }

  #publish(run: BatchRun): void {
    const { classified, failed } = batchProgress(run);
    this.#runs.set({
      id: run.id,
      title: path.basename(run.input),
      state: run.state,
      problem: run.problem,
      total: run.rows,
      // In the end, rows that could not be sent count as completed too.
      completed: run.state === 'done' ? run.rows : classified,
      failed: run.failedRows ?? failed,
      startedAt: run.createdAt,
    });
  }

  async #notify(run: BatchRun): Promise<void> {
    const name = path.basename(run.input);
    const show = t('Show Batch Runs');
    if (run.state === 'done') {
      const { result = '', failedRows = 0 } = run;
      const table = t('Open Results as Table');
      const open = t('Open File');
      const rows = rowsText(run.rows);
      const picked = await vscode.window.showInformationMessage(
        failedRows > 0
          ? t('{0} of {1} done; {2} with an error.', rows, name, rowsText(failedRows))
          : t('{0} of {1} done.', rows, name),
        table,
        open,
      );
      if (picked === table) await this.#results.show(run);
      if (picked === open) await openResult(result);
      return;
    }
    const picked = await vscode.window.showWarningMessage(
      run.state === 'noResults'
        ? t(
            'The rows of {0} are classified, but the service serves no results here. The batch stays in the list.',
            name,
          )
        : t('The batch of {0} cannot continue. {1}', name, run.problem ?? ''),
      show,
    );
    if (picked === show) await this.show();
  }

  // --- before a run

  async #choose(input: string): Promise<BatchChoices | undefined> {
    const title = t('Batch Classify {0}', path.basename(input));
    const read = await readHead(input, title);
    if (!read) return undefined;
    const column = await pickColumn(title, read.format, read.head);
    if (!column) return undefined;
    const reflexes = await pickReflexes(this.#client, {
      title,
      chosen: settings.reflexes,
      note: t('{0} per reflex and row, at the batch rate', formatUsd(await this.#eventPrice())),
    });
    if (!reflexes || reflexes.names.length === 0) return undefined;
    const output = await pickOutput(title, column.format);
    return output && { ...column, models: reflexes.names, output };
  }

  /** Price of the next event in USD: the rate of the tier that this month has reached. */
  async #eventPrice(): Promise<number> {
    const { billing } = await this.#ledger();
    const { batch } = await billing.reflexEvents();
    return nextEventPrice(batch);
  }

  /** Asks for consent; nothing is sent before it. */
  async #agreesToPrice(
    name: string,
    { models }: BatchChoices,
    { rows, sendable }: FileCounts,
  ): Promise<boolean> {
    const { billing } = await this.#ledger();
    const { batch: eventsBefore } = await billing.reflexEvents();
    const { events, usd } = batchPrice(sendable, models.length, eventsBefore);
    const { first, beyond } = eventPrices.reflexBatch;
    const detail = [
      t(
        '{0} × {1} = {2}. Batch rate: {3} per thousand events, {4} beyond {5} in a month. So far this month, from this computer: {6}.',
        rowsText(sendable),
        models.length === 1 ? t('1 reflex') : t('{0} reflexes', models.length),
        eventsText(events, t, numberText(events)),
        formatUsd(1000 * first),
        formatUsd(1000 * beyond),
        numberText(eventPrices.tierEvents),
        numberText(eventsBefore),
      ),
      t('Reflexes: {0}', models.join(', ')),
      ...(rows > sendable
        ? [t('Not sent, because they have no usable text: {0}.', rowsText(rows - sendable))]
        : []),
      t(
        'The texts go to {0}, at most {1} rows at a time. The results are written next to the file.',
        settings.serviceHost,
        numberText(serviceLimits.batchRows),
      ),
    ].join('\n\n');
    return confirm(
      t('Classify {0} of {1} for about {2}?', rowsText(sendable), name, formatUsd(usd)),
      detail,
      t('Send'),
      t('Do Not Send'),
    );
  }
}

async function openResult(file: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
}
