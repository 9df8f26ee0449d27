import { alignLines } from '../alignment/alignment';
import { sameContent } from '../content';
import {
  bytesOfLines,
  editorEnd,
  editorText,
  hasByteOrderMark,
  linesOfEditor,
  linesWithEnds,
  withoutEnd,
} from '../fileText';
import { foldEdits } from '../foldEdits';
import type { WriteResult } from '../ports';
import type { DecidedFile } from '../rootState';
import type { EditorEvents } from './editorEvents';
import type { Outcome } from './selections';
import type { TrackedRoot } from './trackedRoot';

/** How a file gets its new bytes. */
export type FileWrite = DiskWrite | EditorWrite;

interface DiskWrite {
  readonly way: 'disk';
  readonly file: DecidedFile;
  /** The user agreed that unsaved edits of the document stay behind in the editor. */
  readonly isOverEdits: boolean;
}

/** In the document: `editor` saves it, `buffer` is beside edits that the user has not saved. */
interface EditorWrite {
  readonly way: 'editor' | 'buffer';
  readonly file: DecidedFile;
  readonly before: string;
  readonly after: string;
}

export interface Written {
  readonly outcome: Outcome;
  readonly error?: unknown;
  /** What was decided, if it was done. */
  readonly file?: DecidedFile;
  /** A formatter changed the text when the editor saved it. */
  readonly formatted?: Uint8Array;
}

/** Finds out how a file can be written; an outcome when it cannot. Stores the bytes that the write will replace. */
export async function planWrite(
  root: TrackedRoot,
  editors: EditorEvents,
  file: DecidedFile,
  isConfirmed: boolean,
): Promise<FileWrite | Outcome> {
  const { path, before, after } = file;
  const document = root.ports.open.get(path);
  const bytes = await root.ports.disk.read(path);
  const isSame = sameContent(root.contentOf(bytes), before.now);
  if (isSame && bytes) await root.store(bytes, true);
  if (document?.isDirty) {
    if (!isSame) return 'conflict';
    // The editor keeps what is not saved, whatever happens to the file.
    if (after.now.kind !== 'absent') {
      return planBuffer(root, editors, file, document.text, isConfirmed);
    }
    if (!isConfirmed) return 'edited';
  }
  if (!isSame) return 'stale';
  const onDisk: FileWrite = { way: 'disk', file, isOverEdits: document?.isDirty === true };
  const isText = before.now.kind === 'file' && after.now.kind === 'file';
  const lines = document && isText ? await root.linesOf(before.now) : undefined;
  const newLines = lines && (await root.linesOf(after.now));
  if (!document || !newLines) return onDisk;
  const end = editorEnd(document.text);
  // The editor has not loaded what was shown.
  if (editorText(lines, end ?? '\n') !== document.text) return 'stale';
  const isExact =
    hasByteOrderMark(lines) === hasByteOrderMark(newLines) &&
    [lines, newLines].every(each => hasOnlyEnd(each, end));
  if (!isExact) return onDisk;
  return { way: 'editor', file, before: document.text, after: editorText(newLines, end ?? '\n') };
}

/** Undoes the changes in a text with unsaved edits, which stay. */
async function planBuffer(
  root: TrackedRoot,
  editors: EditorEvents,
  file: DecidedFile,
  text: string,
  isConfirmed: boolean,
): Promise<FileWrite | Outcome> {
  const [lines, newLines] = [
    await root.linesOf(file.before.now),
    await root.linesOf(file.after.now),
  ];
  const isFile = file.before.now.kind === 'file';
  if (!isFile || !lines || !newLines || !editors.wasLoadedFrom(file.path, lines)) {
    return 'conflict';
  }
  const end = editorEnd(text) ?? '\n';
  const [before, after] = [lines, newLines].map(each =>
    linesOfEditor(editorText(each, end), false),
  );
  if (!before || !after) return 'conflict';
  const folded = foldEdits(after, before, alignLines(after, before), linesWithEnds(text));
  if (folded.touched.length > 0 && !isConfirmed) return 'edited';
  const result = folded.baseline.join('');
  const [from, to] = [await storeText(root, text), await storeText(root, result)];
  const decided = { ...file, after: file.before, buffer: { from, to } };
  return { way: 'buffer', file: decided, before: text, after: result };
}

async function storeText(root: TrackedRoot, text: string): Promise<string> {
  return (await root.store(bytesOfLines([text]), true)).id;
}

/** Makes the write, if the file still is what the plan was made for. */
export async function executeWrite(
  root: TrackedRoot,
  editors: EditorEvents,
  write: FileWrite,
): Promise<Written> {
  try {
    return write.way === 'disk'
      ? await writeToDisk(root, write)
      : await writeInEditor(root, editors, write);
  } catch (error) {
    return (await hasBytesAfter(root, write.file))
      ? { outcome: 'done', file: write.file }
      : { outcome: 'failed', error };
  }
}

async function writeToDisk(root: TrackedRoot, { file, isOverEdits }: DiskWrite): Promise<Written> {
  const { path, before, after } = file;
  const { disk, open } = root.ports;
  if (open.get(path)?.isDirty && !isOverEdits) return { outcome: 'conflict' };
  let result: WriteResult;
  if (after.now.kind === 'file') {
    const bytes = await root.bytesOf(after.now);
    if (!bytes) return { outcome: 'lost' };
    result = await disk.replace(path, before.now, bytes);
  } else result = await disk.trash(path, before.now);
  if (result === 'done') return { outcome: 'done', file };
  if (result === 'changed') return { outcome: 'stale' };
  if (result === 'readOnly') return { outcome: 'readOnly' };
  return { outcome: 'failed', error: new Error(`not a file of this folder: ${path}`) };
}

async function writeInEditor(
  root: TrackedRoot,
  editors: EditorEvents,
  { way, file, before, after }: EditorWrite,
): Promise<Written> {
  const { path } = file;
  // Nothing to do: the user has undone the change, and not saved yet.
  if (before === after) return { outcome: 'done' };
  const result = await root.ports.open.edit(path, before, after);
  if (result === 'changed') return { outcome: 'stale' };
  if (result !== 'done') return { outcome: result };
  if (way === 'buffer') return { outcome: 'done', file };
  const bytes = await root.ports.disk.read(path);
  const now = root.contentOf(bytes);
  if (sameContent(now, file.before.now)) {
    // It could not be saved, and is an unsaved edit now.
    const [from, to] = [await storeText(root, before), await storeText(root, after)];
    return { outcome: 'done', file: { ...file, after: file.before, buffer: { from, to } } };
  }
  editors.wrote(path, { before, after, content: file.after.now });
  const shown = root.ports.open.get(path);
  const isOfEditor = shown?.isDirty === false && shown.text !== after;
  return { outcome: 'done', file, ...(bytes && isOfEditor && { formatted: bytes }) };
}

export async function hasBytesAfter(root: TrackedRoot, file: DecidedFile): Promise<boolean> {
  try {
    const bytes = await root.ports.disk.read(file.path);
    return sameContent(root.contentOf(bytes), file.after.now);
  } catch (error) {
    root.ports.onError(error);
    return false;
  }
}

/** Whether an editor writes these lines as they are. */
function hasOnlyEnd(lines: readonly string[], end: string | undefined): boolean {
  return lines.every((line, at) => {
    const body = withoutEnd(line);
    if (body === line) return at === lines.length - 1;
    return end !== undefined && body + end === line;
  });
}
