import { parseJson } from '../../../base/typeGuards';
import { type EditPart, part, reasons } from '../operations';
import { isTextArgument, partsOfCall, readToolCalls, type ToolArguments } from './toolCalls';

/**
 * Calls of tools between tags, as agents write them down: `<invoke name="edit"><parameter name="path">…`,
 * `<function=edit><parameter=path>…`, `<tool_call>{"name": "edit", …}</tool_call>`, and a pair of
 * `<old_text>…</old_text><new_text>…</new_text>`.
 */

export interface TaggedCall {
  /** The line after the last one. */
  readonly end: number;
  readonly parts: readonly EditPart[];
}

const invoke = /^\s*<((?:\w+:)?)invoke\s+name="([^"]+)">/;
const functionTag = /^\s*<function=([\w.-]+)>/;
const jsonCall = /^\s*<(tool_call|tool_use|function_call)>(.*)$/;
const oldText = /^\s*<old_text(?:\s[^<>]*)?>/;

/**
 * The call that begins at a line.
 *
 * @param readPatch reads the text of a patch in a call.
 * @param named the file that is meant where the call names none.
 * @param unclosed tags that were looked for in vain, so that many of them cost no more than one.
 */
export function taggedCallAt(
  lines: readonly string[],
  start: number,
  readPatch: (text: string) => EditPart[],
  { named, unclosed }: { readonly named: string | undefined; readonly unclosed: Set<string> },
): TaggedCall | undefined {
  const line = lines[start] ?? '';
  const [opened, space = '', name] = invoke.exec(line) ?? [];
  const [openedFunction, functionName] = functionTag.exec(line) ?? [];
  const close =
    name !== undefined
      ? `</${space}invoke>`
      : functionName !== undefined
        ? '</function>'
        : oldText.test(line)
          ? '</new_text>'
          : `</${jsonCall.exec(line)?.[1]}>`;
  if (close === '</undefined>' || unclosed.has(close)) return undefined;
  const last = lastLine(lines, start, close);
  if (last === undefined) unclosed.add(close);
  if (last === undefined || last === 'nextCall') return undefined;
  const source = lines.slice(start, last + 1).join('\n');
  const end = last + 1;
  if (oldText.test(line)) return pairIn(source, named, end);
  const inner = source.slice(0, source.lastIndexOf(close));
  const called = name ?? functionName;
  if (called !== undefined) {
    const args = parametersIn(inner.slice((opened ?? openedFunction ?? '').length));
    return { end, parts: partsOfCall(called, args, readPatch, source) };
  }
  const json = inner.slice(inner.indexOf('>') + 1);
  // A call with parameters begins on a line of its own.
  if (/^\s*</.test(json)) return undefined;
  const parts = readToolCalls(json, readPatch) ?? [
    part(source, { kind: 'none', reason: reasons.call }),
  ];
  return { end, parts };
}

/** The line that closes a call; `nextCall` where another one begins before, so that nothing closes this one. */
function lastLine(
  lines: readonly string[],
  start: number,
  close: string,
): number | 'nextCall' | undefined {
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (at > start && (invoke.test(line) || oldText.test(line))) return 'nextCall';
    if (line.includes(close)) return at;
  }
  return undefined;
}

function pairIn(source: string, path: string | undefined, end: number): TaggedCall | undefined {
  const search = childText(source, 'old_text');
  const replace = childText(source, 'new_text');
  if (search === undefined || replace === undefined) return undefined;
  return { end, parts: [part(source, { kind: 'blocks', path, blocks: [{ search, replace }] })] };
}

function childText(source: string, tag: string): string | undefined {
  const open = source.indexOf('>', source.indexOf(`<${tag}`));
  const close = source.indexOf(`</${tag}>`, open);
  return open < 0 || close < 0 ? undefined : ownLines(source.slice(open + 1, close));
}

/** Whether the call of a tool begins at a line, whether anything closes it or not. */
export const startsTaggedCall = (line: string): boolean =>
  [invoke, functionTag, jsonCall, oldText].some(tag => tag.test(line));

/** A text without the line ends next to its tags. */
export const ownLines = (text: string): string =>
  text.includes('\n') ? text.replace(/^[ \t]*\n/, '').replace(/\n[ \t]*$/, '') : text;

const parameter = /<(?:\w+:)?parameter(?:\s+name="([^"]+)"|=([\w.-]+))>/g;
const parameterEnd = /<\/(?:\w+:)?parameter>\s*$/;

function parametersIn(text: string): ToolArguments {
  const found = [...text.matchAll(parameter)];
  const args: Record<string, unknown> = {};
  for (const [at, match] of found.entries()) {
    const value = text.slice(match.index + match[0].length, found[at + 1]?.index);
    // A text may hold the tags of a parameter; it ends only where a whole one does.
    const name = match[1] ?? match[2] ?? '';
    args[name] = valueOf(name, ownLines(value.replace(parameterEnd, '')));
  }
  return args;
}

/** The value of an argument that is written as text. */
export function valueOf(name: string, text: string): unknown {
  if (isTextArgument(name)) return text;
  const value = parseJson(text);
  return value === undefined || typeof value === 'string' ? text : value;
}
