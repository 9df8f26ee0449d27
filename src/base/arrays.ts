/**
 * Adds items at the end of a list. In place of `list.push(...items)`, which puts every item on the stack
 * and throws from about 120,000 of them.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) {
    list.push(item);
  }
}

/** Puts the numbers of an array into a longer one, and returns that. */
export function grown<T extends { set(from: T): void }>(old: T, longer: T): T {
  longer.set(old);
  return longer;
}
