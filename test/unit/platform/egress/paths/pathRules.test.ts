import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Exclude } from '../../../../../src/platform/egress/paths/excludes';
import { isIgnoredFile } from '../../../../../src/platform/egress/paths/ignoreFiles';
import { PathRules } from '../../../../../src/platform/egress/paths/pathRules';

const rules = (excludes: readonly Exclude[] = [], useIgnoreFiles = true) =>
  new PathRules({ excludes, useIgnoreFiles });

describe('which files may be sent', () => {
  let root: string;
  let home: string;
  const own: Record<string, string | undefined> = {};

  beforeEach(() => {
    const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'path-rules-')));
    [root, home] = [path.join(folder, 'work/root'), path.join(folder, 'home')];
    mkdirSync(root, { recursive: true });
    mkdirSync(home);
    // The ignore file of the machine's own git must not count.
    for (const [name, value] of [
      ['HOME', home],
      ['XDG_CONFIG_HOME', ''],
    ] as const) {
      own[name] = process.env[name];
      process.env[name] = value;
    }
  });
  afterEach(() => {
    for (const [name, value] of Object.entries(own)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(path.dirname(home), { recursive: true, force: true });
  });

  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      const file = path.resolve(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  };

  /** Those of the files that are ignored; both ways to ask must agree. */
  async function ignored(...files: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const file of files) {
      const refusal = await rules().refusal(root, file, false);
      assert.equal(await isIgnoredFile(root, file), refusal === 'ignored', file);
      if (refusal) found.push(file);
    }
    return found;
  }

  it('are not those that a .gitignore of their folder or of one above names', async () => {
    write({ '.gitignore': '*.log\n/out/\n!keep.log\n', 'src/.gitignore': 'made.ts\n!b.log\n' });
    assert.deepEqual(
      await ignored('a.log', 'keep.log', 'src/a.log', 'src/b.log', 'src/made.ts', 'made.ts'),
      ['a.log', 'src/a.log', 'src/made.ts'],
    );
    assert.deepEqual(await ignored('out/a.ts', 'out', 'src/out/a.ts'), ['out/a.ts']);
    assert.equal(await rules().refusal(root, 'out', true), 'ignored');
    assert.equal(await rules().refusal(root, 'out/deep/b.ts', false), 'ignored');
    assert.equal(await rules([], false).refusal(root, 'a.log', false), undefined);
  });

  it('follow .rgignore before .ignore, and that before .gitignore', async () => {
    write({
      '.gitignore': 'git.ts\nboth.ts\nthree.ts\n',
      '.ignore': 'own.ts\n!both.ts\nthree.ts\n',
      '.rgignore': 'rg.ts\n!three.ts\n',
    });
    assert.deepEqual(await ignored('git.ts', 'own.ts', 'rg.ts', 'both.ts', 'three.ts'), [
      'git.ts',
      'own.ts',
      'rg.ts',
    ]);
    // A deeper file of a lower kind does not overrule a higher one of a parent.
    write({ 'src/.gitignore': '!rg.ts\n', 'src/.rgignore': '!own.ts\n' });
    assert.deepEqual(await ignored('src/rg.ts', 'src/own.ts'), ['src/rg.ts']);
  });

  it('follow the .gitignore of a folder above the root, up to the root of the repository', async () => {
    write({ '../.gitignore': 'a.ts\n', '../.ignore': 'c.ts\n', '.gitignore': 'b.ts\n' });
    assert.deepEqual(await ignored('a.ts', 'b.ts', 'c.ts'), ['a.ts', 'b.ts', 'c.ts']);
    mkdirSync(path.join(root, '.git'));
    assert.deepEqual(await ignored('a.ts', 'b.ts', 'c.ts'), ['b.ts', 'c.ts']);
  });

  it('follow what git alone is told, after the files of the folders', async () => {
    write({ '.git/info/exclude': 'mine.ts\nkept.ts\n', 'src/.gitignore': '!kept.ts\n' });
    assert.deepEqual(await ignored('mine.ts', 'src/mine.ts', 'src/kept.ts'), [
      'mine.ts',
      'src/mine.ts',
    ]);
  });

  it('follow it in a worktree and in a submodule too', async () => {
    write({ '.git': 'gitdir: ../repository/worktrees/root\n' });
    write({ '../repository/worktrees/root/commondir': '../..\n' });
    write({ '../repository/info/exclude': 'mine.ts\n' });
    assert.deepEqual(await ignored('mine.ts', 'other.ts'), ['mine.ts']);
    write({
      'module/.git': 'gitdir: ../modules\n',
      'modules/info/exclude': 'sub.ts\n',
      'broken/.git': 'nothing\n',
    });
    assert.deepEqual(await ignored('module/sub.ts', 'sub.ts', 'broken/a.ts'), ['module/sub.ts']);
  });

  it('follow the global file of git, at its usual place or where the settings name it', async () => {
    write({
      [path.join(home, '.config/git/ignore')]: 'usual.ts\n',
      'src/.gitignore': '!usual.ts\n',
    });
    assert.deepEqual(await ignored('usual.ts', 'src/usual.ts', 'named.ts'), ['usual.ts']);
    write({
      [path.join(home, 'named')]: 'named.ts\n',
      [path.join(home, '.config/git/config')]: '[core]\n\texcludesFile = ~/named\n',
    });
    assert.deepEqual(await ignored('usual.ts', 'named.ts'), ['named.ts']);
    write({ [path.join(home, '.gitconfig')]: `[core]\nexcludesfile="${home}/none"\n` });
    assert.deepEqual(await ignored('usual.ts', 'named.ts'), []);
    process.env['XDG_CONFIG_HOME'] = path.join(home, 'xdg');
    rmSync(path.join(home, '.gitconfig'));
    write({ [path.join(home, 'xdg/git/ignore')]: 'xdg.ts\n' });
    assert.deepEqual(await ignored('usual.ts', 'xdg.ts'), ['xdg.ts']);
  });

  it('are not excluded, and are not private', async () => {
    write({ 'a.ts': '', 'a.js': '', 'b.js': '', 'src/c.ts': '', 'src/c.js': '' });
    const excludes = ['/out', '**/*.tmp', { glob: '**/*.js', when: '$(basename).ts' }];
    for (const [below, refusal] of [
      ['', undefined],
      ['a.ts', undefined],
      ['out', 'excluded'],
      ['out/deep/a.ts', 'excluded'],
      ['src/out/a.ts', undefined],
      ['src/a.tmp', 'excluded'],
      ['a.js', 'excluded'],
      ['b.js', undefined],
      ['src/c.js', 'excluded'],
      ['src/a.js', undefined],
      ['.env', 'private'],
      ['.aws/x.ts', 'private'],
    ] as const)
      assert.equal(await rules(excludes).refusal(root, below, false), refusal, below);
  });

  it('are the same for a folder that is walked', async () => {
    write({
      'a.ts': '',
      'a.js': '',
      'b.js': '',
      'c.log': '',
      'x.tmp': '',
      '.gitignore': '*.log\nd/',
    });
    mkdirSync(path.join(root, 'd'));
    const entries = new Set(readdirSync(root));
    const excludes = ['**/*.tmp', { glob: '**/*.js', when: '$(basename).ts' }];
    const seen = async (useIgnoreFiles: boolean): Promise<string[]> => {
      const walked = rules(excludes, useIgnoreFiles);
      const left: string[] = [];
      for (const name of [...entries].toSorted()) {
        const file = path.join(root, name);
        if (!(await walked.isLeftOut(root, file, name, name === 'd', entries))) left.push(name);
      }
      return left;
    };
    assert.deepEqual(await seen(true), ['a.ts', 'b.js']);
    assert.deepEqual(await seen(false), ['a.ts', 'b.js', 'c.log', 'd']);
  });
});
