/** Files that are read and stored at the same time: each waits for the disk. */
const maxAtOnce = 8;

/** The results in the order of the items. `work` must not reject. */
export async function mapFiles<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const run = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, items.length) }, run));
  return results;
}
