import assert from 'node:assert/strict';
import { seededRandom } from '../../../../../support/unit/virtualTime';
import { isDirty, RootWorld } from '../rootWorld';
import { type FuzzCounts, FuzzDecisions } from './decisions';
import { minus, split, tokensOf } from './lines';
import { idOf, Model } from './model';
import { Writers } from './writers';

const paths = ['a', 'b', 'c/d'];
const journalFile = '/external/one/root.journal';
/** Where a crash most often cuts the journal: this many characters at its end. */
const journalTail = 600;

/** One interleaving of what can happen to a folder: several programs write, the user types and decides, windows crash. */
export class FuzzRun {
  readonly #writers: Writers;
  readonly #counts: FuzzCounts;
  readonly #trace: string[] = [];
  readonly #world: RootWorld;
  readonly #model: Model;
  readonly #decisions: FuzzDecisions;
  /** Records that the last crash damaged; they stay in the journal until it is written again. */
  #damaged = 0;
  /** Earlier texts of the files. */
  readonly #texts: string[] = [];

  private constructor(world: RootWorld, writers: Writers, counts: FuzzCounts) {
    this.#world = world;
    this.#writers = writers;
    this.#counts = counts;
    this.#model = new Model(world, paths);
    this.#decisions = new FuzzDecisions(this.#model, writers, {
      counts,
      note: what => this.#trace.push(`  ${what}`),
    });
  }

  static async of(seed: number, counts: FuzzCounts): Promise<FuzzRun> {
    const writers = new Writers(seededRandom(seed));
    const files: Record<string, string> = {};
    for (const path of paths) if (writers.chance(0.8)) files[path] = writers.text('base');
    return new FuzzRun(await RootWorld.of(files), writers, counts);
  }

  /** What happened, for the message of a failure. */
  get trace(): string {
    return this.#trace.join('\n');
  }

  async run(actions: number): Promise<void> {
    for (let n = 0; n < actions; n++) {
      this.#counts.actions++;
      await this.#act(this.#writers.oneOf(paths) ?? 'a');
      await this.#world.settled();
      await this.#model.check();
    }
    await this.#see(...paths);
    await this.#model.check();
    const { tracker } = this.#world;
    const all = tracker.pending.map(({ path, version }) => ({ path, version }));
    for (const { outcome } of await tracker.keep(all)) assert.equal(outcome, 'done');
    assert.deepEqual(tracker.pending, []);
  }

  async #act(path: string): Promise<void> {
    const writers = this.#writers;
    const text = this.#world.text(path);
    const actions: readonly (readonly [number, string, () => Promise<void>])[] = [
      [6, 'agent writes', async () => this.#external(path, writers.edited('agent', text ?? ''))],
      [1, 'agent rewrites', async () => this.#external(path, writers.text('agent'))],
      [1, 'agent deletes', async () => this.#external(path, undefined)],
      [1, 'agent restores', async () => this.#external(path, writers.oneOf(this.#texts))],
      [1, 'agent renames', async () => this.#rename(path, writers.oneOf(paths) ?? path)],
      [1, 'formats outside', async () => this.#external(path, text && writers.formatted(text))],
      [2, 'looks', async () => this.#see(path)],
      [2, 'opens', async () => this.#open(path)],
      [1, 'closes', async () => void this.#world.documents.delete(path)],
      [5, 'types', async () => this.#type(path)],
      [5, 'saves', async () => this.#save(path)],
      [6, 'keeps', async () => this.#decisions.keep()],
      [6, 'undoes', async () => this.#decisions.undo()],
      [3, 'undoes the decision', async () => this.#revert()],
      [1, 'takes back', async () => this.#decisions.takeBack()],
      [1, 'checks out', async () => this.#checkOut(path)],
      [1, 'commits', async () => this.#commit(path)],
      [1, 'reloads', async () => this.#reload()],
      [1, 'loses the end of the journal', async () => this.#cutJournal()],
      [1, 'crashes in a decision', async () => this.#crashInDecision()],
    ];
    let left = writers.pick(actions.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, name, run] of actions) {
      left -= weight;
      if (left >= 0) continue;
      this.#trace.push(`${name} ${path}`);
      await run();
      return;
    }
  }

  async #external(path: string, text: string | undefined): Promise<void> {
    const before = this.#world.text(path);
    if (text === before) return;
    this.#note(path, text);
    this.#world.put(path, text);
    // A line that another program has removed or changed, be it only its end, is not the user's any more.
    const typed = this.#model.typedIn(path);
    const kept = new Set(split(text ?? ''));
    const changed = split(before ?? '').filter(line => !kept.has(line));
    for (const token of tokensOf(changed)) typed.delete(token);
    this.#model.unseen.add(path);
    if (this.#writers.chance(0.8)) await this.#reloadDocument(path);
    if (this.#writers.chance(0.7)) await this.#see(path);
  }

  async #rename(from: string, to: string): Promise<void> {
    const text = this.#world.text(from);
    if (from === to || text === undefined || this.#world.files.has(to)) return;
    await this.#external(to, text);
    await this.#external(from, undefined);
  }

  async #see(...seen: string[]): Promise<void> {
    await this.#world.see(...seen);
    for (const path of seen) this.#model.unseen.delete(path);
  }

  async #open(path: string): Promise<void> {
    if (!this.#world.files.has(path) || this.#model.isDocumentDirty(path)) return;
    await this.#world.open(path);
    this.#model.unseen.delete(path);
  }

  /** The editor loads what another program wrote, unless it has unsaved edits. */
  async #reloadDocument(path: string): Promise<void> {
    const document = this.#world.documents.get(path);
    if (!document || isDirty(document)) return;
    if (this.#world.files.has(path)) await this.#open(path);
    else this.#world.documents.delete(path);
  }

  async #type(path: string): Promise<void> {
    if (!this.#world.documents.has(path) && this.#writers.chance(0.7)) await this.#open(path);
    const document = this.#world.documents.get(path);
    if (!document) return;
    document.text = this.#writers.edited('user', document.text);
    this.#trace.push(`  ${path} = ${JSON.stringify(document.text)}`);
  }

  async #save(path: string): Promise<void> {
    const world = this.#world;
    const document = world.documents.get(path);
    if (!document || !isDirty(document)) return;
    const isFormatted = this.#writers.chance(0.2);
    const before = tokensOf(document.clean);
    // A file that nobody misses is the user's when it is saved. Of one that nobody has looked at, that is not known here.
    const isMissing = !world.files.has(path) && !this.#model.pendingOf(path);
    const isAllNew = isMissing || this.#model.unseen.has(path);
    const overwritten = tokensOf(world.text(path));
    if (isFormatted) document.text = this.#writers.formatted(document.text);
    if (!isDirty(document)) return;
    const saved = tokensOf(document.text);
    const done = world.save(path);
    this.#note(path, world.text(path));
    const isOverwritten = this.#writers.chance(0.1);
    if (isOverwritten) {
      const text = this.#writers.edited('agent', document.text);
      this.#note(path, text);
      world.put(path, text);
    }
    await done;
    this.#model.unseen.delete(path);
    const typed = this.#model.typedIn(path);
    // An undo beside unsaved edits puts lines of others into the document.
    const inserted = new Set(minus(saved, before));
    for (const token of inserted) if (token.startsWith('user')) typed.add(token);
    for (const token of minus(overwritten, saved)) typed.delete(token);
    for (const token of minus(typed, tokensOf(world.text(path)))) typed.delete(token);
    await this.#model.adopt(path, {
      inserted,
      deleted: new Set(minus(before, saved)),
      ...(isAllNew && { allowed: saved }),
    });
    if (isOverwritten && this.#writers.chance(0.8)) await this.#reloadDocument(path);
  }

  async #revert(): Promise<void> {
    await this.#see(...paths);
    await this.#decisions.revert();
  }

  async #checkOut(path: string): Promise<void> {
    const world = this.#world;
    const text = this.#writers.chance(0.2)
      ? undefined
      : this.#writers.edited('git', world.text(path) ?? '');
    if (text === world.text(path)) return;
    this.#note(path, text);
    world.put(path, text);
    if (this.#writers.chance(0.5)) await this.#reloadDocument(path);
    if (this.#writers.chance(0.5)) await this.#see(path);
    this.#world.commit(path);
    await world.tracker.rebased([path]);
    await this.#reloadDocument(path);
    this.#model.unseen.delete(path);
    this.#model.setBaseline(path, text);
    const typed = this.#model.typedIn(path);
    for (const token of minus(typed, tokensOf(text))) typed.delete(token);
    await this.#model.syncDecisions();
  }

  /** No bytes of the file change, and what is pending stays pending. */
  async #commit(path: string): Promise<void> {
    if (this.#model.unseen.has(path)) return;
    this.#world.commit(path);
    // What a file without an entry is compared with, if the entry is lost with the end of the journal.
    this.#model.history.get(path)?.add(idOf(this.#world.text(path)));
  }

  async #reload(): Promise<void> {
    const world = this.#world;
    this.#counts.reloads++;
    for (const path of this.#model.unseen) {
      // At the start only what is pending is compared with the disk.
      if (this.#model.pendingOf(path)) await this.#see(path);
    }
    const drawn = async () => {
      const changes = [];
      for (const { path } of world.tracker.pending) changes.push(await world.tracker.changes(path));
      return { pending: world.tracker.pending, changes };
    };
    const before = await drawn();
    assert.ok((await world.reload()) <= this.#damaged);
    const after = await drawn();
    assert.deepEqual(after.pending, before.pending);
    assert.deepEqual(withoutIds(after.changes), withoutIds(before.changes));
    await this.#model.syncDecisions();
    for (const path of world.documents.keys()) {
      if (!this.#model.isDocumentDirty(path)) await this.#reloadDocument(path);
    }
  }

  /** The window crashes, and the power fails: what was not flushed is gone, and a part of the journal with it. */
  async #cutJournal(): Promise<void> {
    const world = this.#world;
    this.#counts.crashes++;
    await world.settled();
    const text = world.journalDisk.files.get(journalFile) ?? '';
    const tail = Math.min(text.length, this.#writers.chance(0.8) ? journalTail : text.length);
    world.journalDisk.files.set(
      journalFile,
      text.slice(0, text.length - this.#writers.pick(tail + 1)),
    );
    world.contents.losePower();
    // A line that was cut counts once another one follows.
    this.#damaged = (await world.start()) + 1;
    await this.#see(...paths);
    for (const path of world.documents.keys()) await this.#reloadDocument(path);
    await this.#model.recovered(true);
  }

  /** The window crashes while it stores or carries out a decision about all files, at any call to a disk. */
  async #crashInDecision(): Promise<void> {
    const world = this.#world;
    const writers = this.#writers;
    this.#counts.crashes++;
    await this.#see(...paths);
    world.documents.clear();
    const before = new Map(paths.map(path => [path, world.text(path)]));
    const baselines = new Map<string, string | undefined>();
    for (const path of paths) baselines.set(path, await this.#model.baselineOf(path));
    const all = world.tracker.pending.map(({ path, version }) => ({ path, version }));
    const decide = writers.oneOf(['keep', 'undo', 'undo', 'undoDecision'] as const) ?? 'undo';
    const crash = new Promise<void>(resolve => {
      world.journalDisk.onDeath = resolve;
    });
    let writes = writers.pick(4);
    if (writers.chance(0.5)) world.journalDisk.stepsUntilDeath = writers.pick(8);
    else {
      world.onWrite = () => {
        if (writes-- === 0) world.journalDisk.die();
      };
    }
    const decided =
      decide === 'undoDecision'
        ? world.tracker.undoDecision()
        : world.tracker[decide](all, { isConfirmed: true });
    await Promise.race([decided, crash]);
    if (!world.journalDisk.isDead) world.journalDisk.die();
    world.journalDisk.onDeath = () => {};
    world.onWrite = () => {};
    world.contents.losePower();
    this.#damaged = (await world.start()) + 1;
    this.#trace.push(`  ${decide}`);
    if (decide !== 'undoDecision') {
      for (const path of paths) {
        const text = world.text(path);
        const isWritten = decide === 'undo' && text === baselines.get(path);
        assert.ok(
          isWritten || text === before.get(path),
          `${path} is neither as before nor undone`,
        );
      }
    }
    await this.#see(...paths);
    await this.#model.recovered(false);
    if (decide === 'undo') await this.#decisions.undoneInCrash(before);
  }

  #note(path: string, text: string | undefined): void {
    this.#trace.push(`  ${path} = ${JSON.stringify(text)}`);
    if (text !== undefined) this.#texts.push(text);
  }
}

/** The number among equal changes is counted again after a restart. */
const withoutIds = (files: readonly ({ changes: readonly { id: string }[] } | undefined)[]) =>
  files.map(file => file?.changes.map(change => ({ ...change, id: '' })));
