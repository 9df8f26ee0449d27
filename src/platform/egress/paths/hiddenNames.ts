/**
 * Hidden files and folders that are part of a project: what its build services, its linters and its editors' containers
 * read. They are in its repository for everybody to see. All other hidden names stay private, as they may be the
 * settings of programs, with their logins.
 */

/** A trailing `*` allows all names that begin so. */
const projectNames = [
  '.appveyor.yml',
  '.azure-pipelines*',
  '.babelrc*',
  '.browserslistrc',
  '.buildkite',
  '.changeset',
  '.circleci',
  '.cirrus.yml',
  '.clang-format',
  '.clang-tidy',
  '.codecov.yml',
  '.commitlintrc*',
  '.coveragerc',
  '.devcontainer*',
  '.dockerignore',
  '.drone.yml',
  '.editorconfig',
  '.eslintrc*',
  '.flake8',
  '.forgejo',
  '.gitattributes',
  '.gitea',
  '.github',
  '.gitlab',
  '.gitlab-ci*',
  '.golangci.*',
  '.goreleaser.*',
  '.husky',
  '.jshintrc',
  '.lintstagedrc*',
  '.markdownlint*',
  '.mocharc.*',
  '.nycrc*',
  '.php-cs-fixer*',
  '.pre-commit-config.yaml',
  '.pre-commit-hooks.yaml',
  '.prettierrc*',
  '.pylintrc',
  '.readthedocs.*',
  '.releaserc*',
  '.rubocop*',
  '.ruff.toml',
  '.storybook',
  '.stylelintrc*',
  '.swcrc',
  '.swiftlint.yml',
  '.travis.yml',
  '.woodpecker*',
  '.yamllint*',
] as const;

const wholeNames: ReadonlySet<string> = new Set(projectNames);
const starts = projectNames.flatMap(name => (name.endsWith('*') ? name.slice(0, -1) : []));

/** Whether the name of a hidden file or folder, with its dot, is one that a project has in its repository. */
export function isProjectName(name: string): boolean {
  const lower = name.toLowerCase();
  return wholeNames.has(lower) || starts.some(start => lower.startsWith(start));
}

/**
 * Globs for hidden names but those of {@link isProjectName}, for programs that cannot except a name from a glob. For
 * `.git*` and `.husky` they are `.[!gh]*`, `.g`, `.g[!i]*`, and so on. They miss names such as `.gitlabs`, because
 * `.gitlab[!-]*` would match `.gitlab/ci.yml`, too.
 */
export function otherHiddenGlobs(): string[] {
  const globs: string[] = [];
  const add = (start: string): void => {
    const names = projectNames.filter(name => name.startsWith(start));
    if (names.some(name => name === `${start}*`)) return;
    const isWhole = names.some(name => name === start);
    const next = [...new Set(names.map(name => name.charAt(start.length)))].filter(Boolean);
    if (next.length === 0) globs.push(`${start}?*`);
    else if (!isWhole) globs.push(`${start}[!${next.join('')}]*`);
    if (!isWhole && start !== '.') globs.push(start);
    for (const character of next) add(start + character);
  };
  add('.');
  return globs;
}
