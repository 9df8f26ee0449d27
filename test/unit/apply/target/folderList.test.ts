import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderList, type ListSettings } from '../../../../src/apply/target/folderList';

const plain: ListSettings = {
  excludes: [],
  useIgnoreFiles: true,
  followsLinks: false,
  maxFiles: 100,
};
const { signal } = new AbortController();

describe('FolderList', () => {
  let top = '';
  let root = '';
  /** Paths that the list has made items of since it was last read, each once per reading of its folder. */
  let made: string[] = [];

  function write(file: string, text = ''): void {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }

  function remove(file: string): void {
    rmSync(path.join(root, file), { recursive: true });
  }

  /** Dates back all that there is, so that whatever is changed from now on has another time. */
  function dateBack(folder = top): void {
    // The recursive `readdirSync` follows links, also in circles.
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) dateBack(file);
      if (!entry.isSymbolicLink()) utimesSync(file, 1, 1);
    }
  }

  function fileAt(below: string): string {
    made.push(below);
    return below;
  }

  function newList({ isRacy = false } = {}): FolderList<string> {
    // An hour later, nothing has changed only just now.
    return new FolderList(root, fileAt, () => Date.now() + (isRacy ? 0 : 3_600_000));
  }

  async function listed(list: FolderList<string>, settings = plain): Promise<string[]> {
    made = [];
    return (await list.files(settings, signal)).toSorted();
  }

  beforeEach(() => {
    top = realpathSync(mkdtempSync(path.join(tmpdir(), 'folder-list-')));
    root = path.join(top, 'root');
    for (const file of ['a.ts', 'src/b.ts', 'src/deep/c.ts']) write(file);
  });
  afterEach(() => rmSync(top, { recursive: true }));

  it('reads no folder again in which nothing has changed', async () => {
    const list = newList();
    dateBack();
    assert.deepEqual(await listed(list), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
    assert.equal(made.length, 3);
    assert.deepEqual(await listed(list), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
    assert.deepEqual(made, []);
  });

  it('reads a folder again that changed just before it was read', async () => {
    const list = newList({ isRacy: true });
    await listed(list);
    await listed(list);
    assert.deepEqual(made.toSorted(), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
  });

  const changes: readonly {
    readonly name: string;
    readonly change: () => void;
    readonly files: readonly string[];
    /** What is read again. */
    readonly read?: readonly string[];
  }[] = [
    {
      name: 'a new file',
      change: () => write('src/new.ts'),
      files: ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/new.ts'],
      read: ['src/b.ts', 'src/new.ts'],
    },
    {
      name: 'a new folder',
      change: () => write('src/more/and/more/new.ts'),
      files: ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/more/and/more/new.ts'],
      read: ['src/b.ts', 'src/more/and/more/new.ts'],
    },
    { name: 'a deleted file', change: () => remove('src/b.ts'), files: ['a.ts', 'src/deep/c.ts'] },
    { name: 'a deleted folder', change: () => remove('src'), files: ['a.ts'] },
    {
      name: 'a folder that was deleted and made again',
      change: () => {
        remove('src');
        write('src/new.ts');
      },
      files: ['a.ts', 'src/new.ts'],
    },
    {
      name: 'a file in place of a folder',
      change: () => {
        remove('src');
        write('src');
      },
      files: ['a.ts', 'src'],
    },
    {
      name: 'a new ignore file',
      change: () => write('src/.gitignore', 'deep\n'),
      files: ['a.ts', 'src/.gitignore', 'src/b.ts'],
    },
    {
      name: 'an ignore file in a new folder',
      change: () => {
        write('src/more/new.ts');
        write('src/more/.ignore', 'new.ts\n');
      },
      files: ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/more/.ignore'],
    },
    {
      name: 'an ignore file above the root',
      change: () => write('../.gitignore', 'b.ts\n'),
      files: ['a.ts', 'src/deep/c.ts'],
    },
    {
      name: 'the start of a repository with rules of its own',
      change: () => write('.git/info/exclude', 'c.ts\n'),
      files: ['a.ts', 'src/b.ts'],
    },
  ];
  for (const { name, change, files, read } of changes) {
    it(`sees ${name}`, async () => {
      const list = newList();
      dateBack();
      await listed(list);
      change();
      assert.deepEqual(await listed(list), files);
      if (read) assert.deepEqual(made.toSorted(), read);
    });
  }

  it('reads no other folder again for a new file beside an ignore file', async () => {
    write('src/.gitignore', '*.log\n');
    const list = newList();
    dateBack();
    await listed(list);
    write('src/new.ts');
    write('src/new.log');
    const files = ['src/.gitignore', 'src/b.ts', 'src/new.ts'];
    assert.deepEqual(await listed(list), ['a.ts', ...files, 'src/deep/c.ts'].toSorted());
    assert.deepEqual(made.toSorted(), files);
  });

  it('sees that an ignore file has another text, or is gone', async () => {
    write('src/.gitignore', 'b.ts\n');
    const list = newList();
    dateBack();
    assert.deepEqual(await listed(list), ['a.ts', 'src/.gitignore', 'src/deep/c.ts']);
    write('src/.gitignore', 'deep\n');
    assert.deepEqual(await listed(list), ['a.ts', 'src/.gitignore', 'src/b.ts']);
    dateBack();
    await listed(list);
    remove('src/.gitignore');
    assert.deepEqual(await listed(list), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
  });

  it('reads all again after an ignore file that changed just before it was read', async () => {
    write('src/.gitignore', 'b.ts\n');
    const list = newList({ isRacy: true });
    await listed(list);
    await listed(list);
    assert.deepEqual(made.toSorted(), ['a.ts', 'src/.gitignore', 'src/deep/c.ts']);
  });

  it('follows the ignore file of a folder that is gone for a while', async () => {
    const list = newList();
    dateBack();
    await listed(list);
    remove('src');
    dateBack();
    assert.deepEqual(await listed(list), ['a.ts']);
    write('src/b.ts');
    write('src/.gitignore', 'b.ts\n');
    assert.deepEqual(await listed(list), ['a.ts', 'src/.gitignore']);
  });

  it('sees other settings', async () => {
    write('src/.gitignore', 'b.ts\n');
    const list = newList();
    dateBack();
    await listed(list);
    assert.deepEqual(await listed(list, { ...plain, excludes: ['**/deep'] }), [
      'a.ts',
      'src/.gitignore',
    ]);
    assert.deepEqual(await listed(list, { ...plain, useIgnoreFiles: false }), [
      'a.ts',
      'src/.gitignore',
      'src/b.ts',
      'src/deep/c.ts',
    ]);
  });

  it('leaves out what a sibling hides, until the sibling is gone', async () => {
    write('src/b.js');
    const list = newList();
    const settings = { ...plain, excludes: [{ glob: '**/*.js', when: '$(basename).ts' }] };
    dateBack();
    assert.deepEqual(await listed(list, settings), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
    remove('src/b.ts');
    assert.deepEqual(await listed(list, settings), ['a.ts', 'src/b.js', 'src/deep/c.ts']);
  });

  it('lists neither links nor what is in node_modules and .git', async () => {
    write('node_modules/m/index.js');
    write('src/node_modules/m/index.js');
    write('.git/config');
    symlinkSync('a.ts', path.join(root, 'link.ts'));
    symlinkSync('..', path.join(root, 'src/loop'));
    assert.deepEqual(await listed(newList()), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
  });

  it('follows links where that is wanted, and lists what is not listed without them', async () => {
    const settings = { ...plain, followsLinks: true };
    const outside = path.join(top, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'd.ts'), '');
    for (const [to, link] of [
      ['src', 'another'],
      ['..', 'src/loop'],
      ['../outside', 'linked'],
      ['../../outside', 'src/again'],
      ['a.ts', 'file.ts'],
      ['../later', 'later'],
      ['../outside', 'node_modules'],
    ] as const) {
      symlinkSync(to, path.join(root, link));
    }
    const list = newList();
    dateBack();
    const files = ['a.ts', 'file.ts', 'linked/d.ts', 'src/b.ts', 'src/deep/c.ts'];
    assert.deepEqual(await listed(list, settings), files);
    mkdirSync(path.join(top, 'later'));
    writeFileSync(path.join(top, 'later/e.ts'), '');
    writeFileSync(path.join(outside, 'f.ts'), '');
    assert.deepEqual(
      await listed(list, settings),
      [...files, 'later/e.ts', 'linked/f.ts'].toSorted(),
    );
  });

  it('lists the files nearest to the root where there are too many', async () => {
    const list = newList();
    dateBack();
    for (const maxFiles of [2, 1, 3]) {
      const files = ['a.ts', 'src/b.ts', 'src/deep/c.ts'].slice(0, maxFiles);
      assert.deepEqual(await listed(list, { ...plain, maxFiles }), files);
    }
  });

  it('lists nothing where there is no folder, and what is there once there is one', async () => {
    remove('.');
    const list = newList();
    assert.deepEqual(await listed(list), []);
    write('new.ts');
    assert.deepEqual(await listed(list), ['new.ts']);
  });

  it('stops when it is cancelled, and keeps what it knew', async () => {
    const list = newList();
    dateBack();
    await listed(list);
    write('src/new.ts');
    await assert.rejects(list.files(plain, AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual(await listed(list), ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/new.ts']);
    assert.deepEqual(made.toSorted(), ['src/b.ts', 'src/new.ts']);
  });

  it('lets two callers list at once', async () => {
    const list = newList();
    const [one, other] = await Promise.all([list.files(plain, signal), list.files(plain, signal)]);
    assert.deepEqual(one, other);
    assert.equal(one.length, 3);
  });
});
