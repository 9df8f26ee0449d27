import assert from 'node:assert/strict';
import { contentOf } from '../../../../../../src/apply/external/core/content';
import type { PendingFile } from '../../../../../../src/apply/external/core/tracker';
import { bytesOf, isDirty, type RootWorld, textOf } from '../rootWorld';
import { commonOrder, minus, spliced, split, tokensOf } from './lines';

/** A decision as the test remembers it. */
export interface Remembered {
  /** When it was made: after a crash, another decision may get its id. */
  readonly at: number;
  readonly kind: 'keep' | 'undo';
  readonly files: Map<string, RememberedFile>;
}

export interface RememberedFile {
  /** Texts of the file; undefined: absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Texts of the baseline, of a decision to keep. */
  readonly baselineBefore: string | undefined;
  readonly baselineAfter: string | undefined;
  /** Texts of the document, of an undo beside unsaved edits. */
  readonly buffer?: { readonly before: string; readonly after: string };
}

export const idOf = (text: string | undefined): string =>
  text === undefined ? 'absent' : contentOf(bytesOf(text), 'sha1').id;

/** What the test knows without the tracker: who wrote each line, and which lines each baseline has. */
export class Model {
  readonly world: RootWorld;
  /** Tokens in the baseline of each file. */
  readonly baselines = new Map<string, Set<string>>();
  /** Tokens that the user typed and saved, and that no other program has changed since. */
  readonly typed = new Map<string, Set<string>>();
  /** Files that the tracker has not looked at since another program wrote them. */
  readonly unseen = new Set<string>();
  /** Ids of the baselines that each file ever had. */
  readonly history = new Map<string, Set<string>>();
  readonly versions = new Map<string, string>();
  /**
   * Files of which a decision to keep was undone beside later edits: of lines that were typed where others had been removed,
   * nobody knows whether they come before or after these.
   */
  readonly unordered = new Set<string>();
  decisions: Remembered[] = [];

  constructor(world: RootWorld, paths: readonly string[]) {
    this.world = world;
    for (const path of paths) {
      this.baselines.set(path, tokensOf(world.text(path)));
      this.typed.set(path, new Set());
      this.history.set(path, new Set([idOf(world.text(path))]));
    }
  }

  tokensOfBaseline(path: string): Set<string> {
    return this.baselines.get(path) ?? assert.fail(path);
  }

  typedIn(path: string): Set<string> {
    return this.typed.get(path) ?? assert.fail(path);
  }

  /** The pending file that has the path now, or that had it before it was renamed. */
  pendingOf(path: string): PendingFile | undefined {
    return this.world.tracker.pending.find(file => file.path === path || file.from === path);
  }

  /** The text that the tracker compares the file with; undefined: none. */
  async baselineOf(path: string): Promise<string | undefined> {
    const pending = this.pendingOf(path);
    if (!pending) return this.world.text(path);
    if (pending.from !== undefined && pending.path === path) return undefined;
    if (pending.baseline.kind === 'absent') return undefined;
    const bytes = await this.world.tracker.bytesOf(pending.baseline);
    assert.ok(bytes, `the baseline of ${path} is lost`);
    return textOf(bytes);
  }

  /** Sets what the baseline is expected to have; the tracker must agree at the next check. */
  setBaseline(path: string, text: string | undefined): void {
    this.baselines.set(path, tokensOf(text));
    this.history.get(path)?.add(idOf(text));
  }

  /**
   * Takes over which of the user's edits the baseline has, and checks that it has no others.
   *
   * @param edits.inserted tokens that the user added.
   * @param edits.deleted tokens that the user removed.
   * @param edits.allowed tokens that the baseline may have beside them.
   */
  async adopt(
    path: string,
    {
      inserted,
      deleted,
      allowed = inserted,
    }: {
      readonly inserted: ReadonlySet<string>;
      readonly deleted: ReadonlySet<string>;
      readonly allowed?: ReadonlySet<string>;
    },
  ): Promise<void> {
    const expected = this.tokensOfBaseline(path);
    const found = tokensOf(await this.baselineOf(path));
    assert.deepEqual(minus(found, expected, inserted, allowed), [], `baseline of ${path} has more`);
    assert.deepEqual(minus(expected, found, deleted), [], `baseline of ${path} has less`);
    const { isEdited = false } = this.pendingOf(path) ?? {};
    const now = tokensOf(this.world.text(path));
    for (const token of inserted) {
      if (token.startsWith('user') && now.has(token) && !found.has(token))
        assert.ok(isEdited, `${token} is pending, not edited`);
    }
    this.baselines.set(path, found);
  }

  /** Takes over a baseline of which the test knows nothing. */
  async adoptAny(path: string): Promise<void> {
    this.setBaseline(path, await this.baselineOf(path));
  }

  /** Checks the baseline after a decision to keep was undone, with what the user has edited since. */
  async revertedKeep(
    path: string,
    { baselineBefore, baselineAfter }: RememberedFile,
    baseline: string | undefined,
  ): Promise<void> {
    const text = await this.baselineOf(path);
    if (baseline === baselineAfter) {
      assert.equal(text, baselineBefore, 'baseline before the decision');
    } else this.unordered.add(path);
    const [before, after] = [tokensOf(baselineBefore), tokensOf(baselineAfter)];
    const expected = new Set([
      ...minus(this.tokensOfBaseline(path), new Set(minus(after, before))),
      ...minus(before, after),
    ]);
    const found = tokensOf(text);
    const more = minus(found, expected);
    const less = minus(expected, found);
    assert.deepEqual(minus(more, before), [], `baseline of ${path} has more`);
    // A file that was deleted, or was new: all that the user has saved since is in one edited change.
    const isWhole = baselineBefore === undefined || baselineAfter === undefined;
    assert.ok(
      isWhole || less.every(token => token.startsWith('user')),
      `baseline of ${path} has less: ${less.join()}`,
    );
    const isEdited = this.pendingOf(path)?.isEdited === true;
    const isGone = this.world.text(path) === undefined;
    assert.ok(isEdited || isGone || more.length + less.length === 0, 'the user is not asked');
    this.baselines.set(path, found);
  }

  /** What must hold at any time. */
  async check(): Promise<void> {
    const { world } = this;
    for (const path of this.baselines.keys()) {
      const pending = this.pendingOf(path);
      if (
        this.unseen.has(path) ||
        (pending && [pending.path, pending.from].some(one => this.unseen.has(one ?? path)))
      ) {
        continue;
      }
      const baseline = await this.baselineOf(path);
      this.history.get(path)?.add(idOf(baseline));
      const expected = [...this.tokensOfBaseline(path)].sort();
      assert.deepEqual([...tokensOf(baseline)].sort(), expected, `baseline of ${path}`);
      if (!pending) this.unordered.delete(path);
      if (pending?.path === path) await this.#checkPending(pending);
    }
    assert.deepEqual(world.errors, []);
  }

  async #checkPending(pending: PendingFile): Promise<void> {
    const { world } = this;
    const { path, from, version } = pending;
    assert.ok(pending.whole !== 'lost' && pending.whole !== 'unknown', pending.whole);
    const baseline = await this.baselineOf(from ?? path);
    const now = world.text(path);
    assert.notEqual(baseline === undefined && now === undefined, true);
    const key = `${path} ${idOf(baseline)} ${idOf(now)}`;
    const known = this.versions.get(`${path} ${version}`) ?? key;
    assert.equal(known, key, 'one version of two contents');
    this.versions.set(`${path} ${version}`, key);
    const found = await world.tracker.changes(path);
    assert.ok(found);
    assert.equal(found.lines.join(''), now ?? '');
    assert.equal(found.baseline.join(''), baseline ?? '');
    assert.equal(new Set(found.changes.map(({ id }) => id)).size, found.changes.length);
    const edits = found.changes.map(change => ({
      at: change.start,
      old: change.lines,
      lines: change.baseLines,
    }));
    assert.equal(spliced(split(now ?? ''), edits)?.join(''), baseline ?? '', 'undoing all');
    const baseEdits = found.changes.map(change => ({
      at: change.baseStart,
      old: change.baseLines,
      lines: change.lines,
    }));
    assert.equal(spliced(split(baseline ?? ''), baseEdits)?.join(''), now ?? '', 'keeping all');
    const [inBaseline, inFile] = commonOrder(baseline ?? '', now ?? '');
    // Of lines that a formatter changed, the diff does not know which they were.
    const isFormatted = found.changes.some(({ baseLines, lines }) => {
      const after = tokensOf(lines);
      return [...tokensOf(baseLines)].some(token => after.has(token));
    });
    const isOrdered = !pending.isEdited && !isFormatted && !this.unordered.has(path);
    if (isOrdered) assert.equal(inBaseline, inFile, 'order of the lines');
    for (const change of found.changes) {
      if (change.isEdited || (pending.whole && pending.isEdited)) continue;
      const mine = [...tokensOf(change.lines)].filter(token => this.typedIn(path).has(token));
      assert.deepEqual(
        minus(mine, tokensOf(change.baseLines)),
        [],
        'lines of the user are pending',
      );
    }
  }

  /** When the last decision was made that the tracker can undo; 0 when there is none. */
  async lastDecision(): Promise<number> {
    return this.world.tracker.whenIdle(async ({ decisions }) => decisions.at(-1)?.at ?? 0);
  }

  async remember(kind: Remembered['kind'], files: Remembered['files']): Promise<void> {
    if (files.size === 0) return;
    this.decisions.push({ at: await this.lastDecision(), kind, files });
  }

  /** Drops what the tracker cannot undo any more, because git or a crash came between. */
  async syncDecisions(): Promise<void> {
    const stored = await this.world.tracker.whenIdle(async ({ decisions }) => decisions);
    this.decisions = this.decisions.flatMap(decision => {
      const same = stored.find(({ at, kind }) => at === decision.at && kind === decision.kind);
      const paths = new Set(same?.files.map(({ path }) => path));
      const files = new Map([...decision.files].filter(([path]) => paths.has(path)));
      return files.size === 0 ? [] : [{ ...decision, files }];
    });
  }

  isDocumentDirty(path: string): boolean {
    const document = this.world.documents.get(path);
    return document !== undefined && isDirty(document);
  }

  /** After a crash: what was not stored yet is what another program did. */
  async recovered(isExact: boolean): Promise<void> {
    for (const path of this.baselines.keys()) {
      const baseline = await this.baselineOf(path);
      const known = this.history.get(path);
      if (isExact) assert.ok(known?.has(idOf(baseline)), `a baseline of ${path} that never was`);
      const found = tokensOf(baseline);
      this.baselines.set(path, found);
      const typed = this.typedIn(path);
      for (const token of typed) if (!found.has(token)) typed.delete(token);
    }
    await this.syncDecisions();
  }
}
