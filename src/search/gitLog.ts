import { devNull } from 'node:os';
import { type Commit, commitFormat, readCommits } from './local/history';
import { findProgram, runLines } from './process';

/** Commits looked at. Older ones say little about where things are now. */
const depth = 2000;
/** Fewer than these known of a revision: it is on another branch, and is read anew. */
const enough = 200;

/** Of one run of git. */
const deadlineMs = 10_000;

type Known = { tip: string; commits: Map<string, Commit> };

/**
 * The last commits of repositories. A later revision costs only what is new in it, so that a commit
 * or a pull does not slow the next search.
 */
export class GitLog {
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<Commit[]>>();

  /** Commits that a revision is made of, newest first; none when git cannot tell. */
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
    if (known) {
      if (!known.commits.has(rev)) {
        const commits = await logOf(git, dir, [rev, `^${known.tip}`]);
        for (const commit of commits) known.commits.set(commit.id, commit);
      }
      const found = reachable(known.commits, rev);
      if (found.length >= enough) {
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
  // No lock beside the user's own git, and no download of parts that a clone left out.
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
};

/** Nothing that a repository's own configuration names may be run. */
const safely = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${devNull}`] as const;

/** The full id of a commit, which alone tells whether it is known already. */
async function idOf(git: string, dir: string, rev: string): Promise<string | undefined> {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(rev)) return rev;
  let id: string | undefined;
  await runLines({
    program: git,
    args: [...safely, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`],
    cwd: dir,
    env,
    deadlineMs,
    onLine: line => void (id ??= line),
  });
  return id;
}

async function logOf(git: string, dir: string, revisions: readonly string[]): Promise<Commit[]> {
  const lines: string[] = [];
  await runLines({
    program: git,
    args: [
      ...safely,
      '-c',
      'core.quotePath=false',
      'log',
      `--max-count=${depth}`,
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
    deadlineMs,
    onLine: line => void lines.push(line),
  });
  return readCommits(lines.join('\n'));
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
  return [...found].sort((a, b) => b.time - a.time).slice(0, depth);
}
