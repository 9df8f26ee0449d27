import type { Slices } from '../../base/async/slices';

/** Paths that are sorted without a pause, which takes a few milliseconds. */
const runLength = 2000;

/**
 * Paths with `/` in the order of a tree walk, each folder before what it holds. They are sorted in runs
 * that are merged as far as the caller goes, since a listing shows the first of many.
 */
export async function* inTreeOrder(
  paths: readonly string[],
  slices: Slices,
): AsyncGenerator<string> {
  let runs: { readonly keys: readonly string[]; at: number }[] = [];
  for (let at = 0; at < paths.length; at += runLength) {
    // A NUL sorts before all that a name may have.
    const keys = paths.slice(at, at + runLength).map(path => path.replaceAll('/', '\0'));
    runs.push({ keys: keys.sort(), at: 0 });
    await slices.pause();
  }
  while (runs.length > 0) {
    const next = runs.reduce((a, b) => (keyOf(b) < keyOf(a) ? b : a));
    yield keyOf(next).replaceAll('\0', '/');
    next.at++;
    if (next.at >= next.keys.length) runs = runs.filter(run => run !== next);
  }
}

const keyOf = ({ keys, at }: { readonly keys: readonly string[]; at: number }): string =>
  keys[at] ?? '';
