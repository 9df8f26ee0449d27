export function runInTurn<T>(
  left: () => number,
  run: (life: number) => Promise<readonly T[]>,
): Promise<T[]>;
