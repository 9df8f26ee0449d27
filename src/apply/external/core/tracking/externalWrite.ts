import { alignLines, inheritEdits } from '../alignment';
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
  // A file that nobody saw before it was removed, such as a temporary one.
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
  if (file.isEdited && file.alignment) {
    const before = await root.fileLines(path, file);
    const base = await root.linesOf(baseline);
    const lines = await root.linesOf(now);
    if (before && base && lines && now.kind !== 'absent') {
      const parts = inheritEdits(alignLines(base, lines), before.changes.map(partOf));
      return root.alignedFile(path, { baseline, now, labels }, parts);
    }
  }
  return {
    baseline,
    now,
    labels,
    ...(file.isEdited && { isEdited: true as const }),
    ...(await root.traitsOf(path, baseline, now)),
  };
}
