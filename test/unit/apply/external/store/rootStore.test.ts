import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentOf } from '../../../../../src/apply/external/core/content';
import { RootTracker } from '../../../../../src/apply/external/core/tracker';
import { RootStore } from '../../../../../src/apply/external/store/rootStore';
import { eventually } from '../../../../support/unit/eventually';
import { VirtualTime } from '../../../../support/unit/virtualTime';
import { RootWorld } from '../core/rootWorld';

const before = 'a\nb\nc\nd\ne\n';
const after = 'a\nB\nc\nd\nE\n';

const see = async (tracker: RootTracker) => tracker.sawDisk(['p'], { from: 1, to: 2 });
const drawn = async (tracker: RootTracker) =>
  (await tracker.changes('p'))?.changes.map(({ lines }) => lines.join('').trim());
const keepFirst = async (tracker: RootTracker) => {
  const [id = ''] = (await tracker.changes('p'))?.changes.map(change => change.id) ?? [];
  const { version = '' } = tracker.pending[0] ?? {};
  const [decided] = await tracker.keep([{ path: 'p', version, changes: [id] }]);
  return decided?.outcome;
};

describe('RootStore', () => {
  let folder: string;
  let time: VirtualTime;
  let world: RootWorld;
  let alive: Set<number>;
  let stores: RootStore[];
  let errors: unknown[];

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'splice-root-'));
    time = new VirtualTime();
    world = await RootWorld.of({ p: before });
    alive = new Set([1, 2]);
    stores = [];
    errors = [];
  });
  afterEach(() => {
    for (const store of stores) store.close();
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(errors, []);
  });

  const fileOf = (id: string) => path.join(folder, 'one/contents', id.slice(0, 2), id);

  /** A window with the folder; its process has the number `pid`. */
  const open = async (pid: number) => {
    const store = new RootStore({
      folder: path.join(folder, 'one'),
      clock: time,
      limits: { maxBytes: 1000, maxAgeMs: 1000 },
      owner: { pid, host: 'here', id: `window ${pid}` },
      isAlive: one => alive.has(one),
      onError: error => errors.push(error),
    });
    stores.push(store);
    const { state, lost } = await store.open();
    const tracker = new RootTracker(
      {
        disk: world.disk,
        open: world.editor,
        unmodified: world.unmodified,
        contents: store.contents,
        log: store.journal,
        clock: () => time.now(),
        onError: error => errors.push(error),
      },
      state,
    );
    await tracker.start();
    store.connect(tracker);
    return { store, tracker, lost };
  };
  it('restores what the window had that was closed', async () => {
    world.put('p', after);
    const first = await open(1);
    await see(first.tracker);
    assert.equal(await keepFirst(first.tracker), 'done');
    const { pending } = first.tracker;
    first.store.close();
    const second = await open(2);
    assert.deepEqual(second.tracker.pending, pending);
    assert.deepEqual(await drawn(second.tracker), ['E']);
    assert.equal(await keepFirst(second.tracker), 'done');
  });

  it('shows in the second window what the first one decides, and lets it decide later', async () => {
    world.put('p', after);
    const first = await open(1);
    const second = await open(2);
    await see(first.tracker);
    assert.deepEqual([first.tracker.isReadOnly, second.tracker.isReadOnly], [false, true]);
    await time.advance(5000);
    await eventually(() => second.tracker.pending.length === 1);
    assert.equal(await keepFirst(second.tracker), 'otherWindow');
    assert.equal(await keepFirst(first.tracker), 'done');
    const times = { changes: 0 };
    second.tracker.onDidChange(() => times.changes++);
    await time.advance(5000);
    await eventually(() => times.changes > 0);
    assert.deepEqual(await drawn(second.tracker), ['E']);
    first.store.close();
    await time.advance(10_000);
    await eventually(() => !second.tracker.isReadOnly);
    assert.equal(await keepFirst(second.tracker), 'done');
    assert.deepEqual(second.tracker.pending, []);
  });

  it('refuses to decide in a window that has lost the lock', async () => {
    world.put('p', after);
    const first = await open(1);
    await see(first.tracker);
    // It is taken for dead: the computer slept, for example.
    alive.delete(1);
    const second = await open(2);
    assert.equal(await keepFirst(second.tracker), 'done');
    assert.equal(await keepFirst(first.tracker), 'otherWindow');
    assert.deepEqual(await drawn(second.tracker), ['E']);
    await eventually(() => first.tracker.isReadOnly);
    await time.advance(5000);
    await eventually(
      () => first.tracker.pending[0]?.version === second.tracker.pending[0]?.version,
    );
  });

  it('stores nothing that another account could read', async () => {
    world.put('p', after);
    const { tracker } = await open(1);
    await see(tracker);
    await keepFirst(tracker);
    if (process.platform === 'win32') return;
    for (const name of ['root.journal', 'lock']) {
      assert.equal(statSync(path.join(folder, 'one', name)).mode & 0o077, 0, name);
    }
    assert.equal(statSync(path.join(folder, 'one')).mode & 0o077, 0);
  });

  it('goes on with a journal that was cut', async () => {
    world.put('p', after);
    const first = await open(1);
    await see(first.tracker);
    await keepFirst(first.tracker);
    first.store.close();
    const journal = path.join(folder, 'one', 'root.journal');
    truncateSync(journal, readFileSync(journal).length - 10);
    const second = await open(2);
    assert.deepEqual(await drawn(second.tracker), ['B', 'E']);
    assert.equal(second.lost, 0);
  });

  it('deletes contents that nobody needs, at most once an hour, and only in the window with the lock', async () => {
    world.put('p', after);
    const { store, tracker } = await open(1);
    await see(tracker);
    const ids = [before, after, 'nobody needs this\n'].map(text => {
      const bytes = new TextEncoder().encode(text);
      return { bytes, id: contentOf(bytes, 'sha1').id };
    });
    for (const { id, bytes } of ids) await store.contents.put(id, bytes);
    for (const { id } of ids) utimesSync(fileOf(id), 1, 1);
    await time.advance(3600 * 1000);
    await eventually(() => !existsSync(fileOf(ids[2]?.id ?? '')));
    assert.deepEqual(
      ids.map(({ id }) => existsSync(fileOf(id))),
      [true, true, false],
    );
  });

  it('gives up reviewed baselines when there is too much', async () => {
    const { store, tracker } = await open(1);
    const noise = Array.from({ length: 400 }, (_, at) => Math.imul(at, 2654435761) >>> 0);
    world.put('q', noise.join('\n'));
    await tracker.reviewFromNow(['q']);
    const { id } = contentOf(new TextEncoder().encode(noise.join('\n')), 'sha1');
    assert.equal(await store.contents.has(id), true);
    await tracker.whenIdle(async state => store.prune(state));
    assert.equal(await store.contents.has(id), false);
  });
});
