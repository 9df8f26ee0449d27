/** The first index in `[low, high)` whose number is not below `value`; `high` when all are below it. */
export function lowerBound(
  sorted: ArrayLike<number>,
  value: number,
  low = 0,
  high = sorted.length,
): number {
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
