import { append } from '../base/arrays';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { confirm } from '../host/confirm';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { withProgress } from '../host/progress';
import { runIcon } from '../host/runIcons';
import type { Runs } from '../host/runs';
import type { OpenLedger } from '../host/serviceClient';
import { settings } from '../host/settings';
import { ids } from '../manifest';
import { explain, timeOfDay } from '../service/advice';
import { eventPrices, formatUsd } from '../service/billing/pricing';
import { isRecord } from '../service/guards';
import { serviceLimits } from '../service/limits';
import { systemClock } from '../service/time';
import {
  type BatchClient,
  type BatchRun,
  BatchRunner,
  type FileCounts,
  countRows,
  isActive,
  progressOf,
} from './batchRun';
import { batchPrice, nextEventPrice } from './batchPrice';
import { BatchStore, diskFiles } from './batchStore';
import { type ChooseClient, pickReflexes } from './choose';
import { serviceOrigin } from './consent';
import { hasRunsKey } from '../host/storageKeys';
import { withoutIcons } from './reflexes';
import { checkTrust } from './router';
import {
  type OutputKind,
  type TableFormat,
  columnsOf,
  decoded,
  formatOf,
  readRecords,
} from './tables';

const { t } = vscode.l10n;
const number = (value: number): string => value.toLocaleString('en-US');
const rowsText = (count: number): string =>
  count === 1 ? t('1 row') : t('{0} rows', number(count));
const shorten = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text);

/** Records that are looked at to know the columns. */
const headRecords = 50;

interface Chosen {
  readonly format: TableFormat;
  readonly column: string;
  readonly models: readonly string[];
  readonly output: OutputKind;
}

interface Running {
  run: BatchRun;
  readonly controller: AbortController;
  /** By the user, and not by the window that closes. */
  isStopped: boolean;
}

/** Files that are classified row by row, and the list of them. */
export class BatchRoom implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: BatchClient & ChooseClient;
  readonly #ledger: OpenLedger;
  readonly #store: BatchStore;
  /** For the view of all batches. */
  readonly #runs: Runs;
  readonly #running = new Map<string, Running>();

  constructor(
    host: Host,
    client: BatchClient & ChooseClient,
    { ledger, runs }: { readonly ledger: OpenLedger; readonly runs: Runs },
  ) {
    this.#host = host;
    this.#client = client;
    this.#ledger = ledger;
    this.#runs = runs;
    this.#store = new BatchStore(host.context);
    if (host.context.workspaceState.get(hasRunsKey) === true)
      host.quietly(() => this.#goOnWithAll())();
  }

  /** @param file of the explorer; asked for without one. */
  async start(file?: unknown): Promise<void> {
    checkTrust();
    const uri = file instanceof vscode.Uri ? file : await pickFile();
    if (!uri) return;
    if (uri.scheme !== 'file')
      throw new UserError(t('Only files of this computer can be classified.'));
    const obstacle = await this.#client.obstacle();
    if (obstacle) throw obstacle;
    const input = uri.fsPath;
    const chosen = await this.#choose(input);
    if (!chosen) return;
    const inputBytes = await diskFiles.size(input);
    const counts = await withProgress(t('Counting the rows'), signal =>
      countRows(diskFiles.read(input), chosen.format, chosen.column, signal),
    );
    if (counts.sendable === 0) throw new UserError(t('No row has a text that can be sent.'));
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
    // The command ends here; the run goes on beside it.
    this.#follow(run);
  }

  /**
   * The list of runs, each with what can be done about it.
   * @param only a run, by its `id`, whose actions are wanted at once
   */
  async show(only?: unknown): Promise<void> {
    const runs = await this.#store.all();
    const known = isRecord(only) ? runs.find(({ id }) => id === only['id']) : undefined;
    if (known) return this.#showActions(this.#running.get(known.id)?.run ?? known);
    if (runs.length === 0)
      throw new UserError(t('No file has been classified yet. Run "Splice: Batch Classify…".'), {
        title: t('Batch Classify…'),
        command: ids.command.batchClassify,
      });
    const picked = await vscode.window.showQuickPick(
      runs.map(stored => {
        const run = this.#running.get(stored.id)?.run ?? stored;
        return {
          label: `$(${runIcon(run.state, run.failedRows).id}) ${withoutIcons(path.basename(run.input))}`,
          description: stateText(run),
          detail: withoutIcons(
            [
              rowsText(run.rows),
              run.models.join(', '),
              new Date(run.createdAt).toLocaleString(undefined, {
                dateStyle: 'short',
                timeStyle: 'short',
              }),
            ].join(' · '),
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
  }

  async #showActions(run: BatchRun): Promise<void> {
    const running = this.#running.get(run.id);
    const { result } = run;
    const batchIds = run.uploads.flatMap(({ batchId }) => batchId ?? []);
    const goOn = run.state === 'noResults' ? t('Ask for the results again') : t('Go on');
    const items = [
      ...(result === undefined
        ? []
        : [{ label: `$(go-to-file) ${t('Open results')}`, act: async () => openResult(result) }]),
      ...(running
        ? [{ label: `$(debug-stop) ${t('Stop')}`, act: async () => this.#stop(running) }]
        : run.state === 'done'
          ? []
          : [{ label: `$(play) ${goOn}`, act: async () => this.#goOn(run) }]),
      {
        label: `$(copy) ${t('Copy batch ids')}`,
        description: number(batchIds.length),
        act: async () => vscode.env.clipboard.writeText(batchIds.join('\n')),
      },
      ...(running
        ? []
        : [
            {
              label: `$(trash) ${t('Forget')}`,
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

  #goOn(run: BatchRun): void {
    checkTrust();
    if (run.origin !== serviceOrigin())
      throw new UserError(t('This run belongs to the service at {0}.', run.origin));
    this.#follow(run);
  }

  /** After a reload. */
  async #goOnWithAll(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const runs = await this.#store.all();
    for (const run of runs) {
      this.#show(run);
      if (isActive(run) && run.origin === serviceOrigin()) this.#follow(run);
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
        if (end) await this.#tell(end);
      },
      (error: unknown) => this.#host.report('batch', error),
    );
  }

  /** @returns nothing when the run was stopped, or the window closes. */
  async #runToEnd(
    running: Running,
    tell: (message: string) => void,
  ): Promise<BatchRun | undefined> {
    const { controller } = running;
    const runner = new BatchRunner({
      client: this.#client,
      clock: systemClock,
      files: diskFiles,
      explain: error => (error instanceof UserError ? error.message : explain(error, t).message),
      save: async run => {
        running.run = run;
        tell(progressText(run));
        this.#show(run);
        await this.#store.save(run);
      },
      onWait: (until, error) => {
        this.#host.log.error('batch', error);
        tell(t('waits until {0}', timeOfDay(until)));
      },
    });
    try {
      return await runner.run(running.run, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      if (running.isStopped) {
        const stopped: BatchRun = { ...running.run, state: 'stopped' };
        this.#show(stopped);
        await this.#store.save(stopped);
      }
      return undefined;
    } finally {
      this.#running.delete(running.run.id);
    }
  }

  #show(run: BatchRun): void {
    const { classified, failed } = progressOf(run);
    this.#runs.set({
      id: run.id,
      title: path.basename(run.input),
      state: run.state,
      problem: run.problem,
      total: run.rows,
      // At the end, rows that could not be sent count as well.
      completed: run.state === 'done' ? run.rows : classified,
      failed: run.failedRows ?? failed,
      startedAt: run.createdAt,
    });
  }

  async #tell(run: BatchRun): Promise<void> {
    const name = path.basename(run.input);
    const show = t('Show Batch Runs');
    if (run.state === 'done') {
      const { result = '', failedRows = 0 } = run;
      const open = t('Open Results');
      const rows = rowsText(run.rows);
      const picked = await vscode.window.showInformationMessage(
        failedRows > 0
          ? t('{0} of {1} done; {2} with an error.', rows, name, rowsText(failedRows))
          : t('{0} of {1} done.', rows, name),
        open,
      );
      if (picked === open) await openResult(result);
      return;
    }
    const picked = await vscode.window.showWarningMessage(
      run.state === 'noResults'
        ? t(
            'The rows of {0} are classified, but the service serves no results here. The batch stays in the list.',
            name,
          )
        : t('The batch of {0} cannot go on. {1}', name, run.problem ?? ''),
      show,
    );
    if (picked === show) await this.show();
  }

  // --- before a run

  async #choose(input: string): Promise<Chosen | undefined> {
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

  /** USD of the next event: the rate of the tier that this month has reached. */
  async #eventPrice(): Promise<number> {
    const { billing } = await this.#ledger();
    const { batch } = await billing.reflexEvents();
    return nextEventPrice(batch);
  }

  /** Nothing is sent before this. */
  async #agreesToPrice(
    name: string,
    { models }: Chosen,
    { rows, sendable }: FileCounts,
  ): Promise<boolean> {
    const { billing } = await this.#ledger();
    const { batch: eventsBefore } = await billing.reflexEvents();
    const { events, usd } = batchPrice(sendable, models.length, eventsBefore);
    const { first, beyond } = eventPrices.reflexBatch;
    const detail = [
      t(
        '{0} × {1} = {2} events. Batch rate: {3} per thousand events, {4} beyond {5} in a month. So far this month, from this computer: {6}.',
        rowsText(sendable),
        models.length === 1 ? t('1 reflex') : t('{0} reflexes', models.length),
        number(events),
        formatUsd(1000 * first),
        formatUsd(1000 * beyond),
        number(eventPrices.tierEvents),
        number(eventsBefore),
      ),
      t('Reflexes: {0}', models.join(', ')),
      ...(rows > sendable
        ? [t('Not sent, because they have no usable text: {0}.', rowsText(rows - sendable))]
        : []),
      t(
        'The texts go to {0}, at most {1} rows at a time. The results are written next to the file.',
        settings.serviceHost,
        number(serviceLimits.batchRows),
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

function stateText(run: BatchRun): string {
  const { state, failedRows = 0, problem } = run;
  switch (state) {
    case 'uploading':
    case 'following':
    case 'fetching':
      return progressText(run);
    case 'done':
      return failedRows > 0 ? t('done, {0} with an error', rowsText(failedRows)) : t('done');
    case 'stopped':
      return t('stopped');
    case 'noResults':
      return t('classified; the service serves no results');
    default:
      return problem ?? t('failed');
  }
}

function progressText(run: BatchRun): string {
  const { sent, classified, failed } = progressOf(run);
  if (run.state === 'uploading') return t('{0} sent', rowsText(sent));
  if (run.state === 'fetching') return t('reading the results');
  const percent = sent === 0 ? 0 : Math.floor((100 * classified) / sent);
  return failed > 0 ? t('{0}%, {1} failed', percent, rowsText(failed)) : t('{0}%', percent);
}

async function pickFile(): Promise<vscode.Uri | undefined> {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Batch Classify'),
    openLabel: t('Choose'),
    filters: { [t('Tables and texts')]: ['csv', 'tsv', 'jsonl', 'ndjson', 'txt', 'md'] },
    ...(first ? { defaultUri: first } : {}),
  });
  return picked?.[0];
}

interface Head {
  readonly format: TableFormat;
  readonly head: readonly (readonly string[])[];
}

/** The first records, as the name of the file says they are read. */
async function readHead(input: string, title: string): Promise<Head | undefined> {
  let text = '';
  for await (const chunk of decoded(diskFiles.read(input))) {
    text = chunk;
    break;
  }
  if (text.trim() === '') throw new UserError(t('The file is empty.'));
  const format = formatOf(input, text) ?? (await pickFormat(title));
  if (!format) return undefined;
  const head: string[][] = [];
  for await (const records of readRecords(decoded(diskFiles.read(input)), format)) {
    append(head, records);
    if (head.length >= headRecords) break;
  }
  return { format, head: head.slice(0, headRecords) };
}

async function pickFormat(title: string): Promise<TableFormat | undefined> {
  const kinds = [
    ['CSV', 'a.csv'],
    [t('Tab-separated values'), 'a.tsv'],
    [t('JSON lines'), 'a.jsonl'],
    [t('Lines of text'), 'a.txt'],
  ] as const;
  const picked = await vscode.window.showQuickPick(
    kinds.map(([label, file]) => ({ label, format: formatOf(file, '') })),
    { title, placeHolder: t('How is this file to be read?') },
  );
  return picked?.format;
}

async function pickColumn(
  title: string,
  format: TableFormat,
  head: Head['head'],
): Promise<Pick<Chosen, 'format' | 'column'> | undefined> {
  const columns = columnsOf(head, format);
  if (columns.length === 0) return { format, column: '' };
  const other = format.hasHeader
    ? { label: `$(list-flat) ${t('The first line is no header')}`, hasHeader: false }
    : { label: `$(list-flat) ${t('The first line is a header')}`, hasHeader: true };
  const items = columns.map(({ name, sample }) => ({
    label: withoutIcons(name),
    detail: withoutIcons(shorten(sample.replaceAll(/\s+/g, ' '))),
    name,
  }));
  const picked = await vscode.window.showQuickPick(
    [
      ...items,
      ...(format.kind === 'csv'
        ? [
            { label: '', kind: vscode.QuickPickItemKind.Separator, name: undefined },
            { ...other, name: undefined },
          ]
        : []),
    ],
    { title, placeHolder: t('Which column has the texts?'), matchOnDetail: true },
  );
  if (!picked) return undefined;
  return picked.name === undefined
    ? pickColumn(title, { ...format, hasHeader: other.hasHeader }, head)
    : { format, column: picked.name };
}

async function pickOutput(title: string, { kind }: TableFormat): Promise<OutputKind | undefined> {
  const csv = { label: 'CSV', detail: t('A label and a score for each reflex'), output: 'csv' };
  const jsonl = { label: t('JSON lines'), detail: t('The scores of all labels'), output: 'jsonl' };
  const picked = await vscode.window.showQuickPick(kind === 'jsonl' ? [jsonl, csv] : [csv, jsonl], {
    title,
    placeHolder: t('The form of the results'),
  });
  return picked?.output === 'csv' || picked?.output === 'jsonl' ? picked.output : undefined;
}

async function openResult(file: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
}
