import { sameContent } from '../content';
import type { PendingFile } from '../pendingFiles';
import type { DecidedFile } from '../rootState';
import {
  type Decided,
  fileAfterKeep,
  reviewed,
  type Selected,
  type Selection,
  select,
} from './selections';
import type { TrackedRoot } from './trackedRoot';

/** Keeps changes: the baseline moves, and nothing is written to the files. All of it is one decision. */
export async function keepSelected(
  root: TrackedRoot,
  selections: readonly Selection[],
  pending: ReadonlyMap<string, PendingFile>,
): Promise<Decided[]> {
  const decided: Decided[] = [];
  const files: DecidedFile[] = [];
  const paths = new Set<string>();
  for (const selection of selections) {
    const { path } = selection;
    const selected = paths.has(path) ? undefined : await select(root, pending.get(path), selection);
    paths.add(path);
    if (!selected) {
      decided.push({ path, outcome: 'stale' });
      continue;
    }
    try {
      files.push(...(await keptFiles(root, selected)));
      decided.push({ path, outcome: 'done' });
    } catch (error) {
      decided.push({ path, outcome: 'failed', error });
    }
  }
  if (files.length === 0) return decided;
  try {
    await root.commit({ kind: 'kept', at: root.ports.clock(), files });
    return decided;
  } catch (error) {
    return decided.map(one =>
      one.outcome === 'done' ? { path: one.path, outcome: 'failed', error } : one,
    );
  }
}

async function keptFiles(
  root: TrackedRoot,
  { pending, changes, ids }: Selected,
): Promise<DecidedFile[]> {
  const files: DecidedFile[] = [];
  for (const path of [pending.from, pending.path]) {
    const before = path === undefined ? undefined : root.state.files.get(path);
    if (path === undefined || !before) continue;
    if (changes) {
      const after = await fileAfterKeep(root, path, before, changes, ids);
      files.push({ path, before, after });
      continue;
    }
    const { now } = before;
    if (now.kind === 'file' && !(await root.ports.contents.flush(now.id))) {
      // It could not be stored when it was seen. A file that is too large for the store has no baseline later.
      const bytes = await root.ports.disk.read(path);
      if (bytes && sameContent(root.contentOf(bytes), now)) await root.storeIfSmall(bytes);
    }
    files.push({ path, before, after: reviewed(now) });
  }
  return files;
}
