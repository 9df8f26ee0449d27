import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { type Content, contentOf } from '../../../../../src/apply/external/core/content';
import {
  isDraft,
  RootFiles,
  type RootFilesOptions,
} from '../../../../../src/apply/external/disk/diskFiles';
import { TestRoot } from './testRoot';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const content = (text: string): Content => contentOf(bytesOf(text), 'sha1');
const absent: Content = { kind: 'absent' };
const failing = async (): Promise<void> => {
  throw new Error('it fails');
};

describe('the files of a root', () => {
  let disk: TestRoot;
  beforeEach(() => {
    disk = new TestRoot({ 'a.txt': 'one\n', 'in/b.txt': 'two\n', '../outside/c.txt': 'three\n' });
  });
  afterEach(() => disk.remove());

  const files = (options: Partial<RootFilesOptions> = {}): RootFiles =>
    new RootFiles({
      root: disk.root,
      algorithm: 'sha1',
      moveToTrash: async () => assert.fail('the trash is not asked for'),
      ...options,
    });
  const textOf = async (name: string): Promise<string | undefined> => {
    const bytes = await files().read(name);
    return bytes && new TextDecoder().decode(bytes);
  };
  /** What is in the root and beside it, with no draft among it. */
  const unchanged = (run: () => Promise<void>) => async () => {
    const before = disk.names();
    await run();
    assert.deepEqual(disk.names(), before);
    assert.equal(disk.read('../outside/c.txt'), 'three\n');
  };

  describe('reading', () => {
    it('gives the bytes of regular files, and nothing where there is no file', async () => {
      disk.write('empty.txt', '');
      assert.equal(await textOf('a.txt'), 'one\n');
      assert.equal(await textOf('in/b.txt'), 'two\n');
      assert.equal(await textOf('empty.txt'), '');
      assert.equal(await textOf('missing.txt'), undefined);
      assert.equal(await textOf('missing/folder/x.txt'), undefined);
      assert.equal(await textOf('a.txt/x'), undefined);
      assert.equal(await textOf('in'), undefined);
    });

    it('reads no link, no pipe, and nothing through a folder that leads out', async () => {
      symlinkSync('a.txt', disk.at('link.txt'));
      symlinkSync('../outside', disk.at('out'));
      symlinkSync('nowhere', disk.at('dangling'));
      symlinkSync('loop', disk.at('loop'));
      execFileSync('mkfifo', [disk.at('pipe')]);
      for (const name of ['link.txt', 'out/c.txt', 'dangling/x', 'loop', 'loop/x', 'pipe']) {
        assert.equal(await textOf(name), undefined, name);
      }
    });

    it('follows a folder that leads to another folder of the root', async () => {
      symlinkSync('in', disk.at('alias'));
      assert.equal(await textOf('alias/b.txt'), 'two\n');
    });

    it('reads nothing by names that are none, and nothing of git', async () => {
      disk.write('.git/config', 'x');
      disk.write('in/.GIT/config', 'x');
      const names = ['', '.', '..', '../outside/c.txt', 'in/../a.txt', './a.txt', 'in//b.txt'];
      names.push('a.txt\0', '/etc/hostname', '.git/config', 'in/.GIT/config', '.git');
      for (const name of names) assert.equal(await textOf(name), undefined, JSON.stringify(name));
    });

    it('reads nothing of git through a link', async () => {
      disk.write('.git/config', 'x');
      symlinkSync('.git', disk.at('data'));
      assert.equal(await textOf('data/config'), undefined);
    });

    it('takes no root that is gone for deleted files', async () => {
      rmSync(disk.root, { recursive: true });
      await assert.rejects(files().read('a.txt'), { code: 'ENOENT' });
    });

    it('does not load files of more than 64 MB', async () => {
      execFileSync('truncate', ['--size=67108865', disk.at('large')]);
      await assert.rejects(files().read('large'), RangeError);
    });
  });

  describe('replacing', () => {
    it('writes when the file has the expected bytes, and leaves no draft', async () => {
      const before = disk.names();
      assert.equal(await files().replace('a.txt', content('one\n'), bytesOf('new\n')), 'done');
      assert.equal(disk.read('a.txt'), 'new\n');
      assert.deepEqual(disk.names(), before);
    });

    it('compares with the ids of sha256 where the repository has them', async () => {
      const expected = contentOf(bytesOf('one\n'), 'sha256');
      const write = files({ algorithm: 'sha256' });
      assert.equal(await write.replace('a.txt', content('one\n'), bytesOf('x')), 'changed');
      assert.equal(await write.replace('a.txt', expected, bytesOf('x')), 'done');
    });

    it(
      'writes nothing when the bytes are others, of the same length too, or not known',
      unchanged(async () => {
        for (const expected of [content('uno\n'), absent, { kind: 'unknown' } as const]) {
          assert.equal(await files().replace('a.txt', expected, bytesOf('new\n')), 'changed');
        }
        assert.equal(await files().replace('gone.txt', content('one\n'), bytesOf('x')), 'changed');
        assert.equal(await files().replace('no/f.txt', content('one\n'), bytesOf('x')), 'changed');
        assert.equal(disk.read('a.txt'), 'one\n');
      }),
    );

    it(
      'writes nothing when the file changes after the first comparison',
      unchanged(async () => {
        const sync = async (): Promise<void> => writeFileSync(disk.at('a.txt'), 'other\n');
        const outcome = files({ sync }).replace('a.txt', content('one\n'), bytesOf('new\n'));
        assert.equal(await outcome, 'changed');
        assert.equal(disk.read('a.txt'), 'other\n');
      }),
    );

    it('writes nothing when a link takes the place of the file in the meantime', async () => {
      const sync = async (): Promise<void> => {
        unlinkSync(disk.at('a.txt'));
        symlinkSync('../outside/c.txt', disk.at('a.txt'));
      };
      const outcome = files({ sync }).replace('a.txt', content('one\n'), bytesOf('new\n'));
      assert.equal(await outcome, 'changed');
      assert.equal(disk.read('../outside/c.txt'), 'three\n');
    });

    it('writes nothing when a link takes the place of the folder in the meantime', async () => {
      disk.write('../outside/b.txt', 'two\n');
      const sync = async (): Promise<void> => {
        renameSync(disk.at('in'), disk.at('moved'));
        symlinkSync('../outside', disk.at('in'));
      };
      const outcome = files({ sync }).replace('in/b.txt', content('two\n'), bytesOf('new\n'));
      assert.equal(await outcome, 'refused');
      assert.equal(disk.read('../outside/b.txt'), 'two\n');
      assert.equal(disk.read('moved/b.txt'), 'two\n');
    });

    it('keeps the mode', async () => {
      for (const mode of [0o755, 0o600, 0o664, 0o444 | 0o200]) {
        const file = disk.write('mode.sh', 'x');
        chmodSync(file, mode);
        assert.equal(await files().replace('mode.sh', content('x'), bytesOf('y')), 'done');
        assert.equal(statSync(file).mode & 0o7777, mode);
      }
    });

    it('leaves the bytes of another name of the same file alone', async () => {
      linkSync(disk.at('a.txt'), disk.at('../outside/hard.txt'));
      assert.equal(await files().replace('a.txt', content('one\n'), bytesOf('new\n')), 'done');
      assert.equal(disk.read('../outside/hard.txt'), 'one\n');
    });

    it('says that a file or its folder is read-only', async () => {
      chmodSync(disk.at('a.txt'), 0o444);
      assert.equal(await files().replace('a.txt', content('one\n'), bytesOf('x')), 'readOnly');
      chmodSync(disk.at('in'), 0o555);
      assert.equal(await files().replace('in/b.txt', content('two\n'), bytesOf('x')), 'readOnly');
      assert.equal(await files().replace('in/new.txt', absent, bytesOf('x')), 'readOnly');
      chmodSync(disk.at('in'), 0o755);
      assert.deepEqual([disk.read('a.txt'), disk.read('in/b.txt')], ['one\n', 'two\n']);
    });

    it('says that the disk is read-only', async () => {
      for (const code of ['EACCES', 'EPERM', 'EROFS']) {
        const sync = async (): Promise<void> => {
          throw Object.assign(new Error(code), { code });
        };
        const outcome = files({ sync }).replace('a.txt', content('one\n'), bytesOf('x'));
        assert.equal(await outcome, 'readOnly');
      }
    });

    it(
      'leaves the file and no draft when the disk fails',
      unchanged(async () => {
        const write = files({ sync: failing });
        await assert.rejects(write.replace('a.txt', content('one\n'), bytesOf('x')), /it fails/);
        await assert.rejects(write.replace('x/y/new.txt', absent, bytesOf('x')), /it fails/);
        assert.equal(disk.read('a.txt'), 'one\n');
      }),
    );

    it(
      'refuses what lies outside, behind links, or in the data of git',
      unchanged(async () => {
        disk.write('.git/config', 'x');
        disk.write('.git/hooks/pre-commit', 'x');
        symlinkSync('../outside', disk.at('out'));
        symlinkSync('../outside/new', disk.at('dangling'));
        symlinkSync('.git', disk.at('data'));
        const before = disk.names();
        const names = ['../outside/c.txt', 'out/c.txt', 'out/new.txt', 'dangling/x', 'data/config'];
        names.push(
          '.git/hooks/pre-commit',
          '.git/hooks/post-commit',
          '.Git/config',
          '..',
          '',
          '/x',
        );
        names.push('sub/.git/config', '.git', 'git~1/config', '.git./config', '.g\u200cit/config');
        for (const name of names) {
          for (const expected of [content('three\n'), content('x'), absent]) {
            const outcome = await files().replace(name, expected, bytesOf('evil'));
            assert.equal(outcome, 'refused', JSON.stringify(name));
          }
          assert.equal(await files().trash(name, content('x')), 'refused', JSON.stringify(name));
        }
        assert.deepEqual(disk.names(), before);
        assert.equal(disk.read('.git/hooks/pre-commit'), 'x');
        for (const name of ['.git', 'out', 'dangling', 'data']) {
          rmSync(disk.at(name), { recursive: true });
        }
      }),
    );
  });

  describe('creating', () => {
    it('makes the folders, and gives no more rights than usual', async () => {
      assert.equal(await files().replace('x/y/new.txt', absent, bytesOf('new\n')), 'done');
      assert.equal(disk.read('x/y/new.txt'), 'new\n');
      assert.equal(statSync(disk.at('x/y/new.txt')).mode, statSync(disk.write('n', '')).mode);
      assert.deepEqual(
        disk.names().filter(name => isDraft(name)),
        [],
      );
    });

    it('makes a file executable that was', async () => {
      const write = files({ isExecutable: below => below === 'bin/run' });
      await write.replace('bin/run', absent, bytesOf('#!/bin/sh\n'));
      await write.replace('bin/read', absent, bytesOf(''));
      assert.equal(statSync(disk.at('bin/run')).mode & 0o100, 0o100);
      assert.equal(statSync(disk.at('bin/read')).mode & 0o111, 0);
    });

    it('does not write over a file that appears in the meantime, and takes its folders away', async () => {
      const before = disk.names();
      const sync = async (): Promise<void> => {
        disk.write('x/y/new.txt', 'theirs\n');
      };
      assert.equal(await files({ sync }).replace('x/y/new.txt', absent, bytesOf('n')), 'changed');
      assert.equal(disk.read('x/y/new.txt'), 'theirs\n');
      rmSync(disk.at('x'), { recursive: true });
      const remove = async (): Promise<void> => {
        rmSync(disk.at('x/y'), { recursive: true });
        throw new Error('gone');
      };
      await assert.rejects(files({ sync: remove }).replace('x/y/z/n', absent, bytesOf('n')));
      assert.deepEqual(disk.names(), before);
    });

    it('does not write where a folder becomes a link', async () => {
      mkdirSync(disk.at('x'));
      const sync = async (): Promise<void> => {
        rmSync(disk.at('x'), { recursive: true });
        symlinkSync('../outside', disk.at('x'));
      };
      assert.equal(await files({ sync }).replace('x/new.txt', absent, bytesOf('n')), 'refused');
      assert.ok(!disk.names().includes('outside/new.txt'));
    });

    it(
      'does not write where there is a link, a folder, or a file in place of a folder',
      unchanged(async () => {
        symlinkSync('../outside/new.txt', disk.at('link'));
        for (const name of ['link', 'in', 'a.txt/x']) {
          assert.equal(await files().replace(name, absent, bytesOf('n')), 'refused', name);
        }
        unlinkSync(disk.at('link'));
      }),
    );
  });

  describe('moving to the trash', () => {
    it('gives the trash the file with the expected bytes', async () => {
      const moved: string[] = [];
      const moveToTrash = async (file: string): Promise<void> => {
        moved.push(file);
        unlinkSync(file);
      };
      assert.equal(await files({ moveToTrash }).trash('in/b.txt', content('two\n')), 'done');
      assert.deepEqual(moved, [disk.at('in/b.txt')]);
    });

    it('leaves a file with other bytes, and one that is read-only', async () => {
      assert.equal(await files().trash('a.txt', content('uno\n')), 'changed');
      assert.equal(await files().trash('a.txt', absent), 'changed');
      assert.equal(await files().trash('missing.txt', content('one\n')), 'changed');
      chmodSync(disk.at('a.txt'), 0o444);
      assert.equal(await files().trash('a.txt', content('one\n')), 'readOnly');
    });

    it('does not delete for good where the trash fails or does nothing', async () => {
      const withoutTrash = files({ moveToTrash: failing });
      assert.equal(await withoutTrash.trash('a.txt', content('one\n')), 'refused');
      const outcome = files({ moveToTrash: async () => undefined }).trash(
        'a.txt',
        content('one\n'),
      );
      assert.equal(await outcome, 'refused');
      assert.equal(disk.read('a.txt'), 'one\n');
    });

    it('moves nothing through a folder that leads out', async () => {
      symlinkSync('../outside', disk.at('out'));
      assert.equal(await files().trash('out/c.txt', content('three\n')), 'refused');
      assert.equal(disk.read('../outside/c.txt'), 'three\n');
    });
  });

  it('knows the drafts by their names', () => {
    assert.ok(isDraft('.splice-draft-0123456789abcdef') && isDraft('a/b/.splice-draft-00'));
    assert.ok(!isDraft('a.txt') && !isDraft('.splice-draft-x/a.txt'));
  });
});
