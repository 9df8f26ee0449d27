import { reviewScheme } from '../../../platform/ids';

/**
 * The private languages of the review preview: language id, the scope of its TextMate grammar and the name that the
 * breadcrumb shows. Each uses the grammar of a real language without being that language, so that no language server reports errors in text
 * that mixes old and new lines. Most are built into VS Code, the others come with popular extensions; text of a
 * scope that is not installed has no colours.
 */
const grammars = {
  bat: ['source.batchfile', 'Batch'],
  bibtex: ['text.bibtex', 'BibTeX'],
  c: ['source.c', 'C'],
  clojure: ['source.clojure', 'Clojure'],
  coffeescript: ['source.coffee', 'CoffeeScript'],
  cpp: ['source.cpp', 'C++'],
  csharp: ['source.cs', 'C#'],
  css: ['source.css', 'CSS'],
  'cuda-cpp': ['source.cuda-cpp', 'CUDA C++'],
  dart: ['source.dart', 'Dart'],
  diff: ['source.diff', 'Diff'],
  dockercompose: ['source.yaml', 'Compose'],
  dockerfile: ['source.dockerfile', 'Dockerfile'],
  dotenv: ['source.dotenv', 'Dotenv'],
  elixir: ['source.elixir', 'Elixir'],
  erlang: ['source.erlang', 'Erlang'],
  fsharp: ['source.fsharp', 'F#'],
  go: ['source.go', 'Go'],
  graphql: ['source.graphql', 'GraphQL'],
  groovy: ['source.groovy', 'Groovy'],
  handlebars: ['text.html.handlebars', 'Handlebars'],
  haskell: ['source.haskell', 'Haskell'],
  hlsl: ['source.hlsl', 'HLSL'],
  html: ['text.html.derivative', 'HTML'],
  ignore: ['source.ignore', 'Ignore'],
  ini: ['source.ini', 'INI'],
  jade: ['text.pug', 'Pug'],
  java: ['source.java', 'Java'],
  javascript: ['source.js', 'JavaScript'],
  javascriptreact: ['source.js.jsx', 'JavaScript JSX'],
  json: ['source.json', 'JSON'],
  jsonc: ['source.json.comments', 'JSON with Comments'],
  jsonl: ['source.json.lines', 'JSON Lines'],
  julia: ['source.julia', 'Julia'],
  kotlin: ['source.kotlin', 'Kotlin'],
  latex: ['text.tex.latex', 'LaTeX'],
  less: ['source.css.less', 'Less'],
  lua: ['source.lua', 'Lua'],
  makefile: ['source.makefile', 'Makefile'],
  markdown: ['text.html.markdown', 'Markdown'],
  nix: ['source.nix', 'Nix'],
  'objective-c': ['source.objc', 'Objective-C'],
  'objective-cpp': ['source.objcpp', 'Objective-C++'],
  ocaml: ['source.ocaml', 'OCaml'],
  perl: ['source.perl', 'Perl'],
  php: ['source.php', 'PHP'],
  powershell: ['source.powershell', 'PowerShell'],
  prisma: ['source.prisma', 'Prisma'],
  properties: ['source.ini', 'Properties'],
  proto3: ['source.proto', 'Protocol Buffers'],
  python: ['source.python', 'Python'],
  r: ['source.r', 'R'],
  raku: ['source.perl.6', 'Raku'],
  razor: ['text.html.cshtml', 'Razor'],
  restructuredtext: ['source.rst', 'reStructuredText'],
  ruby: ['source.ruby', 'Ruby'],
  rust: ['source.rust', 'Rust'],
  scala: ['source.scala', 'Scala'],
  scss: ['source.css.scss', 'SCSS'],
  shaderlab: ['source.shaderlab', 'ShaderLab'],
  shellscript: ['source.shell', 'Shell Script'],
  snippets: ['source.json.comments.snippets', 'Snippets'],
  solidity: ['source.solidity', 'Solidity'],
  sql: ['source.sql', 'SQL'],
  svelte: ['source.svelte', 'Svelte'],
  swift: ['source.swift', 'Swift'],
  terraform: ['source.hcl.terraform', 'Terraform'],
  tex: ['text.tex', 'TeX'],
  toml: ['source.toml', 'TOML'],
  typescript: ['source.ts', 'TypeScript'],
  typescriptreact: ['source.tsx', 'TypeScript JSX'],
  vb: ['source.asp.vb.net', 'Visual Basic'],
  vue: ['source.vue', 'Vue'],
  wat: ['text.wat', 'WebAssembly Text'],
  xml: ['text.xml', 'XML'],
  xsl: ['text.xml.xsl', 'XSL'],
  yaml: ['source.yaml', 'YAML'],
  zig: ['source.zig', 'Zig'],
} as const satisfies Record<string, readonly [scope: string, name: string]>;

const plainText = 'plaintext';

type GrammarId = keyof typeof grammars;
const hasGrammar = (languageId: string): languageId is GrammarId =>
  Object.hasOwn(grammars, languageId);

/** Editor settings of the preview. They override the user's settings without touching a settings file. */
const editorSettings = {
  'editor.lineNumbers': 'off',
  'editor.codeLens': true,
  'editor.wordWrap': 'off',
  'editor.folding': false,
  // For the signs of audit findings.
  'editor.glyphMargin': true,
  // Keeps the header in sight, and nothing else.
  'editor.stickyScroll.enabled': true,
  'editor.stickyScroll.maxLineCount': 1,
  'editor.stickyScroll.defaultModel': 'outlineModel',
  'editor.stickyScroll.scrollWithEditor': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.guides.bracketPairs': false,
  'editor.matchBrackets': 'never',
  'editor.occurrencesHighlight': 'off',
  'editor.selectionHighlight': false,
  'editor.inlayHints.enabled': 'off',
  'editor.renderWhitespace': 'none',
  'editor.unicodeHighlight.nonBasicASCII': false,
  'diffEditor.renderSideBySide': false,
  // The documents are served as UTF-8, whatever encoding the user has for files.
  'files.encoding': 'utf8',
  'files.autoGuessEncoding': false,
} as const;

/** Without an icon of its own, a private language has a blank one in most themes. */
export const previewIcon = { light: './media/page-light.svg', dark: './media/page-dark.svg' };

/**
 * Labels without ids for documents with a URI of the form `scheme://<review>/<folder for the language>/<path>`. Breadcrumbs
 * do not use them: they show each part of the path.
 */
export const labelFormatter = (scheme: string) => ({
  scheme,
  formatting: {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code replaces it
    label: '${path}',
    separator: '/',
    // The folder that tells the language.
    stripPathSegments: 1,
    stripPathStartingSeparator: true,
  },
});

/** A dot in a language id would silently disable its configuration defaults. */
const privateId = (languageId: string) => `splice-review-${languageId}`;
const scopeName = (languageId: string) => `source.splice-review.${languageId}`;
const grammarIds = Object.keys(grammars);
/** The languages that have a private one. */
export const previewLanguageIds: readonly string[] = [...grammarIds, plainText];

/** The folder whose name gives a preview its language from the start. The breadcrumb shows it. */
export function previewFolder(languageId: string): string {
  return `${hasGrammar(languageId) ? grammars[languageId][1] : 'Text'} review`;
}

/** The grammar files that the build writes: `dist/grammars/<languageId>.json`. */
export function previewGrammars(): { languageId: string; grammar: object }[] {
  return Object.entries(grammars).map(([languageId, [include]]) => ({
    languageId,
    grammar: { scopeName: scopeName(languageId), patterns: [{ include }] },
  }));
}

/** What package.json must contribute for the languages above. */
export function previewContributions() {
  const ids = previewLanguageIds;
  return {
    languages: ids.map(languageId => ({
      id: privateId(languageId),
      aliases: [],
      filenamePatterns: [`**/${previewFolder(languageId)}/**`],
      configuration: './media/preview-language.json',
      icon: previewIcon,
    })),
    grammars: grammarIds.map(languageId => ({
      language: privateId(languageId),
      scopeName: scopeName(languageId),
      path: `./dist/grammars/${languageId}.json`,
    })),
    configurationDefaults: {
      [ids.map(languageId => `[${privateId(languageId)}]`).join('')]: editorSettings,
    },
    resourceLabelFormatters: [labelFormatter(reviewScheme)],
  };
}
