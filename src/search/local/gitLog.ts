import { devNull } from 'node:os';
import { findProgram, runLines } from '../../base/process';
import { type Commit, commitFormat, commitMark, readCommits } from './history';

/** Number of commits that are read. Older ones say little about the current files. */
const maxCommits = 2000;
/** With fewer known commits, the revision is on another branch, and its log is read anew. */
const minKnownCommits = 200;

/**
 * Timeout of finding a revision. 2,000 commits take 0.1 to 0.3 s to read in most repositories; a very large
 * one may take the longer time once, in the background, and is in memory from then on.
 */
const deadlineMs = 10_000;
const logDeadlineMs = 120_000;

type KnownCommits = { tip: string; commits: Map<string, Commit> };

/**
 * A cache of the last commits of repositories. Only commits since the known revision are read, so that a
 * commit or a pull does not slow down the next search.
 */
export class GitLog {
  readonly #known = new Map<string, KnownCommits>();
  readonly #reading = new Map<string, Promise<Commit[]>>();

  /** The commits reachable from a revision, newest first; none when git cannot read it. */
  async read(dir: string, rev: string): Promise<Commit[]> {
    const key = `${dir}\0${rev}`;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#read(dir, rev).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #read(dir: string, name: string): Promise<Commit[]> {
    const git = await findProgram('git');
    const rev = git && (await idOf(git, dir, name));
    if (!rev) return [];
    const known = this.#known.get(dir);
    if (known?.tip === rev) return [...known.commits.values()];
    if (known) {
      if (!known.commits.has(rev)) {
        const commits = await logOf(git, dir, [rev, `^${known.tip}`]);
        for (const commit of commits) known.commits.set(commit.id, commit);
      }
      const found = reachable(known.commits, rev);
      if (found.length >= minKnownCommits) {
        this.#known.set(dir, { tip: rev, commits: new Map(found.map(one => [one.id, one])) });
        return found;
      }
    }
    const commits = await logOf(git, dir, [rev]);
    this.#known.set(dir, { tip: rev, commits: new Map(commits.map(one => [one.id, one])) });
    return commits;
  }
}

const env = {
  ...process.env,
  // No lock files, and no download of missing objects of a partial clone.
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
};

/** Keeps git from running programs that the configuration of a repository names. */
const safeConfiguration = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${devNull}`,
] as const;

/** The full id of a commit. */
async function idOf(git: string, dir: string, rev: string): Promise<string | undefined> {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(rev)) return rev;
  let id: string | undefined;
  await runLines({
    program: git,
    args: [
      ...safeConfiguration,
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${rev}^{commit}`,
    ],
    cwd: dir,
    env,
    deadlineMs,
    onLine: line => void (id ??= line),
  });
  return id;
}

async function logOf(git: string, dir: string, revisions: readonly string[]): Promise<Commit[]> {
  const commits: Commit[] = [];
  let lines: string[] = [];
  const takeCommit = (): void => {
    commits.push(...readCommits(lines.join('\n')));
    lines = [];
  };
  const { reason } = await runLines({
    program: git,
    args: [
      ...safeConfiguration,
      '-c',
      'core.quotePath=false',
      'log',
      `--max-count=${maxCommits}`,
      `--format=${commitFormat}`,
      '--name-only',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--no-show-signature',
      '--no-color',
      ...revisions,
      '--',
    ],
    cwd: dir,
    env,
    deadlineMs: logDeadlineMs,
    // Read one by one, so that a long log does not block.
    onLine: line => {
      if (line.startsWith(commitMark)) takeCommit();
      lines.push(line);
    },
  });
  takeCommit();
  // The files of the last commit may be incomplete.
  return reason === 'deadline' ? commits.slice(0, -1) : commits;
}

function reachable(commits: ReadonlyMap<string, Commit>, tip: string): Commit[] {
  const found = new Set<Commit>();
  const open = [tip];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const commit = commits.get(id);
    if (commit && !found.has(commit)) {
      found.add(commit);
      open.push(...commit.parents);
    }
  }
  return [...found].sort((a, b) => b.time - a.time).slice(0, maxCommits);
}
