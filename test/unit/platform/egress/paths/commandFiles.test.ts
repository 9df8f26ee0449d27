import assert from 'node:assert/strict';
import { needsConfirmation } from '../../../../../src/platform/egress/paths/commandFiles';

describe('files that make other programs run something', () => {
  for (const [file, runner] of [
    ['.vscode/settings.json', 'editor'],
    ['packages/a/.vscode/tasks.json', 'editor'],
    ['.VSCODE/settings.json', 'editor'],
    ['.vscode\\launch.json', 'editor'],
    ['./.vscode/settings.json', 'editor'],
    ['.vscode./settings.json', 'editor'],
    ['.vscode::$INDEX_ALLOCATION/settings.json', 'editor'],
    ['my.code-workspace', 'editor'],
    ['.idea/runConfigurations/a.xml', 'editor'],
    ['.claude/settings.json', 'editor'],
    ['.mcp.json', 'editor'],
    ['.git/config', 'git'],
    ['.git/hooks/pre-commit', 'git'],
    ['.GIT/config', 'git'],
    ['.g\u200bit/config', 'git'],
    ['sub/.git/hooks/post-checkout', 'git'],
    ['.husky/pre-commit', 'git'],
    ['.husky/_/h', 'git'],
    ['hooks/pre-commit', 'git'],
    ['scripts/git-hooks/post-merge.sh', 'git'],
    ['.gitmodules', 'git'],
    ['.pre-commit-config.yaml', 'git'],
    ['lefthook.yml', 'git'],
    ['.github/workflows/ci.yml', 'buildServer'],
    ['.GitHub/Workflows/CI.yml', 'buildServer'],
    ['.github/./workflows/ci.yml', 'buildServer'],
    ['.github/actions/a/action.yml', 'buildServer'],
    ['.gitlab-ci.yml', 'buildServer'],
    ['Jenkinsfile', 'buildServer'],
    ['azure-pipelines.release.yml', 'buildServer'],
    ['.circleci/config.yml', 'buildServer'],
    ['.bashrc', 'shell'],
    ['/home/me/.zshrc', 'shell'],
    ['home/.profile', 'shell'],
    ['C:\\Users\\me\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1', 'shell'],
    ['.envrc', 'shell'],
    ['app/.envrc', 'shell'],
    ['/home/me/.config/some/file.conf', 'shell'],
    ['/home/me/.ssh/config', 'shell'],
    ['.config/fish/config.fish', 'shell'],
    ['.npmrc', 'packageManager'],
    ['packages/b/.yarnrc.yml', 'packageManager'],
    ['.cargo/config.toml', 'packageManager'],
    ['NuGet.Config', 'packageManager'],
    ['.devcontainer/devcontainer.json', 'container'],
    ['.devcontainer.json', 'container'],
    ['.gitpod.yml', 'container'],
  ] as const)
    it(`asks before ${JSON.stringify(file)} is changed`, () =>
      assert.equal(needsConfirmation(file), runner));

  for (const file of [
    'src/index.ts',
    'package.json',
    'Makefile',
    'README.md',
    'src/hooks/useState.ts',
    'hooks/use-post.ts',
    'src/git/config.ts',
    'docs/.vitepress/config.ts',
    '.prettierrc',
    '.gitignore',
    '.editorconfig',
    'workflows/ci.yml',
    '.github/ISSUE_TEMPLATE.md',
    '/home/me/project/src/a.ts',
    'C:\\src\\a.ts',
    '../a.ts',
    'src/profile.ts',
    'vscode/settings.json',
  ])
    it(`does not ask before ${file} is changed`, () =>
      assert.equal(needsConfirmation(file), undefined));

  it('takes a hostile path of a megabyte in no time', () => {
    for (const path of [
      '/'.repeat(1e6),
      '.'.repeat(1e6),
      ':a'.repeat(5e5),
      'hooks/'.repeat(2e5),
      '. '.repeat(5e5),
    ]) {
      const before = process.cpuUsage();
      needsConfirmation(path);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 2e6, `${path.slice(0, 8)}: ${user + system} us`);
    }
  });
});
