import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { GitLog } from '../../../../src/search/local/gitLog';
import { type Change, commitAll } from '../repository';
import { TestWorkspace } from '../workspace';

const changes = (count: number, file: string): Change[] =>
  Array.from({ length: count }, (_, at): Change => [`Change ${at} of ${file}`, [file]]);

const pathsOf = (commits: readonly { paths: readonly string[] }[]): string[][] =>
  commits.map(({ paths }) => [...paths]);

describe('the log of a repository', () => {
  let workspace: TestWorkspace;
  beforeEach(() => {
    workspace = new TestWorkspace({ 'a.ts': 'a' });
  });
  afterEach(() => workspace.remove());

  it('has the files of each commit, newest first', async () => {
    const { root } = workspace;
    commitAll(root, [
      ['Start', ['a.ts', 'src/ünï b.ts']],
      ['Colours of buttons', ['src/button.ts']],
    ]);
    const commits = await new GitLog().read(root, 'HEAD');
    assert.deepEqual(pathsOf(commits), [['src/button.ts'], ['a.ts', 'src/ünï b.ts']]);
    assert.ok(commits[0]?.stems.has('button'));
    assert.equal(commits[0]?.time, 1_700_003_600);
    assert.deepEqual(commits[0]?.parents, [commits[1]?.id]);
  });

  it('is empty without a repository, and for a revision that is none', async () => {
    const { root } = workspace;
    assert.deepEqual(await new GitLog().read(root, 'HEAD'), []);
    commitAll(root, [['Start', ['a.ts']]]);
    assert.deepEqual(await new GitLog().read(root, 'no-such-branch'), []);
  });

  it('has what is new of a repository that it knows, and no more than a branch has', async () => {
    const { root } = workspace;
    const log = new GitLog();
    commitAll(root, changes(250, 'a.ts'));
    const before = await log.read(root, 'HEAD');
    assert.equal(before.length, 250);
    commitAll(root, changes(2, 'b.ts'), 250);
    const later = await log.read(root, 'HEAD');
    assert.equal(later.length, 252);
    assert.deepEqual(pathsOf(later.slice(0, 3)), [['b.ts'], ['b.ts'], ['a.ts']]);
    // Only the new ones were read.
    assert.ok(later.slice(2).every((commit, at) => commit === before[at]));
    const earlier = await log.read(root, 'HEAD~10');
    assert.equal(earlier.length, 242);
    assert.deepEqual(await log.read(root, 'HEAD'), later);
  });

  it('is read once for all who ask at the same time, and not again for what is known', async () => {
    const { root } = workspace;
    commitAll(root, changes(201, 'a.ts'));
    const log = new GitLog();
    const [first, second] = await Promise.all([log.read(root, 'main'), log.read(root, 'main')]);
    assert.equal(first, second);
    const id = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    const again = await log.read(root, id);
    assert.equal(again.length, 201);
    assert.ok(again.every((commit, at) => commit === first[at]));
  });
});
