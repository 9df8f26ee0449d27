import { createHash } from 'node:crypto';
import { type Content, sameContent } from '../content';
import { partOf } from '../fileChanges';
import { bytesOfLines, editorText, fileText, hasByteOrderMark, linesOfEditor } from '../fileText';
import { foldEdits } from '../foldEdits';
import { type DecidedFile, isPending, type TrackedFile, type WriteLabel } from '../rootState';
import { afterExternalWrite, changedFile } from './externalWrite';
import type { TrackedRoot } from './trackedRoot';

/** A text that the tracker itself wrote through an editor, so that the save that follows is not the user's. */
interface OwnEdit {
  readonly before: string;
  readonly after: Content;
}

/** What editors load and save. Texts are compared without byte order mark and with one kind of line ends. */
export class EditorEvents {
  readonly #root: TrackedRoot;
  /** The text of each document when it was last the same as its file. */
  readonly #clean = new Map<string, string>();
  readonly #own = new Map<string, OwnEdit>();

  constructor(root: TrackedRoot) {
    this.#root = root;
  }

  /** Whether a document that has unsaved edits was loaded from these lines, as far as is known. */
  wasLoadedFrom(path: string, lines: readonly string[]): boolean {
    return this.#clean.get(path) === keyOf(lines);
  }

  /** Call after an edit in a clean document, which has saved it. */
  wrote(
    path: string,
    {
      before,
      after,
      content,
    }: { readonly before: string; readonly after: string; readonly content: Content },
  ): void {
    this.#clean.set(path, keyOf(linesOfEditor(after, false)));
    this.#own.set(path, { before: keyOf(linesOfEditor(before, false)), after: content });
  }

  async loaded(path: string, text: string): Promise<void> {
    const root = this.#root;
    const shown = keyOf(linesOfEditor(text, false));
    this.#clean.set(path, shown);
    const bytes = await root.ports.disk.read(path);
    const lines = bytes && linesOfBytes(bytes);
    if (!root.state.files.has(path) && bytes && lines) {
      const known = await root.ports.unmodified.contentOf(path);
      if (!known) {
        // Nobody knows what the file was before; the editor does.
        const isSame = keyOf(lines) === shown;
        const first = isSame ? bytes : bytesOfLines(linesOfEditor(text, hasByteOrderMark(lines)));
        await root.tryStore(first, true);
        const file = await root.reviewedFile(path, root.contentOf(first));
        await root.note({ kind: 'files', files: [[path, file]] });
      }
    }
    await this.#wroteOutside(path, bytes);
  }

  /**
   * @param textWhenClean the document's text before the user began to edit it; undefined: not known.
   * @param textSaved the text that the editor wrote; undefined: what is on disk now.
   */
  async saved(
    path: string,
    textWhenClean: string | undefined,
    textSaved: string | undefined,
  ): Promise<void> {
    const root = this.#root;
    const bytes = await root.ports.disk.read(path);
    const lines = bytes && linesOfBytes(bytes);
    const hasMark = lines !== undefined && hasByteOrderMark(lines);
    let written = bytes;
    if (textSaved !== undefined) {
      const saved = linesOfEditor(textSaved, hasMark);
      this.#clean.set(path, keyOf(saved));
      // Another program has written since.
      const isElse = lines ? keyOf(lines) !== keyOf(saved) : bytes === undefined;
      if (isElse) written = bytesOfLines(saved);
    } else if (lines) this.#clean.set(path, keyOf(lines));
    const own = this.#own.get(path);
    this.#own.delete(path);
    const now = root.contentOf(written);
    if (textSaved !== undefined && textSaved !== textWhenClean) await this.#takeBack(path, now);
    const known = root.state.files.get(path);
    if (!known || !sameContent(known.now, now)) {
      if (textWhenClean !== undefined) {
        const loaded = linesOfEditor(textWhenClean, hasMark);
        const isOwn = own?.before === keyOf(loaded) && known && sameContent(own.after, known.now);
        if (!isOwn) await this.#wasLoaded(path, loaded);
      }
      await this.#tookEdits(path, now, written);
    }
    if (written !== bytes) await this.#wroteOutside(path, bytes);
  }

  /** Takes a save by the editor: the user's edits lead from the last known bytes to these. */
  async tookEdits(path: string, bytes: Uint8Array): Promise<void> {
    await this.#tookEdits(path, this.#root.contentOf(bytes), bytes);
  }

  async #wroteOutside(path: string, bytes: Uint8Array | undefined): Promise<void> {
    const label = await this.#label(path);
    const file = await afterExternalWrite(this.#root, path, bytes, label);
    if (file !== undefined) await this.#root.note({ kind: 'files', files: [[path, file]] });
  }

  /** The bytes of a save were seen on disk before the save was announced: they are the editor's. */
  async #takeBack(path: string, now: Content): Promise<void> {
    const root = this.#root;
    const seen = root.beforeWrite(path);
    if (!seen?.after || !sameContent(seen.after.now, now)) return;
    await root.note({ kind: 'files', files: [[path, seen.before ?? null]] });
  }

  async #label(path: string): Promise<WriteLabel> {
    return (await this.#root.labelsOf([path]))(path);
  }

  /** The document that the user edited had these lines. Where others are known, another program wrote in between. */
  async #wasLoaded(path: string, loaded: readonly string[]): Promise<void> {
    const file = await this.#root.fileOf(path);
    const { now } = file;
    const text = now.kind === 'unknown' ? undefined : await this.#root.textOf(now);
    // For bytes that are no text, the editor's text says too little.
    if (!text || !('lines' in text)) return;
    // There is no known file of which this could be a change: the user has created it.
    if (now.kind === 'absent' && !isPending(file)) return;
    if (now.kind === 'file' && keyOf(text.lines) === keyOf(loaded)) return;
    await this.#wroteOutside(path, bytesOfLines(loaded));
  }

  async #tookEdits(path: string, now: Content, bytes: Uint8Array | undefined): Promise<void> {
    const root = this.#root;
    const file = await root.fileOf(path);
    if (sameContent(file.now, now)) return;
    const reverted = revertedDecision(root, path, now);
    if (reverted) {
      const { before, after } = reverted.file;
      const isSame = sameContent(after.baseline, file.baseline);
      const label = before.labels[0] ?? (await this.#label(path));
      const updated = isSame ? before : await changedFile(root, path, file, now, bytes, label);
      const files = [[path, updated] as const];
      await root.note({ kind: 'files', files, reverted: { decision: reverted.id, path } });
      return;
    }
    const updated = await this.#withEdits(path, file, now, bytes);
    if (updated && bytes) await root.tryStore(bytes, true);
    await root.note({ kind: 'files', files: [[path, updated]] });
  }

  async #withEdits(
    path: string,
    file: TrackedFile,
    now: Content,
    bytes: Uint8Array | undefined,
  ): Promise<TrackedFile | null> {
    const root = this.#root;
    const { baseline, labels } = file;
    // A file that was deleted and that the user has saved again is the user's.
    const isReviewed = !isPending(file) || file.now.kind !== 'file';
    if (isReviewed || sameContent(baseline, now)) return root.reviewedFile(path, now);
    const [before, saved] = [await root.fileLines(path, file), bytes && linesOfBytes(bytes)];
    const isText = baseline.kind === 'file' && before !== undefined && saved !== undefined;
    if (isText && !file.reason) {
      const parts = before.changes.map(partOf);
      const folded = foldEdits(before.baseline, before.lines, parts, saved);
      if (folded.parts.length === 0) return root.reviewedFile(path, now);
      try {
        const content = await root.storeLines(folded.baseline, true);
        return await root.alignedFile(path, { baseline: content, now, labels }, folded.parts);
      } catch (error) {
        // The old baseline is stored, so all that the user edited stays in the list with it.
        root.ports.onError(error);
      }
    }
    const label = labels.at(-1) ?? (await this.#label(path));
    const changed = await changedFile(root, path, file, now, bytes, label);
    const { alignment: _, ...whole } = changed;
    return { ...whole, isEdited: true };
  }
}

/** The decision to undo changes that the user has undone in the editor: the file has the bytes from before it again. */
function revertedDecision(
  { state }: TrackedRoot,
  path: string,
  now: Content,
): { readonly id: number; readonly file: DecidedFile } | undefined {
  for (const { id, kind, files } of state.decisions.toReversed()) {
    const file = kind === 'undo' ? files.find(one => one.path === path) : undefined;
    if (file && !file.buffer && sameContent(file.before.now, now)) return { id, file };
  }
  return undefined;
}

function linesOfBytes(bytes: Uint8Array): readonly string[] | undefined {
  const text = fileText(bytes);
  return 'lines' in text ? text.lines : undefined;
}

const keyOf = (lines: readonly string[]): string =>
  createHash('sha1').update(editorText(lines, '\n')).digest('base64');
