import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type AgentSession,
  maxMessage,
  maxWaitingMs,
} from '../../../../../src/apply/external/agents/core/handover';
import { MessageStore } from '../../../../../src/apply/external/agents/messageStore';
import { hookPrograms } from '../../../../support/hooks';

const session: AgentSession = { agent: 'claude', session: 's-1' };
const other: AgentSession = { agent: 'codex', session: 's-1' };

let folder: string;
let store: MessageStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'splice-messages-'));
  store = new MessageStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const names = (): string[] => readdirSync(path.join(folder, 'messages')).toSorted();

describe('a message that waits for a prompt', () => {
  it('is a file that only its owner can read, in a folder of the same kind', async () => {
    assert.equal(await store.isWaiting(session), false);
    assert.equal(await store.put(session, 'text'), 'done');
    assert.deepEqual(names(), ['claude-s-1']);
    assert.equal(await store.isWaiting(session), true);
    assert.equal(await store.isWaiting(other), false);
    if (process.platform === 'win32') return;
    assert.equal(statSync(path.join(folder, 'messages/claude-s-1')).mode & 0o777, 0o600);
    assert.equal(statSync(path.join(folder, 'messages')).mode & 0o777, 0o700);
  });

  it('can be taken back, once', async () => {
    await store.put(session, 'a "text"\nof mine');
    assert.equal(await store.take(session), 'a "text"\nof mine');
    assert.equal(await store.take(session), undefined);
    assert.deepEqual(names(), []);
  });

  it('is added to by a second one', async () => {
    await store.put(session, 'first');
    await store.put(session, 'second');
    await store.put(other, 'other');
    assert.deepEqual(names(), ['claude-s-1', 'codex-s-1']);
    assert.equal(await store.take(session), 'first\n\nsecond');
  });

  it('is not longer than agents take', async () => {
    assert.equal(await store.put(session, 'x'.repeat(maxMessage + 1)), 'tooLong');
    assert.deepEqual(names(), []);
    assert.equal(await store.put(session, 'x'.repeat(maxMessage)), 'done');
    assert.equal(await store.put(session, 'y'), 'tooLong');
    assert.equal(await store.take(session), 'x'.repeat(maxMessage));
    assert.deepEqual(names(), []);
  });

  it('is removed after a day, with what programs that were killed have left', async () => {
    await store.removeOld(Date.now());
    await store.put(session, 'old');
    await store.put(other, 'new');
    writeFileSync(path.join(folder, 'messages/claude-s-2.123'), 'claimed');
    const now = Date.now();
    const old = (now - maxWaitingMs - 1000) / 1000;
    for (const name of ['claude-s-1', 'claude-s-2.123'])
      utimesSync(path.join(folder, 'messages', name), old, old);
    await store.removeOld(now);
    assert.deepEqual(names(), ['codex-s-1']);
  });

  it('has no place for a session whose id is no plain name', async () => {
    for (const id of ['../x', 'a b', "a'b", '']) {
      const hostile: AgentSession = { agent: 'claude', session: id };
      await assert.rejects(store.put(hostile, 'text'), /no file can be named/);
      await assert.rejects(store.take(hostile), /no file can be named/);
    }
    assert.deepEqual(readdirSync(folder), ['messages']);
    assert.deepEqual(names(), []);
  });

  for (const { name, start } of hookPrograms) {
    it(`goes to the agent or is taken back, and never both, by ${name}`, async () => {
      const event = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's-1' });
      for (let round = 0; round < 5; round++) {
        await store.put(session, 'text');
        const printing = start([path.join(folder, 'events.jsonl'), 'claude'], event);
        const [taken, { output }] = await Promise.all([
          // At another moment each time, around that at which the program gets there.
          new Promise(resolve => setTimeout(resolve, round * 15)).then(async () =>
            store.take(session),
          ),
          printing,
        ]);
        const left = await store.take(session);
        const ways = [taken, left, output === '' ? undefined : output];
        assert.equal(ways.filter(way => way !== undefined).length, 1, JSON.stringify(ways));
      }
    });
  }
});
