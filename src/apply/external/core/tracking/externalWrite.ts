import { type AlignedPart, alignLines } from '../alignment/alignment';
import { composeWrites } from '../alignment/composeWrites';
import { hasWord } from '../alignment/userEdits';
import { type Content, sameContent } from '../content';
import { partOf } from '../fileChanges';
import { addLabel } from '../labels';
import { isPending, type TrackedFile, type WriteLabel } from '../rootState';
import type { TrackedRoot } from './trackedRoot';

/**
 * The entry of a file after another program wrote or removed it; undefined when there is nothing new, null when it needs no
 * entry.
 */
export async function afterExternalWrite(
  root: TrackedRoot,
  path: string,
  bytes: Uint8Array | undefined,
  label: WriteLabel,
): Promise<TrackedFile | null | undefined> {
  const known = root.state.files.get(path);
  const now = root.contentOf(bytes);
  if (known && sameContent(known.now, now)) return undefined;
  const file = known ?? (await root.fileOf(path));
  if (sameContent(file.baseline, now)) {
    return known ? root.reviewedFile(path, now) : undefined;
  }
  // It was created and removed between two looks, such as a temporary file.
  if (!known && file.baseline.kind === 'unknown' && !bytes) return undefined;
  return changedFile(root, path, file, now, bytes, label);
}

/** The entry of a file whose bytes are not those of the baseline. */
export async function changedFile(
  root: TrackedRoot,
  path: string,
  file: TrackedFile,
  now: Content,
  bytes: Uint8Array | undefined,
  label: WriteLabel,
): Promise<TrackedFile> {
  const { baseline } = file;
  await root.keepBaseline(baseline);
  if (bytes && now.kind === 'file') {
    root.rememberText(now, bytes);
    await root.tryStore(bytes);
  }
  const labels = addLabel(isPending(file) ? file.labels : [], label);
  const parts = await composedParts(root, path, file, now);
  if (parts) return root.alignedFile(path, { baseline, now, labels }, parts);
  return {
    baseline,
    now,
    labels,
    ...(file.isEdited && { isEdited: true as const }),
    ...(await root.traitsOf(path, baseline, now)),
  };
}

/** The parts of a text that was pending before; undefined: those of a diff. */
async function composedParts(
  root: TrackedRoot,
  path: string,
  file: TrackedFile,
  now: Content,
): Promise<AlignedPart[] | undefined> {
  const isText = [file.baseline, file.now, now].every(({ kind }) => kind === 'file');
  if (!isText || !isPending(file) || file.reason) return undefined;
  const before = await root.fileLines(path, file);
  const lines = before && (await root.linesOf(now));
  if (!lines) return undefined;
  const { baseline, changes } = before;
  const composed = composeWrites(baseline, before.lines, changes.map(partOf), lines);
  if (composed.some(({ isEdited }) => isEdited)) return composed;
  // A write that brings an earlier text back has more in common with the baseline than with what was there.
  const direct = alignLines(baseline, lines);
  const isBetter = changedWords(direct, baseline, lines) < changedWords(composed, baseline, lines);
  return isBetter ? undefined : composed;
}

/** How many lines differ, without those that have no words and are everywhere. */
function changedWords(
  parts: readonly AlignedPart[],
  baseline: readonly string[],
  lines: readonly string[],
): number {
  let count = 0;
  for (const part of parts) {
    const old = baseline.slice(part.baseStart, part.baseStart + part.baseCount);
    const added = lines.slice(part.start, part.start + part.count);
    for (const line of old) if (hasWord.test(line)) count++;
    for (const line of added) if (hasWord.test(line)) count++;
  }
  return count;
}
