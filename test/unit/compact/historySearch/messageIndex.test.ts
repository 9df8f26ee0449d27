import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import {
  deleteMessageIndex,
  type IndexedSession,
  MessageIndex,
} from '../../../../src/compact/historySearch/messageIndex';

const minute = 60_000;
const session = (file: string, at: number, ...messages: string[]): IndexedSession => ({
  path: file,
  stamp: `${at}`,
  at,
  messages,
});

describe('the index of messages', () => {
  let folder: string;
  let file: string;
  let index: MessageIndex;
  let isOpen = false;
  const open = async (): Promise<void> => {
    index = await MessageIndex.open(file);
    isOpen = true;
  };
  const found = (match: string): string[] =>
    Array.from(index.find(match), hit => `${hit.path} ${hit.message}`);

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'splice-index-'));
    file = path.join(folder, 'own', 'messages.db');
    await open();
  });
  const close = (): void => {
    if (isOpen) index.close();
    isOpen = false;
  };
  afterEach(() => {
    close();
    rmSync(folder, { recursive: true });
  });

  it('finds messages by their words, those of the newest files first', () => {
    index.replace([
      session('/new', 9 * minute, 'the queue', 'a retry'),
      session('/old', 2 * minute, 'no', 'a queue', 'another queue'),
      session('/middle', 5 * minute, 'queue'),
    ]);
    assert.deepEqual(found('queue'), ['/new 0', '/middle 0', '/old 2', '/old 1']);
    assert.deepEqual(found('queue AND another'), ['/old 2']);
    assert.deepEqual(found('"ret"*'), ['/new 1']);
    assert.deepEqual(found('nothing'), []);
  });

  it('finds words of scripts that write no spaces', () => {
    index.replace([session('/a', 0, '全文検索')]);
    assert.deepEqual(found('"検" AND "索"'), ['/a 0']);
  });

  it('finds all messages, however many there are', () => {
    const messages = Array.from({ length: 250 }, () => 'queue');
    index.replace([session('/a', 0, ...messages), session('/b', minute, 'queue')]);
    assert.deepEqual(found('queue'), [
      '/b 0',
      ...Array.from(messages, (_, nth) => `/a ${249 - nth}`),
    ]);
  });

  it('keeps apart the files of one minute', () => {
    const files = Array.from({ length: 20 }, (_, nth) => session(`/${nth}`, 7 * minute, 'queue'));
    index.replace(files);
    index.remove(['/3']);
    index.replace([session('/next', 7 * minute + 1, 'queue')]);
    const expected = [...files.map(one => one.path).filter(one => one !== '/3'), '/next'];
    assert.deepEqual(new Set(found('queue')), new Set(expected.map(one => `${one} 0`)));
  });

  it('takes files from before 1970 and from the far future', () => {
    index.replace([
      session('/before', -5 * minute, 'queue'),
      session('/after', 1e15, 'queue'),
      session('/today', 30_000_000 * minute, 'queue'),
    ]);
    assert.deepEqual(found('queue'), ['/after 0', '/today 0', '/before 0']);
  });

  for (const order of ['the newest first', 'the oldest first', 'any order']) {
    it(`finds what is in several shards, which were filled in ${order}`, async () => {
      const few = await MessageIndex.open(path.join(folder, 'few.db'), 5);
      const known = new Map<string, IndexedSession>();
      const check = (): void => {
        const expected = [...known.values()]
          .toSorted((a, b) => b.at - a.at)
          .flatMap(({ path: name, messages }) =>
            Array.from(messages, (_, at) => `${name} ${messages.length - 1 - at}`),
          );
        const hits = Array.from(few.find('queue'), hit => `${hit.path} ${hit.message}`);
        assert.deepEqual(hits, expected);
      };
      const put = (minutes: number, count: number): void => {
        const texts = Array.from({ length: count }, () => 'a queue');
        const one = session(`/${minutes % 30}`, minutes * minute, ...texts);
        known.set(one.path, one);
        few.replace([one]);
      };
      for (let at = 1; at <= 30; at++) {
        const place = order === 'any order' ? (at * 17) % 31 : at;
        put(order === 'the newest first' ? 31 - place : place, at % 4);
      }
      check();
      few.remove(['/7', '/8', '/9', '/10']);
      for (const name of ['/7', '/8', '/9', '/10']) known.delete(name);
      check();
      // Files that were written since, and one that is older than all.
      for (const minutes of [43, 34, 45, 52, 31, 30]) put(minutes, 3);
      put(0, 2);
      check();
      few.close();
    });
  }

  /** Beginnings of words that only these messages have. */
  const rare = ['qxanthic', 'vzymurgy', 'wkumquat'];
  const wordsInFile = (): string[] => {
    const bytes = readFileSync(file);
    return rare.filter(word => bytes.includes(word));
  };
  const fillWithRareWords = (): void => {
    const filler = Array.from({ length: 2000 }, (_, at) => `word${at}`).join(' ');
    for (const [at, word] of rare.entries()) {
      index.replace([session(`/${at}`, at * minute, `${word} ${filler}`)]);
    }
  };

  it('leaves no words in the file when it is emptied', async () => {
    fillWithRareWords();
    close();
    assert.deepEqual(wordsInFile(), rare);
    await open();
    index.remove(['/0', '/1', '/2']);
    assert.deepEqual(found(`"${rare[0]}"`), []);
    close();
    assert.deepEqual(wordsInFile(), []);
    await open();
    index.replace([session('/new', 0, 'queue')]);
    assert.deepEqual(found('queue'), ['/new 0']);
  });

  it('leaves no words of another version in the file', async () => {
    fillWithRareWords();
    close();
    const database = new DatabaseSync(file);
    // As an earlier version left them, in pages that are free.
    database.exec('pragma secure_delete = off; drop table words1; pragma user_version = 1');
    database.close();
    assert.deepEqual(wordsInFile(), rare);
    await open();
    close();
    assert.deepEqual(wordsInFile(), []);
  });

  it('forgets what a file said before', () => {
    index.replace([session('/a', minute, 'one', 'two'), session('/b', minute, 'one')]);
    index.replace([session('/a', 2 * minute, 'three')]);
    assert.deepEqual(found('one'), ['/b 0']);
    assert.deepEqual(found('two'), []);
    assert.deepEqual(
      index.stamps,
      new Map([
        ['/a', `${2 * minute}`],
        ['/b', `${minute}`],
      ]),
    );
  });

  it('forgets files that are gone', () => {
    index.replace([session('/a', minute, 'one'), session('/b', minute, 'one')]);
    index.remove(['/a', '/unknown']);
    assert.deepEqual(found('one'), ['/b 0']);
    assert.deepEqual([...index.stamps.keys()], ['/b']);
  });

  it('takes all sessions or none', () => {
    index.replace([session('/a', minute, 'one')]);
    // Not removed before, since it is the same file twice.
    const twice = [session('/a', minute, 'new'), session('/b', minute), session('/b', minute)];
    assert.throws(() => index.replace(twice), /UNIQUE/);
    assert.deepEqual(found('one'), ['/a 0']);
    assert.deepEqual(found('new'), []);
    index.replace([session('/b', minute, 'two')]);
    assert.deepEqual(found('two'), ['/b 0']);
  });

  it('is there again when it is opened, also beside another window', async () => {
    index.replace([session('/a', minute, 'one')]);
    const other = await MessageIndex.open(file);
    other.replace([session('/b', 2 * minute, 'one')]);
    other.close();
    assert.deepEqual(found('one'), ['/b 0', '/a 0']);
  });

  it('holds no text and can be read by its owner only', () => {
    index.replace([session('/a', minute, 'secretword anotherword')]);
    close();
    const text = readFileSync(file, 'latin1');
    assert.ok(text.includes('/a'));
    assert.ok(!text.includes('secretword anotherword'));
    if (process.platform !== 'win32') {
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
    }
  });

  it('can be read by its owner only from the start, in a folder that others could read', async () => {
    if (process.platform === 'win32') return;
    const shared = path.join(folder, 'shared');
    mkdirSync(shared, { mode: 0o755 });
    const own = await MessageIndex.open(path.join(shared, 'messages.db'));
    own.replace([session('/a', minute, 'one')]);
    const names = readdirSync(shared);
    assert.deepEqual(names, ['messages.db', 'messages.db-shm', 'messages.db-wal']);
    for (const name of names) {
      assert.equal(statSync(path.join(shared, name)).mode & 0o777, 0o600, name);
    }
    assert.equal(statSync(shared).mode & 0o777, 0o700);
    own.close();
  });

  const reopened = async (): Promise<void> => {
    await open();
    assert.deepEqual([...index.stamps], []);
    index.replace([session('/b', minute, 'one')]);
    assert.deepEqual(found('one'), ['/b 0']);
  };

  describe('that cannot be used', () => {
    beforeEach(() => {
      index.replace([session('/a', minute, 'one')]);
      close();
    });

    it('is made anew if it is damaged', async () => {
      writeFileSync(file, 'this is no database, whatever its name says');
      await reopened();
    });

    it('is made anew if it is one of another version', async () => {
      const database = new DatabaseSync(file);
      database.exec('pragma user_version = 99');
      database.close();
      await reopened();
    });

    it('is made anew in its place if it is one of another version, which another window has open', async () => {
      const database = new DatabaseSync(file);
      database.exec('pragma user_version = 99; create table "a ""b""" (a)');
      const before = statSync(file, { bigint: true }).ino;
      await reopened();
      assert.equal(statSync(file, { bigint: true }).ino, before);
      const here = database.prepare('select path from files').all();
      assert.deepEqual(
        here.map(row => row['path']),
        ['/b'],
      );
      database.close();
    });

    it('is not deleted while another window has it for itself, but waited for', async () => {
      const database = new DatabaseSync(file);
      database.exec('pragma journal_mode = delete; begin exclusive');
      const opened = open();
      for (let turn = 0; turn < 9; turn++) await setImmediate();
      database.exec('commit');
      database.close();
      await opened;
      assert.deepEqual(found('one'), ['/a 0']);
    });
  });

  it('is deleted with all that belongs to it', () => {
    const names = ['messages.db-wal', 'messages.db-shm', 'messages.db-journal', 'messages.db'];
    close();
    for (const name of names) writeFileSync(path.join(path.dirname(file), name), '');
    writeFileSync(path.join(path.dirname(file), 'other.db'), '');
    deleteMessageIndex(file);
    assert.deepEqual(readdirSync(path.dirname(file)), ['other.db']);
    deleteMessageIndex(file);
    assert.ok(!existsSync(file));
  });
});
