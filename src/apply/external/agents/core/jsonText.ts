import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser/lib/esm/main.js';

export type { Node } from 'jsonc-parser/lib/esm/main.js';

/** What a JSON text holds, with the place of each value; or the line, from 1, from which on it cannot be read. */
export function readJson(
  text: string,
  options: { readonly hasComments: boolean },
): { readonly root: Node } | { readonly badLine: number } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { disallowComments: !options.hasComments });
    const [error] = errors;
    if (root && !error) return { root };
    return { badLine: lineAt(text, error?.offset ?? 0) };
  } catch (error) {
    // The parser is recursive, and a text may nest deeper than its stack.
    if (error instanceof RangeError) return { badLine: 1 };
    throw error;
  }
}

const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split(/\r\n|\r|\n/).length;

/** The values of an object by name; undefined when a name is there twice. */
export function membersOf(object: Node): ReadonlyMap<string, Node> | undefined {
  const members = new Map<string, Node>();
  for (const { children: [name, value] = [] } of object.children ?? []) {
    if (!name || !value) continue;
    if (members.has(String(name.value))) return undefined;
    members.set(String(name.value), value);
  }
  return members;
}

/** How a text writes JSON. */
export interface JsonStyle {
  readonly eol: string;
  /** The white space of one level. */
  readonly unit: string;
}

export function styleOf(text: string): JsonStyle {
  return {
    eol: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n',
    unit: /[\r\n]([ \t]+)["[{]/.exec(text)?.[1] ?? '  ',
  };
}

/** A value over several lines, of which all but the first begin with `margin`. */
export const writeJson = (value: unknown, { eol, unit }: JsonStyle, margin: string): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', eol + margin);

/**
 * The text with one more child at the end of an object or a list: lists give `name` as undefined. Only characters are
 * added, so that {@link removeChild} can give the text back.
 */
export function addChild(
  text: string,
  container: Node,
  name: string | undefined,
  value: unknown,
): string {
  const style = styleOf(text);
  const written = (margin: string): string =>
    (name === undefined ? '' : `${JSON.stringify(name)}: `) + writeJson(value, style, margin);
  const last = container.children?.at(-1);
  // Directly after the bracket, which says that the container was there before: see wasAdded.
  if (!last) return insert(text, container.offset + 1, written(marginAt(text, container.offset)));
  const end = endOf(last);
  const margin = marginAt(text, last.offset);
  const before = container.children?.at(-2);
  const isOnLine = !/[\r\n]/.test(
    text.slice(before ? endOf(before) : container.offset, last.offset),
  );
  if (isOnLine) return insert(text, end, `, ${written(margin)}`);
  // A remark behind the last value stays with it.
  const remark = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/.exec(text.slice(end))?.[0] ?? '';
  return insert(text, end, `,${remark}${style.eol}${margin}${written(margin)}`, remark.length);
}

/** The text without one child, its comma and the white space that came with it. */
export function removeChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const at = children.indexOf(child);
  const previous = children[at - 1];
  const next = children[at + 1];
  if (previous) {
    const between = withoutComma(text.slice(endOf(previous), child.offset)).trimEnd();
    return text.slice(0, endOf(previous)) + between + text.slice(endOf(child));
  }
  if (!next) return text.slice(0, child.offset) + text.slice(endOf(child));
  const between = withoutComma(text.slice(endOf(child), next.offset)).trimStart();
  return text.slice(0, child.offset) + between + text.slice(next.offset);
}

/** Whether {@link addChild} made a container with its only child, or a person wrote it in that form. */
export const wasAdded = (text: string, container: Node): boolean =>
  /[\r\n]/.test(text[container.offset + 1] ?? '');

const endOf = ({ offset, length }: Node): number => offset + length;

const insert = (text: string, at: number, added: string, replaced = 0): string =>
  text.slice(0, at) + added + text.slice(at + replaced);

/** The white space that the line of a place begins with. */
function marginAt(text: string, offset: number): string {
  const start =
    Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** What stands between two children, without the comma; remarks may have commas of their own. */
function withoutComma(between: string): string {
  const scanner = createScanner(between);
  while (scanner.getPosition() < between.length) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    if (between[at] === ',') return between.slice(0, at) + between.slice(at + 1);
  }
  return between;
}
