import type * as vscode from 'vscode';
import { isRecord, textOf } from '../../../base/typeGuards';
import { countSure, type FoundFile, type SearchEngine } from '../results';

/** A past search with the positions of its places, but without any code. */
export interface HistoryEntry {
  readonly query: string;
  /** URI of the folder that was searched; undefined for the whole workspace. */
  readonly folder?: string | undefined;
  readonly engine: SearchEngine | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  /** URIs of the roots. */
  readonly roots: readonly string[];
  readonly files: readonly {
    readonly root: number;
    readonly path: string;
    readonly ranges: readonly (readonly [number, number])[];
    readonly isSure?: boolean | undefined;
  }[];
}

const storageKey = 'splice.search.history';
const maxEntries = 20;

/** The last searches of this workspace, newest first, in workspace storage. */
export class SearchHistory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Validated on each read; entries that another version wrote in another shape are dropped. */
  get entries(): HistoryEntry[] {
    const stored = this.#memento.get<unknown>(storageKey);
    return Array.isArray(stored) ? stored.flatMap(value => parseEntry(value) ?? []) : [];
  }

  /** Replaces an earlier entry of the same search. */
  async add(entry: HistoryEntry): Promise<void> {
    const others = this.entries.filter(known => !isSame(known, entry));
    await this.#memento.update(storageKey, [entry, ...others].slice(0, maxEntries));
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
  const sure = countSure(files);
  return files.map(({ root, path, foundBy, spans }, at) => ({
    root,
    path,
    ...(foundBy === undefined ? {} : { foundBy }),
    // Follows from scores, which are not kept.
    isSure: at < sure,
    ranges: spans.map(({ startLine, endLine }) => [startLine, endLine] as const),
  }));
}

function isSame(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.query === b.query && a.folder === b.folder;
}

function parseEntry(value: unknown): HistoryEntry | undefined {
  if (!isRecord(value)) return undefined;
  const { query, folder, engine, at, ms, roots, files } = value;
  if (typeof query !== 'string' || typeof at !== 'number' || typeof ms !== 'number') {
    return undefined;
  }
  if (!Array.isArray(roots) || !roots.every(root => typeof root === 'string')) return undefined;
  return {
    query,
    folder: textOf(folder),
    engine: engineFrom(engine),
    at,
    ms,
    roots,
    files: Array.isArray(files) ? files.flatMap(file => parseFile(file) ?? []) : [],
  };
}

function parseFile(value: unknown): HistoryEntry['files'][number] | undefined {
  if (!isRecord(value)) return undefined;
  const { root, path, ranges, foundBy, isSure } = value;
  if (typeof root !== 'number' || typeof path !== 'string' || !Array.isArray(ranges)) {
    return undefined;
  }
  const whole = ranges.filter(
    (range): range is [number, number] =>
      Array.isArray(range) && range.length === 2 && range.every(Number.isInteger),
  );
  const by = engineFrom(foundBy);
  return {
    root,
    path,
    ranges: whole,
    ...(by === undefined ? {} : { foundBy: by }),
    ...(typeof isSure === 'boolean' ? { isSure } : {}),
  };
}

const engineFrom = (value: unknown): SearchEngine | undefined =>
  value === 'model' || value === 'local' || value === 'both' ? value : undefined;
