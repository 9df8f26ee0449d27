/**
 * Files that make other programs run something on their own: a change to one changes what runs on the
 * machine. The list is based on the files for which VS Code asks before an agent edits them, extended by what
 * shells, git, package managers and build servers read.
 */

import { trimEndOf } from '../../../base/text/scan';

/** The kind of program that runs or obeys the content of a file. */
export type CommandRunner =
  | 'editor'
  | 'git'
  | 'buildServer'
  | 'shell'
  | 'packageManager'
  | 'container';

/** Folders all of whose files count, wherever they are; `a/b` is a folder inside another. */
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

/** Globs of file names, in lower case. */
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

/** Git hooks in a folder of hooks. */
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
 * The kind of program that runs the content of a file; undefined for an ordinary file. An edit of such a
 * file needs a second confirmation that names it.
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
  // Outside of the workspace, a hidden file is usually the settings of a program.
  const isOutside = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
  return isOutside && names.some(name => /^\.[^.]/.test(name)) ? 'shell' : undefined;
}

/** The name without what Windows ignores at its end, and without the characters that macOS ignores. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '');
  const colon = plain.indexOf(':', 1);
  const bare = colon < 0 ? plain : plain.slice(0, colon);
  return trimEndOf(bare, '. ') || bare;
}
