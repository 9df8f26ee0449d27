/** How a language writes what may hold brackets and quotes that are none of its structure. */
export interface Language {
  readonly kind: 'code' | 'python' | 'markup';
  /** The starts of comments that end with their line. */
  readonly lineComments: readonly string[];
  /** Start and end of comments over several lines. */
  readonly blockComment?: readonly [start: string, end: string];
  readonly nestsComments?: true;
  /** What the single quote is: `'text'`, `'c'`, or nothing, as in `x'`. */
  readonly single: 'string' | 'char' | 'none';
  /** Quotes of texts over several lines: all of a kind, or three of them. */
  readonly multiline?: string;
  readonly triple?: string;
  /** What the backtick is: a text with `${}`, one without escapes, or nothing. */
  readonly backtick?: 'template' | 'raw';
  /** Raw texts: `r#""#`, `@""`, `R"x()x"`. */
  readonly raw?: 'rust' | 'csharp' | 'cpp';
  /** Lines that start with `#` are for the preprocessor. */
  readonly directives?: true;
  /** What starts code within a text. */
  readonly code?: string;
  /** Attributes and texts may hold code in braces. */
  readonly braces?: true;
  readonly regex?: true;
  readonly jsx?: true;
  /** Code stands between `<?php` and `?>`, and may hold texts of several lines, `<<<END`. */
  readonly php?: true;
  /** Checks statements too, not only brackets and quotes. */
  readonly statements?: 'js' | 'java';
}

const cComments = { lineComments: ['//'], blockComment: ['/*', '*/'] } as const;
const js: Language = {
  kind: 'code',
  ...cComments,
  single: 'string',
  backtick: 'template',
  regex: true,
  statements: 'js',
};
const jsx: Language = { ...js, jsx: true };
const java: Language = {
  kind: 'code',
  ...cComments,
  single: 'char',
  triple: '"',
  statements: 'java',
};
const kotlin: Language = { ...java, nestsComments: true, code: '${' };
const c: Language = {
  kind: 'code',
  ...cComments,
  single: 'char',
  directives: true,
  raw: 'cpp',
};
const markup: Language = { kind: 'markup', lineComments: [], single: 'none' };

const byExtension: Readonly<Record<string, Language>> = {
  ts: js,
  mts: js,
  cts: js,
  js: jsx,
  mjs: jsx,
  cjs: jsx,
  jsx,
  tsx: jsx,
  json: { kind: 'code', ...cComments, single: 'none' },
  jsonc: { kind: 'code', ...cComments, single: 'none' },
  json5: { kind: 'code', ...cComments, single: 'string' },
  css: { kind: 'code', lineComments: [], blockComment: ['/*', '*/'], single: 'string' },
  scss: { kind: 'code', ...cComments, single: 'string' },
  less: { kind: 'code', ...cComments, single: 'string' },
  java,
  kt: kotlin,
  kts: kotlin,
  scala: { ...kotlin, single: 'char' },
  cs: { ...java, raw: 'csharp', directives: true, code: '{' },
  swift: { ...c, single: 'none', triple: '"', nestsComments: true, code: '\\(' },
  dart: { ...kotlin, single: 'string', triple: `"'` },
  go: { kind: 'code', ...cComments, single: 'char', backtick: 'raw' },
  rs: {
    kind: 'code',
    ...cComments,
    single: 'char',
    multiline: '"',
    raw: 'rust',
    nestsComments: true,
  },
  c,
  h: c,
  cc: c,
  cpp: c,
  cxx: c,
  hpp: c,
  hh: c,
  m: c,
  mm: c,
  php: {
    kind: 'code',
    lineComments: ['//', '#'],
    blockComment: ['/*', '*/'],
    single: 'string',
    multiline: `"'`,
    php: true,
  },
  sol: { kind: 'code', ...cComments, single: 'string' },
  proto: { kind: 'code', ...cComments, single: 'string' },
  py: { kind: 'python', lineComments: ['#'], single: 'string', triple: `"'` },
  pyi: { kind: 'python', lineComments: ['#'], single: 'string', triple: `"'` },
  html: markup,
  htm: markup,
  vue: markup,
  svelte: { ...markup, braces: true },
  xml: markup,
  svg: markup,
};

/** Undefined for a language whose structure is not read. */
export function syntaxLanguage(path: string): Language | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}
