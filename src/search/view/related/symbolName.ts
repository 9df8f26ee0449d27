import { nameDeclaredIn } from '../symbols';

/** Where the name of a symbol stands, for language features, which want the position of an identifier. */
export interface NamedSymbol {
  /** As the row has it, such as `Queue.close`. */
  readonly symbol: string;
  /** The identifiers of the symbol; the last one is its own name. */
  readonly names: readonly string[];
  /** 0-based, as in VS Code. */
  readonly line: number;
  readonly character: number;
}

const identifier = /^[\p{L}_$#][\p{L}\p{N}_$]*[!?]?$/u;
const wordCharacter = /[\p{L}\p{N}_$#]/u;
/** Lines above a place in which the declaration around it is looked for. */
const maxLinesAbove = 2000;

/**
 * Finds the name of the symbol that a place is in: where it is declared in the place or above it, else where
 * the place mentions it.
 * @returns undefined for what is no identifier, such as a heading
 */
export function namedSymbolOf(
  lines: readonly string[],
  {
    symbol,
    startLine,
    endLine,
  }: {
    readonly symbol?: string | undefined;
    readonly startLine: number;
    readonly endLine: number;
  },
  path: string,
): NamedSymbol | undefined {
  const names = symbol?.split('.') ?? [];
  const name = names.at(-1);
  if (symbol === undefined || name === undefined || !names.every(one => identifier.test(one))) {
    return undefined;
  }
  const first = startLine - 1;
  const inside = range(first, Math.min(endLine, lines.length));
  const above = range(Math.max(0, first - maxLinesAbove), first).toReversed();
  const line =
    [...inside, ...above].find(at => nameDeclaredIn(lines[at] ?? '', path) === name) ??
    inside.find(at => mentionAt(lines[at] ?? '', name) >= 0);
  if (line === undefined) return undefined;
  return { symbol, names, line, character: Math.max(0, mentionAt(lines[line] ?? '', name)) };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** Index at which a text has a name as a whole identifier; -1 where it has none. */
export function mentionAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? '';
    const after = text[at + name.length] ?? '';
    if (!wordCharacter.test(before) && !wordCharacter.test(after)) return at;
  }
  return -1;
}
