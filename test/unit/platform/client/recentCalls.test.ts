import assert from 'node:assert/strict';
import { RecentCalls } from '../../../../src/platform/client/recentCalls';
import { type LedgerEntry, ledgerLine } from '../../../../src/service/billing/ledger';

const call = (operation: string): string =>
  ledgerLine({ at: 1, operation, ms: 1, attempts: 1, result: 'ok' });

const at = (year: number, month: number) => ({
  now: () => new Date(year, month - 1, 15).getTime(),
});

const chats = (entries: readonly LedgerEntry[]) =>
  entries.filter(({ operation }) => operation.startsWith('chat')).map(one => one.operation);

describe('recent calls', () => {
  let months: Record<string, string>;
  const read: string[] = [];
  const files = {
    async read(month: string, from: number) {
      read.push(month);
      const text = months[month] ?? '';
      return { text: text.slice(from), next: text.length, unwritten: '' };
    },
  };

  beforeEach(() => {
    read.length = 0;
    months = { '2026-01': call('chat1') + call('models'), '2025-12': call('chat12') };
  });

  it('are those of this month', async () => {
    assert.deepEqual(await new RecentCalls(at(2026, 1)).find(files, chats), ['chat1']);
    assert.deepEqual(read, ['2026-01']);
  });

  it('are those of the month before where this one has none that is looked for, also in January', async () => {
    months['2026-01'] = call('models');
    assert.deepEqual(await new RecentCalls(at(2026, 1)).find(files, chats), ['chat12']);
  });

  it('are none where both months have none, or cannot be read', async () => {
    assert.deepEqual(await new RecentCalls(at(2026, 3)).find(files, chats), []);
    const broken = { read: async () => Promise.reject(new Error('no such disk')) };
    assert.deepEqual(await new RecentCalls(at(2026, 1)).find(broken, chats), []);
  });

  it('include those that came since', async () => {
    const calls = new RecentCalls(at(2026, 1));
    await calls.find(files, chats);
    months['2026-01'] += call('chat2');
    assert.deepEqual(await calls.find(files, chats), ['chat1', 'chat2']);
  });
});
