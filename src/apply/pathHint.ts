import { trimEndOf } from '../base/scan';
import { fenceAt, indentEnd } from '../markdown/fence';

/** Finds the file names that chats write beside code. */

const knownExtensions = new Set(
  (
    'astro bash bat c cc cfg clj cljs cmake cmd conf cpp cs csproj css csv cts cu cxx dart env erl ex exs fish fs ' +
    'go gradle graphql groovy h hbs hcl hpp hrl hs htm html ini ipynb java jl js json json5 jsonc jsx kt kts less lock ' +
    'lua m md mdx mjs mk ml mm mts nix php pl pm prisma properties proto ps1 py pyi r rb rs sass scala scss sh sol ' +
    'sql svelte svg swift tex tf toml ts tsx txt vb vim vue wgsl xml yaml yml zig zsh cjs'
  ).split(' '),
);
const knownNames =
  /^(?:Dockerfile|Makefile|Rakefile|Gemfile|Procfile|Jenkinsfile|CMakeLists\.txt|LICENSE|README|go\.mod|go\.sum|\.[a-z][\w.-]*)$/;
const productNames =
  /^(?:Angular|Chart|D3|Ember|Express|Nest|Next|Node|Nuxt|React|Three|Vue)\.js$/i;
const pathShape = /^(?:[A-Za-z]:)?[\w@.~+$()[\]/\\-]+$/;
const label =
  /^(?:(?:new |updated? |modified |in )?(?:file(?:name|path)?|path)\b\s*[:=]?|(?:in|update|edit|create|modify)\s)\s*/i;

/** True for one file name, with or without folders. */
export function isPath(text: string): boolean {
  if (text.length > 260) return false;
  // Most words of a text end here.
  if (!/[.\\/]/.test(text)) return knownNames.test(text);
  if (!pathShape.test(text) || /[(\\/.]$/.test(text)) return false;
  const name = text.split(/[\\/]/).at(-1) ?? '';
  if (productNames.test(text)) return false;
  if (knownNames.test(name)) return name !== text || !/^\.\d/.test(name);
  const extension = /[^.]\.([A-Za-z]\w{0,9})$/.exec(name)?.[1];
  if (extension === undefined || /\)\./.test(name)) return false;
  return name !== text || knownExtensions.has(extension.toLowerCase());
}

/** From a fence's info string: `ts src/a.ts`, `ts title="src/a.ts"`, `src/a.ts`, `12:40:src/a.ts`, `ts:src/a.ts`. */
export function pathFromInfo(info: string): string | undefined {
  const named =
    /\b(?:title|file|filename|filepath|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|(\S+))/i.exec(
      info,
    );
  const value = named?.[1] ?? named?.[2] ?? named?.[3];
  if (value !== undefined && isPath(value)) return value;
  for (const word of info.split(/\s+/)) {
    const path = word.replace(/^(?:\d+:\d+:|[A-Za-z+#]{2,}:(?![\\/]))/, '').replace(/^\{|\}$/g, '');
    if (isPath(path)) return path;
  }
  return undefined;
}

/** From the line above a block: `**src/a.ts**`, `### src/a.ts`, `File: src/a.ts`, ``Change `src/a.ts`:``. */
export function pathFromHeading(line: string): string | undefined {
  const quoted = new Set(
    [...line.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '').filter(isPath),
  );
  if (quoted.size > 0) return quoted.size === 1 ? [...quoted][0] : undefined;

  const plain = withoutNotes(
    line
      .trim()
      .replace(/^(?:#+|[-*+]|\d+[.)]|>)\s+/, '')
      .replace(/^(?:\d+[.)]\s+)/, '')
      .replaceAll(/\*\*|__|["'`]/g, '')
      .replace(/^\*|\*$/g, '')
      .replace(label, ''),
  );
  if (isPath(plain)) return plain;
  if (!line.trim().endsWith(':')) return undefined;
  const words = line.split(/[\s,:]+/).filter(isPath);
  return words.length === 1 ? words[0] : undefined;
}

/** The file name directly above, where a fence may stand between. */
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

/** From a block's first line, when it is a comment that holds only a path: `// src/a.ts`, `# path: a.py`. */
export function pathFromComment(line: string): string | undefined {
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

/** Cuts ` (new)` and ` - what it is for`. */
function withoutRemark(text: string): string {
  const isClosed = text.endsWith(')');
  const innerClose = text.lastIndexOf(')', text.length - 2);
  for (const { index, 0: blanks } of text.matchAll(/\s+/g)) {
    const next = index + blanks.length;
    const sign = text.charAt(next);
    if (/[-–—]/.test(sign) || (sign === '(' && isClosed && innerClose < next))
      return text.slice(0, index);
  }
  return text;
}

function withoutNotes(text: string): string {
  return withoutRemark(text)
    .replace(/:\d+(?:[-:]\d+)?$/, '')
    .replace(/:$/, '')
    .trim();
}
