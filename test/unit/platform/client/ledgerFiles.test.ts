import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type Appended,
  type LedgerDisk,
  LedgerFiles,
  type LedgerFilesOptions,
  type LedgerProblem,
} from '../../../../src/platform/client/ledgerFiles';
import { type LedgerEntry, ledgerLine, parseLedger } from '../../../../src/service/billing/ledger';
import { LedgerBilling } from '../../../../src/service/billing/ledgerBilling';
import { VirtualTime } from '../../../support/unit/virtualTime';
import { failureOf } from '../../service/helpers';

const now = new Date(2026, 10, 21, 12).getTime();
const month = '2026-11';
const file = `costs-${month}.jsonl`;
const entry = (ms: number, usd = 1): LedgerEntry => ({
  at: now,
  operation: 'chat',
  usd,
  ms,
  attempts: 1,
  result: 'ok',
});

/** Holds files in memory, up to `space` bytes, and refuses with `code` as long as that is set. */
class FakeDisk implements LedgerDisk {
  readonly files = new Map<string, string>();
  space = Infinity;
  code: string | undefined;

  async append(at: string, text: string): Promise<Appended> {
    await new Promise(setImmediate);
    return this.appendNow(at, text);
  }

  appendNow(at: string, text: string): Appended {
    if (this.code !== undefined) return { written: 0, error: failure(this.code) };
    const before = this.files.get(at) ?? '';
    const start = before === '' || before.endsWith('\n') ? before : `${before}\n`;
    const fitting = text.slice(0, Math.max(0, this.space - start.length));
    this.files.set(at, start + fitting);
    return fitting.length === text.length
      ? { written: fitting.length }
      : { written: fitting.length, error: failure('ENOSPC') };
  }

  async read(at: string, from: number): Promise<{ bytes: Uint8Array; size: number } | undefined> {
    await new Promise(setImmediate);
    const bytes = Buffer.from(this.files.get(at) ?? '');
    return this.files.has(at) ? { bytes: bytes.subarray(from), size: bytes.length } : undefined;
  }

  async names(): Promise<string[]> {
    return [...this.files.keys()].map(name => path.basename(name));
  }
}

const failure = (code: string) => Object.assign(new Error(code), { code });

const entriesOf = async (text: string) => (await parseLedger(text)).entries.map(({ ms }) => ms);
const add = (files: LedgerFiles, ...calls: number[]): void => {
  for (const call of calls) files.append(month, ledgerLine(entry(call)));
};

const failRead = async (): Promise<never> => Promise.reject(failure('EIO'));

describe('the files of the ledger', () => {
  let disk: FakeDisk;
  let problems: (LedgerProblem | undefined)[];
  let lines: string[];
  const opened: LedgerFiles[] = [];

  beforeEach(() => {
    disk = new FakeDisk();
    problems = [];
    lines = [];
  });
  afterEach(() => {
    for (const files of opened.splice(0)) files.dispose();
  });

  const open = (options: Partial<LedgerFilesOptions> = { disk }): LedgerFiles => {
    const files = new LedgerFiles({
      folder: '/storage',
      log: line => lines.push(line),
      onProblem: problem => problems.push(problem),
      ...options,
    });
    opened.push(files);
    return files;
  };

  it('keeps what a full disk refuses, and writes it once there is space', async () => {
    const files = open();
    add(files, 1, 2, 3);
    assert.equal(await files.flush(), true);
    // Space for one line and a half more.
    disk.space =
      (disk.files.get(`/storage/${file}`)?.length ?? 0) + ledgerLine(entry(4)).length * 1.5;
    add(files, 4, 5, 6);
    assert.equal(await files.flush(), false);
    const part = await files.read(month, 0);
    assert.deepEqual(await entriesOf(part.text), [1, 2, 3, 4]);
    assert.deepEqual(await entriesOf(part.unwritten), [5, 6]);
    add(files, 7, 8, 9);
    assert.equal(await files.flush(), false);
    assert.equal(files.unwritten, 5);
    assert.deepEqual(problems, [{ kind: 'write', code: 'ENOSPC', calls: 2 }]);

    disk.space = Infinity;
    assert.equal(await files.flush(), true);
    const { text, unwritten } = await files.read(month, 0);
    assert.deepEqual(await entriesOf(text), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.equal(unwritten, '');
    // The half of a line that was left stays one damaged line and spoils no other.
    assert.equal((await parseLedger(text)).damaged, 1);
    assert.deepEqual(problems.at(-1), undefined);
    assert.equal(problems.length, 2);
  });

  it('does not write a line twice that lacked only its end', async () => {
    const files = open();
    disk.space = ledgerLine(entry(1)).length - 1;
    add(files, 1, 2);
    await files.flush();
    disk.space = Infinity;
    await files.flush();
    assert.deepEqual(await entriesOf((await files.read(month, 0)).text), [1, 2]);
  });

  it('loses nothing, whichever writes fail and whenever they do', async () => {
    for (let seed = 0; seed < 64; seed++) {
      disk = new FakeDisk();
      const files = open();
      let next = 0;
      for (let step = 0; step < 6; step++) {
        disk.code = ((seed >> step) & 1) === 1 ? 'EROFS' : undefined;
        add(files, ++next, ++next);
        const isRead = step % 2 === 0 ? files.read(month, 0) : files.flush();
        add(files, ++next);
        await isRead;
        const { text, unwritten } = await files.read(month, 0);
        const all = await entriesOf(text + unwritten);
        assert.deepEqual(
          all,
          Array.from({ length: next }, (_, n) => n + 1),
          `seed ${seed}, step ${step}`,
        );
      }
    }
  });

  it('tries again by itself', async () => {
    const time = new VirtualTime();
    const files = open({ disk, clock: time });
    disk.code = 'EACCES';
    add(files, 1);
    await time.advance(500);
    await time.advance(60_000);
    assert.equal(disk.files.size, 0);
    disk.code = undefined;
    await time.advance(60_000);
    await time.advance(0);
    assert.deepEqual(await entriesOf(disk.files.get(`/storage/${file}`) ?? ''), [1]);
  });

  it('writes what was refused when the window closes', async () => {
    const files = open();
    disk.code = 'EACCES';
    add(files, 1);
    await files.flush();
    disk.code = undefined;
    add(files, 2);
    files.dispose();
    assert.deepEqual(await entriesOf(disk.files.get(`/storage/${file}`) ?? ''), [1, 2]);
  });

  it('says so when the file cannot be read, once', async () => {
    const files = open();
    disk.read = async () => Promise.reject(failure('EIO'));
    for (let n = 0; n < 2; n++) await assert.rejects(files.read(month, 0), { code: 'EIO' });
    assert.deepEqual(problems, [{ kind: 'read', code: 'EIO', calls: 0 }]);
  });

  it('says so again only after it could be read meanwhile, and not beside a failed write', async () => {
    const files = open();
    const read = disk.read.bind(disk);
    for (const failing of [failRead, read, failRead]) {
      disk.read = failing;
      await files.read(month, 0).catch(() => undefined);
    }
    assert.deepEqual(
      problems.map(problem => problem?.kind),
      ['read', 'read'],
    );
    const others = open({ disk });
    problems = [];
    disk.code = 'EACCES';
    add(others, 1);
    await others.flush();
    await others.read(month, 0).catch(() => undefined);
    assert.deepEqual(
      problems.map(problem => problem?.kind),
      ['write'],
    );
  });

  it('writes the calls of half a second together, and tells the month', async () => {
    const time = new VirtualTime();
    const files = open({ disk, clock: time });
    const written: string[] = [];
    const listening = files.onDidWrite(one => written.push(one));
    let appends = 0;
    const append = disk.append.bind(disk);
    disk.append = async (at, text) => {
      appends++;
      return append(at, text);
    };
    add(files, 1);
    await time.advance(499);
    add(files, 2);
    assert.equal(appends, 0);
    await time.advance(1);
    await time.advance(0);
    assert.equal(appends, 1);
    assert.deepEqual(written, [month]);
    assert.equal(await files.flush(), true);
    assert.equal(appends, 1);
    listening.dispose();
    add(files, 3);
    await files.flush();
    assert.deepEqual(written, [month]);
  });

  it('tries again after 5 s, then after twice as long, at most a minute', async () => {
    const time = new VirtualTime();
    const files = open({ disk, clock: time });
    const tries: number[] = [];
    const append = disk.append.bind(disk);
    disk.append = async (at, text) => {
      tries.push(time.monotonic());
      return append(at, text);
    };
    disk.code = 'EACCES';
    add(files, 1);
    for (let second = 0; second < 400; second++) await time.advance(500);
    assert.deepEqual(
      tries.slice(1).map((at, n) => Math.round((at - (tries[n] ?? 0)) / 1000)),
      [5, 10, 20, 40, 60, 60],
    );
    disk.code = undefined;
    for (let second = 0; second < 120; second++) await time.advance(500);
    disk.code = 'EACCES';
    add(files, 2);
    await time.advance(500);
    const { length } = tries;
    await time.advance(5500);
    assert.equal(tries.length, length + 1, 'it begins with 5 s again');
  });

  it('keeps at most 50,000 lines that the disk refuses, and says how many are lost', async () => {
    const files = open();
    disk.code = 'ENOSPC';
    for (let call = 0; call < 50_000; call++) files.append(month, `${call}\n`);
    await files.flush();
    assert.deepEqual(lines, ['costs: 50000 calls could not be written (ENOSPC)']);
    for (let call = 0; call < 3; call++) files.append(month, 'last\n');
    await files.flush();
    assert.equal(
      lines.at(-1),
      'costs: 50003 calls could not be written (ENOSPC); the oldest 3 are lost',
    );
    assert.equal(files.unwritten, 50_000);
    disk.code = undefined;
    await files.flush();
    assert.equal(lines.at(-1), 'costs: everything is written');
    const { text } = await files.read(month, 0);
    assert.ok(text.startsWith('3\n') && text.endsWith('last\nlast\nlast\n'));
  });

  it('reads on where it ended, complete lines only', async () => {
    const files = open();
    files.append(month, 'ä1\n');
    const { text, next } = await files.read(month, 0);
    assert.deepEqual([text, next], ['ä1\n', 4]);
    const at = `/storage/${file}`;
    disk.files.set(at, 'ä1\nb2\nc');
    assert.deepEqual(await files.read(month, next), { text: 'b2\n', next: 7, unwritten: '' });
    // Deleted meanwhile, and begun again by another window.
    disk.files.set(at, 'n\n');
    assert.deepEqual(await files.read(month, 7), { text: 'n\n', next: 2, unwritten: '' });
    assert.deepEqual(await files.read('2026-01', 7), { text: '', next: 0, unwritten: '' });
  });

  it('lists the months, latest first, also those that are not written yet', async () => {
    const files = open();
    for (const name of ['costs-2026-02.jsonl', 'costs-2025-12.jsonl', 'costs-x.jsonl', 'a.txt'])
      disk.files.set(`/storage/${name}`, '');
    files.append('2026-03', 'x\n');
    assert.deepEqual(await files.months(), ['2026-03', '2026-02', '2025-12']);
  });

  it('keeps everything in memory where there is no folder, and says that it is not kept', async () => {
    const files = open({ folder: undefined });
    assert.equal(files.isKept, false);
    assert.equal(open().isKept, true);
    const told: string[] = [];
    files.onDidWrite(one => told.push(one));
    files.append(month, 'ä\n');
    files.append(month, 'b\n');
    assert.deepEqual(await files.read(month, 3), { text: 'b\n', next: 5, unwritten: '' });
    assert.deepEqual(await files.read('2026-01', 0), { text: '', next: 0, unwritten: '' });
    assert.deepEqual(await files.months(), [month]);
    assert.equal(await files.flush(), false);
    assert.deepEqual(told, [month]);
    assert.deepEqual(problems, []);
  });

  it('counts refused calls for the budget, before and after they are written', async () => {
    const files = open();
    let clock = now;
    const billing = new LedgerBilling({
      store: files,
      clock: { now: () => clock },
      modelPrice: () => ({ price: { input: 1, output: 1 }, isLive: true }),
      budget: () => ({ usd: 9, stops: true }),
      onWarning: () => undefined,
      log: line => lines.push(line),
    });
    const call = async (): Promise<void> => {
      await billing.admit('chat');
      await billing.record({
        operation: 'chat',
        model: 'm',
        at: clock,
        ms: 1,
        attempts: 1,
        requestId: undefined,
        result: 'ok',
        charge: {
          kind: 'tokens',
          model: 'm',
          usage: { promptTokens: 1_000_000, completionTokens: 0 },
          answerChars: 0,
        },
        sentChars: 4,
        partialChars: 0,
      });
      // Old enough to be read again at the next call.
      clock += 61_000;
    };
    for (let n = 0; n < 9; n++) {
      disk.code = n >= 3 && n < 6 ? 'ENOSPC' : undefined;
      await call();
    }
    assert.equal((await failureOf(call())).kind, 'budget');
    disk.code = undefined;
    await files.flush();
    clock += 61_000;
    assert.equal((await failureOf(call())).kind, 'budget');
    assert.equal((await parseLedger((await files.read(month, 0)).text)).entries.length, 9);
  });

  describe('on a real disk', () => {
    let folder: string;
    beforeEach(() => {
      folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'ledger-')), 'storage');
    });
    afterEach(() => {
      rmSync(path.dirname(folder), { recursive: true, force: true });
    });
    const real = () => {
      const files = new LedgerFiles({
        folder,
        log: line => lines.push(line),
        onProblem: problem => problems.push(problem),
      });
      opened.push(files);
      return files;
    };

    it('goes on in a new file after its folder was deleted', async () => {
      const files = real();
      add(files, 1, 2, 3);
      const { next } = await files.read(month, 0);
      rmSync(folder, { recursive: true });
      add(files, 4);
      const part = await files.read(month, next);
      assert.deepEqual(await entriesOf(part.text), [4]);
      assert.equal(part.unwritten, '');
      assert.deepEqual(problems, []);
    });

    it('gives a line that was cut off an end before it writes', async () => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, file), ledgerLine(entry(1)) + '{"at":1,"oper');
      const files = real();
      add(files, 2);
      await files.flush();
      assert.deepEqual(await entriesOf(readFileSync(path.join(folder, file), 'utf8')), [1, 2]);
      add(files, 3);
      files.dispose();
      assert.deepEqual(await entriesOf(readFileSync(path.join(folder, file), 'utf8')), [1, 2, 3]);
    });

    it('holds each line once, and nothing else', async () => {
      const files = real();
      add(files, 1);
      await files.flush();
      add(files, 2);
      await files.flush();
      add(files, 3);
      files.dispose();
      files.dispose();
      const written = [1, 2, 3].map(ms => ledgerLine(entry(ms))).join('');
      assert.equal(readFileSync(path.join(folder, file), 'utf8'), written);
    });

    it('is written by a window that closes, with its folder', () => {
      const files = real();
      add(files, 1);
      files.dispose();
      assert.equal(readFileSync(path.join(folder, file), 'utf8'), ledgerLine(entry(1)));
    });

    it('has no months where there is no folder yet', async () => {
      const files = real();
      assert.deepEqual(await files.months(), []);
      assert.deepEqual(await files.read(month, 0), { text: '', next: 0, unwritten: '' });
      add(files, 1);
      await files.flush();
      assert.deepEqual(await files.months(), [month]);
      const taken = new LedgerFiles({ folder: path.join(folder, file), log: () => undefined });
      await assert.rejects(taken.months(), { code: 'ENOTDIR' });
    });

    it('leaves no file open when a window closes', function () {
      if (!existsSync('/proc/self/fd')) this.skip();
      const before = readdirSync('/proc/self/fd').length;
      for (let n = 0; n < 5; n++) {
        const files = real();
        add(files, n);
        files.dispose();
      }
      assert.equal(readdirSync('/proc/self/fd').length, before);
    });

    it('keeps the lines while the place of the folder is taken', async () => {
      writeFileSync(folder, '');
      const files = real();
      add(files, 1);
      assert.equal(await files.flush(), false);
      assert.equal(problems.length, 1);
      rmSync(folder);
      assert.equal(await files.flush(), true);
      assert.deepEqual(await entriesOf(readFileSync(path.join(folder, file), 'utf8')), [1]);
      assert.ok(!lines.some(line => line.includes(folder)));
    });

    it('keeps the lines while the folder is read-only', async function () {
      // Neither root nor Windows is stopped by the mode of a folder.
      if (process.getuid?.() === 0 || process.platform === 'win32') this.skip();
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o555);
      const files = real();
      add(files, 1);
      assert.equal(await files.flush(), false);
      assert.equal(problems[0]?.code, 'EACCES');
      chmodSync(folder, 0o755);
      assert.equal(await files.flush(), true);
    });
  });
});
