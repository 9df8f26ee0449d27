/** The purpose of a file. */
export type FileKind = 'source' | 'test' | 'docs' | 'aside' | 'generated' | 'data' | 'tooling';

const codeFile =
  /\.(?:tsx?|mts|cts|jsx?|mjs|cjs|vue|svelte|astro|pyi?|pyx|go|rs|java|kts?|scala|cc?|cpp|cxx|hpp|hh|hxx|h|cs|fsx?|php|rb|rake|exs?|eex|heex|erl|hrl|swift|mm?|lua|sh|bash|ps1|zig|hs|mli?|dart|groovy|gradle|cljs?|cljc|jl|r|pl|pm|sql|proto|s?css|less|sass|html|erb|vb|nim|v|sol|tf|nix|el|vim)$/i;
const proseFile = /\.(?:mdx?|rst|txt|adoc)$/i;

const inFolder = (names: string): RegExp => new RegExp(`(?:^|/)(?:${names})/`, 'i');
const testFolders = [
  inFolder(
    '(?:[a-z0-9]+[._-])?tests?|__tests__|testing|testdata|test_data|specs?|fixtures?|__fixtures__|__snapshots__|snapshots?|e2e|mocks?|__mocks__|regress|fuzz(?:ing)?|integration(?:[-_]tests?)?',
  ),
  /(?:^|\/)[A-Za-z0-9.]*(?:Tests?|[tT]estFixtures)\//,
  /\/src\/(?:[a-z]+Test|test|jmh)\//,
  /^t\/(?:unit|integration|smoke|functional|acceptance|system|helpers?|lib|data|perf|t\d{4})\//,
];
/** Where Perl, git and celery have their tests. */
const shortTestFolder = /(?:^|\/)t\//;
const nameInShortTestFolder = /\.t$|^(?:t?\d{2,4}|tests?|lib)[-_.]/;
const testName =
  /[._-](?:tests?|spec|snap)\.[a-z]+$|^(?:test_.*|conftest\.py)$|[a-z0-9](?:Tests?|TestCase|Spec)\.[a-z]+$/;
const docsFolder = inFolder(
  'docs?|documentation|docs_src|website|changelogs?|newsfragments|\\.changeset',
);
const hiddenFolder = /(?:^|\/)\./;
const asideFolder = inFolder('examples?|samples?|demos?|playgrounds?|bench(?:es|marks?)?');
const generatedFolder = inFolder(
  'vendor|third[_-]?party|external|dist|generated|deps|node_modules|migrations',
);
const translatedFolder = inFolder('locales?|i18n|translations?');
/** A file of texts in one language, such as `de`, `pt-BR` or `zh_Hans`. */
const languageName = /^[a-z]{2}(?:[-_][A-Za-z]{2,4}){0,2}\./;
const generatedName =
  /(?:\.min|\.pb|\.generated|[._-]gen|_generated|_pb2|\.designer|\.d)\.[a-z]+$/i;

/** What the folder of a file says of its kind. */
export interface FolderKinds {
  readonly isTest: boolean;
  /** Whether it is below a folder `t`, in which only some files are tests. */
  readonly isShortTest: boolean;
  readonly isGenerated: boolean;
  readonly isTranslated: boolean;
  readonly isDocs: boolean;
  readonly isAside: boolean;
  readonly isHidden: boolean;
}

/** @param folder ending in `/`, or empty */
export function kindsOfFolder(folder: string): FolderKinds {
  return {
    isTest: testFolders.some(pattern => pattern.test(folder)),
    isShortTest: shortTestFolder.test(folder),
    isGenerated: generatedFolder.test(folder),
    isTranslated: translatedFolder.test(folder),
    isDocs: docsFolder.test(folder),
    isAside: asideFolder.test(folder),
    isHidden: hiddenFolder.test(folder),
  };
}

export function kindInFolder(folder: FolderKinds, name: string): FileKind {
  if (name.startsWith('.') || (folder.isHidden && !folder.isDocs)) return 'tooling';
  if (folder.isTest || testName.test(name)) return 'test';
  if (folder.isShortTest && nameInShortTestFolder.test(name)) return 'test';
  if (folder.isGenerated || generatedName.test(name)) return 'generated';
  const isCode = codeFile.test(name);
  if (folder.isTranslated && (!isCode || languageName.test(name))) return 'generated';
  if (folder.isDocs || proseFile.test(name)) return 'docs';
  if (folder.isAside) return 'aside';
  return isCode ? 'source' : 'data';
}

export function kindOf(path: string): FileKind {
  const { folder, name } = splitPath(path);
  return kindInFolder(kindsOfFolder(folder), name);
}

/** Whether a name has the extension of a language. */
export const hasCodeExtension = (name: string): boolean => codeFile.test(name);

export const withoutExtension = (path: string): string => path.replace(/\.[^./]*$/, '');

/** The folder of a file, which ends in `/` unless it is the root, and the name in it. */
export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, slash), name: path.slice(slash) };
}

/** What build services, linters, hooks of git, containers for development and forms of issues are called. */
const toolingWord =
  /\b(?:ci|workflows?|github|gitlab|circleci|travis|pipelines?|dependabot|renovate|devcontainers?|storybook|husky|pre-?commit|eslint|prettier|stylelint|editorconfig|rubocop|golangci|goreleaser|lint(?:er|ers|ing)?|labeler|codeowners|(?:issue|bug report|pr|pull request)s? templates?)\b/i;

/** Kinds that the query asks for, which then rank like source. */
export function requestedKindsOf(query: string): Set<FileKind> {
  const kinds = new Set<FileKind>();
  if (/\b(?:tests?|specs?|fixtures?|snapshots?)\b/i.test(query)) kinds.add('test');
  if (/\b(?:docs?|documentation|readme|changelog)\b/i.test(query)) kinds.add('docs');
  if (/\b(?:examples?|samples?|demos?|benchmarks?|playground)\b/i.test(query)) kinds.add('aside');
  if (toolingWord.test(query)) kinds.add('tooling');
  return kinds;
}

export interface PathParts {
  /** The folder, in lower case with `/`, `_` and `-` as they are. */
  folder: string;
  /** The file's name without extension, in lower case and without `-`, `_` and dots. */
  name: string;
}

/** File names that say nothing, so that the folder gives the name. */
const folderNamed = /^(?:index|main|mod|lib|init|__init__|package|default)$/;

export function partsOfPath(path: string): PathParts {
  const { folder, name } = splitPath(path.toLowerCase());
  return { folder, name: nameInFolder(folder, name) };
}

/**
 * The path by which other code imports a file: without its extension, and without a name such as `index`.
 * @param path in lower case
 */
export function moduleOf(path: string): string {
  const { folder, name } = splitPath(path);
  const stem = withoutExtension(name);
  return folderNamed.test(stem) && folder !== '' ? folder.slice(0, -1) : folder + stem;
}

/**
 * {@link PathParts.name} of a file.
 * @param folder in lower case
 */
export function nameInFolder(folder: string, file: string): string {
  const stem = withoutExtension(file.toLowerCase());
  if (!folderNamed.test(stem) || folder === '') return plain(stem);
  return plain(folder.slice(folder.lastIndexOf('/', folder.length - 2) + 1));
}

const plain = (name: string): string => name.replace(/[-_./ ]+/g, '');

/** The name of the file that a test covers, in the form of `PathParts.name`. */
export function testedName(path: string): string | undefined {
  const stem = withoutExtension(splitPath(path).name);
  const bare = stem
    .replace(/(?:[._-](?:unit|integration|e2e|browser|node))?[._-](?:tests?|spec)$/i, '')
    .replace(/(?:Tests?|TestCase|Specs?)$/, '')
    .replace(/^tests?[._-]/i, '')
    .replace(/^Test(?=\p{Lu})/u, '');
  return bare ? plain(bare.toLowerCase()) : undefined;
}
