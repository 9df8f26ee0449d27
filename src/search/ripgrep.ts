import { type Ended, type RunOptions, runLines } from './process';

/** ripgrep could not start, or refused what it was asked. */
export class RipgrepError extends Error {
  override readonly name = 'RipgrepError';
}

/** Exit code of ripgrep for an error, which may be one unreadable folder among many. */
const failed = 2;

const always = [
  // A configuration of the user's would change the output.
  '--no-config',
  '--no-messages',
  '--no-require-git',
  '--color=never',
  '--path-separator=/',
];

/**
 * Runs ripgrep over the working folder. Links are not followed. Paths in the output are relative
 * and begin with `./`; output that came before an error counts.
 */
export async function ripgrep(
  rgPath: string,
  args: readonly string[],
  onLines: (lines: string[]) => void,
  options: RunOptions,
): Promise<Ended> {
  let hasOutput = false;
  let ended: Ended;
  try {
    ended = await runLines(
      rgPath,
      [...always, ...args, '--', './'],
      lines => {
        hasOutput = true;
        onLines(lines);
      },
      options,
    );
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new RipgrepError('ripgrep could not be started', { cause: error });
  }
  if (!hasOutput && !ended.isCut && (ended.code === failed || ended.code === null)) {
    throw new RipgrepError('ripgrep ended with an error');
  }
  return ended;
}

/** Arguments that leave out what the globs name. */
export const excluding = (globs: readonly string[]): string[] =>
  globs.flatMap(glob => ['-g', `!${glob}`]);
