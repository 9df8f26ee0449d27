import type * as vscode from 'vscode';
import { isRecord, textOf } from '../service/guards';
import type { FoundFile, SearchEngine } from './results';

/** A past search and where its places were: no code, and no text of it. */
export interface HistoryEntry {
  readonly query: string;
  /** Address of the folder that alone was searched. */
  readonly folder?: string | undefined;
  readonly engine: SearchEngine | undefined;
  /** ms since the epoch. */
  readonly at: number;
  readonly ms: number;
  /** Addresses of the roots. */
  readonly roots: readonly string[];
  readonly files: readonly {
    readonly root: number;
    readonly path: string;
    readonly ranges: readonly (readonly [number, number])[];
  }[];
}

const storageKey = 'splice.search.history';
const mostEntries = 20;

/** The last searches of this workspace, the newest first. They outlive a reload. */
export class SearchHistory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Read afresh: what another version wrote is dropped entry by entry. */
  get entries(): HistoryEntry[] {
    const stored = this.#memento.get<unknown>(storageKey);
    return Array.isArray(stored) ? stored.flatMap(value => parseEntry(value) ?? []) : [];
  }

  /** Takes the place of the same search before. */
  async add(entry: HistoryEntry): Promise<void> {
    const others = this.entries.filter(known => !isSame(known, entry));
    await this.#memento.update(storageKey, [entry, ...others].slice(0, mostEntries));
  }

  async remove(entry: HistoryEntry): Promise<void> {
    const others = this.entries.filter(known => !isSame(known, entry));
    await this.#memento.update(storageKey, others);
  }

  async clear(): Promise<void> {
    await this.#memento.update(storageKey, undefined);
  }
}

export function withoutCode(files: readonly FoundFile[]): HistoryEntry['files'] {
  return files.map(({ root, path, spans }) => ({
    root,
    path,
    ranges: spans.map(({ startLine, endLine }) => [startLine, endLine] as const),
  }));
}

function isSame(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.query === b.query && a.folder === b.folder;
}

function parseEntry(value: unknown): HistoryEntry | undefined {
  if (!isRecord(value)) return undefined;
  const { query, folder, engine, at, ms, roots, files } = value;
  if (typeof query !== 'string' || typeof at !== 'number' || typeof ms !== 'number')
    return undefined;
  if (!Array.isArray(roots) || !roots.every(root => typeof root === 'string')) return undefined;
  return {
    query,
    folder: textOf(folder),
    engine: engine === 'model' || engine === 'local' ? engine : undefined,
    at,
    ms,
    roots,
    files: Array.isArray(files) ? files.flatMap(file => parseFile(file) ?? []) : [],
  };
}

function parseFile(value: unknown): HistoryEntry['files'][number] | undefined {
  if (!isRecord(value)) return undefined;
  const { root, path, ranges } = value;
  if (typeof root !== 'number' || typeof path !== 'string' || !Array.isArray(ranges))
    return undefined;
  const whole = ranges.filter(
    (range): range is [number, number] =>
      Array.isArray(range) && range.length === 2 && range.every(Number.isInteger),
  );
  return { root, path, ranges: whole };
}
