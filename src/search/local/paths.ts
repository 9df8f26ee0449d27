import { wordsOf } from './query/vocabulary';

/** The purpose of a file. */
export type FileKind = 'source' | 'test' | 'docs' | 'aside' | 'generated' | 'data' | 'tooling';

/** Extensions of files with code, in any language, templates of pages among them. */
const codeExtensions: ReadonlySet<string> = new Set(
  wordsOf(`
    ts tsx mts cts js jsx mjs cjs vue svelte astro marko riot coffee litcoffee ls elm purs rescript
    py pyi pyx pxd pyw go rs java kt kts scala sc groovy gradle clj cljs cljc bb
    c cc cpp cxx c++ h hh hpp hxx h++ ipp inl tpp cu cuh m mm swift zig nim v odin gleam vala cr d di
    cs csx fs fsx fsi vb vbs razor cshtml vbhtml aspx ascx xaml axaml
    php phtml rb rake gemspec ru exs ex eex heex leex erl hrl lua luau pl pm raku tcl r jl
    sh bash zsh fish ksh ps1 psm1 bat cmd nu awk
    hs lhs ml mli re rei res resi lisp lsp cl el scm rkt hy fnl lean agda idr
    dart sql plsql pks pkb proto graphql gql graphqls prisma qml xsl xslt fxml thrift fbs capnp smithy
    css scss sass less styl pcss postcss html htm xhtml erb haml slim liquid twig latte tpl tmpl gotmpl
    gohtml templ ejs hbs handlebars mustache pug jade njk nunjucks jinja jinja2 j2 mako ftl ftlh jsp jspx
    jspf tag gsp vm
    sol vy move cairo tf hcl bicep nix cue jsonnet libsonnet rego dhall bzl star starlark
    vim gd gdshader glsl vert frag geom comp hlsl fx wgsl metal shader cginc asm s nasm
    f for f77 f90 f95 f03 f08 ada adb ads pas dpr pp cob cbl vhd vhdl sv svh apex cls trigger abap
    ino wat hx as bas inc
  `),
);
/** Those that are more often names of members, as in `self.inc` and `req.res`, than extensions in what is typed. */
const memberNames: ReadonlySet<string> = new Set(
  wordsOf(`
    as asm bas bb cl cls comp cr d di f for frag fx geom hx inc inl ls metal move pp re res ru s sc
    shader slim star tag trigger vert vm
  `),
);
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
/** What builds, packages and deploys a program, and says what it needs. */
const toolingName =
  /^(?:(?:[\w-]+\.)?dockerfile(?:\.[\w.-]+)?|(?:docker-)?compose[\w.-]*\.ya?ml|(?:gnu)?makefile(?:\.\w+)?|cmakelists\.txt|[\w.-]+\.(?:mk|cmake|cmake\.in|csproj|vbproj|fsproj|vcxproj|props|targets|podspec)|jenkinsfile|vagrantfile|(?:gem|proc|pod|fast|brew|cap|just|rake|pip)file|taskfile\.ya?ml|pom\.xml|pyproject\.toml|setup\.cfg|tox\.ini|requirements[\w-]*\.(?:txt|in)|environment\.ya?ml|package\.json|tsconfig[\w.-]*\.json|cargo\.toml|composer\.json|pubspec\.yaml|meson\.build|meson_options\.txt|build\.bazel|configure\.(?:ac|in)|pnpm-workspace\.yaml|(?:nx|turbo|lerna|renovate|vercel|firebase|netlify|fly|railway)\.(?:json5?|toml)|app\.yaml|chart\.yaml|values\.yaml|codeowners)$/i;
/** Layouts, menus and drawings of Android are its code for what is shown. */
const androidResource =
  /(?:^|\/)res\/(?:layout|menu|drawable|xml|navigation|anim|animator|color|transition)[\w-]*\/$/;
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
  readonly isAndroid: boolean;
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
    isAndroid: androidResource.test(folder),
  };
}

export function kindInFolder(folder: FolderKinds, name: string): FileKind {
  if (name.startsWith('.') || (folder.isHidden && !folder.isDocs)) return 'tooling';
  if (folder.isTest || testName.test(name)) return 'test';
  if (folder.isShortTest && nameInShortTestFolder.test(name)) return 'test';
  if (folder.isGenerated || generatedName.test(name)) return 'generated';
  const isCode = isCodeName(name) || (folder.isAndroid && /\.xml$/i.test(name));
  if (folder.isTranslated && (!isCode || languageName.test(name))) return 'generated';
  const isTooling = toolingName.test(name);
  if (folder.isDocs || (proseFile.test(name) && !isTooling)) return 'docs';
  if (folder.isAside) return 'aside';
  if (isTooling) return 'tooling';
  return isCode ? 'source' : 'data';
}

export function kindOf(path: string): FileKind {
  const { folder, name } = splitPath(path);
  return kindInFolder(kindsOfFolder(folder), name);
}

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

const isCodeName = (name: string): boolean =>
  name.includes('.') && codeExtensions.has(extensionOf(name));

/** Whether what was typed ends in the extension of a language. */
export const hasCodeExtension = (name: string): boolean =>
  isCodeName(name) && !memberNames.has(extensionOf(name));

export const withoutExtension = (path: string): string => path.replace(/\.[^./]*$/, '');

/** The folder of a file, which ends in `/` unless it is the root, and the name in it. */
export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, slash), name: path.slice(slash) };
}

/** What build services, linters, hooks of git, containers for development and forms of issues are called. */
const toolingWord =
  /\b(?:ci|workflows?|github|gitlab|circleci|travis|pipelines?|dependabot|renovate|devcontainers?|storybook|husky|pre-?commit|eslint|prettier|stylelint|editorconfig|rubocop|golangci|goreleaser|lint(?:er|ers|ing)?|labeler|codeowners|docker(?:file|ized?)?|docker[- ]compose|makefile|cmake|maven|pom|csproj|nuget|gemfile|bundler|pyproject|tsconfig|vercel|netlify|heroku|helm chart|(?:issue|bug report|pr|pull request)s? templates?)\b/i;

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
