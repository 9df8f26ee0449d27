/**
 * Files that make other programs run something, without anybody opening them again: a change of one is a
 * change of what runs on the machine. VS Code's own list of files that ask before an agent edits them is
 * the start of it; the others are what shells, git, package managers and build servers read on their own.
 */

import { trimEndOf } from '../../base/scan';

/** Who runs or obeys what stands in a file. */
export type CommandRunner =
  | 'editor'
  | 'git'
  | 'buildServer'
  | 'shell'
  | 'packageManager'
  | 'container';

/** Folders all of whose files count, wherever they are; two names mean one inside of the other. */
const folders: Readonly<Record<CommandRunner, string>> = {
  editor:
    '.vscode .vscode-server .idea .vs .fleet .zed .cursor .claude .codex .gemini .continue .windsurf .kiro .roo',
  git: '.git .hg .svn .jj .husky .githooks',
  buildServer:
    '.github/workflows .github/actions .gitea/workflows .forgejo/workflows .gitlab .circleci .buildkite .semaphore .teamcity .azure-pipelines .woodpecker .builds .harness',
  shell:
    '.ssh .config/fish fish/conf.d .config/autostart .config/systemd .zsh .oh-my-zsh .bashrc.d .profile.d launchagents launchdaemons',
  packageManager: '.cargo .mvn .yarn .bundle .gradle',
  container: '.devcontainer .codesandbox .idx .gitpod',
};

/** Globs of names, in small letters. */
const files: Readonly<Record<CommandRunner, string>> = {
  editor:
    '*.code-workspace .mcp.json mcp.json .cursorrules .vimrc .exrc .nvimrc .nvim.lua .emacs .dir-locals.el .lldbinit .gdbinit',
  git: '.gitconfig .gitmodules .pre-commit-config.y*ml .pre-commit-hooks.y*ml lefthook*.y*ml .lefthook*.y*ml .overcommit.yml .simple-git-hooks.* .lintstagedrc* lint-staged.config.* .huskyrc*',
  buildServer:
    '.gitlab-ci.y*ml .travis.yml azure-pipelines*.y*ml bitbucket-pipelines.yml jenkinsfile* .drone.y*ml .woodpecker.y*ml appveyor.yml .appveyor.yml .cirrus.y*ml cloudbuild.y*ml buildspec*.y*ml codemagic.yaml bitrise.yml .semaphore.yml',
  shell:
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc config.fish profile.ps1 *_profile.ps1 .tmux.conf .screenrc .xinitrc .xprofile .xsession .envrc .direnvrc .autoenv* .rprofile .irbrc .pryrc .psqlrc .sqliterc .pythonstartup sitecustomize.py usercustomize.py *.pth autorun.inf crontab *.desktop mise.toml .mise.toml',
  packageManager:
    '.npmrc .yarnrc .yarnrc.yml .pnpmfile.*js .pnp.*js bunfig.toml .bunfig.toml pip.conf pip.ini .pypirc .condarc .gemrc nuget.config init.gradle gradle-wrapper.properties .netrc _netrc .curlrc .wgetrc .bazelrc .buckconfig',
  container:
    '.devcontainer.json devcontainer.json .gitpod.yml .gitpod.dockerfile .replit vagrantfile',
};

/** Git's hooks, in a folder of hooks. */
const hooks =
  /(?:^|\/)[^/]*hooks?\/(?:(?:applypatch|commit)-msg|(?:pre|post)-(?:applypatch|commit|receive|index-change)|pre-(?:merge-commit|rebase|push|auto-gc)|post-(?:checkout|merge|update|rewrite)|prepare-commit-msg|proc-receive|reference-transaction|push-to-checkout|sendemail-validate|fsmonitor-watchman|update(?=$))(?:\.(?:sh|[cm]?js|ts|py|rb|pl|ps1))?$/;

const runners = ['editor', 'git', 'buildServer', 'shell', 'packageManager', 'container'] as const;

const rules = runners.map(runner => ({
  runner,
  folders: folders[runner].split(' ').map(folder => `/${folder}/`),
  file: new RegExp(
    `^(?:${files[runner]
      .split(' ')
      .map(glob => glob.replaceAll('.', '\\.').replaceAll('*', '[^/]*'))
      .join('|')})$`,
  ),
}));

/**
 * Who runs what a file says; undefined for a file that only somebody's own command runs. An edit of such
 * a file is accepted only after a question that names it.
 *
 * @param path relative to the workspace, or absolute for a file outside of it; with `/` or `\`. Its case
 *   does not count: on some systems `.VSCODE/tasks.json` is `.vscode/tasks.json`.
 */
export function needsConfirmation(path: string): CommandRunner | undefined {
  const names = path
    .toLowerCase()
    .split(/[\\/]/)
    // On Windows `.git::$INDEX_ALLOCATION` and `.git.` are `.git`.
    .map((name, at) => (at === 0 && /^[a-z]:$/.test(name) ? name : plainName(name)))
    .filter(name => name !== '.');
  const plain = names.join('/');
  const last = names.at(-1) ?? '';
  const found = rules.find(
    rule => rule.file.test(last) || rule.folders.some(folder => `/${plain}`.includes(folder)),
  );
  if (found) return found.runner;
  if (hooks.test(plain)) return 'git';
  // Outside of the workspace, a hidden file belongs to some program: its settings.
  const isOutside = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
  return isOutside && names.some(name => /^\.[^.]/.test(name)) ? 'shell' : undefined;
}

/** Also without the signs that the file system of macOS leaves out of names. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '');
  const colon = plain.indexOf(':', 1);
  const bare = colon < 0 ? plain : plain.slice(0, colon);
  return trimEndOf(bare, '. ') || bare;
}
