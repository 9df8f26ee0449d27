import assert from 'node:assert/strict';
import { ReviewScope } from '../../../../../src/apply/external/disk/reviewScope';
import { GitRoot, gitOf, withoutUserSettings } from './gitRoot';
import { TestRoot } from './testRoot';

const isTracked = (below: string): boolean => below === 'venv/tracked.py';

describe('the files that are reviewed', () => {
  withoutUserSettings();
  let disk: TestRoot;
  afterEach(() => disk.remove());

  it('are none of git, of what programs fill, or of our own', () => {
    disk = new TestRoot();
    const scope = new ReviewScope({ root: disk.root, excludes: [] });
    for (const below of [
      '',
      '.git',
      '.git/config',
      'sub/.GIT/HEAD',
      'in/.splice-draft-0123',
      'node_modules/m/index.js',
      'a/b/__pycache__/m.pyc',
    ]) {
      assert.ok(scope.isLeftOut(below), below);
    }
    for (const below of ['a.txt', '.github/x.yml', '.gitignore', 'node_modules.txt', 'venv']) {
      assert.ok(!scope.isLeftOut(below), below);
    }
    assert.ok(scope.isLeftOut('venv', true) && scope.isLeftOut('a/node_modules', true));
    assert.ok(!scope.isLeftOut('a', true));
  });

  it('are those of git, in whatever folder', () => {
    disk = new TestRoot();
    const scope = new ReviewScope({ root: disk.root, excludes: [], isTracked });
    assert.ok(!scope.isLeftOut('venv/tracked.py') && scope.isLeftOut('venv/other.py'));
  });

  it('are none of another repository', async () => {
    disk = new TestRoot({
      'sub/deep/a.txt': '',
      'sub/.git/HEAD': '',
      'module/.git': 'gitdir: x',
      'b/c.txt': '',
    });
    const scope = new ReviewScope({ root: disk.root, excludes: [] });
    assert.ok(scope.isRepository('sub') && scope.isRepository('module'));
    const paths = ['sub/deep/a.txt', 'sub/gone.txt', 'module/x.txt', 'b/c.txt', 'sub'];
    assert.deepEqual([...scope.repositories], []);
    assert.deepEqual(await scope.reviewed(paths), ['b/c.txt', 'sub']);
    assert.deepEqual([...scope.repositories], ['sub', 'module']);
  });

  it('are not those that the settings exclude, nor any in an excluded folder', async () => {
    disk = new TestRoot({ 'a.js': '', 'a.ts': '', 'b.js': '', 'lib/c.js': '', 'lib.ts': '' });
    const excludes = [
      '**/*.map',
      '/build',
      'docs/**/x',
      { glob: '**/*.js', when: '$(basename).ts' },
    ];
    excludes.push({ glob: 'lib', when: 'lib.ts' });
    const scope = new ReviewScope({ root: disk.root, excludes });
    for (const below of ['a.map', 'in/a.map', 'build/deep/x.txt', 'docs/a/x', 'docs/a/x/y.txt']) {
      assert.ok(scope.isLeftOut(below), below);
    }
    assert.ok(!scope.isLeftOut('in/build/x.txt'));
    const paths = ['a.js', 'a.ts', 'b.js', 'in/a.map', 'lib/c.js', 'lib.ts', 'gone/d.js'];
    assert.deepEqual(await scope.reviewed(paths), ['a.ts', 'b.js', 'lib.ts', 'gone/d.js']);
  });

  it('are not those that git ignores, but for the rules themselves', async () => {
    const repository = new GitRoot({
      '.gitignore': '*.log\nout/\n.gitignore\n',
      'in/.gitignore': '*.txt\n',
      'out/.gitignore': '*\n',
      'tracked.log': '',
    });
    disk = repository;
    repository.git('add', '-f', 'tracked.log');
    const git = await gitOf(disk.root);
    const scope = new ReviewScope({ root: disk.root, excludes: [], git });
    const paths = ['.gitignore', 'a.log', 'a.ts', 'in/.gitignore', 'in/a.txt', 'in/b.ts'];
    paths.push('out/.gitignore', 'out/a.ts', 'tracked.log', '.git/config');
    const expected = ['.gitignore', 'a.ts', 'in/.gitignore', 'in/b.ts', 'tracked.log'];
    assert.deepEqual(await scope.reviewed(paths), expected);
    assert.deepEqual(await scope.reviewed(['.git/x']), []);
  });
});
