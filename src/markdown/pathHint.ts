import { trimEndOf, whiteSpace } from '../base/text/scan';
import { fenceAt, indentEnd } from './fence';

/** Finds the file names that chats write next to code. */

const knownExtensions = new Set(
  (
    'adoc applescript asciidoc asm astro aspx avsc awk axaml bash bat bazel bicep bzl c cc cfg cfm cjs clj cljs ' +
    'cmake cmd cnf coffee conf cpp cql cr cs cshtml csproj css csv cts cu cuh cxx cypher dart dbml desktop edn ' +
    'eex ejs elm env erb erl ex exs feature fish fnl frag fs fsproj fsx ftl gd gemspec gleam glsl gn go ' +
    'gql gradle graphql graphqls groovy h haml handlebars hbs hcl heex hlsl hpp hrl hs htm html hxx ini ino ipynb j2 ' +
    'jade java jinja jinja2 jl js json json5 jsonc jsonl jsonnet jsp jsx ksh kt kts latte lean leex less libsonnet ' +
    'liquid lisp lock lua m mak md mdx metal mjs mjml mk ml mli mm mts mustache ndjson nim ninja nix njk nomad nsi ' +
    'nuspec odin pas php phtml pl plist pm podspec prisma proj properties proto ps1 psd1 psm1 pug purs py ' +
    'pyi pyx qmd qml qrc r rake razor rb rego resx rkt rmd rs rst sass sbt scala scm scss sh shader sln sol ' +
    'sql storyboard styl sv svelte svg swift tcl tex tf tfvars thrift toml tpl tres ts tscn tsv tsx twig txt uss ' +
    'uxml vb vbproj vbs vert vhd vhdl vim vue vy wast wat webmanifest wgsl wsdl xaml xcconfig xhtml xib xml xsd xsl ' +
    'xslt yaml yml zig zsh'
  ).split(' '),
);
const knownNames =
  /^(?:(?:Docker|Container|Make|Rake|Gem|Proc|Jenkins|Vagrant|Caddy|Brew|Pod|Fast|Tilt|Earth|Snake)file|justfile|CMakeLists\.txt|LICENSE|README|CODEOWNERS|go\.mod|go\.sum|\.[a-z][\w.-]*)$/;
const productNames =
  /^(?:Angular|Chart|D3|Ember|Express|Nest|Next|Node|Nuxt|React|Three|Vue)\.js$/i;
const pathShape = /^(?:[A-Za-z]:)?[\w@.~+$()[\]/\\-]+$/;
const label =
  /^(?:@?(?:new |updated? |modified |in )?(?:file(?:name|path)?|path)\b\s*[:=]?|(?:in|update|edit|create|modify)\s)\s*/i;

/** Lines behind a path: `#L3-L5`, `:3-5`. */
const lineRange = /(?:#L?\d+(?:-L?\d+)?|:\d+(?:[-:]\d+)?)$/;
/** Pictures that some models put in front of a heading. */
const pictures = /^(?:\p{Extended_Pictographic}[\uFE0F\u200D]*\s*)+/u;

const minPathLength = 2;
const maxPathLength = 260;
/** A longer line is prose, whatever file it mentions. */
const maxHintLength = 4000;

export const withoutPictures = (text: string): string => text.replace(pictures, '');

/** True for a single file name, with or without folders. */
export function isPath(text: string): boolean {
  if (text.length < minPathLength || text.length > maxPathLength) return false;
  // A fast path: most words of a text return here.
  if (!endsName(text.charCodeAt(text.length - 1))) return false;
  if (!/[.\\/]/.test(text)) return knownNames.test(text);
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  const isKnown = knownNames.test(name);
  const extension = isKnown ? undefined : /[^.]\.([A-Za-z]\w{0,9})$/.exec(name)?.[1];
  if (!isKnown && extension === undefined) return false;
  if (!pathShape.test(text) || productNames.test(text)) return false;
  if (extension === undefined) return true;
  if (/\)\./.test(name)) return false;
  return name !== text || knownExtensions.has(extension.toLowerCase());
}

/** Letters, digits, `_` and `-`: every file name ends with one of them. */
function endsName(code: number): boolean {
  const letter = code | 32;
  return (
    (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45
  );
}

/** The path in a fence's info string: `ts src/a.ts`, `ts title="src/a.ts"`, `src/a.ts`, `12:40:src/a.ts`, `ts:src/a.ts`. */
export function pathFromInfo(info: string): string | undefined {
  if (info === '' || info.length > maxHintLength) return undefined;
  const named =
    /\b(?:title|file|filename|filepath|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|(\S+))/i.exec(
      info,
    );
  const given = named?.[1] ?? named?.[2] ?? named?.[3]?.replace(/\}$/, '');
  const value = given?.replace(lineRange, '');
  if (value !== undefined && isPath(value)) return value;
  for (const word of info.split(/\s+/)) {
    // `{.python .numberLines}` are classes.
    if (/^\{?\./.test(word) && info.startsWith('{')) continue;
    if (!word.endsWith('}') && !endsName(word.charCodeAt(word.length - 1))) continue;
    const path = word
      .replace(/^(?:\d+:\d+:|[A-Za-z+#]{2,}:(?![\\/]))/, '')
      .replace(/^\{|\}$/g, '')
      .replace(lineRange, '');
    if (isPath(path)) return path;
  }
  return undefined;
}

/** The path in the line above a block: `**src/a.ts**`, `### src/a.ts`, `File: src/a.ts`, ``Change `src/a.ts`:``. */
export function pathFromHeading(line: string): string | undefined {
  if (line.length > maxHintLength) return undefined;
  const quoted = quotedPaths(line);
  if (quoted.size > 0) return quoted.size === 1 ? [...quoted][0] : undefined;
  const linked = linkedPath(line);
  if (linked !== undefined) return linked;

  const plain = withoutNotes(
    line
      .trim()
      .replace(/^(?:#+|[-*+]|\d+[.)]|>)\s+/, '')
      .replace(/^(?:\d+[.)]\s+)/, '')
      .replace(pictures, '')
      .replaceAll(/\*\*|["'`]/g, '')
      // Only around the whole: `__init__.py` is a name.
      .replace(/^__(.+?)__(?=$|[\s:(])/, '$1')
      .replace(/^\*|\*$/g, '')
      .replace(label, ''),
  );
  if (isPath(plain)) return plain;
  if (!line.trim().endsWith(':')) return undefined;
  const words = line.split(/[\s,:]+/).filter(isPath);
  return words.length === 1 ? words[0] : undefined;
}

const link = /\[([^[\]\n]{1,300})\]\(([^()\s]{1,600})\)/;

/** The path of the only link in a line, such as `[a.ts](file:///home/me/src/a.ts#L3)` or `[src/a.ts](src/a.ts)`. */
function linkedPath(line: string): string | undefined {
  const [all, text = '', target = ''] = link.exec(line) ?? [];
  if (all === undefined || line.split('](').length > 2) return undefined;
  const [address = ''] = target.split(/[?#]/, 1);
  // An address on the web is no path, for it has a colon.
  const place = decoded(address).replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '');
  return [place, withoutNotes(text)].find(isPath);
}

function decoded(place: string): string {
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

/** Paths between back-quotes. */
function quotedPaths(line: string): Set<string> {
  const found = new Set<string>();
  let close = -1;
  for (let open = line.indexOf('`'); open >= 0; open = line.indexOf('`', close)) {
    close = line.indexOf('`', open + 1);
    if (close < 0) break;
    // If two back-quotes are adjacent, the second one may open a name.
    if (close === open + 1) continue;
    const text = line.slice(open + 1, close);
    if (isPath(text)) found.add(text);
    close++;
  }
  return found;
}

/** The file name in the lines directly above, possibly in the info string of a fence. */
export function pathAbove(lines: readonly string[]): string | undefined {
  for (const line of lines.slice(-3).toReversed()) {
    if (line.trim() === '') continue;
    const info = fenceAt(line, indentEnd(line))?.info;
    const path = info === undefined ? pathFromHeading(line) : pathFromInfo(info);
    if (path !== undefined) return path;
    if (info === undefined) return undefined;
  }
  return undefined;
}

const commentStart = /^\s*(?:\/\/+|#+|--+|;+|%+|\/\*+|<!--|\{\/\*|<%#|"""|'|REM\b)/;
const commentEnd = /(?:\*\/\}?|-->|%>|""")$/;

/** The path in a block's first line, if that is a comment with only a path: `// src/a.ts`, `# path: a.py`. */
export function pathFromComment(line: string): string | undefined {
  if (line.length > maxHintLength) return undefined;
  const start = commentStart.exec(line)?.[0];
  if (start === undefined) return undefined;
  const text = withoutCommentEnd(line.slice(start.length).trim());
  if (text.startsWith('!')) return undefined;
  const path = withoutNotes(text.replace(label, ''));
  return isPath(path) ? path : undefined;
}

function withoutCommentEnd(text: string): string {
  const end = commentEnd.exec(text);
  if (!end) return text;
  const inner = text.slice(0, end.index);
  return (end[0].startsWith('*') ? trimEndOf(inner, '*') : inner).trimEnd();
}

/** Removes remarks such as ` (new)` and ` - what it is for`. */
function withoutRemark(text: string): string {
  const isClosed = text.endsWith(')');
  const innerClose = text.lastIndexOf(')', text.length - 2);
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (isBlank(sign)) {
      if (start < 0) start = at;
      continue;
    }
    const isRemark =
      sign === '-' || sign === '–' || sign === '—' || (sign === '(' && isClosed && innerClose < at);
    if (start >= 0 && isRemark) return text.slice(0, start);
    start = -1;
  }
  return text;
}

const isBlank = (sign: string): boolean => (sign <= ' ' || sign > '~') && whiteSpace.includes(sign);

function withoutNotes(text: string): string {
  return withoutRemark(text).replace(lineRange, '').replace(/:$/, '').trim();
}
