import { LRUCache } from 'lru-cache';
import {
  type AlignedPart,
  alignLines,
  readAlignment,
  toStoredAlignment,
} from '../alignment/alignment';
import {
  absent,
  type Content,
  contentOf,
  type FileContent,
  sameContent,
  unknown,
} from '../content';
import { changesOfParts, type ExternalChange } from '../fileChanges';
import { bytesOfLines, type ExternalText, fileText, isTextSize } from '../fileText';
import { isGeneratedFile } from '../generatedFiles';
import type { LabelOf, TrackerPorts } from '../ports';
import type { RootRecord } from '../rootRecords';
import { type RootState, reduceState, type TrackedFile } from '../rootState';

/** A file's baseline and lines, and what differs. */
export interface FileLines {
  readonly baseline: readonly string[];
  readonly lines: readonly string[];
  readonly changes: readonly ExternalChange[];
}

/** Contents above this size are not stored: such a file can be kept, and undone only if git has its bytes. */
const maxStoredBytes = 20 * 1024 * 1024;
/** Characters of the texts in memory. */
const maxCachedChars = 32 * 1024 * 1024;

/** The file is too large to be stored, so that what replaces it could not be undone. */
export class ContentTooLargeError extends Error {
  override readonly name = 'ContentTooLargeError';
  readonly sizeBytes: number;

  constructor(sizeBytes: number) {
    super(`${sizeBytes} bytes are more than the limit of ${maxStoredBytes}`);
    this.sizeBytes = sizeBytes;
  }
}

/** The entry of a file before and after a write on disk that nobody has announced. */
export interface SeenWrite {
  readonly before: TrackedFile | undefined;
  readonly after: TrackedFile | undefined;
}

/** Saves are announced a moment after they can be seen, so that few are enough. */
const maxSeenWrites = 1000;

/** The state of a root with its journal, and the bytes that it refers to. */
export class TrackedRoot {
  readonly ports: TrackerPorts;
  #state: RootState;
  /** Ids of baselines whose bytes can be had from nowhere. */
  readonly lost = new Set<string>();
  readonly #texts = new LRUCache<string, ExternalText>({
    maxSize: maxCachedChars,
    sizeCalculation: sizeOfText,
  });
  readonly #changes = new LRUCache<TrackedFile, FileLines>({
    maxSize: maxCachedChars,
    sizeCalculation: ({ baseline, lines }) => sizeOfLines(baseline) + sizeOfLines(lines),
  });

  /** What the latest writes on disk changed, by path: a save by the editor can be seen there before it is announced. */
  readonly #seen = new LRUCache<string, SeenWrite>({ max: maxSeenWrites });

  constructor(ports: TrackerPorts, state: RootState) {
    this.ports = ports;
    this.#state = state;
  }

  get state(): RootState {
    return this.#state;
  }

  /** A decision can bring back an entry that a write has made before. */
  #forgetSeen(record: RootRecord): void {
    if (record.kind !== 'files') this.#seen.clear();
    else for (const [path] of record.files) this.#seen.delete(path);
  }

  /** Call after the write is noted. */
  sawWrite(path: string, write: SeenWrite): void {
    this.#seen.set(path, write);
  }

  /** The entry before the latest write on disk, if that made the entry what it is now. */
  beforeWrite(path: string): SeenWrite | undefined {
    const write = this.#seen.get(path);
    return write && write.after === this.#state.files.get(path) ? write : undefined;
  }

  /** Takes over what another window stored. */
  replaceState(state: RootState): void {
    this.#state = state;
  }

  /** The entry of a path; without one, the file is as it was before anybody changed it. */
  async fileOf(path: string): Promise<TrackedFile> {
    const file = this.#state.files.get(path);
    if (file) return file;
    const content = (await this.ports.unmodified.contentOf(path)) ?? unknown;
    return { baseline: content, now: content, labels: [] };
  }

  /** The entry of a file that is reviewed; null when git says the same without one. */
  async reviewedFile(path: string, content: Content): Promise<TrackedFile | null> {
    const known = await this.ports.unmodified.contentOf(path);
    if (known && sameContent(known, content)) return null;
    return { baseline: content, now: content, labels: [] };
  }

  /** Records what happened; a failure to store it is reported by the journal. */
  async note(record: RootRecord): Promise<void> {
    this.#forgetSeen(record);
    this.#state = reduceState(this.#state, record);
    if (!this.ports.log.isReadOnly) await this.ports.log.note(record, this.#state);
  }

  /** @throws when the record cannot be stored; then nothing has changed. */
  async commit(record: RootRecord): Promise<void> {
    const after = reduceState(this.#state, record);
    await this.ports.log.commit(record, after);
    this.#forgetSeen(record);
    this.#state = after;
  }

  /** Who may have written files. */
  async labelsOf(paths: readonly string[]): Promise<LabelOf> {
    const { labels, clock } = this.ports;
    if (labels) return labels(paths);
    const at = clock();
    return () => ({ from: at, to: at });
  }

  contentOf(bytes: Uint8Array | undefined): Content {
    return bytes ? contentOf(bytes, this.ports.unmodified.algorithm) : absent;
  }

  async bytesOf(content: Content): Promise<Uint8Array | undefined> {
    if (content.kind !== 'file') return undefined;
    const stored = await this.ports.contents.get(content.id);
    if (stored) return stored;
    const blob = await this.ports.unmodified.blob(content.id);
    return blob && sameContent(this.contentOf(blob), content) ? blob : undefined;
  }

  /** The text of a content; no lines for an absent file, undefined when its bytes are gone. */
  async textOf(content: Content): Promise<ExternalText | undefined> {
    if (content.kind === 'absent') return { lines: [] };
    if (content.kind === 'unknown') return undefined;
    const known = this.#texts.get(content.id);
    if (known) return known;
    const bytes = await this.bytesOf(content);
    return bytes && this.rememberText(content, bytes);
  }

  async linesOf(content: Content): Promise<readonly string[] | undefined> {
    const text = await this.textOf(content);
    return text && 'lines' in text ? text.lines : undefined;
  }

  /** The lines of a file as it is, which may be on disk only. */
  async linesNow(path: string, now: Content): Promise<readonly string[] | undefined> {
    const text = await this.textOf(now);
    if (text || now.kind !== 'file') return text && 'lines' in text ? text.lines : undefined;
    await this.storeNow(path, now);
    return this.linesOf(now);
  }

  /** Stores the bytes of a file again, if they are still on disk and a power failure has taken the copy. */
  async storeNow(path: string, now: Content): Promise<void> {
    if (now.kind !== 'file' || (await this.bytesOf(now))) return;
    const bytes = await this.ports.disk.read(path);
    if (!bytes || !sameContent(this.contentOf(bytes), now)) return;
    this.rememberText(now, bytes);
    await this.tryStore(bytes);
  }

  rememberText(content: FileContent, bytes: Uint8Array): ExternalText {
    const known = this.#texts.get(content.id);
    if (known) return known;
    const text = fileText(bytes);
    this.#texts.set(content.id, text);
    return text;
  }

  /** Stores bytes, so that they can be had back later. @throws when the disk is full. */
  async store(bytes: Uint8Array, isFlushed = false): Promise<FileContent> {
    const content = contentOf(bytes, this.ports.unmodified.algorithm);
    if (bytes.byteLength > maxStoredBytes) throw new ContentTooLargeError(bytes.byteLength);
    await this.ports.contents.put(content.id, bytes, isFlushed);
    this.lost.delete(content.id);
    return content;
  }

  async storeLines(lines: readonly string[], isFlushed: boolean): Promise<FileContent> {
    const bytes = bytesOfLines(lines);
    const content = await this.store(bytes, isFlushed);
    // Lines of several texts together may be more than a text may have.
    if (isTextSize(bytes, lines)) this.#texts.set(content.id, { lines });
    return content;
  }

  /**
   * Stores bytes of which a copy is on disk: a failure is reported, and the next time that they are needed they may be
   * gone.
   * @returns whether they are stored.
   */
  async tryStore(bytes: Uint8Array, isFlushed = false): Promise<boolean> {
    if (bytes.byteLength > maxStoredBytes) return false;
    try {
      await this.store(bytes, isFlushed);
      return true;
    } catch (error) {
      this.ports.onError(error);
      return false;
    }
  }

  /** {@link tryStore} for bytes that must be stored unless they are too many. @throws when the disk is full. */
  async storeIfSmall(bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength <= maxStoredBytes) await this.store(bytes, true);
  }

  /** Whether the bytes of a content can be had; an absent file needs none. */
  async hasBytes(content: Content): Promise<boolean> {
    return content.kind === 'absent' || (await this.bytesOf(content)) !== undefined;
  }

  /** A text of a document that was stored. */
  async textById(id: string): Promise<string | undefined> {
    const bytes = await this.ports.contents.get(id);
    const text = bytes && fileText(bytes);
    return text && 'lines' in text ? text.lines.join('') : undefined;
  }

  /** Copies the bytes of a baseline from git, so that they stay when git forgets them. */
  async keepBaseline(baseline: Content): Promise<void> {
    if (baseline.kind !== 'file' || (await this.ports.contents.has(baseline.id))) return;
    const blob = await this.ports.unmodified.blob(baseline.id);
    if (blob && sameContent(this.contentOf(blob), baseline)) await this.tryStore(blob);
    else this.lost.add(baseline.id);
  }

  /** Lines and changes of a pending file; undefined when it is no text, or its baseline is lost. */
  async fileLines(path: string, file: TrackedFile): Promise<FileLines | undefined> {
    const known = this.#changes.get(file);
    if (known) return known;
    const baseline = await this.linesOf(file.baseline);
    const lines = baseline && (await this.linesNow(path, file.now));
    if (!lines) return undefined;
    const aligned = file.alignment && readAlignment(file.alignment, baseline, lines);
    // Without an alignment nobody knows which of the changes the user edited.
    const isEdited = file.isEdited === true;
    const parts = aligned ?? alignLines(baseline, lines).map(part => ({ ...part, isEdited }));
    const changes = changesOfParts(path, baseline, lines, parts);
    return this.rememberChanges(file, { baseline, lines, changes });
  }

  rememberChanges(file: TrackedFile, lines: FileLines): FileLines {
    this.#changes.set(file, lines);
    return lines;
  }

  /** The entry of a pending text with these parts. */
  async alignedFile(
    path: string,
    { baseline, now, labels }: Pick<TrackedFile, 'baseline' | 'now' | 'labels'>,
    parts: readonly AlignedPart[],
  ): Promise<TrackedFile> {
    const traits = await this.traitsOf(path, baseline, now);
    return {
      baseline,
      now,
      labels,
      ...(parts.some(({ isEdited }) => isEdited) && { isEdited: true as const }),
      ...traits,
      ...(!traits.reason && { alignment: toStoredAlignment(parts) }),
    };
  }

  /** What the view needs to know of a pending file without reading it. */
  async traitsOf(
    path: string,
    baseline: Content,
    now: Content,
  ): Promise<Pick<TrackedFile, 'reason' | 'isGenerated'>> {
    const [before, after] = [await this.textOf(baseline), await this.textOf(now)];
    const text = now.kind === 'absent' ? before : after;
    const reason = [after, before].flatMap(one => (one && 'reason' in one ? [one.reason] : []))[0];
    const isGenerated = isGeneratedFile(path, text && 'lines' in text ? text.lines : []);
    return { ...(reason && { reason }), ...(isGenerated && { isGenerated: true as const }) };
  }
}

const sizeOfText = (text: ExternalText): number => ('lines' in text ? sizeOfLines(text.lines) : 1);

/** Characters, and what a line takes beside them; at least 1, as the cache demands. */
function sizeOfLines(lines: readonly string[]): number {
  let size = 1;
  for (const line of lines) size += line.length + 8;
  return size;
}
