import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { contentOf } from '../../../src/apply/external/core/content';
import type { WriteLabel } from '../../../src/apply/external/core/rootState';
import {
  type Decided,
  type PendingFile,
  RootTracker,
  type UnmodifiedFiles,
} from '../../../src/apply/external/core/tracker';
import { RootFiles } from '../../../src/apply/external/disk/diskFiles';
import { type Git, openGit } from '../../../src/apply/external/disk/git';
import { type GitLook, readGitLook, storedLook } from '../../../src/apply/external/disk/git/look';
import { PutAside } from '../../../src/apply/external/disk/git/putAside';
import { resolveMoves } from '../../../src/apply/external/disk/git/resolveMoves';
import { gitActivity } from '../../../src/apply/external/disk/gitMoves';
import { GitSnapshot } from '../../../src/apply/external/disk/gitSnapshot';
import { RootStore } from '../../../src/apply/external/store/rootStore';
import { systemClock } from '../../../src/base/async/clock';
import type { LiveSession } from '../agents/session';
import { Editors } from './editors';

/** Without git: files that were there at first are not known, all others are new. */
const withoutGit = (files: readonly string[]): UnmodifiedFiles => ({
  algorithm: 'sha1',
  contentOf: async file => (files.includes(file) ? undefined : { kind: 'absent' }),
  blob: async () => undefined,
});

/** A folder under review, by the product's own parts. Scans stand for what a watcher reports. */
export class ReviewedRoot {
  readonly errors: unknown[] = [];
  readonly #unmodified: UnmodifiedFiles;
  readonly #aside = new PutAside();
  #look: GitLook | undefined;
  #store: RootStore | undefined;
  #tracker: RootTracker | undefined;
  #scannedAt = Date.now();
  /** Files that were seen, and may be gone. */
  readonly #seen = new Set<string>();

  private constructor(
    readonly session: LiveSession,
    readonly editors: Editors,
    readonly disk: RootFiles,
    readonly git: Git | undefined,
    readonly snapshot: GitSnapshot | undefined,
  ) {
    this.#unmodified = snapshot ?? withoutGit(this.#files());
  }

  static async open(session: LiveSession): Promise<ReviewedRoot> {
    const { project, base } = session;
    const trash = path.join(base, 'trash');
    mkdirSync(trash);
    let trashed = 0;
    const git = await openGit(project, { isTrusted: true });
    const disk = new RootFiles({
      root: project,
      algorithm: git?.algorithm ?? 'sha1',
      moveToTrash: async file => renameSync(file, path.join(trash, String(trashed++))),
    });
    const readFile = async (below: string) => disk.read(below);
    const snapshot = git && (await GitSnapshot.open({ git, readFile }));
    await snapshot?.rememberUntracked(true);
    const look = git && (await readGitLook(git, async name => snapshot?.commitOf(name)));
    const root = new ReviewedRoot(session, new Editors(project), disk, git, snapshot);
    if (look) root.#look = storedLook(look);
    await root.load();
    // Without git, what the files were is known only from looking at them once.
    if (!git) await root.tracker.rebased(root.#files());
    for (const file of root.#files()) root.#seen.add(file);
    return root;
  }

  get tracker(): RootTracker {
    if (!this.#tracker) throw new Error('the root is closed');
    return this.#tracker;
  }

  /** Loads the state from the disk, as a window does that was just opened. */
  async load(): Promise<void> {
    this.#store?.close();
    const onError = (error: unknown): void => void this.errors.push(error);
    const store = new RootStore({
      folder: path.join(this.session.base, 'store'),
      clock: systemClock,
      onError,
    });
    const { state, lost } = await store.open();
    if (lost > 0) throw new Error(`${lost} records of the journal are lost`);
    this.#store = store;
    this.#tracker = new RootTracker(
      {
        disk: this.disk,
        open: this.editors,
        unmodified: this.#unmodified,
        contents: store.contents,
        log: store.journal,
        clock: () => Date.now(),
        onError,
      },
      state,
    );
    this.editors.connect(this.#tracker);
    await this.#tracker.start();
  }

  close(): void {
    this.#store?.close();
    this.snapshot?.dispose();
  }

  /** Looks at all files, with the labels of the turns since the last scan. */
  async scan(): Promise<readonly PendingFile[]> {
    await this.session.readSpool();
    const from = this.#scannedAt;
    const to = Date.now();
    for (const file of this.#files()) this.#seen.add(file);
    const byLabel = new Map<string, { readonly label: WriteLabel; readonly files: string[] }>();
    for (const file of this.#seen) {
      const label = this.session.turns.labelOf(file, from, to);
      const group = byLabel.get(JSON.stringify(label)) ?? { label, files: [] };
      group.files.push(file);
      byLabel.set(JSON.stringify(label), group);
    }
    for (const { label, files } of byLabel.values()) await this.tracker.sawDisk(files, label);
    this.#scannedAt = to;
    await this.editors.reload();
    await this.editors.settled();
    return this.tracker.pending;
  }

  /** Looks at what git did: what it changed is not listed. @returns the files that it changed */
  async gitMoved(): Promise<readonly string[]> {
    const { git, snapshot, disk } = this;
    if (!git || !snapshot || !this.#look) throw new Error('no repository');
    const now = await readGitLook(git, async name => snapshot.commitOf(name));
    const activity = gitActivity(this.#look, now, Infinity);
    if (activity.kind === 'inProgress') throw new Error('git is at work');
    const state = await this.tracker.whenIdle(async known => known);
    const change = await snapshot.refresh();
    for (const file of [...this.#files(), ...change.paths]) this.#seen.add(file);
    const resolved = await resolveMoves({
      paths: this.#seen,
      activity,
      snapshot,
      index: change.entries,
      contentOf: async file => {
        const bytes = await disk.read(file);
        return bytes ? contentOf(bytes, git.algorithm) : { kind: 'absent' };
      },
      readFile: async file => disk.read(file),
      entryOf: file => state.files.get(file),
      aside: this.#aside,
    });
    const moved = resolved.filter(({ kind }) => kind === 'rebase').map(({ path: file }) => file);
    const rebased = await this.tracker.rebased(moved);
    // Looked at before the new index is accepted, so that what was committed at once is not taken for reviewed.
    await this.scan();
    change.accept();
    this.#look = storedLook(now);
    return rebased;
  }

  pending(name: string): PendingFile {
    const found = this.tracker.pending.find(({ path: at }) => at === name);
    if (!found) throw new Error(`${name} is not pending`);
    return found;
  }

  /** Keeps or undoes changes of a file by their numbers, from 0; all when left out. */
  async decide(verb: 'keep' | 'undo', name: string, numbers?: readonly number[]): Promise<void> {
    const { version } = this.pending(name);
    const all = (await this.tracker.changes(name))?.changes ?? [];
    const changes = numbers?.map(number => all[number]?.id ?? 'none');
    const selection = { path: name, version, ...(changes ? { changes } : {}) };
    done(await this.tracker[verb]([selection]));
    await this.editors.settled();
  }

  async undoAll(): Promise<void> {
    const selections = this.tracker.pending.map(({ path: at, version }) => ({ path: at, version }));
    done(await this.tracker.undo(selections));
    await this.editors.settled();
  }

  async undoDecision(): Promise<void> {
    done(await this.tracker.undoDecision());
    await this.editors.settled();
  }

  #files(): string[] {
    const { project } = this.session;
    return readdirSync(project, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => path.relative(project, path.join(entry.parentPath ?? entry.path, entry.name)))
      .map(name => name.replaceAll(path.sep, '/'))
      .filter(name => !name.startsWith('.git/') && existsSync(path.join(project, name)));
  }
}

function done(decided: readonly Decided[]): void {
  const failed = decided.filter(({ outcome }) => outcome !== 'done');
  if (decided.length === 0 || failed.length > 0)
    throw new Error(`not decided: ${JSON.stringify(failed)} ${String(failed[0]?.error)}`);
}
