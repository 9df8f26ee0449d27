import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RootLock } from '../../../../../src/apply/external/store/rootLock';
import { eventually } from '../../../../support/unit/eventually';
import { VirtualTime } from '../../../../support/unit/virtualTime';

const second = 1000;

describe('RootLock', () => {
  let folder: string;
  let time: VirtualTime;
  let alive: Set<number>;
  let locks: RootLock[];
  let errors: unknown[];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'splice-lock-'));
    time = new VirtualTime();
    alive = new Set([1, 2, 3]);
    locks = [];
    errors = [];
  });
  afterEach(() => {
    for (const lock of locks) lock.release();
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(errors, []);
  });

  /** A window; its process has the number `pid`. */
  const open = async (pid: number, host = 'here') => {
    const lock = new RootLock({
      folder,
      clock: time,
      owner: { pid, host, id: `window ${pid}` },
      isAlive: one => alive.has(one),
      onError: error => errors.push(error),
    });
    locks.push(lock);
    await lock.start();
    return lock;
  };
  /** Lets time pass until it holds; what the windows do on disk takes real time. */
  const pass = async (seconds: number, holds: () => boolean) => {
    await time.advance(seconds * second);
    await eventually(holds);
  };
  const file = () => path.join(folder, 'lock');
  /** When the owner was last heard of. */
  const heardAt = () => statSync(file()).mtimeMs;

  it('has the first window, and no other while that is there', async () => {
    const [first, other] = [await open(1), await open(2)];
    assert.deepEqual([first.isOwner, other.isOwner], [true, false]);
    assert.deepEqual([await first.confirm(), await other.confirm()], [true, false]);
    assert.deepEqual(readdirSync(folder), ['lock']);
  });

  it('has only one of several windows that open at once', async () => {
    const opened = await Promise.all([open(1), open(2), open(3)]);
    assert.equal(opened.filter(({ isOwner }) => isOwner).length, 1);
  });

  it('passes to another window once the first one closes', async () => {
    const [first, other] = [await open(1), await open(2)];
    let changes = 0;
    other.onDidChange(() => changes++);
    first.release();
    assert.equal(existsSync(file()), false);
    await pass(10, () => other.isOwner);
    assert.equal(changes, 1);
    assert.equal(first.isOwner, false);
  });

  it('passes to another window when the process of the first one has ended', async () => {
    await open(1);
    alive.delete(1);
    assert.equal((await open(2)).isOwner, true);
  });

  it('does not ask about processes of another computer', async () => {
    await open(1, 'elsewhere');
    alive.delete(1);
    assert.equal((await open(2)).isOwner, false);
  });

  it('passes to another window when nothing was heard for 30 seconds', async () => {
    writeFileSync(file(), JSON.stringify({ pid: 1, host: 'elsewhere', id: 'gone' }));
    const heard = (secondsAgo: number) => {
      const at = time.now() / second - secondsAgo;
      utimesSync(file(), at, at);
    };
    heard(29);
    const waiting = await open(2);
    assert.equal(waiting.isOwner, false);
    heard(31);
    await pass(10, () => waiting.isOwner);
  });

  it('stays with the owner, which shows itself every 10 seconds', async () => {
    const [first, other] = [await open(1, 'elsewhere'), await open(2)];
    for (let n = 0; n < 6; n++) {
      const before = time.now();
      await pass(10, () => heardAt() > before);
    }
    assert.deepEqual([first.isOwner, other.isOwner], [true, false]);
  });
  it('is lost when another window has taken it meanwhile, as while the computer slept', async () => {
    const first = await open(1);
    let changes = 0;
    first.onDidChange(() => changes++);
    writeFileSync(file(), JSON.stringify({ pid: 2, host: 'here', id: 'another' }));
    assert.equal(await first.confirm(), false);
    assert.deepEqual([first.isOwner, changes], [false, 1]);
    first.release();
    assert.equal(JSON.parse(readFileSync(file(), 'utf8')).id, 'another');
  });

  it('is taken from a file that no window wrote, once it is old', async () => {
    writeFileSync(file(), 'nonsense');
    const at = time.now() / second;
    utimesSync(file(), at, at);
    const waiting = await open(1);
    assert.equal(waiting.isOwner, false);
    utimesSync(file(), at - 31, at - 31);
    await pass(10, () => waiting.isOwner);
  });

  it('is taken though a window crashed while it took it', async () => {
    writeFileSync(file(), JSON.stringify({ pid: 9, host: 'here', id: 'gone' }));
    const taking = path.join(folder, 'lock.taking');
    writeFileSync(taking, '');
    const at = time.now() / second - 31;
    utimesSync(taking, at, at);
    const waiting = await open(1);
    assert.equal(waiting.isOwner, false);
    await pass(10, () => waiting.isOwner);
    assert.deepEqual(readdirSync(folder), ['lock']);
  });

  it('knows the processes of this computer', async () => {
    writeFileSync(file(), JSON.stringify({ pid: process.pid, host: 'here', id: 'alive' }));
    const at = time.now() / second;
    utimesSync(file(), at, at);
    const lock = new RootLock({
      folder,
      clock: time,
      owner: { pid: 1, host: 'here', id: 'me' },
      onError: error => errors.push(error),
    });
    locks.push(lock);
    await lock.start();
    assert.equal(lock.isOwner, false);
  });
});
