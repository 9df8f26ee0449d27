import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../../../../src/base/process';
import { GitLog } from '../../../../src/search/local/gitLog';
import { recorder } from '../recorder';
import { TestWorkspace } from '../workspace';

describe('what git is told', () => {
  let files: TestWorkspace;
  const oldPath = process.env['PATH'];
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    files = new TestWorkspace({ 'a.ts': 'x\n' });
  });
  afterEach(() => {
    process.env['PATH'] = oldPath;
    files?.remove();
  });

  it('to run nothing that the configuration of a repository names: no file monitor, signature, diff or text conversion', async () => {
    const { program, calls } = recorder(files, 'git');
    process.env['PATH'] = path.dirname(program);
    await new GitLog().read(files.root, 'HEAD');
    await new GitLog().read(files.root, 'a'.repeat(40));
    const all = calls();
    assert.ok(
      all.some(args => args.includes('log')) && all.some(args => args.includes('rev-parse')),
    );
    for (const args of all) {
      const command = args.findIndex(arg => arg === 'log' || arg === 'rev-parse');
      const options = args.slice(0, command).join(' ');
      assert.match(options, /-c core\.fsmonitor=false/, args.join(' '));
      assert.match(options, /-c core\.hooksPath=/, args.join(' '));
    }
    const log = all.find(args => args.includes('log')) ?? [];
    for (const option of ['--no-show-signature', '--no-ext-diff', '--no-textconv'])
      assert.ok(log.includes(option), option);
    assert.equal(log.at(-1), '--');
    const asked = all.find(args => args.includes('rev-parse')) ?? [];
    assert.equal(asked.at(-2), '--end-of-options');
  });

  it('so that no program for signatures runs when a hostile repository asks for it', async function () {
    if ((await findProgram('git')) === undefined) this.skip();
    const git = (args: string[], input?: string): string =>
      execFileSync('git', args, { cwd: files.root, encoding: 'utf8', input }).trim();
    const evil = recorder(files, 'gpg');
    git(['init', '-q']);
    git(['add', '.']);
    const tree = git(['write-tree']);
    const who = 'A <a@b.test> 1700000000 +0000';
    const commit = git(
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      `tree ${tree}\nauthor ${who}\ncommitter ${who}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\nsigned\n`,
    );
    git(['update-ref', 'HEAD', commit]);
    git(['config', 'log.showSignature', 'true']);
    git(['config', 'gpg.program', evil.program]);
    mkdirSync(path.join(files.root, '.git/info'), { recursive: true });
    writeFileSync(path.join(files.root, '.git/info/attributes'), '* diff=evil\n');
    git(['config', 'diff.evil.textconv', evil.program]);
    git(['config', 'diff.external', evil.program]);
    git(['config', 'core.fsmonitor', evil.program]);
    execFileSync('git', ['log', '-1'], { cwd: files.root, stdio: 'ignore' });
    assert.ok(evil.calls().length > 0, 'the trap does not work');
    const before = evil.calls().length;
    const commits = await new GitLog().read(files.root, 'HEAD');
    assert.equal(commits.length, 1);
    assert.equal(evil.calls().length, before);
  });
});
