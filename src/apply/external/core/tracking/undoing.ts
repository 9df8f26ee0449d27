import type { PendingFile } from '../pendingFiles';
import type { DecidedFile, PlannedWrites } from '../rootState';
import type { EditorEvents } from './editorEvents';
import { executeWrite, type FileWrite, hasBytesAfter, planWrite } from './fileWrite';
import { mapFiles } from './mapFiles';
import {
  type Decided,
  fileAfterUndo,
  firstOfEachPath,
  type Outcome,
  removesTyping,
  reviewed,
  type Selected,
  type Selection,
  select,
} from './selections';
import type { TrackedRoot } from './trackedRoot';

/** The writes of one selection: two for a file that was renamed, where the old file comes back first. */
export interface Step {
  readonly path: string;
  readonly writes: readonly FileWrite[];
}

/** What is to be done for a path, or why nothing is. */
export type Planned = Step | Decided;

interface Executed {
  readonly decided: Decided[];
  readonly files: DecidedFile[];
  /** Texts that a formatter changed when the editor saved them. */
  readonly formatted: { readonly path: string; readonly bytes: Uint8Array }[];
}

/** Undoes changes: their old lines return, if the files still are what the user saw. All of it is one decision. */
export async function undoSelected(
  root: TrackedRoot,
  editors: EditorEvents,
  selections: readonly Selection[],
  pending: ReadonlyMap<string, PendingFile>,
  isConfirmed: boolean,
): Promise<Decided[]> {
  const first = firstOfEachPath(selections);
  const plans = await mapFiles(selections, async selection =>
    planSafely(selection.path, async () => {
      const shown = pending.get(selection.path);
      const selected = first.has(selection) && (await select(root, shown, selection));
      return selected ? planUndo(root, editors, selected, isConfirmed) : 'stale';
    }),
  );
  const at = root.ports.clock();
  const executed = await executePlans(root, editors, plans, { at });
  if (executed) {
    await root.note({ kind: 'undone', at, files: executed.files });
    await takeFormatted(editors, executed);
  }
  return executed?.decided ?? plans.map(withoutWrites);
}

/** A plan, or the outcome that stands for it. */
export async function planSafely(
  path: string,
  plan: () => Promise<readonly FileWrite[] | Outcome>,
): Promise<Planned> {
  try {
    const planned = await plan();
    return typeof planned === 'string' ? { path, outcome: planned } : { path, writes: planned };
  } catch (error) {
    return { path, outcome: 'failed', error };
  }
}

async function planUndo(
  root: TrackedRoot,
  editors: EditorEvents,
  { pending, changes, ids }: Selected,
  isConfirmed: boolean,
): Promise<readonly FileWrite[] | Outcome> {
  const writes: FileWrite[] = [];
  // The old file of a rename first: nothing goes before it is back.
  for (const path of [pending.from, pending.path]) {
    const before = path === undefined ? undefined : root.state.files.get(path);
    if (path === undefined || !before) continue;
    const { baseline } = before;
    if (baseline.kind === 'unknown') return 'lost';
    if (!(await root.hasBytes(baseline))) return 'lost';
    const chosen = changes?.changes.filter(({ id }) => ids.has(id));
    if (!isConfirmed && removesTyping(before, chosen)) return 'edited';
    const after = changes
      ? await fileAfterUndo(root, path, before, changes, ids)
      : reviewed(baseline);
    const write = await planWrite(root, editors, { path, before, after }, isConfirmed);
    if (typeof write === 'string') return write;
    writes.push(write);
  }
  return writes;
}

/**
 * Makes the writes that were planned. What is about to be written is in the journal before, so that it can be found after a
 * crash.
 *
 * @returns undefined when there is nothing to write.
 */
export async function executePlans(
  root: TrackedRoot,
  editors: EditorEvents,
  plans: readonly Planned[],
  { at, reverts }: Omit<PlannedWrites, 'files'>,
): Promise<Executed | undefined> {
  const writes = plans.flatMap(plan => ('writes' in plan ? plan.writes : []));
  if (writes.length === 0) return undefined;
  const files = writes.flatMap(({ way, file }) => (way === 'buffer' ? [] : [file]));
  if (files.length > 0) {
    const planned = { at, files, ...(reverts !== undefined && { reverts }) };
    try {
      await root.commit({ kind: 'undoing', planned });
    } catch (error) {
      const failed = plans.map(
        (plan): Decided =>
          'writes' in plan ? { path: plan.path, outcome: 'failed', error } : plan,
      );
      return { decided: failed, files: [], formatted: [] };
    }
  }
  const executed: Executed = { decided: [], files: [], formatted: [] };
  const execute = async (step: Step): Promise<Decided> =>
    executeStep(root, editors, step, executed);
  executed.decided.push(...(await executeAll(plans, execute, reverts !== undefined)));
  return executed;
}

/** @param isRevert a decision is undone. @returns the outcomes in the order of the plans. */
async function executeAll(
  plans: readonly Planned[],
  execute: (step: Step) => Promise<Decided>,
  isRevert: boolean,
): Promise<Decided[]> {
  // Files that are not open wait for the disk only, so that several are written at once.
  const atOnce = plans.filter(isOnDisk).filter(step => !isRevert || !isRemoval(step));
  const done = new Map<Planned, Decided>(
    await mapFiles(atOnce, async step => [step, await execute(step)] as const),
  );
  const isIncomplete = (): boolean =>
    plans.some(plan => {
      const decided = 'writes' in plan ? done.get(plan) : plan;
      return decided !== undefined && decided.outcome !== 'done';
    });
  for (const plan of plans) {
    if (!('writes' in plan) || done.has(plan)) continue;
    // The file that goes may be the one that could not be brought back elsewhere.
    const isBlocked = isRevert && isRemoval(plan) && isIncomplete();
    done.set(plan, isBlocked ? { path: plan.path, outcome: 'stale' } : await execute(plan));
  }
  return plans.map(plan => done.get(plan) ?? withoutWrites(plan));
}

const isOnDisk = (plan: Planned): plan is Step =>
  'writes' in plan && plan.writes.every(({ way }) => way === 'disk');

export const isRemoval = (plan: Planned): boolean =>
  'writes' in plan && plan.writes.some(({ file }) => file.after.now.kind === 'absent');

async function executeStep(
  root: TrackedRoot,
  editors: EditorEvents,
  { path, writes }: Step,
  { files, formatted }: Executed,
): Promise<Decided> {
  for (const write of writes) {
    const written = await executeWrite(root, editors, write);
    const { outcome, error } = written;
    if (written.file) files.push(written.file);
    if (written.formatted) formatted.push({ path: write.file.path, bytes: written.formatted });
    if (outcome !== 'done') return { path, outcome, ...(error !== undefined && { error }) };
  }
  return { path, outcome: 'done' };
}

export async function takeFormatted(editors: EditorEvents, { formatted }: Executed): Promise<void> {
  for (const { path, bytes } of formatted) await editors.tookEdits(path, bytes);
}

export const withoutWrites = (plan: Planned): Decided =>
  'writes' in plan ? { path: plan.path, outcome: 'done' } : plan;

/** After a restart: finds out which of the writes were made that the last session was about to make. */
export async function recoverWrites(root: TrackedRoot): Promise<void> {
  const { planned } = root.state;
  if (!planned) return;
  const files: DecidedFile[] = [];
  const left: string[] = [];
  for (const file of planned.files) {
    if (await hasBytesAfter(root, file)) files.push(file);
    else left.push(file.path);
  }
  if (planned.reverts === undefined) {
    await root.note({ kind: 'undone', at: planned.at, files });
    return;
  }
  const updates = files.map(({ path, after }) => [path, after] as const);
  await root.note({ kind: 'reverted', decision: planned.reverts, files: updates, left });
}
