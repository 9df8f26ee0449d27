import assert from 'node:assert/strict';
import type { Decided, Selection } from '../../../../../../src/apply/external/core/tracker';
import { textOf } from '../rootWorld';
import { minus, spliced, split, tokensOf } from './lines';
import { idOf, type Model, type RememberedFile } from './model';
import type { Writers } from './writers';

type Edits = readonly {
  readonly at: number;
  readonly old: readonly string[];
  readonly lines: readonly string[];
}[];

/** What the user saw and chose. */
interface Shown {
  readonly selection: Selection;
  readonly from: string | undefined;
  readonly baseline: string | undefined;
  readonly now: string | undefined;
  readonly isAll: boolean;
  /** The chosen changes as edits of the file that undo them, and as edits of the baseline that keep them. */
  readonly undo: Edits;
  readonly keep: Edits;
  readonly isEdited: boolean;
  /** It was chosen some time ago. */
  readonly isOld: boolean;
}

/** A file and its document before a decision. */
interface Snapshot {
  readonly disk: string | undefined;
  readonly fromDisk: string | undefined;
  readonly buffer: string | undefined;
  readonly isDirty: boolean;
}

export interface FuzzCounts {
  actions: number;
  keeps: number;
  undos: number;
  reverts: number;
  refused: number;
  edited: number;
  reloads: number;
  crashes: number;
}

/** The user keeps and undoes changes; what must come out is worked out here. */
export class FuzzDecisions {
  readonly #model: Model;
  readonly #writers: Writers;
  readonly #counts: FuzzCounts;
  #older: Shown | undefined;

  readonly #note: (what: string) => void;

  constructor(
    model: Model,
    writers: Writers,
    { counts, note }: { readonly counts: FuzzCounts; readonly note: (what: string) => void },
  ) {
    this.#model = model;
    this.#writers = writers;
    this.#counts = counts;
    this.#note = note;
  }

  async keep(): Promise<void> {
    const model = this.#model;
    const { world } = model;
    const files = new Map(world.files);
    const chosen = await this.#choose();
    const fresh = await this.#freshOf(chosen);
    const decided = await world.tracker.keep(chosen.map(({ selection }) => selection));
    this.#note(drawn(chosen, decided));
    assert.deepEqual(world.files, files, 'keeping writes nothing');
    const remembered = new Map<string, RememberedFile>();
    for (const [at, shown] of chosen.entries()) {
      const { path } = shown.selection;
      const outcome = outcomeOf(decided, at, path);
      if (!fresh[at]) assert.notEqual(outcome, 'done', 'an outdated selection was kept');
      else if (!shown.isOld) assert.equal(outcome, 'done');
      if (outcome !== 'done') {
        this.#counts.refused++;
        continue;
      }
      this.#counts.keeps++;
      const after = shown.isAll ? shown.now : joined(shown.baseline, shown.keep);
      for (const one of new Set([path, shown.from ?? path])) {
        const isNew = shown.from !== undefined && one === path;
        const baselineBefore = isNew ? undefined : shown.baseline;
        const baselineAfter = one === path ? after : undefined;
        const text = world.text(one);
        remembered.set(one, { before: text, after: text, baselineBefore, baselineAfter });
        model.setBaseline(one, baselineAfter);
        if (model.unseen.has(one)) continue;
        assert.equal(await model.baselineOf(one), baselineAfter, 'the new baseline');
      }
    }
    await model.remember('keep', remembered);
  }

  async undo(): Promise<void> {
    const model = this.#model;
    const { world } = model;
    const chosen = await this.#choose();
    const fresh = await this.#freshOf(chosen);
    const isConfirmed = this.#writers.chance(0.3);
    const before = chosen.map(shown => this.#snapshot(shown));
    const isFormatted = this.#writers.chance(0.1);
    if (isFormatted) world.format = (_, text) => formatted(text);
    const decided = await world.tracker.undo(
      chosen.map(({ selection }) => selection),
      { isConfirmed },
    );
    await world.settled();
    world.format = (_, text) => text;
    this.#note(
      `${drawn(chosen, decided)}${isConfirmed ? ' confirmed' : ''}${isFormatted ? ' formatted' : ''}`,
    );
    const remembered = new Map<string, RememberedFile>();
    for (const [at, shown] of chosen.entries()) {
      const outcome = outcomeOf(decided, at, shown.selection.path);
      const snapshot = before[at] ?? assert.fail();
      expectOutcome(shown, snapshot, outcome, fresh[at] === true, isConfirmed);
      if (outcome === 'done') {
        this.#counts.undos++;
        this.#undone(shown, snapshot, { isConfirmed, isFormatted }, remembered);
        continue;
      }
      this.#counts.refused++;
      if (outcome === 'edited') this.#counts.edited++;
      assert.deepEqual(this.#snapshot(shown), snapshot, 'refused, but written');
    }
    await model.remember('undo', remembered);
    for (const { before: text } of remembered.values()) {
      if (text !== undefined) assert.ok(world.contents.flushed.has(idOf(text)), 'not stored');
    }
  }

  /** Checks what an undo has written. */
  #undone(
    shown: Shown,
    before: Snapshot,
    { isConfirmed, isFormatted }: { readonly isConfirmed: boolean; readonly isFormatted: boolean },
    remembered: Map<string, RememberedFile>,
  ): void {
    const model = this.#model;
    const { path } = shown.selection;
    const after = this.#snapshot(shown);
    const isChanged = shown.baseline !== undefined && shown.now !== undefined && !shown.from;
    const baselines = { baselineBefore: shown.baseline, baselineAfter: shown.baseline };
    if (before.isDirty && isChanged) {
      assert.equal(after.disk, before.disk);
      if (!isConfirmed) assertSameTokens(before.buffer, after.buffer, shown.undo);
      if (before.buffer === after.buffer) return;
      const buffer = { before: before.buffer ?? '', after: after.buffer ?? '' };
      remembered.set(path, { before: before.disk, after: before.disk, ...baselines, buffer });
      return;
    }
    const expected = shown.isAll ? shown.baseline : joined(shown.now, shown.undo);
    if (shown.from !== undefined) {
      assert.equal(after.disk, undefined);
      assert.equal(after.fromDisk, shown.baseline);
      remembered.set(shown.from, { before: undefined, after: shown.baseline, ...baselines });
      remembered.set(path, { before: before.disk, after: undefined, ...baselines });
    } else {
      // Of a text with no line end, nobody knows which one the editor would write.
      const inEditor = before.buffer?.includes('\n') === true && isChanged;
      assert.equal(after.disk, inEditor && isFormatted ? formatted(expected ?? '') : expected);
      // Before a formatter changed it: undoing this decision leaves the form alone.
      remembered.set(path, { before: before.disk, after: expected, ...baselines });
    }
    const typed = model.typedIn(path);
    const lost = minus(typed, minusSet(typed, tokensOf(before.disk)), tokensOf(after.disk));
    if (!isConfirmed) assert.deepEqual(lost, [], 'lines of the user are gone');
    const chosen = tokensOf(shown.undo.flatMap(({ old }) => old));
    assert.deepEqual(minus(lost, chosen), [], 'other lines of the user are gone');
    for (const token of lost) typed.delete(token);
  }

  async revert(): Promise<void> {
    const model = this.#model;
    const { world } = model;
    const at = await model.lastDecision();
    const last = model.decisions.at(-1);
    const decision = last?.at === at ? last : undefined;
    const disk = new Map(world.files);
    const buffers = new Map([...world.documents].map(([path, { text }]) => [path, text]));
    const dirty = new Set([...world.documents.keys()].filter(path => model.isDocumentDirty(path)));
    const baselines = new Map<string, string | undefined>();
    for (const path of model.baselines.keys()) baselines.set(path, await model.baselineOf(path));
    const decided = await world.tracker.undoDecision();
    await world.settled();
    this.#note(
      `${decision?.kind} ${decided.map(({ path, outcome }) => `${path} ${outcome}`).join()}`,
    );
    if (at === 0) assert.deepEqual(decided, []);
    const hasFailed = decided.some(({ outcome }) => outcome !== 'done');
    for (const { path, outcome } of decided) {
      const file = decision?.files.get(path);
      const before = textOf(disk.get(path));
      if (outcome === 'done') this.#counts.reverts++;
      if (outcome !== 'done' || decision?.kind === 'keep') {
        assert.equal(world.text(path), before, 'written');
        assert.equal(world.documents.get(path)?.text, buffers.get(path), 'edited');
      }
      if (!file || !decision) {
        // A crash brought it back.
        await model.adoptAny(path);
        continue;
      }
      if (decision.kind === 'keep') {
        assert.equal(outcome, 'done');
        await model.revertedKeep(path, file, baselines.get(path));
        continue;
      }
      const isFree = !world.documents.has(path) && !hasFailed;
      if (isFree && before === file.after) assert.equal(outcome, 'done');
      if (outcome !== 'done') continue;
      if (file.buffer && dirty.has(path)) {
        assert.equal(world.documents.get(path)?.text, file.buffer.before);
        assert.equal(world.text(path), before);
      } else if (file.buffer) assert.equal(world.text(path), file.buffer.before);
      else if (before === file.after) assert.equal(world.text(path), file.before);
      else {
        // Edited elsewhere since: only lines that were undone come back, and only lines that came back go.
        const [old, now] = [tokensOf(before), tokensOf(world.text(path))];
        assert.deepEqual(minus(now, old, tokensOf(file.before)), []);
        assert.deepEqual(minus(old, now, tokensOf(file.after)), []);
      }
      const typed = model.typedIn(path);
      const lost = minus(typed, minusSet(typed, tokensOf(before)), tokensOf(world.text(path)));
      assert.deepEqual(lost, [], 'lines of the user are gone');
    }
    await model.syncDecisions();
  }

  /** What was undone before a crash can be had back, as the text that the file had. */
  async undoneInCrash(before: ReadonlyMap<string, string | undefined>): Promise<void> {
    const model = this.#model;
    const { world } = model;
    const written = [...before].filter(([path, text]) => world.text(path) !== text);
    if (written.length === 0) return;
    await world.tracker.undoDecision();
    await world.settled();
    for (const [path, text] of written) assert.equal(world.text(path), text, 'lost in the crash');
    await model.syncDecisions();
  }

  /** Undoes an undo by the editor's own undo, and saves. */
  async takeBack(): Promise<void> {
    const model = this.#model;
    const { world } = model;
    const last = model.decisions.at(-1);
    if (last?.kind !== 'undo' || last.at !== (await model.lastDecision())) return;
    for (const [path, { before, after, buffer }] of last.files) {
      const document = world.documents.get(path);
      const isOpen = document?.text === after && world.text(path) === after;
      if (buffer || !isOpen || before === undefined || model.isDocumentDirty(path)) continue;
      const baseline = await model.baselineOf(path);
      await world.edit(path, before);
      assert.equal(await model.baselineOf(path), baseline, 'the change must be pending again');
    }
    await model.syncDecisions();
  }

  async #choose(): Promise<Shown[]> {
    const { pending } = this.#model.world.tracker;
    if (this.#older && this.#writers.chance(0.2)) return [this.#older];
    const files = this.#writers.chance(0.3)
      ? pending
      : pending.slice(this.#writers.pick(3)).slice(0, 1);
    const shown: Shown[] = [];
    for (const file of files) shown.push(await this.#show(file.path));
    if (!this.#older || this.#writers.chance(0.3)) {
      this.#older = shown[0] && { ...shown[0], isOld: true };
    }
    return shown;
  }

  async #show(path: string): Promise<Shown> {
    const { world } = this.#model;
    const pending = this.#model.pendingOf(path) ?? assert.fail(path);
    const { from, version } = pending;
    const found = (await world.tracker.changes(path)) ?? assert.fail(path);
    const isWhole = pending.whole !== undefined || this.#writers.chance(0.3);
    const chosen = isWhole ? [...found.changes] : this.#writers.some(found.changes);
    const isAll = chosen.length === found.changes.length;
    const hasIds = chosen.length > 0 && (!isWhole || this.#writers.chance(0.3));
    const isEdited = isAll
      ? pending.isEdited
      : chosen.some(({ isEdited: isMine }) => isMine === true);
    return {
      selection: { path, version, ...(hasIds && { changes: chosen.map(({ id }) => id) }) },
      from,
      baseline: await this.#model.baselineOf(from ?? path),
      now:
        pending.now.kind === 'absent'
          ? undefined
          : textOf(await world.tracker.bytesOf(pending.now)),
      isAll,
      undo: chosen.map(one => ({ at: one.start, old: one.lines, lines: one.baseLines })),
      keep: chosen.map(one => ({ at: one.baseStart, old: one.baseLines, lines: one.lines })),
      isEdited,
      isOld: false,
    };
  }

  /** Whether the files that were shown are listed with the same bytes now. */
  async #freshOf(chosen: readonly Shown[]): Promise<boolean[]> {
    const fresh: boolean[] = [];
    for (const { selection, from, baseline, now } of chosen) {
      const pending = this.#model.world.tracker.pending.find(({ path }) => path === selection.path);
      const current = pending && (await this.#show(pending.path));
      fresh.push(current?.from === from && current?.baseline === baseline && current?.now === now);
    }
    return fresh;
  }

  #snapshot({ selection: { path }, from }: Shown): Snapshot {
    const { world } = this.#model;
    return {
      disk: world.text(path),
      fromDisk: from === undefined ? undefined : world.text(from),
      buffer: world.documents.get(path)?.text,
      isDirty: [path, from ?? path].some(one => this.#model.isDocumentDirty(one)),
    };
  }
}

function expectOutcome(
  shown: Shown,
  { disk, fromDisk, buffer, isDirty }: Snapshot,
  outcome: string,
  isFresh: boolean,
  isConfirmed: boolean,
): void {
  if (!isFresh || disk !== shown.now || fromDisk !== undefined) {
    assert.notEqual(outcome, 'done', 'undone in other bytes than those that were shown');
    return;
  }
  if (shown.isOld) return;
  if (shown.isEdited && !isConfirmed) assert.equal(outcome, 'edited');
  else if (isDirty) assert.match(outcome, /^(?:done|edited|conflict)$/);
  else if (buffer === undefined || buffer === disk) assert.equal(outcome, 'done');
}

/** The tokens of a text after edits somewhere in it. */
function assertSameTokens(
  before: string | undefined,
  after: string | undefined,
  edits: Edits,
): void {
  const old = tokensOf(edits.flatMap(edit => [...edit.old]));
  const lines = tokensOf(edits.flatMap(edit => [...edit.lines]));
  const expected = new Set([
    ...minus(tokensOf(before), minusSet(old, lines)),
    ...minusSet(lines, old),
  ]);
  assert.deepEqual([...tokensOf(after)].sort(), [...expected].sort());
}

const minusSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set(minus(a, b));

const formatted = (text: string): string => text.replaceAll(/( \d+);?$/gm, '$1;');

const joined = (text: string | undefined, edits: Edits): string =>
  spliced(split(text ?? ''), edits)?.join('') ??
  assert.fail('the changes are not those of the text');

function outcomeOf(decided: readonly Decided[], at: number, path: string): string {
  assert.equal(decided[at]?.path, path);
  return decided[at]?.outcome ?? assert.fail();
}

function drawn(chosen: readonly Shown[], decided: readonly Decided[]): string {
  return chosen
    .map(({ selection, keep }, at) => {
      const changes = keep.map(({ old, lines }) => `-${old.join('')} +${lines.join('')}`);
      return `${selection.path} ${JSON.stringify(changes)} ${decided[at]?.outcome}`;
    })
    .join('; ');
}
