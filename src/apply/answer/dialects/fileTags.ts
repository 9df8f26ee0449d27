import { sentence } from '../../../base/sentence';
import { isPath } from '../../../markdown';
import { type EditOperation, type EditPart, part } from '../operations';
import { ownLines, valueOf } from './taggedCalls';
import { partsOfCall, type ToolArguments } from './toolCalls';

/** Files between tags: `<file path="a.ts">…</file>`, `<write_to_file><path>…</path><content>…`. */

const pathAttribute =
  /\s(?:path|file_?[pP]ath|file_?[nN]ame|file|name|title)\s*=\s*(?:"([^"]+)"|'([^']+)')/;
const toAttribute = /\s(?:to|new_?[pP]ath|new_file_path|destination)\s*=\s*(?:"([^"]+)"|'([^']+)')/;
const fromAttribute =
  /\s(?:from|old_?[pP]ath|(?:original|old)_file_path|source)\s*=\s*(?:"([^"]+)"|'([^']+)')/;
const opening = /^\s*<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)>(.*)$/;

/** One of these words is in each tag of a file and of a tool that edits files. */
const tagWords = new Set(
  (
    'file write create edit update replace modify source document content contents text artifact code codeblock ' +
    'diff patch delete remove rename move action block change insert'
  ).split(' '),
);
const isFileTag = (tag: string): boolean =>
  tag
    .replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    .split(/[-_:.]/)
    .some(word => tagWords.has(word));
const contentTag = /^(?:new_?)?(?:file_?)?(?:contents?|code|text)$/i;
const removal = /delete|remove/i;
const renaming = /rename|move/i;
const container = /^(?:files|documents|edits|changes|answer|response|function_calls|patches)$/i;

/** Tools that take the whole content; other tags may show a part of the file. */
const whole = /write|create/i;

export interface FileTagContent {
  readonly path: string;
  readonly source: string;
  /** The text is the whole new content of the file. */
  readonly isWhole: boolean;
}

export interface FileTag {
  /** The line after the last one. */
  readonly end: number;
  readonly parts: readonly EditPart[];
}

/**
 * The file tag that begins at a line.
 *
 * @param readContent reads the text between the tags of a file.
 * @param known `named`: the file that the line above names, for a tag that holds only its content; `unclosed`,
 *   `unnamed`: tags of which the end, or the name of the file, was looked for in vain, so that many of them cost no
 *   more than one; `readPatch`: reads a patch in a call of a tool.
 */
export function fileTagAt(
  lines: readonly string[],
  start: number,
  readContent: (text: string, file: FileTagContent) => EditPart[],
  {
    named,
    unclosed,
    unnamed,
    readPatch,
  }: {
    readonly named: string | undefined;
    readonly unclosed: Set<string>;
    readonly unnamed: Set<string>;
    readonly readPatch: (text: string) => EditPart[];
  },
): FileTag | undefined {
  const [, tag = '', attributes = '', behind = ''] = opening.exec(lines[start] ?? '') ?? [];
  if (tag === '' || container.test(tag) || !isFileTag(tag)) return undefined;
  if (unclosed.has(tag) || unnamed.has(tag)) return undefined;
  const content = contentTag.test(tag) ? named : undefined;
  const given = attribute(pathAttribute, attributes) ?? attribute(fromAttribute, attributes);
  const children = [behind, ...lines.slice(start + 1, start + 4)];
  const hasChild = children.some(line => pathChildLine.test(line));
  if (given === undefined && content === undefined && !hasChild) return undefined;
  const isClosed = /\/\s*$/.test(attributes);
  const end = isClosed ? start : closingLine(lines, start, tag, behind);
  if (end === undefined) {
    unclosed.add(tag);
    return undefined;
  }
  const source = lines.slice(start, end + 1).join('\n');
  const body = isClosed ? '' : between(lines, { start, end, tag, behind });
  const args = given === undefined && !isClosed ? argumentsIn(body) : undefined;
  if (args && isCallOfTool(args)) {
    return { end: end + 1, parts: partsOfCall(tag, args, readPatch, source) };
  }
  const path =
    attribute(pathAttribute, attributes) ?? childText(body, pathChild, isPath) ?? content;
  const from = attribute(fromAttribute, attributes) ?? path;
  const to = attribute(toAttribute, attributes) ?? childText(body, toChild, isPath);
  const verb = `${tag} ${/\s(?:action|type|operation|change)\s*=\s*["'](\w+)/.exec(attributes)?.[1] ?? ''}`;
  const made = (operation: EditOperation): FileTag => ({
    end: end + 1,
    parts: [part(source, operation)],
  });
  if (renaming.test(verb) && from !== undefined && to !== undefined) {
    return made({ kind: 'rename', path: from, newPath: to });
  }
  if (path === undefined) {
    unnamed.add(tag);
    return undefined;
  }
  if (removal.test(verb)) return made({ kind: 'delete', path });
  if (isClosed)
    return made({ kind: 'none', path, reason: sentence('The tag of this file is empty.') });
  const text = childText(body, contentChild, () => true) ?? withoutChild(body, pathChild);
  return { end: end + 1, parts: readContent(text, { path, source, isWhole: whole.test(tag) }) };
}

/**
 * The file that a tag names that nothing closes.
 *
 * @param unclosed tags that {@link fileTagAt} has looked for in vain.
 */
export function openFileTag(
  lines: readonly string[],
  at: number,
  unclosed: ReadonlySet<string>,
): { readonly path: string | undefined } | undefined {
  const [all, tag = '', attributes = ''] = opening.exec(lines[at] ?? '') ?? [];
  if (all === undefined || !unclosed.has(tag)) return undefined;
  const path = attribute(pathAttribute, attributes);
  const child = path === undefined ? childPath(lines, at) : undefined;
  return path === undefined && child === undefined ? undefined : { path: path ?? child };
}

function childPath(lines: readonly string[], at: number): string | undefined {
  const line = lines.slice(at + 1, at + 4).find(each => pathChildLine.test(each));
  const text = line === undefined ? '' : line.slice(line.indexOf('>') + 1);
  const path = text.slice(0, Math.max(0, text.indexOf('<'))).trim();
  return isPath(path) ? path : undefined;
}

const attributeValue = /=\s*"([^"]+)"/g;

/** Whether a line is a tag that names a file, in a way that {@link fileTagAt} does not know. */
export function isUnknownFileTag(line: string): boolean {
  const [all, tag = '', attributes = '', behind = ''] = opening.exec(line) ?? [];
  if (all === undefined || behind.trim() !== '' || !isFileTag(tag)) return false;
  return [...attributes.matchAll(attributeValue)].some(([, value = '']) => isPath(value));
}

function attribute(pattern: RegExp, attributes: string): string | undefined {
  const found = pattern.exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value !== undefined && isPath(value) ? value : undefined;
}

function closingLine(
  lines: readonly string[],
  start: number,
  tag: string,
  behind: string,
): number | undefined {
  const close = `</${tag}>`;
  if (behind.includes(close)) return start;
  // A closing tag stands at the start of a line, or at the end of the last line of the content.
  for (let at = start + 1; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    if (line.startsWith(close) || line.endsWith(close)) return at;
  }
  return undefined;
}

function between(
  lines: readonly string[],
  { start, end, tag, behind }: { start: number; end: number; tag: string; behind: string },
): string {
  const close = `</${tag}>`;
  if (start === end) return behind.slice(0, behind.indexOf(close));
  const last = lines[end] ?? '';
  const rest = last.slice(0, last.lastIndexOf(close));
  return [
    ...(behind.trim() === '' ? [] : [behind]),
    ...lines.slice(start + 1, end),
    ...(rest.trim() === '' ? [] : [rest]),
  ].join('\n');
}

const pathChild = ['path', 'file_path', 'filePath', 'filename', 'file', 'name', 'source'];
const pathChildLine =
  /^\s*<(?:path|file_path|target_file|filePath|filename|file|name|source|from|old_path)>[^<]+<\//;
const toChild = ['new_path', 'newPath', 'destination', 'to'];
const contentChild = [
  'content',
  'contents',
  'diff',
  'code',
  'text',
  'new_content',
  'document_content',
];

/** The text of a child such as `<path>a.ts</path>`, without the line ends next to its tags. */
function childText(
  body: string,
  names: readonly string[],
  fits: (text: string) => boolean,
): string | undefined {
  for (const name of names) {
    const open = body.indexOf(`<${name}>`);
    const close = open < 0 ? -1 : body.lastIndexOf(`</${name}>`);
    if (close < open || close < 0) continue;
    const inner = body.slice(open + name.length + 2, close);
    const text = inner.replace(/^[ \t]*\n/, '').replace(/\n[ \t]*$/, '');
    const value = inner.includes('\n') ? text : inner.trim();
    if (fits(value)) return value;
  }
  return undefined;
}

const argumentTag = /<([A-Za-z]\w{0,60})>/y;

/** The arguments of a tool, each between tags of its own; undefined where other text stands between them. */
function argumentsIn(body: string): ToolArguments | undefined {
  const args: Record<string, unknown> = {};
  for (let at = 0; at < body.length; ) {
    while (at < body.length && body.charAt(at).trim() === '') at++;
    if (at === body.length) return args;
    argumentTag.lastIndex = at;
    const name = argumentTag.exec(body)?.[1];
    if (name === undefined) return undefined;
    const start = argumentTag.lastIndex;
    const close = `</${name}>`;
    const end = body.indexOf(close, start);
    if (end < 0 || name in args) return undefined;
    args[name] = valueOf(name, ownLines(body.slice(start, end)));
    at = end + close.length;
  }
  return args;
}

/** Others hold the text of the file, a patch, or search/replace blocks. */
const isCallOfTool = (args: ToolArguments): boolean =>
  'code_edit' in args || 'line' in args || 'search' in args;

function withoutChild(body: string, names: readonly string[]): string {
  for (const name of names) {
    const open = body.indexOf(`<${name}>`);
    const close = open < 0 ? -1 : body.indexOf(`</${name}>`, open);
    if (close > 0 && body.slice(0, open).trim() === '') {
      return body.slice(close + name.length + 3).replace(/^[ \t]*\n/, '');
    }
  }
  return body;
}
