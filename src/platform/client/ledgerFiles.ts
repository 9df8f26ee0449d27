import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '../../base/async/clock';
import { Sequencer } from '../../base/async/sequencer';
import type { LedgerPart, LedgerStore } from '../../service';

/** The result of one append. */
export interface Appended {
  /** Bytes that reached the file; fewer than all of them with an error. */
  readonly written: number;
  readonly error?: unknown;
}

/** The part of the file system that the ledger needs; tests pass one that fails. */
export interface LedgerDisk {
  /** Creates the folder where it is missing. Never rejects. */
  append(file: string, text: string): Promise<Appended>;
  /** Synchronous, for a window that closes. Never throws. */
  appendNow(file: string, text: string): Appended;
  /** The bytes from `from` on, and the size of the file; undefined where there is none. */
  read(file: string, from: number): Promise<{ bytes: Uint8Array; size: number } | undefined>;
  names(folder: string): Promise<string[]>;
}

export interface LedgerProblem {
  readonly kind: 'write' | 'read';
  /** `ENOSPC`, … */
  readonly code: string;
  /** Calls of this window that are not in the file. */
  readonly calls: number;
}

export interface LedgerFilesOptions {
  /** Undefined where the storage is not a folder of this computer, so that nothing can be appended. */
  readonly folder: string | undefined;
  readonly log: (line: string) => void;
  /** The first failure; undefined once everything is on the disk again. */
  readonly onProblem?: (problem: LedgerProblem | undefined) => void;
  readonly disk?: LedgerDisk;
  readonly clock?: Pick<Clock, 'after'>;
}

/** Calls within this time are written together, in milliseconds. */
const batchMs = 500;
const firstRetryMs = 5000;
const maxRetryMs = 60_000;
/** Lines kept while the disk refuses them, about 12 MB; the oldest are dropped. */
const maxKeptLines = 50_000;

/**
 * One JSON-lines file per month, `costs-2026-11.jsonl`. Lines are only ever appended, in one write each
 * time, so that several windows share a file. Lines that cannot be written are kept for the next
 * attempt. Where the storage is no folder, all lines are kept until the window closes.
 */
export class LedgerFiles implements LedgerStore {
  readonly #options: LedgerFilesOptions;
  readonly #disk: LedgerDisk;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #listeners = new Set<(month: string) => void>();
  /** Lines that are not being written yet, by month. */
  #fresh = new Map<string, string[]>();
  /** Lines that the disk has refused, by month; written first the next time. */
  readonly #refused = new Map<string, string[]>();
  /** Text by month, only where nothing can be appended. */
  readonly #memory = new Map<string, string>();
  /** Accesses to the files run one after another. */
  readonly #sequencer = new Sequencer();
  #cancelTimer: (() => void) | undefined;
  #retryMs = firstRetryMs;
  #hasWriteProblem = false;
  #hasReadProblem = false;
  /** Error code of the last failure. */
  #failure = '';
  #isDisposed = false;

  constructor(options: LedgerFilesOptions) {
    this.#options = options;
    this.#disk = options.disk ?? nodeDisk;
    this.#clock = options.clock ?? systemClock;
  }

  /** False when appended lines are lost with the window. */
  get isKept(): boolean {
    return this.#options.folder !== undefined;
  }

  /** Called with the month after lines were written, or could not be. */
  onDidWrite(listener: (month: string) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  append(month: string, line: string): void {
    if (this.#options.folder === undefined) {
      this.#memory.set(month, (this.#memory.get(month) ?? '') + line);
    } else {
      listOf(this.#fresh, month).push(line);
    }
    this.#schedule(batchMs);
  }

  async read(month: string, from: number): Promise<LedgerPart> {
    const { folder } = this.#options;
    if (folder === undefined) {
      const bytes = Buffer.from(this.#memory.get(month) ?? '');
      return { text: bytes.subarray(from).toString(), next: bytes.length, unwritten: '' };
    }
    void this.flush();
    return this.#sequencer.run(async () => {
      // Lines appended from now on are in neither of the two.
      const unwritten = (this.#refused.get(month) ?? []).join('');
      try {
        const part = await this.#readFile(fileOf(folder, month), from);
        this.#hasReadProblem = false;
        return { ...part, unwritten };
      } catch (error) {
        // Read and write problems of one disk are reported once.
        if (!this.#hasReadProblem && !this.#hasWriteProblem) {
          this.#options.onProblem?.({ kind: 'read', code: codeOf(error), calls: this.unwritten });
        }
        this.#hasReadProblem = true;
        throw error;
      }
    });
  }

  /** `2026-11`, latest first. */
  async months(): Promise<string[]> {
    const { folder } = this.#options;
    const names =
      folder === undefined ? [] : await this.#sequencer.run(() => this.#disk.names(folder));
    const stored = names.flatMap(name => /^costs-(\d{4}-\d{2})\.jsonl$/.exec(name)?.[1] ?? []);
    const all = [this.#fresh, this.#refused, this.#memory].flatMap(lines => [...lines.keys()]);
    return [...new Set([...stored, ...all])].toSorted().toReversed();
  }

  /** Writes pending lines. @returns whether everything is on the disk now. */
  async flush(): Promise<boolean> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { folder } = this.#options;
    if (folder === undefined) {
      this.#notify(this.#memory.keys());
      return false;
    }
    const batch = this.#fresh;
    this.#fresh = new Map();
    if (batch.size === 0 && this.#refused.size === 0) return true;
    await this.#sequencer.run(async () => {
      const months = new Set([...this.#refused.keys(), ...batch.keys()]);
      for (const month of months) {
        const lines = [...(this.#refused.get(month) ?? []), ...(batch.get(month) ?? [])];
        // Removed, so that a window that closes meanwhile does not write them twice.
        this.#refused.delete(month);
        const appended = await this.#disk.append(fileOf(folder, month), lines.join(''));
        this.#keepUnwritten(month, lines, appended);
      }
      this.#report();
      this.#notify(months);
    });
    return this.#refused.size === 0;
  }

  /** Writes pending lines synchronously: a window that closes does not wait. */
  dispose(): void {
    this.#isDisposed = true;
    this.#cancelTimer?.();
    this.#listeners.clear();
    const { folder } = this.#options;
    if (folder === undefined) return;
    for (const month of new Set([...this.#refused.keys(), ...this.#fresh.keys()])) {
      const lines = [...(this.#refused.get(month) ?? []), ...(this.#fresh.get(month) ?? [])];
      this.#keepUnwritten(
        month,
        lines,
        this.#disk.appendNow(fileOf(folder, month), lines.join('')),
      );
    }
    this.#fresh.clear();
  }

  /** Number of lines that could not be written yet. */
  get unwritten(): number {
    return [...this.#refused.values()].reduce((sum, lines) => sum + lines.length, 0);
  }

  /** Keeps the lines that did not reach the file. */
  #keepUnwritten(month: string, lines: readonly string[], { written, error }: Appended): void {
    if (error === undefined) return void this.#refused.delete(month);
    const left = unwrittenLines(lines, written);
    const kept = left.slice(-maxKeptLines);
    if (kept.length > 0) this.#refused.set(month, kept);
    this.#failure = codeOf(error);
    this.#options.log(
      `costs: ${left.length} calls could not be written (${this.#failure})` +
        (kept.length < left.length ? `; the oldest ${left.length - kept.length} are lost` : ''),
    );
  }

  #report(): void {
    const calls = this.unwritten;
    if (calls === 0) {
      this.#retryMs = firstRetryMs;
      if (!this.#hasWriteProblem) return;
      this.#hasWriteProblem = false;
      this.#options.log('costs: everything is written');
      this.#options.onProblem?.(undefined);
      return;
    }
    this.#schedule(this.#retryMs);
    this.#retryMs = Math.min(maxRetryMs, 2 * this.#retryMs);
    if (this.#hasWriteProblem) return;
    this.#hasWriteProblem = true;
    this.#options.onProblem?.({ kind: 'write', code: this.#failure, calls });
  }

  #schedule(ms: number): void {
    if (this.#isDisposed) return;
    this.#cancelTimer ??= this.#clock.after(ms, () => void this.flush());
  }

  #notify(months: Iterable<string>): void {
    for (const month of months) for (const listener of this.#listeners) listener(month);
  }

  /** Complete lines only: another window may be writing the last one. */
  async #readFile(file: string, from: number): Promise<Omit<LedgerPart, 'unwritten'>> {
    let found = await this.#disk.read(file, from);
    let start = from;
    // A shorter file is a new one: the folder was deleted meanwhile.
    if (found && found.size < from) {
      start = 0;
      found = await this.#disk.read(file, 0);
    }
    if (!found) return { text: '', next: 0 };
    const bytes = Buffer.from(found.bytes);
    const end = bytes.lastIndexOf(10) + 1;
    return { text: bytes.toString('utf8', 0, end), next: start + end };
  }
}

/** The lines of which not all bytes were written. A line that lacks only its line break is complete. */
function unwrittenLines(lines: readonly string[], written: number): string[] {
  let end = 0;
  return lines.filter(line => {
    end += Buffer.byteLength(line);
    return end - 1 > written;
  });
}

function listOf(lists: Map<string, string[]>, key: string): string[] {
  const known = lists.get(key);
  if (known) return known;
  const made: string[] = [];
  lists.set(key, made);
  return made;
}

function fileOf(folder: string, month: string): string {
  return path.join(folder, `costs-${month}.jsonl`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

const newLine = 10;

/** The file system of Node. A file that ends within a line, because the disk was full, gets a line break first. */
const nodeDisk: LedgerDisk = {
  async append(file, text) {
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await using handle = await open(file, 'a+');
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      if (size > 0 && last[0] !== newLine) await handle.write('\n');
      // A full disk writes a part first and then refuses the rest.
      while (written < bytes.length) {
        written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
      }
      return { written };
    } catch (error) {
      return { written, error };
    }
  },

  appendNow(file, text) {
    const bytes = Buffer.from(text);
    let written = 0;
    let handle: number | undefined;
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      handle = openSync(file, 'a+');
      const { size } = fstatSync(handle);
      const last = Buffer.alloc(1);
      if (size > 0) readSync(handle, last, 0, 1, size - 1);
      if (size > 0 && last[0] !== newLine) writeSync(handle, '\n');
      while (written < bytes.length) {
        written += writeSync(handle, bytes, written, bytes.length - written);
      }
      return { written };
    } catch (error) {
      return { written, error };
    } finally {
      if (handle !== undefined) closeSync(handle);
    }
  },

  async read(file, from) {
    try {
      await using handle = await open(file);
      const { size } = await handle.stat();
      const bytes = Buffer.alloc(Math.max(0, size - from));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return { bytes: bytes.subarray(0, bytesRead), size };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },

  async names(folder) {
    try {
      return await readdir(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  },
};
