import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../service/guards';
import type { MergeFinding } from './engine';
import type { Origin, Review } from './review';
import { ReviewModel } from './reviewModel';

const maxReviews = 20;
const maxAgeMs = 7 * 24 * 3600 * 1000;
/** Milliseconds of quiet before a change is written. */
const writeDelayMs = 500;

export interface StoredReview {
  readonly id: string;
  readonly fileUri: vscode.Uri;
  readonly languageId: string;
  readonly model: ReviewModel;
  readonly origin: Origin;
  readonly createdAt: number;
}

/** Pending reviews in the workspace's storage, so that a reload loses none. */
export class ReviewStore implements vscode.Disposable {
  readonly #folder: vscode.Uri | undefined;
  /** What is not yet written, by id. */
  readonly #unwritten = new Map<
    string,
    { readonly review: Review; readonly timer: NodeJS.Timeout }
  >();
  readonly #onError: (error: unknown) => void;

  constructor(storageUri: vscode.Uri | undefined, onError: (error: unknown) => void) {
    this.#folder = storageUri && vscode.Uri.joinPath(storageUri, 'reviews');
    this.#onError = onError;
  }

  save(review: Review): void {
    this.#forget(review.id);
    const timer = setTimeout(() => {
      this.#unwritten.delete(review.id);
      this.#write(review).catch(this.#onError);
    }, writeDelayMs);
    this.#unwritten.set(review.id, { review, timer });
  }

  remove(id: string): void {
    this.#forget(id);
    const file = this.#file(id);
    if (file) vscode.workspace.fs.delete(file).then(undefined, () => {});
  }

  /** What the last session left, the newest first; damaged and old entries are dropped. */
  async load(now: number): Promise<StoredReview[]> {
    if (!this.#folder) return [];
    let entries: [string, vscode.FileType][];
    try {
      entries = await vscode.workspace.fs.readDirectory(this.#folder);
    } catch {
      // No review was ever stored here.
      return [];
    }
    const found: StoredReview[] = [];
    for (const [name] of entries) {
      const stored = await this.#read(name);
      if (stored && now - stored.createdAt < maxAgeMs) found.push(stored);
      else this.remove(name.replace(/\.json$/, ''));
    }
    found.sort((a, b) => b.createdAt - a.createdAt);
    for (const { id } of found.slice(maxReviews)) this.remove(id);
    return found.slice(0, maxReviews);
  }

  /** Writes what is not yet written; at once, because the window waits for nobody. */
  dispose(): void {
    for (const { review, timer } of this.#unwritten.values()) {
      clearTimeout(timer);
      const file = this.#file(review.id);
      if (file?.scheme !== 'file') continue;
      try {
        mkdirSync(path.dirname(file.fsPath), { recursive: true });
        writeFileSync(file.fsPath, jsonOf(review));
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#unwritten.clear();
  }

  #forget(id: string): void {
    clearTimeout(this.#unwritten.get(id)?.timer);
    this.#unwritten.delete(id);
  }

  #file(id: string): vscode.Uri | undefined {
    return this.#folder && vscode.Uri.joinPath(this.#folder, `${id}.json`);
  }

  async #write(review: Review): Promise<void> {
    const file = this.#file(review.id);
    if (!file) return;
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(jsonOf(review)));
  }

  async #read(name: string): Promise<StoredReview | undefined> {
    const file = this.#folder && vscode.Uri.joinPath(this.#folder, name);
    if (!file) return undefined;
    try {
      const bytes = await vscode.workspace.fs.readFile(file);
      return readStored(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }
}

function jsonOf({ id, fileUri, languageId, model, origin, createdAt }: Review): string {
  return JSON.stringify({
    id,
    fileUri: fileUri.toString(),
    languageId,
    model: model.toJSON(),
    origin,
    createdAt,
  });
}

function readStored(json: unknown): StoredReview | undefined {
  if (!isRecord(json)) return undefined;
  const { id, fileUri, languageId, createdAt } = json;
  const model = ReviewModel.fromJSON(json['model']);
  const origin = readOrigin(json['origin']);
  if (typeof id !== 'string' || typeof fileUri !== 'string' || typeof languageId !== 'string')
    return undefined;
  if (typeof createdAt !== 'number' || !model || !origin) return undefined;
  return { id, fileUri: vscode.Uri.parse(fileUri), languageId, model, origin, createdAt };
}

function readOrigin(json: unknown): Origin | undefined {
  if (!isRecord(json)) return undefined;
  const { engine, model, ms, findings, update } = json;
  if ((engine !== 'local' && engine !== 'service') || typeof ms !== 'number') return undefined;
  return {
    engine,
    ms,
    findings: Array.isArray(findings) ? findings.filter(isFinding) : [],
    ...(typeof model === 'string' && { model }),
    ...(typeof update === 'string' && { update }),
    ...readAuthor(json['author']),
  };
}

function readAuthor(json: unknown): Pick<Origin, 'author'> {
  if (!isRecord(json) || typeof json['model'] !== 'string' || typeof json['ms'] !== 'number')
    return {};
  const { model, ms, cost } = json;
  const usd = isRecord(cost) && typeof cost['usd'] === 'number' ? cost['usd'] : undefined;
  const isExact = isRecord(cost) && cost['isExact'] === true;
  return { author: { model, ms, ...(usd !== undefined && { cost: { usd, isExact } }) } };
}

function isFinding(value: unknown): value is MergeFinding {
  return (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    (value['severity'] === 'error' || value['severity'] === 'warning') &&
    typeof value['message'] === 'string' &&
    typeof value['line'] === 'number'
  );
}
