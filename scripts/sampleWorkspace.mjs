// The sample workspace of `npm start`, which the user may change.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sample } from '../test/support/runner/layout.mjs';
import { quietly } from '../test/support/runner/run.mjs';

/** Makes it in `folder` where it is missing; `fresh` puts it back to its first state. */
export async function makeSampleWorkspace(folder, { fresh = false } = {}) {
  if (fresh) rmSync(folder, { recursive: true, force: true });
  if (existsSync(folder)) return;
  cpSync(sample, folder, { recursive: true });
  const settings = { 'workbench.startupEditor': 'readme' };
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(
    path.join(folder, '.vscode/settings.json'),
    `${JSON.stringify(settings, null, 2)}\n`,
  );
  await makeRepository(folder);
}

/** One commit, so that Source Control shows what an accepted edit changed. Independent of the user's git. */
async function makeRepository(cwd) {
  const git = (...args) =>
    quietly('git', args, {
      cwd,
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_TEMPLATE_DIR: '',
      },
    });
  try {
    await git('--version');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.log('  git was not found: the sample is no repository');
    return;
  }
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  const author = ['-c', 'user.name=Splice sample', '-c', 'user.email=sample@example.invalid'];
  await git(...author, 'commit', '--quiet', '--message=A small shop');
}
