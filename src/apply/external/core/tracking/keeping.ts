import { sameContent } from '../content';
import type { PendingFile } from '../pendingFiles';
import type { DecidedFile } from '../rootState';
import { mapFiles } from './mapFiles';
import {
  type Decided,
  fileAfterKeep,
  firstOfEachPath,
  reviewed,
  type Selected,
  type Selection,
  select,
} from './selections';
import type { TrackedRoot } from './trackedRoot';

interface Kept {
  readonly decided: Decided;
  readonly files: readonly DecidedFile[];
}

/** Keeps changes: the baseline moves, and nothing is written to the files. All of it is one decision. */
export async function keepSelected(
  root: TrackedRoot,
  selections: readonly Selection[],
  pending: ReadonlyMap<string, PendingFile>,
): Promise<Decided[]> {
  const first = firstOfEachPath(selections);
  const results = await mapFiles(selections, async (selection): Promise<Kept> => {
    const { path } = selection;
    try {
      const selected = first.has(selection) && (await select(root, pending.get(path), selection));
      if (!selected) return { decided: { path, outcome: 'stale' }, files: [] };
      return { decided: { path, outcome: 'done' }, files: await keptFiles(root, selected) };
    } catch (error) {
      return { decided: { path, outcome: 'failed', error }, files: [] };
    }
  });
  const decided = results.map(result => result.decided);
  const files = results.flatMap(result => result.files);
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
