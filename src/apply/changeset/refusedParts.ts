import path from 'node:path';
import { isRecord, parseJson } from '../../base/typeGuards';
import type { RefusedPart } from '../answer';
import type { FileOps } from '../review/journal/journalFolder';

/** What was not applied of an answer. */
export interface RefusedParts {
  readonly setId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly parts: readonly RefusedPart[];
}

const fileName = 'refused.json';
const maxAgeMs = 30 * 24 * 3600 * 1000;
/** Maximum length of all parts that are kept, in characters; the oldest answers are dropped first. */
const maxStored = 2_000_000;

/** The parts of answers that could not be applied, until the user has placed or dismissed them. */
export class RefusedPartsStore {
  readonly #ops: FileOps;
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  /** Called after every change of the list. */
  onDidChange: () => void = () => {};
  #all: readonly RefusedParts[] = [];

  constructor(ops: FileOps, folder: string, onError: (error: unknown) => void) {
    this.#ops = ops;
    this.#folder = folder;
    this.#onError = onError;
  }

  get all(): readonly RefusedParts[] {
    return this.#all;
  }

  part(setId: string, index: number): RefusedPart | undefined {
    return this.#all.find(refused => refused.setId === setId)?.parts[index];
  }

  add(refused: RefusedParts): void {
    const { setId, createdAt, parts } = refused;
    if (parts.length > 0) this.#set([...this.#all, { setId, createdAt, parts }]);
  }

  remove(setId: string, part: RefusedPart): void {
    this.#set(
      this.#all
        .map(refused =>
          refused.setId === setId
            ? { ...refused, parts: refused.parts.filter(other => other !== part) }
            : refused,
        )
        .filter(({ parts }) => parts.length > 0),
    );
  }

  /** Reads what the last session left. */
  async load(now: number): Promise<void> {
    let text: string;
    try {
      text = new TextDecoder().decode(await this.#ops.read(this.#file));
    } catch {
      // Nothing was refused yet.
      return;
    }
    const stored = parseJson(text);
    if (!Array.isArray(stored)) return;
    this.#all = stored
      .flatMap(value => readRefused(value) ?? [])
      .filter(({ createdAt }) => now - createdAt < maxAgeMs);
  }

  #set(all: readonly RefusedParts[]): void {
    this.#all = all;
    try {
      this.#ops.now.makeFolder(this.#folder);
      this.#ops.now.write(this.#file, storedText(all));
    } catch (error) {
      this.#onError(error);
    }
    this.onDidChange();
  }

  get #file(): string {
    return path.join(this.#folder, fileName);
  }
}

function storedText(all: readonly RefusedParts[]): string {
  for (let from = 0; ; from++) {
    const text = JSON.stringify(all.slice(from));
    if (text.length <= maxStored || from >= all.length) return text;
  }
}

function readRefused(json: unknown): RefusedParts | undefined {
  if (!isRecord(json) || !Array.isArray(json['parts'])) return undefined;
  const { setId, createdAt } = json;
  if (typeof setId !== 'string' || typeof createdAt !== 'number') return undefined;
  return { setId, createdAt, parts: json['parts'].flatMap(part => readPart(part) ?? []) };
}

function readPart(json: unknown): RefusedPart | undefined {
  if (!isRecord(json)) return undefined;
  const { part, reason, path: named } = json;
  if (typeof part !== 'string' || typeof reason !== 'string') return undefined;
  return { part, reason, ...(typeof named === 'string' && { path: named }) };
}
