import { appendFileSync, mkdirSync } from 'node:fs';
import { appendFile, mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ids } from '../manifest';
import type { BudgetWarning } from '../service/billing/budget';
import { LedgerBilling, type LedgerPart, type LedgerStore } from '../service/billing/ledgerBilling';
import { PriceBook, formatUsd } from '../service/billing/pricing';
import { systemClock } from '../service/time';
import type { Log } from './log';
import { settings } from './settings';

export interface HostLedger extends vscode.Disposable {
  readonly billing: LedgerBilling;
  readonly files: LedgerFiles;
  readonly prices: PriceBook;
}

/** What it needs of the host. */
export interface LedgerHost {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'subscriptions'>;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Touches no file: the first one is written after the first call. */
export function openLedger(host: LedgerHost): HostLedger {
  const prices = new PriceBook();
  const log = (line: string): void => host.log.info(line);
  const files = new LedgerFiles(host.context.globalStorageUri, log);
  const billing = new LedgerBilling({
    store: files,
    clock: systemClock,
    modelPrice: id => prices.modelPrice(id),
    budget: () => settings.budget,
    onWarning: warning =>
      void warn(warning).then(undefined, error => host.log.error('budget', error)),
    log,
  });
  return { billing, files, prices, dispose: () => files.dispose() };
}

async function warn({ percent, budget, spentUsd }: BudgetWarning): Promise<void> {
  const { t } = vscode.l10n;
  const limit = formatUsd(budget.usd);
  const spent = formatUsd(spentUsd);
  let text = t(
    '{0} of the monthly budget of {1} is used: {2} so far.',
    `${percent}%`,
    limit,
    spent,
  );
  if (percent === 100)
    text = budget.stops
      ? t(
          'The monthly budget of {0} is spent ({1}). Calls that cost money stop here.',
          limit,
          spent,
        )
      : t('The monthly budget of {0} is spent ({1}). Calls go on.', limit, spent);
  const showCosts = t('Show Costs');
  const changeBudget = t('Change Budget');
  const picked = await vscode.window.showWarningMessage(text, showCosts, changeBudget);
  if (picked === showCosts) await vscode.commands.executeCommand(ids.command.showCosts);
  if (picked === changeBudget) await changeBudgetSetting();
}

export async function changeBudgetSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', ids.setting.monthlyBudget);
}

/** Calls within this time are written together. */
const batchMs = 500;

/**
 * One JSON-lines file per month, `costs-2026-11.jsonl`. Lines are only ever appended, in one write each
 * time, so that several windows share a file. Where the storage is no folder of this computer there is no
 * way to append: the lines are then kept until the window closes.
 */
export class LedgerFiles implements LedgerStore, vscode.Disposable {
  readonly #folder: string | undefined;
  readonly #log: (line: string) => void;
  readonly #changed = new vscode.EventEmitter<string>();
  /** Not yet on their way to the disk, by month. */
  #pending = new Map<string, string>();
  /** By month; only where nothing can be appended. */
  readonly #memory = new Map<string, string>();
  /** One access to the files after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasFailed = false;

  /** Fires with the month after lines were written. */
  readonly onDidWrite = this.#changed.event;

  constructor(folder: vscode.Uri, log: (line: string) => void) {
    this.#folder = folder.scheme === 'file' ? folder.fsPath : undefined;
    this.#log = log;
    if (!this.#folder)
      log(
        `costs: the storage (${folder.scheme}) takes no appended lines; kept until the window closes`,
      );
  }

  /** False: what {@link append} is given is lost when the window closes. */
  get isKept(): boolean {
    return this.#folder !== undefined;
  }

  append(month: string, line: string): void {
    const lines = this.#folder ? this.#pending : this.#memory;
    lines.set(month, (lines.get(month) ?? '') + line);
    this.#timer ??= setTimeout(() => void this.#flush(), batchMs);
  }

  async read(month: string, from: number): Promise<LedgerPart> {
    const folder = this.#folder;
    if (!folder) {
      const bytes = Buffer.from(this.#memory.get(month) ?? '');
      return { text: bytes.subarray(from).toString(), next: bytes.length };
    }
    void this.#flush();
    return this.#inTurn(() => readLines(fileOf(folder, month), from));
  }

  /** `2026-11`, latest first. */
  async months(): Promise<string[]> {
    const names = this.#folder ? await this.#inTurn(() => fileNames(this.#folder ?? '')) : [];
    const stored = names.flatMap(name => /^costs-(\d{4}-\d{2})\.jsonl$/.exec(name)?.[1] ?? []);
    const all = new Set([...stored, ...this.#pending.keys(), ...this.#memory.keys()]);
    return [...all].toSorted().toReversed();
  }

  /** Writes at once what is left: nothing waits for a window that closes. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
    const folder = this.#folder;
    if (!folder) return;
    for (const [month, lines] of this.#take()) {
      try {
        mkdirSync(folder, { recursive: true });
        appendFileSync(fileOf(folder, month), this.#newLine() + lines);
      } catch (error) {
        this.#failed(error, lines);
      }
    }
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const folder = this.#folder;
    const batch = this.#take();
    if (folder && batch.size > 0)
      await this.#inTurn(async () => {
        for (const [month, lines] of batch) {
          try {
            await mkdir(folder, { recursive: true });
            await appendFile(fileOf(folder, month), this.#newLine() + lines);
            this.#hasFailed = false;
          } catch (error) {
            this.#failed(error, lines);
          }
        }
      });
    const written = folder ? batch.keys() : this.#memory.keys();
    for (const month of written) this.#changed.fire(month);
  }

  #take(): Map<string, string> {
    const batch = this.#pending;
    this.#pending = new Map();
    return batch;
  }

  /** After a failure the file may end within a line. */
  #newLine(): string {
    return this.#hasFailed ? '\n' : '';
  }

  #failed(error: unknown, lines: string): void {
    this.#hasFailed = true;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const count = lines.split('\n').length - 1;
    this.#log(`costs: ${count} calls could not be written down (${code})`);
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(run);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function fileOf(folder: string, month: string): string {
  return path.join(folder, `costs-${month}.jsonl`);
}

async function fileNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whole lines only: another window may be writing the last one. */
async function readLines(file: string, from: number): Promise<LedgerPart> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const end = bytes.subarray(0, bytesRead).lastIndexOf(10) + 1;
    return { text: bytes.toString('utf8', 0, end), next: from + end };
  } catch (error) {
    if (isMissing(error)) return { text: '', next: 0 };
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
