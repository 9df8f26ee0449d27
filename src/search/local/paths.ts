/** The purpose of a file. */
export type FileKind = 'source' | 'test' | 'docs' | 'aside' | 'generated' | 'data';

const codeFile =
  /\.(?:tsx?|mts|cts|jsx?|mjs|cjs|vue|svelte|astro|pyi?|pyx|go|rs|java|kts?|scala|cc?|cpp|cxx|hpp|hh|hxx|h|cs|fsx?|php|rb|rake|exs?|eex|heex|erl|hrl|swift|mm?|lua|sh|bash|ps1|zig|hs|mli?|dart|groovy|gradle|cljs?|cljc|jl|r|pl|pm|sql|proto|s?css|less|sass|html|erb|vb|nim|v|sol|tf|nix|el|vim)$/i;
const proseFile = /\.(?:mdx?|rst|txt|adoc)$/i;

const inFolder = (names: string): RegExp => new RegExp(`(?:^|/)(?:${names})/`, 'i');
const testPath = [
  inFolder(
    '(?:[a-z0-9]+[._-])?tests?|__tests__|testing|testdata|test_data|specs?|fixtures?|__fixtures__|__snapshots__|snapshots?|e2e|mocks?|__mocks__|regress|fuzz(?:ing)?|integration(?:[-_]tests?)?',
  ),
  /(?:^|\/)[A-Za-z0-9.]*(?:Tests?|[tT]estFixtures)\//,
  /[._-](?:tests?|spec|snap)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest\.py)$|[a-z0-9](?:Tests?|TestCase|Spec)\.[a-z]+$|\/src\/(?:[a-z]+Test|test|jmh)\//,
];
const docsFolder = inFolder(
  'docs?|documentation|docs_src|website|changelogs?|newsfragments|\\.changeset',
);
const asideFolder = inFolder(
  'examples?|samples?|demos?|playgrounds?|bench(?:es|marks?)?|\\.github|\\.circleci',
);
const generatedPath = [
  inFolder(
    'vendor|third[_-]?party|external|dist|generated|locales?|i18n|translations?|deps|node_modules|migrations',
  ),
  /(?:\.min|\.pb|\.generated|[._-]gen|_generated|_pb2|\.designer|\.d)\.[a-z]+$/i,
];

export function kindOf(path: string): FileKind {
  if (testPath.some(pattern => pattern.test(path))) return 'test';
  if (generatedPath.some(pattern => pattern.test(path))) return 'generated';
  if (docsFolder.test(path) || proseFile.test(path)) return 'docs';
  if (asideFolder.test(path)) return 'aside';
  return codeFile.test(path) ? 'source' : 'data';
}

/** Kinds that the query asks for, which then rank like source. */
export function requestedKindsOf(query: string): Set<FileKind> {
  const kinds = new Set<FileKind>();
  if (/\b(?:tests?|specs?|fixtures?|snapshots?)\b/i.test(query)) kinds.add('test');
  if (/\b(?:docs?|documentation|readme|changelog)\b/i.test(query)) kinds.add('docs');
  if (/\b(?:examples?|samples?|demos?|benchmarks?|playground)\b/i.test(query)) kinds.add('aside');
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
  const lower = path.toLowerCase();
  const slash = lower.lastIndexOf('/');
  const stem = lower.slice(slash + 1).replace(/\.[^.]*$/, '');
  const folder = lower.slice(0, slash + 1);
  if (folderNamed.test(stem) && slash > 0) {
    return { folder, name: plain(folder.slice(folder.lastIndexOf('/', slash - 1) + 1)) };
  }
  return { folder, name: plain(stem) };
}

const plain = (name: string): string => name.replace(/[-_./ ]+/g, '');

/** The name of the file that a test covers, in the form of `PathParts.name`. */
export function testedName(path: string): string | undefined {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const bare = stem
    .replace(/(?:[._-](?:unit|integration|e2e|browser|node))?[._-](?:tests?|spec)$/i, '')
    .replace(/(?:Tests?|TestCase|Specs?)$/, '')
    .replace(/^tests?[._-]/i, '')
    .replace(/^Test(?=\p{Lu})/u, '');
  return bare ? plain(bare.toLowerCase()) : undefined;
}
