import { stat } from 'node:fs/promises';
import { append } from '../../base/arrays';

/** Files whose time is asked for at once; asking for all would hold up the process. */
const atOnce = 200;
/** Files that are sorted at once; seldom more are shown. */
const portion = 1000;

interface Timed<F> {
  readonly found: F;
  readonly time: number;
}

/**
 * Files by their time, the newest first.
 * @param timeOf milliseconds of the last change
 */
export async function* newestFirst<F extends { readonly file: string }>(
  files: readonly F[],
  signal: AbortSignal,
  timeOf: (file: string) => Promise<number> = changeOf,
): AsyncGenerator<F> {
  let rest: Timed<F>[] = [];
  for (let at = 0; at < files.length; at += atOnce) {
    signal.throwIfAborted();
    const some = files.slice(at, at + atOnce);
    append(
      rest,
      await Promise.all(some.map(async found => ({ found, time: await timeOf(found.file) }))),
    );
  }
  while (rest.length > 0) {
    const oldest =
      Float64Array.from(rest, ({ time }) => time)
        .sort()
        .at(-portion) ?? -Infinity;
    const next = rest.filter(({ time }) => time >= oldest);
    rest = rest.filter(({ time }) => time < oldest);
    for (const { found } of next.sort((a, b) => b.time - a.time)) yield found;
  }
}

/** A file that has gone is the oldest. */
async function changeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}
