/**
 * The private languages of the review preview: language id and the scope of its TextMate grammar. Each uses the
 * grammar of a real language without being that language, so that no language server reports errors in text
 * that mixes old and new lines. Most are built into VS Code, the others come with popular extensions; text of a
 * scope that is not installed has no colours.
 */
const grammarScopes = {
  bat: 'source.batchfile',
  bibtex: 'text.bibtex',
  c: 'source.c',
  clojure: 'source.clojure',
  coffeescript: 'source.coffee',
  cpp: 'source.cpp',
  csharp: 'source.cs',
  css: 'source.css',
  'cuda-cpp': 'source.cuda-cpp',
  dart: 'source.dart',
  diff: 'source.diff',
  dockercompose: 'source.yaml',
  dockerfile: 'source.dockerfile',
  dotenv: 'source.dotenv',
  elixir: 'source.elixir',
  erlang: 'source.erlang',
  fsharp: 'source.fsharp',
  go: 'source.go',
  graphql: 'source.graphql',
  groovy: 'source.groovy',
  handlebars: 'text.html.handlebars',
  haskell: 'source.haskell',
  hlsl: 'source.hlsl',
  html: 'text.html.derivative',
  ignore: 'source.ignore',
  ini: 'source.ini',
  jade: 'text.pug',
  java: 'source.java',
  javascript: 'source.js',
  javascriptreact: 'source.js.jsx',
  json: 'source.json',
  jsonc: 'source.json.comments',
  jsonl: 'source.json.lines',
  julia: 'source.julia',
  kotlin: 'source.kotlin',
  latex: 'text.tex.latex',
  less: 'source.css.less',
  lua: 'source.lua',
  makefile: 'source.makefile',
  markdown: 'text.html.markdown',
  nix: 'source.nix',
  'objective-c': 'source.objc',
  'objective-cpp': 'source.objcpp',
  ocaml: 'source.ocaml',
  perl: 'source.perl',
  php: 'source.php',
  powershell: 'source.powershell',
  prisma: 'source.prisma',
  properties: 'source.ini',
  proto3: 'source.proto',
  python: 'source.python',
  r: 'source.r',
  raku: 'source.perl.6',
  razor: 'text.html.cshtml',
  restructuredtext: 'source.rst',
  ruby: 'source.ruby',
  rust: 'source.rust',
  scala: 'source.scala',
  scss: 'source.css.scss',
  shaderlab: 'source.shaderlab',
  shellscript: 'source.shell',
  snippets: 'source.json.comments.snippets',
  solidity: 'source.solidity',
  sql: 'source.sql',
  svelte: 'source.svelte',
  swift: 'source.swift',
  terraform: 'source.hcl.terraform',
  tex: 'text.tex',
  toml: 'source.toml',
  typescript: 'source.ts',
  typescriptreact: 'source.tsx',
  vb: 'source.asp.vb.net',
  vue: 'source.vue',
  wat: 'text.wat',
  xml: 'text.xml',
  xsl: 'text.xml.xsl',
  yaml: 'source.yaml',
  zig: 'source.zig',
} as const satisfies Record<string, string>;

const plainText = 'plaintext';

/** Editor settings of the preview. They override the user's settings without touching a settings file. */
const editorSettings = {
  'editor.lineNumbers': 'off',
  'editor.codeLens': true,
  'editor.wordWrap': 'off',
  'editor.folding': false,
  'editor.glyphMargin': false,
  'editor.stickyScroll.enabled': false,
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

/** A dot in a language id would silently disable its configuration defaults. */
const privateId = (languageId: string) => `splice-review-${languageId}`;
const scopeName = (languageId: string) => `source.splice-review.${languageId}`;
const grammarIds = Object.keys(grammarScopes);
/** The languages that have a private one. */
export const previewLanguageIds: readonly string[] = [...grammarIds, plainText];

/** The folder whose name gives a preview its language from the start. */
export function previewFolder(languageId: string): string {
  return `.${privateId(languageId in grammarScopes ? languageId : plainText)}`;
}

/** The grammar files that the build writes: `dist/grammars/<languageId>.json`. */
export function previewGrammars(): { languageId: string; grammar: object }[] {
  return Object.entries(grammarScopes).map(([languageId, include]) => ({
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
    })),
    grammars: grammarIds.map(languageId => ({
      language: privateId(languageId),
      scopeName: scopeName(languageId),
      path: `./dist/grammars/${languageId}.json`,
    })),
    configurationDefaults: {
      [ids.map(languageId => `[${privateId(languageId)}]`).join('')]: editorSettings,
    },
  };
}
