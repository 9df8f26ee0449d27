import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RunStore } from '../../../src/playground/runStore';
import { plan, result } from './plans';

describe('the files of runs', () => {
  let folder: string;
  let store: RunStore;
  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'runs-')), 'playground');
    store = new RunStore(folder);
  });
  afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

  it('are private, and hold what was sent', async () => {
    assert.deepEqual(await store.heads(), []);
    assert.equal(await store.read('x'), undefined);
    await store.create(plan({ id: 'a', title: 'first' }));
    const journal = await store.journal('a');
    await journal.append({ sent: '0.0' });
    await journal.append({ done: '0.0', result: result('answer') });
    await journal.append({ sent: '0.1' });
    assert.deepEqual(await store.read('a'), {
      plan: plan({ id: 'a', title: 'first' }),
      states: new Map<string, unknown>([
        ['0.0', { kind: 'done', result: result('answer') }],
        ['0.1', { kind: 'unknown' }],
      ]),
    });
    assert.equal(statSync(path.join(folder, 'a.jsonl')).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    await assert.rejects(store.create(plan({ id: 'a' })), { code: 'EEXIST' });
  });

  it('are private again when a run is resumed', async () => {
    await store.create(plan({ id: 'a' }));
    chmodSync(path.join(folder, 'a.jsonl'), 0o644);
    await store.journal('a');
    assert.equal(statSync(path.join(folder, 'a.jsonl')).mode & 0o777, 0o600);
  });

  it('are listed latest first, and the oldest are deleted', async () => {
    for (let n = 10; n < 43; n++) await store.create(plan({ id: `r${n}`, createdAt: n }));
    const heads = await store.heads();
    assert.equal(heads.length, 30);
    assert.deepEqual(heads[0], { id: 'r42', createdAt: 42, title: 'title' });
    assert.deepEqual(
      readdirSync(folder).filter(name => name.endsWith('.lock')),
      [],
    );
    writeFileSync(path.join(folder, 'r99.jsonl'), 'damaged');
    assert.equal((await store.heads()).length, 30);
    assert.equal(await store.read('r99'), undefined);
  });

  it('lose no line after one that was cut off', async () => {
    await store.create(plan({ id: 'a' }));
    appendFileSync(path.join(folder, 'a.jsonl'), '{"sent":"0.0"}\n{"done":"0.0","res');
    await (await store.journal('a')).append({ sent: '1.0' });
    assert.deepEqual(
      [...((await store.read('a'))?.states ?? [])],
      [
        ['0.0', { kind: 'unknown' }],
        ['1.0', { kind: 'unknown' }],
      ],
    );
  });

  it('are sent by one window at a time', async () => {
    await store.create(plan({ id: 'a' }));
    const other = new RunStore(folder);
    assert.equal(await store.claim('a'), true);
    assert.equal(await other.claim('a'), false);
    await store.release('a');
    assert.equal(await other.claim('a'), true);
    // A window that has ended; no process has this id.
    writeFileSync(path.join(folder, 'a.lock'), '4194305');
    assert.equal(await store.claim('a'), true);
    writeFileSync(path.join(folder, 'a.lock'), '');
    assert.equal(await store.claim('a'), true);
    await store.remove('a');
    assert.deepEqual(readdirSync(folder), []);
  });
});
