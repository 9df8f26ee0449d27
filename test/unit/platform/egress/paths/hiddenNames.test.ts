import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  isProjectName,
  otherHiddenGlobs,
} from '../../../../../src/platform/egress/paths/hiddenNames';
import { isPrivate } from '../../../../../src/platform/egress/paths/privateNames';
import { ripgrepPath } from '../../../../support/unit/ripgrepPath';

/** Hidden names that a project has in its repository for its tools. */
const ofProject =
  '.github .GitHub .gitlab .gitlab-ci.yml .circleci .travis.yml .husky .storybook .devcontainer .devcontainer.json .eslintrc .eslintrc.cjs .prettierrc.json .rubocop.yml .rubocop_todo.yml .editorconfig .pre-commit-config.yaml .gitattributes'.split(
    ' ',
  );
/** Hidden names that may hold logins, or what no user looks for; some begin as those above do. */
const others =
  '.git .g .gi .gith .githubx .github_token .git-credentials .gitconfig .gitlab-token .gitlab-c .env .env.local .npmrc .netrc .aws .ssh .docker .dockercfg .dockerconfigjson .config .kube .vscode .idea .cargo .circle .circleci-token .husk .huskyrc .devcontaine .eslint .travis .travis.yml.bak .bash_history .ä .[x] .!'.split(
    ' ',
  );

describe('hidden names', () => {
  it('are private, but for those of the tools of a project', () => {
    for (const name of ofProject) {
      assert.ok(!isPrivate(`${name}/workflows/a.yml`), name);
      assert.ok(!isPrivate(name), name);
    }
    for (const name of others) {
      assert.ok(isPrivate(name), name);
      assert.ok(isPrivate(`${name}/workflows/a.yml`), name);
      assert.ok(isPrivate(`.github/${name}`), name);
    }
  });

  it('do not let a key through that stands among the tools of a project', () => {
    for (const file of [
      '.github/secrets.yml',
      '.github/.env',
      '.github/deploy.key',
      '.devcontainer/.env',
      '.devcontainer/prod.env',
      '.circleci/cli.yml',
      'home/.circleci/CLI.yml',
      '.eslintrc.key',
      '.gitlab-ci.env',
      '.husky/id_rsa',
    ])
      assert.ok(isPrivate(file), file);
    assert.ok(!isPrivate('.circleci/config.yml'));
    assert.ok(!isPrivate('src/cli.yml'));
  });

  it('are left out by ripgrep, but for those of the tools of a project', function () {
    const rgPath = ripgrepPath();
    if (rgPath === undefined) this.skip();
    const root = mkdtempSync(path.join(tmpdir(), 'splice-hidden-'));
    try {
      mkdirSync(path.join(root, 'files'));
      // Where a file system ignores case, the second of two such names is the first one.
      const folders = [...ofProject.filter(name => name !== '.GitHub'), ...others];
      for (const name of folders) {
        mkdirSync(path.join(root, name));
        writeFileSync(path.join(root, name, 'a.txt'), 'text');
      }
      // Each name's beginnings, with and without one character more.
      const beginnings = folders.flatMap(name =>
        Array.from(name, (_, at) => [name.slice(0, at + 1), `${name.slice(0, at + 1)}x`]).flat(),
      );
      // What the globs miss is left out after ripgrep has listed it.
      const files = new Set(beginnings.filter(name => !/[.[]$/.test(name) && name !== '.gitlabx'));
      for (const name of files) writeFileSync(path.join(root, 'files', name), 'text');
      const args = ['--no-config', '--files', '--no-ignore', '--hidden', '--path-separator=/'];
      const glob = `!{${otherHiddenGlobs().join(',')}}`;
      const found = execFileSync(rgPath, [...args, '--iglob', glob], {
        cwd: root,
        encoding: 'utf8',
      });
      assert.deepEqual(
        found.trim().split('\n').sort(),
        [
          ...folders.filter(isProjectName).map(name => `${name}/a.txt`),
          ...[...files].filter(isProjectName).map(name => `files/${name}`),
        ].sort(),
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
