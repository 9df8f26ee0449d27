import assert from 'node:assert/strict';
import { MonthReader } from '../../../../src/platform/client/monthReader';
import { type LedgerEntry, ledgerLine } from '../../../../src/service/billing/ledger';

const call = (at: number): string =>
  ledgerLine({ at, operation: 'chat', ms: 1, attempts: 1, result: 'ok' } satisfies LedgerEntry);

/** The file of a month, and what could not be written to it. */
class MonthFile {
  text = '';
  unwritten = '';
  readonly asked: (readonly [month: string, from: number])[] = [];

  async read(month: string, from: number) {
    this.asked.push([month, from]);
    const start = this.text.length < from ? 0 : from;
    return { text: this.text.slice(start), next: this.text.length, unwritten: this.unwritten };
  }
}

describe('the calls of a month', () => {
  let file: MonthFile;
  let reader: MonthReader;
  const read = async () => {
    const { entries, damaged, unwritten } = await reader.read();
    return [entries.map(({ at }) => at), damaged, unwritten];
  };

  beforeEach(() => {
    file = new MonthFile();
    reader = new MonthReader(file, '2026-11');
  });

  it('are read once, and then those that were added', async () => {
    assert.deepEqual(await read(), [[], 0, 0]);
    file.text = call(1) + call(2);
    assert.deepEqual(await read(), [[1, 2], 0, 0]);
    const from = file.text.length;
    file.text += `damaged\n${call(3)}`;
    assert.deepEqual(await read(), [[1, 2, 3], 1, 0]);
    assert.deepEqual(await read(), [[1, 2, 3], 1, 0]);
    assert.deepEqual(file.asked.slice(0, 3), [
      ['2026-11', 0],
      ['2026-11', 0],
      ['2026-11', from],
    ]);
  });

  it('are those of the new file after the old one was deleted, which takes its damage along', async () => {
    file.text = `${call(1)}damaged\n${call(2)}`;
    assert.deepEqual(await read(), [[1, 2], 1, 0]);
    file.text = call(3);
    assert.deepEqual(await read(), [[3], 0, 0]);
    file.text += call(4);
    assert.deepEqual(await read(), [[3, 4], 0, 0]);
    file.text = '';
    assert.deepEqual(await read(), [[], 0, 0]);
  });

  it('include those that are not on the disk, as long as they are not', async () => {
    file.text = call(1);
    file.unwritten = call(2) + call(3);
    assert.deepEqual(await read(), [[1, 2, 3], 0, 2]);
    file.text += file.unwritten;
    file.unwritten = '';
    assert.deepEqual(await read(), [[1, 2, 3], 0, 0]);
  });
});
