import { alignLines } from '../alignment/alignment';
import { composeWrites } from '../alignment/composeWrites';
import { type Content, sameContent } from '../content';
import { partOf } from '../fileChanges';
import { editorText, hasByteOrderMark, linesOfEditor } from '../fileText';
import { foldEdits } from '../foldEdits';
import { mergeLabels } from '../labels';
import type {
  DecidedFile,
  FileUpdate,
  StoredDecision,
  TrackedFile,
  WriteLabel,
} from '../rootState';
import type { EditorEvents } from './editorEvents';
import { type FileWrite, planWrite } from './fileWrite';
import { type Decided, type Outcome, reviewed } from './selections';
import type { TrackedRoot } from './trackedRoot';
import {
  executePlans,
  isRemoval,
  type Planned,
  planSafely,
  takeFormatted,
  withoutWrites,
} from './undoing';

/** With these outcomes the decision stays, to be undone later. */
const retryable: ReadonlySet<Outcome> = new Set(['conflict', 'readOnly', 'failed']);

/** Undoes the last decision. Empty when there is none. */
export async function revertDecision(root: TrackedRoot, editors: EditorEvents): Promise<Decided[]> {
  const decision = root.state.decisions.at(-1);
  if (!decision) return [];
  return decision.kind === 'keep'
    ? revertKeep(root, decision)
    : revertUndo(root, editors, decision);
}

async function revertKeep(root: TrackedRoot, decision: StoredDecision): Promise<Decided[]> {
  const files: FileUpdate[] = [];
  const decided: Decided[] = [];
  const left: string[] = [];
  for (const file of decision.files) {
    const { path } = file;
    try {
      files.push([path, await beforeKeep(root, file)]);
      decided.push({ path, outcome: 'done' });
    } catch (error) {
      left.push(path);
      decided.push({ path, outcome: 'failed', error });
    }
  }
  try {
    await root.commit({ kind: 'reverted', decision: decision.id, files, left });
    return decided;
  } catch (error) {
    return decided.map(({ path }) => ({ path, outcome: 'failed', error }));
  }
}

/** The entry with the baseline from before the decision, and with what the user has edited since. */
async function beforeKeep(
  root: TrackedRoot,
  { path, before, after }: DecidedFile,
): Promise<TrackedFile> {
  const file = await root.fileOf(path);
  const { baseline, now } = file;
  const isSame = sameContent(baseline, after.baseline);
  if (isSame && sameContent(now, before.now)) return before;
  const labels = mergeLabels(before.labels, file.labels);
  const old = await textLines(root, before.baseline);
  const kept = old && (await textLines(root, after.baseline));
  const current = kept && (await textLines(root, baseline));
  if (!current) {
    const isEdited = !isSame || before.isEdited === true || file.isEdited === true;
    return entryOf(root, path, { baseline: before.baseline, now, labels, isEdited });
  }
  const parts = alignLines(old, kept);
  const folded = isSame ? { baseline: old, parts } : foldEdits(old, kept, parts, current);
  const content = isSame ? before.baseline : await root.storeLines(folded.baseline, true);
  if (sameContent(content, now)) return reviewed(now);
  const lines = sameContent(baseline, now) ? undefined : await root.fileLines(path, file);
  if (!lines && !sameContent(baseline, now)) {
    return entryOf(root, path, { baseline: content, now, labels, isEdited: true });
  }
  const pending = lines
    ? composeWrites(folded.baseline, current, folded.parts, lines.lines, lines.changes.map(partOf))
    : folded.parts;
  // Which of them the user had edited is not known in the new file.
  const isEdited = before.isEdited === true;
  return root.alignedFile(
    path,
    { baseline: content, now, labels },
    pending.map(part => ({ ...part, isEdited: isEdited || part.isEdited })),
  );
}

/** The lines of a file's text; undefined when there is no file, or no text. */
async function textLines(
  root: TrackedRoot,
  content: Content,
): Promise<readonly string[] | undefined> {
  return content.kind === 'file' ? root.linesOf(content) : undefined;
}

async function revertUndo(
  root: TrackedRoot,
  editors: EditorEvents,
  { id, files }: StoredDecision,
): Promise<Decided[]> {
  const plans: Planned[] = [];
  for (const file of files) {
    plans.push(
      await planSafely(file.path, async () => {
        const write = file.buffer
          ? await planBufferRevert(root, editors, file, file.buffer)
          : await planRevert(root, editors, file);
        if (typeof write !== 'string') return [write];
        // The user is not asked here, and what is not saved stays.
        return write === 'edited' ? 'conflict' : write;
      }),
    );
  }
  const executed = await executePlans(root, editors, removalsLast(plans), {
    at: root.ports.clock(),
    reverts: id,
  });
  const decided = executed?.decided ?? plans.map(withoutWrites);
  const left = decided.flatMap(({ path, outcome }) => (retryable.has(outcome) ? [path] : []));
  const updates = (executed?.files ?? []).flatMap(({ path, after, buffer }): FileUpdate[] =>
    buffer ? [] : [[path, after]],
  );
  await root.note({ kind: 'reverted', decision: id, files: updates, left });
  if (executed) await takeFormatted(editors, executed);
  return decided;
}

/** A file that was renamed goes only after it is back under its other name. */
const removalsLast = (plans: readonly Planned[]): Planned[] => [
  ...plans.filter(plan => !isRemoval(plan)),
  ...plans.filter(isRemoval),
];

async function planRevert(
  root: TrackedRoot,
  editors: EditorEvents,
  { path, before, after }: DecidedFile,
): Promise<FileWrite | Outcome> {
  // With the next save, what returns there would be taken for an edit of the user.
  if (root.ports.open.get(path)?.isDirty) return 'conflict';
  const file = await root.fileOf(path);
  const isExact = sameContent(file.now, after.now);
  if (isExact && !(await root.hasBytes(before.now))) return 'lost';
  const now = isExact ? before.now : await mergedContent(root, file.now, { before, after });
  if (!now) return 'stale';
  const isRestored = isExact && sameContent(file.baseline, after.baseline);
  const labels = mergeLabels(before.labels, file.labels);
  const isEdited = before.isEdited === true || file.isEdited === true;
  const restored = isRestored
    ? before
    : await entryOf(root, path, { baseline: file.baseline, now, labels, isEdited });
  return planWrite(root, editors, { path, before: file, after: restored }, false);
}

/** The changes that were undone, made again in a file that was edited elsewhere since; undefined when they meet the edits. */
async function mergedContent(
  root: TrackedRoot,
  now: Content,
  { before, after }: Pick<DecidedFile, 'before' | 'after'>,
): Promise<Content | undefined> {
  if ([now, before.now, after.now].some(({ kind }) => kind !== 'file')) return undefined;
  const old = await root.linesOf(before.now);
  const undone = old && (await root.linesOf(after.now));
  const current = undone && (await root.linesOf(now));
  if (!current) return undefined;
  const folded = foldEdits(old, undone, alignLines(old, undone), current);
  return folded.touched.length > 0 ? undefined : root.storeLines(folded.baseline, true);
}

/** The decision edited only the document. */
async function planBufferRevert(
  root: TrackedRoot,
  editors: EditorEvents,
  { path }: DecidedFile,
  buffer: { readonly from: string; readonly to: string },
): Promise<FileWrite | Outcome> {
  const document = root.ports.open.get(path);
  const [before, after] = [await root.textById(buffer.from), await root.textById(buffer.to)];
  if (before === undefined || after === undefined) return 'lost';
  if (document?.text !== after) return 'stale';
  const file = await root.fileOf(path);
  if (document.isDirty) {
    return {
      way: 'buffer',
      file: { path, before: file, after: file, buffer },
      before: after,
      after: before,
    };
  }
  // The user has saved it since.
  const lines = await root.linesOf(file.now);
  if (!lines || editorText(lines, '\n') !== editorText(linesOfEditor(after, false), '\n')) {
    return 'stale';
  }
  const now = await root.storeLines(linesOfEditor(before, hasByteOrderMark(lines)), true);
  const { baseline, labels, isEdited } = file;
  const restored = await entryOf(root, path, {
    baseline,
    now,
    labels,
    isEdited: isEdited === true,
  });
  return planWrite(root, editors, { path, before: file, after: restored }, false);
}

async function entryOf(
  root: TrackedRoot,
  path: string,
  {
    baseline,
    now,
    labels,
    isEdited,
  }: {
    readonly baseline: Content;
    readonly now: Content;
    readonly labels: readonly WriteLabel[];
    readonly isEdited: boolean;
  },
): Promise<TrackedFile> {
  if (sameContent(baseline, now)) return reviewed(now);
  return {
    baseline,
    now,
    labels,
    ...(isEdited && { isEdited: true as const }),
    ...(await root.traitsOf(path, baseline, now)),
  };
}
