// Texts made to keep a parser busy: a start, a part that is repeated, and an end that lets all of it fail.

export interface Recipe {
  readonly start: string;
  readonly pump: string;
  readonly end: string;
}

export const textOf = ({ start, pump, end }: Recipe, length: number): string => {
  const count = Math.max(1, Math.ceil((length - start.length - end.length) / pump.length));
  return start + pump.repeat(count) + end;
};

export const nameOf = ({ start, pump, end }: Recipe): string =>
  `${JSON.stringify(start)} ${JSON.stringify(pump)}… ${JSON.stringify(end)}`;

/** Whatever a parser looks for, these stand between it or spoil it. */
const common = [' ', '\n', '\t', 'a', 'a ', '\n\n', ' \n', '\r\n', '\u2028'];
const ends = ['', '\u0001', '\nx', '!'];

/**
 * Every token repeated, every two tokens repeated, after each of some starts and before each of some
 * ends. Which starts and ends a pair gets turns with the pair, so that the number stays small; each
 * single token gets all of them.
 */
export function recipesOf(tokens: readonly string[]): Recipe[] {
  const all = [...new Set([...tokens, ...common])];
  const recipes: Recipe[] = [];
  for (const pump of all)
    for (const start of ['', ...tokens]) for (const end of ends) recipes.push({ start, pump, end });
  let turn = 0;
  const starts = ['', ...tokens];
  const closes = [...ends, ...tokens];
  for (const one of all)
    for (const other of all) {
      if (one === other) continue;
      turn++;
      recipes.push({
        start: starts[turn % starts.length] ?? '',
        pump: one + other,
        end: closes[(turn * 7) % closes.length] ?? '',
      });
    }
  return recipes;
}

/** Evenly from all of them, so that every token has its turn. */
export function someOf(recipes: readonly Recipe[], most: number): Recipe[] {
  const step = Math.max(1, recipes.length / most);
  return Array.from(
    { length: Math.min(most, recipes.length) },
    (_, at) => recipes[Math.floor(at * step)],
  ).filter(recipe => recipe !== undefined);
}

/** CPU of this process in milliseconds, the least of some runs. */
export async function cpuMs(run: () => unknown, runs = 1): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < runs; at++) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
