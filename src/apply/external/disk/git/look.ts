import { lstat, open } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, isNoFile } from '../../../../base/fileErrors';
import type { Git } from '../git';
import { type LogTail, lastLine } from './headLog';

/** Operations that stop when there is a conflict, and the name of the commit that they were at. */
export const stoppedNames = {
  merge: 'MERGE_HEAD',
  cherryPick: 'CHERRY_PICK_HEAD',
  revert: 'REVERT_HEAD',
  rebase: 'REBASE_HEAD',
} as const;

export type StoppedOperation = keyof typeof stoppedNames;

/** The state of a repository at one time, as far as it tells what the user did with git. */
export interface GitLook {
  readonly head: string | undefined;
  /** Undefined where no log is kept. */
  readonly log: LogTail | undefined;
  /** The commits of the stash, the latest last. */
  readonly stashes: readonly string[];
  /** The commit that an operation has stopped at. */
  readonly stopped: Readonly<Partial<Record<StoppedOperation, string>>>;
  /** A command is running, or was killed. */
  readonly isLocked: boolean;
  /** A rebase is between two commits and has not stopped. */
  readonly isRebasing: boolean;
}

/** About 400 entries. */
const maxTailBytes = 64 * 1024;
const maxStashes = 100;

/**
 * Looks at the files of a repository.
 * @param commitOf the id of a commit by its name
 */
export async function readGitLook(
  git: Pick<Git, 'folder' | 'commonFolder'>,
  commitOf: (name: string) => Promise<string | undefined>,
): Promise<GitLook> {
  const own = (name: string): string => path.join(git.folder, name);
  const isThere = async (name: string): Promise<boolean> => exists(own(name));
  const log = await tailOf(own('logs/HEAD'));
  const stashLog = await tailOf(path.join(git.commonFolder, 'logs/refs/stash'));
  const stopped: Partial<Record<StoppedOperation, string>> = {};
  for (const [operation, name] of Object.entries(stoppedNames)) {
    const commit = (await isThere(name)) ? await commitOf(name) : undefined;
    if (commit !== undefined && isOperation(operation)) stopped[operation] = commit;
  }
  const isRebase = (await isThere('rebase-merge')) || (await isThere('rebase-apply'));
  const hasStopped =
    stopped.rebase !== undefined ||
    (await isThere('rebase-merge/stopped-sha')) ||
    (await isThere('rebase-merge/amend'));
  return {
    head: await commitOf('HEAD'),
    log,
    stashes: stashesIn(stashLog?.text ?? ''),
    stopped,
    isLocked: (await isThere('index.lock')) || (await isThere('HEAD.lock')),
    isRebasing: isRebase && !hasStopped,
  };
}

/** As much of a look as is needed to compare with a later one, to be stored. */
export function storedLook(look: GitLook): GitLook {
  return look.log ? { ...look, log: { ...look.log, text: lastLine(look.log.text) } } : look;
}

function isOperation(name: string): name is StoppedOperation {
  return name in stoppedNames;
}

function stashesIn(text: string): string[] {
  const ids = text.split('\n').map(line => /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(line)?.[1]);
  return ids.filter(id => id !== undefined).slice(-maxStashes);
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isNoFile(error)) return false;
    throw error;
  }
}

/** The last lines of a file that only grows, from the start of a line; undefined where there is no such file. */
async function tailOf(file: string): Promise<LogTail | undefined> {
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    const length = Math.min(size, maxTailBytes);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, size - length);
    const text = buffer.toString('latin1', 0, bytesRead);
    return { size, text: length < size ? text.slice(text.indexOf('\n') + 1) : text };
  } catch (error) {
    if (isNoFile(error) || errorCode(error) === 'EISDIR') return undefined;
    throw error;
  }
}
