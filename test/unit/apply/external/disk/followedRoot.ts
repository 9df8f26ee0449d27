import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Content, contentOf } from '../../../../../src/apply/external/core/content';
import { RootFiles } from '../../../../../src/apply/external/disk/diskFiles';
import type { Git } from '../../../../../src/apply/external/disk/git';
import {
  type GitLook,
  readGitLook,
  storedLook,
} from '../../../../../src/apply/external/disk/git/look';
import { type AsideState, PutAside } from '../../../../../src/apply/external/disk/git/putAside';
import { resolveMoves } from '../../../../../src/apply/external/disk/git/resolveMoves';
import { gitActivity } from '../../../../../src/apply/external/disk/gitMoves';
import { GitSnapshot } from '../../../../../src/apply/external/disk/gitSnapshot';
import { gitOf } from './gitRoot';

/** A root whose changes are followed as the extension does it, with the least that a tracker has to do. */
export class FollowedRoot {
  /** Entries of files that are not as the index has them. */
  readonly entries = new Map<string, AsideState>();
  aside = new PutAside();
  readonly #root: string;
  readonly #git: Git;
  readonly #files: RootFiles;
  readonly #snapshot: GitSnapshot;
  #look: GitLook;

  private constructor(
    root: string,
    git: Git,
    files: RootFiles,
    opened: GitSnapshot,
    look: GitLook,
  ) {
    this.#root = root;
    this.#git = git;
    this.#files = files;
    this.#snapshot = opened;
    this.#look = look;
  }

  static async open(root: string): Promise<FollowedRoot> {
    const git = await gitOf(root);
    const files = new RootFiles({
      root,
      algorithm: git.algorithm,
      moveToTrash: async () => assert.fail('nothing is deleted'),
    });
    const snapshot = await GitSnapshot.open({ git, readFile: async below => files.read(below) });
    await snapshot.rememberUntracked(true);
    const look = await readGitLook(git, async name => snapshot.commitOf(name));
    return new FollowedRoot(root, git, files, snapshot, storedLook(look));
  }

  async contentOf(below: string): Promise<Content> {
    const bytes = await this.#files.read(below);
    return bytes ? contentOf(bytes, this.#git.algorithm) : { kind: 'absent' };
  }

  /** The editor has saved the file. */
  async saved(below: string): Promise<void> {
    const now = await this.contentOf(below);
    this.entries.set(below, { baseline: now, now });
  }

  /** Another program has written the file, and that was seen at once. */
  async written(below: string): Promise<void> {
    const known = this.entries.get(below)?.baseline ?? (await this.#snapshot.contentOf(below));
    const baseline = known ?? { kind: 'unknown' };
    this.entries.set(below, { baseline, now: await this.contentOf(below) });
  }

  /** Whether something is pending in the file. */
  isPending(below: string): boolean {
    const entry = this.entries.get(below);
    return entry !== undefined && JSON.stringify(entry.baseline) !== JSON.stringify(entry.now);
  }

  /** What is made of each file that has changed since the last look. */
  async look(waitedMs = 0): Promise<Record<string, string> | 'inProgress'> {
    const now = await readGitLook(this.#git, async name => this.#snapshot.commitOf(name));
    const activity = gitActivity(this.#look, now, waitedMs);
    if (activity.kind === 'inProgress') return 'inProgress';
    const change = await this.#snapshot.refresh();
    const resolved = await resolveMoves({
      paths: new Set([...this.#listed(), ...change.paths, ...this.entries.keys()]),
      activity,
      snapshot: this.#snapshot,
      index: change.entries,
      contentOf: async below => this.contentOf(below),
      readFile: async below => this.#files.read(below),
      entryOf: below => this.entries.get(below),
      aside: this.aside,
    });
    const verdicts: Record<string, string> = {};
    for (const { path: below, ...verdict } of resolved) {
      verdicts[below] = verdict.kind;
      const content = await this.contentOf(below);
      if (verdict.kind === 'list') await this.written(below);
      else {
        const baseline = verdict.kind === 'restore' ? verdict.baseline : content;
        this.entries.set(below, { baseline, now: content });
      }
    }
    change.accept();
    this.#look = storedLook(now);
    // Entries that say no more than the index are dropped.
    for (const [below, { baseline, now: seen }] of this.entries) {
      const indexed = await this.#snapshot.contentOf(below);
      const texts = [baseline, seen, indexed].map(one => JSON.stringify(one));
      if (texts[0] === texts[1] && texts[1] === texts[2]) this.entries.delete(below);
    }
    return verdicts;
  }

  /** As after a restart: what is not stored is gone. */
  async reopened(): Promise<FollowedRoot> {
    const mark = await this.#snapshot.mark();
    assert.ok(mark);
    this.#snapshot.dispose();
    const next = await FollowedRoot.open(this.#root);
    for (const [below, entry] of this.entries) next.entries.set(below, entry);
    next.aside = PutAside.from(JSON.parse(JSON.stringify(this.aside)));
    next.#look = JSON.parse(JSON.stringify(this.#look));
    await next.#snapshot.rememberUntracked(false);
    next.#mark = mark;
    return next;
  }

  #mark: Awaited<ReturnType<GitSnapshot['mark']>>;

  /** Compares with what was there when {@link reopened} was called. */
  async lookBack(): Promise<Record<string, string> | 'inProgress'> {
    assert.ok(this.#mark);
    await this.#snapshot.since(this.#mark);
    return this.look();
  }

  dispose(): void {
    this.#snapshot.dispose();
  }

  #listed(): string[] {
    return readdirSync(this.#root, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => path.relative(this.#root, path.join(parentPath, name)))
      .map(name => name.replaceAll(path.sep, '/'))
      .filter(name => !/^\.git\/|^\.git$|\/\.git$/.test(name));
  }
}
