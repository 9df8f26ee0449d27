/** Lines of a text with their ends, split here and not by the code under test. */
export const split = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/**
 * Each line that somebody wrote has a number of its own, which stays when the line is formatted: `agent 12;`. Other lines,
 * such as brackets, occur many times and belong to nobody.
 */
export const tokenOf = (line: string): string | undefined => /\b[a-z]+ \d+/.exec(line)?.[0];

export function tokensOf(lines: readonly string[] | string | undefined): Set<string> {
  const found = new Set<string>();
  for (const line of typeof lines === 'string' ? split(lines) : (lines ?? [])) {
    const token = tokenOf(line);
    if (token !== undefined) found.add(token);
  }
  return found;
}

export const minus = <T>(a: Iterable<T>, ...others: readonly ReadonlySet<T>[]): T[] =>
  [...a].filter(one => !others.some(other => other.has(one)));

/** Replaces lines, written here and not by the code under test. */
export function spliced(
  lines: readonly string[],
  edits: readonly {
    readonly at: number;
    readonly old: readonly string[];
    readonly lines: readonly string[];
  }[],
): string[] | undefined {
  const result = [...lines];
  for (const { at, old, lines: added } of edits.toReversed()) {
    const removed = result.splice(at, old.length, ...added);
    if (removed.join('') !== old.join('')) return undefined;
  }
  return result;
}

/**
 * The tokens of both texts in the order of the first, and in that of the second; none of a text that has a line twice,
 * because it moved and only half of that was undone.
 */
export function commonOrder(a: string, b: string): [string, string] {
  const [inA, inB] = [tokensIn(a), tokensIn(b)];
  if ([inA, inB].some(tokens => new Set(tokens).size < tokens.length)) return ['', ''];
  return [
    inA.filter(token => inB.includes(token)).join(),
    inB.filter(token => inA.includes(token)).join(),
  ];
}

const tokensIn = (text: string): string[] => split(text).flatMap(line => tokenOf(line) ?? []);
