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
    const root = new ReviewedRoot(session, new Editors(project), disk, git, snapshot);
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

  /** Git has moved: files that are now as its index has them are not what a program wrote, unless an agent works. */
  async gitMoved(): Promise<readonly string[]> {
    const { snapshot } = this;
    if (!snapshot) throw new Error('no repository');
    await this.session.readSpool();
    if (this.session.turns.isWorking(Date.now())) await this.scan();
    const change = await snapshot.refresh();
    const moved: string[] = [];
    for (const file of change.paths) {
      const bytes = await this.disk.read(file);
      const entry = change.entries.find(file);
      const content = bytes && contentOf(bytes, snapshot.algorithm);
      const isAsGitHasIt =
        entry && content ? await snapshot.isFormOf(file, content, entry.id) : entry === content;
      if (isAsGitHasIt) moved.push(file);
    }
    const rebased = await this.tracker.rebased(moved);
    change.accept();
    for (const file of moved) this.#seen.add(file);
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
