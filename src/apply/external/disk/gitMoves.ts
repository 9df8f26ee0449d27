import { type Content, contentKey } from '../core/content';
import { type HeadEntry, newEntries } from './git/headLog';
import type { GitLook, StoppedOperation } from './git/look';
import type { AsideState } from './git/putAside';

/** Commits from one to another, without anything else in between. */
interface HeadStep {
  readonly from: string;
  readonly to: string;
  /** What was not committed may have been taken away. */
  readonly isReset: boolean;
}

/**
 * What was done with git between two looks, and which changes of files it explains.
 *
 * Who changed a file is decided by its bytes. A change is git's when all of this holds:
 * 1. Since the last look, something other than a commit moved files: a checkout, pull, merge, rebase, reset, cherry-pick,
 *    revert or stash, and it gave this file other bytes than before.
 * 2. The file has exactly these bytes, in the form that git gives them in the work tree.
 * 3. No commit since the last look changed the file to bytes that had not been seen: these were written by somebody
 *    else, staged and committed, and git only carried them around.
 * 4. The bytes before can still be had from git. A reset or checkout that destroys what only the user had is listed.
 *
 * A commit alone explains nothing, so that what another program writes, stages and commits stays pending. `git restore`
 * and `git checkout -- file` leave no trace but the bytes: they are git's when the file became what the index had before
 * and after, nothing was pending in it, and the bytes before are those of HEAD. Bytes that are in neither are the user's
 * alone, and their loss is listed.
 *
 * A repository that keeps no log of HEAD, a log that was cut, and entries of unknown programs explain nothing: what
 * happened is listed then.
 */
export type GitActivity =
  /** A command is running: look again when it is quiet. */
  | { readonly kind: 'inProgress' }
  | {
      /** `none`: nothing but commits, or nothing at all. */
      readonly kind: 'none' | 'moved';
      readonly head: string | undefined;
      readonly commits: readonly HeadStep[];
      readonly moves: readonly HeadStep[];
      /** Operations that have stopped since, each with its commit. */
      readonly stopped: readonly (readonly [StoppedOperation, string])[];
      readonly stashed: readonly string[];
      readonly unstashed: readonly string[];
      /** The stash as it is. */
      readonly stashes: readonly string[];
    };

type FinishedActivity = Exclude<GitActivity, { readonly kind: 'inProgress' }>;

/** A lock that is older was left by a command that was killed; a rebase may run programs of the user for long. */
const maxWaitMs = 10_000;

/** @param waitedMs for how long the activity has been in progress */
export function gitActivity(before: GitLook, now: GitLook, waitedMs: number): GitActivity {
  if ((now.isLocked || now.isRebasing) && waitedMs < maxWaitMs) return { kind: 'inProgress' };
  const { head, stashes } = now;
  const entries = now.log ? newEntries(before.log, now.log) : [];
  const isUnclear = entries === undefined || (!now.log && head !== before.head);
  const { commits, moves } = stepsOf(entries ?? []);
  const stopped: [StoppedOperation, string][] = [];
  for (const operation of operations) {
    const commit = now.stopped[operation];
    if (commit !== undefined && commit !== before.stopped[operation]) {
      stopped.push([operation, commit]);
    }
  }
  const stashed = stashes.filter(commit => !before.stashes.includes(commit));
  const unstashed = before.stashes.filter(commit => !stashes.includes(commit));
  const count = moves.length + stopped.length + stashed.length + unstashed.length;
  const kind = count > 0 && !isUnclear ? 'moved' : 'none';
  return { kind, head, commits, moves, stopped, stashed, unstashed, stashes };
}

const operations: readonly StoppedOperation[] = ['merge', 'cherryPick', 'revert', 'rebase'];

/** Joins what follows one another: a rebase has an entry for each commit. */
function stepsOf(entries: readonly HeadEntry[]): { commits: HeadStep[]; moves: HeadStep[] } {
  const commits: HeadStep[] = [];
  const moves: HeadStep[] = [];
  let last: HeadStep[] | undefined;
  for (const { from, to, kind } of entries) {
    if (kind === 'other' && from === to) continue;
    // What an unknown program did with HEAD, it may have done with bytes of its own.
    const list = kind === 'move' || kind === 'reset' ? moves : commits;
    const isReset = kind === 'reset';
    const previous = list === last ? list.at(-1) : undefined;
    if (previous?.to === from) {
      list[list.length - 1] = { from: previous.from, to, isReset: previous.isReset || isReset };
    } else {
      list.push({ from, to, isReset });
    }
    last = list;
  }
  return { commits, moves };
}

/** A file whose bytes on disk may have changed. */
export interface MovedFile {
  readonly path: string;
  /** On disk now. */
  readonly now: Content;
  /** What was reviewed and what was last seen on disk; without an entry the file was as the index had it. */
  readonly entry?: { readonly baseline: Content; readonly now: Content } | undefined;
}

export type MoveVerdict =
  /** It has the bytes that were last seen: there is no change. */
  | { readonly kind: 'same' }
  /** Git changed it: the bytes now are the baseline. */
  | { readonly kind: 'rebase' }
  /** Git changed it while changes were pending: what git changed goes into the baseline, the rest stays pending. */
  | { readonly kind: 'fold' }
  /** Git brought back a state that was known: with this baseline. */
  | { readonly kind: 'restore'; readonly baseline: Content }
  /** Somebody else changed it, or that cannot be excluded. */
  | { readonly kind: 'list' };

/** What is known about the blobs of a file. */
export interface MoveEvidence {
  blobAt(commit: string, path: string): Promise<string | undefined>;
  /** Whether a content is the blob in the form that git gives it in the work tree. */
  isFormOf(path: string, content: Content, blob: string): Promise<boolean>;
  /** The blob in the index at the last look and now; undefined where there is none. */
  indexBefore(path: string): string | undefined;
  indexNow(path: string): string | undefined;
  /** Whether a merge left the file unmerged, with just what git made of its versions on disk. */
  isConflict(path: string, now: Content): Promise<boolean>;
  aside(path: string, now: Content): AsideState | undefined;
  /** Whether git made the bytes, or the blob, while it merged. */
  wasMade(path: string, content: Content | string): boolean;
}

/** Whether git changed a file, by the rules of {@link GitActivity}. */
export async function moveVerdict(
  file: MovedFile,
  activity: FinishedActivity,
  evidence: MoveEvidence,
): Promise<MoveVerdict> {
  return new MoveDecision(file, activity, evidence).decide();
}

class MoveDecision {
  readonly #file: MovedFile;
  readonly #activity: FinishedActivity;
  readonly #evidence: MoveEvidence;

  constructor(file: MovedFile, activity: FinishedActivity, evidence: MoveEvidence) {
    this.#file = file;
    this.#activity = activity;
    this.#evidence = evidence;
  }

  async decide(): Promise<MoveVerdict> {
    const { path, now, entry } = this.#file;
    const seen = entry?.now ?? this.#evidence.indexBefore(path);
    if (await this.#is(now, seen)) return { kind: 'same' };
    if (await this.#wasCommitted(seen)) return { kind: 'list' };
    const aside = this.#evidence.aside(path, now);
    if (aside && (await this.#isBroughtBack())) {
      return { kind: 'restore', baseline: aside.baseline };
    }
    if (this.#activity.kind === 'none') return this.#restoredFromIndex();
    if (!(await this.#isMoved()) || !(await this.#isKept(seen))) return { kind: 'list' };
    return { kind: this.#isPending ? 'fold' : 'rebase' };
  }

  get #isPending(): boolean {
    const { entry } = this.#file;
    return entry !== undefined && !isSame(entry.baseline, entry.now);
  }

  /** Whether a content is that of a blob, or of another content; undefined stands for no file. */
  async #is(content: Content, other: Content | string | undefined): Promise<boolean> {
    if (typeof other === 'string') {
      return this.#evidence.isFormOf(this.#file.path, content, other);
    }
    return other === undefined ? content.kind === 'absent' : isSame(content, other);
  }

  async #blobAt(commit: string): Promise<string | undefined> {
    return /^0+$/.test(commit) ? undefined : this.#evidence.blobAt(commit, this.#file.path);
  }

  /** A commit since the last look has other bytes of the file than those that were last seen. */
  async #wasCommitted(seen: Content | string | undefined): Promise<boolean> {
    for (const { from, to } of this.#activity.commits) {
      const [before, after] = [await this.#blobAt(from), await this.#blobAt(to)];
      if (before !== after && !(await this.#isSeen(seen, after))) return true;
    }
    return false;
  }

  /** Whether the bytes that were last seen are those of a blob. */
  async #isSeen(seen: Content | string | undefined, blob: string | undefined): Promise<boolean> {
    return typeof seen === 'object' ? this.#is(seen, blob) : seen === blob;
  }

  /** `git restore`: see {@link GitActivity}. */
  async #restoredFromIndex(): Promise<MoveVerdict> {
    const { path, now, entry } = this.#file;
    const index = this.#evidence.indexNow(path);
    const { head } = this.#activity;
    const isOwn =
      entry !== undefined &&
      !this.#isPending &&
      index !== undefined &&
      index === this.#evidence.indexBefore(path) &&
      head !== undefined &&
      (await this.#is(now, index)) &&
      (await this.#isBlob(entry.now, await this.#blobAt(head)));
    return { kind: isOwn ? 'rebase' : 'list' };
  }

  /** Not true where there is no blob. */
  async #isBlob(content: Content, blob: string | undefined): Promise<boolean> {
    return blob !== undefined && (await this.#is(content, blob));
  }

  /** Some operation gave the file the bytes that it has now. */
  async #isMoved(): Promise<boolean> {
    const { now } = this.#file;
    const { moves, stopped, stashed } = this.#activity;
    for (const { from, to, isReset } of moves) {
      const [before, after] = [await this.#blobAt(from), await this.#blobAt(to)];
      // A reset to the same commit takes away what was not committed.
      if ((before !== after || isReset) && (await this.#is(now, after))) return true;
    }
    for (const commit of stashed) {
      // The first parent is HEAD, the second the index, which may have been kept.
      for (const parent of ['^1', '^2']) {
        if (await this.#is(now, await this.#blobAt(commit + parent))) return true;
      }
    }
    for (const [operation, commit] of stopped) {
      if (await this.#isMerged(operation, commit)) return true;
    }
    return false;
  }

  /** A merge or the like has stopped, and this is what it made of the file. */
  async #isMerged(operation: StoppedOperation, commit: string): Promise<boolean> {
    const { path, now } = this.#file;
    const { head } = this.#activity;
    const base = operation === 'merge' ? head : `${commit}^`;
    const theirs = await this.#blobAt(commit);
    const isConcerned = theirs !== (base === undefined ? undefined : await this.#blobAt(base));
    if (!isConcerned) return false;
    return (
      (await this.#is(now, this.#evidence.indexNow(path))) ||
      (await this.#evidence.isConflict(path, now))
    );
  }

  /** A file that was put aside has the same bytes again, from the stash or from a commit. */
  async #isBroughtBack(): Promise<boolean> {
    const { now } = this.#file;
    const { stashes, unstashed, moves } = this.#activity;
    // `git stash apply` leaves the stash as it was.
    for (const commit of [...unstashed, ...stashes]) {
      // The third parent has the files that were not in the index.
      for (const name of [commit, `${commit}^3`]) {
        if (await this.#isBlob(now, await this.#blobAt(name))) return true;
      }
    }
    for (const { to } of moves) {
      if (await this.#isBlob(now, await this.#blobAt(to))) return true;
    }
    return false;
  }

  /** The bytes before are not lost: some commit or stash has them, or there was no file. */
  async #isKept(seen: Content | string | undefined): Promise<boolean> {
    if (seen === undefined || (typeof seen === 'object' && seen.kind === 'absent')) return true;
    if (this.#evidence.wasMade(this.#file.path, seen)) return true;
    const { moves, stopped, stashed, head } = this.#activity;
    const places = [
      ...moves.map(({ from }) => from),
      ...(stopped.length > 0 && head !== undefined ? [head] : []),
      ...stashed.flatMap(commit => [commit, `${commit}^1`, `${commit}^2`, `${commit}^3`]),
    ];
    for (const place of places) {
      const blob = await this.#blobAt(place);
      if (blob !== undefined && (await this.#isSeen(seen, blob))) return true;
    }
    return false;
  }
}

/** Unlike for a decision, two contents that are not known count as the same here. */
const isSame = (a: Content, b: Content): boolean => contentKey(a) === contentKey(b);
