import { type LinesRequest, type ProgramEnd, runLines } from '../../base/process';
import { ignoresCase } from '../../platform/egress/paths/ignoreFiles';

export interface RipgrepRequest extends Omit<LinesRequest, 'program' | 'env'> {
  readonly rgPath: string;
}

/**
 * Which ignore files apply: the same as for `IgnoreFiles`, with the same handling of case, so that a
 * search finds the same files with and without ripgrep.
 */
export const ignoreFlags: readonly string[] = [
  '--no-require-git',
  ...(ignoresCase ? ['--ignore-file-case-insensitive'] : []),
];

/**
 * Runs ripgrep. Pass the pattern after `-e` and paths after `--`, so that neither is parsed as an option.
 * Exit code 0 means matches, 1 none, 2 an error, after which results may be incomplete.
 */
export function runRipgrep({ rgPath, args, ...request }: RipgrepRequest): Promise<ProgramEnd> {
  // A configuration file of the user would change the output.
  return runLines({ ...request, program: rgPath, args: ['--no-config', '--color=never', ...args] });
}

/** A path as ripgrep prints it below `./`. */
export function withoutDotSlash(file: string): string {
  return /^\.[\\/]/.test(file) ? file.slice(2) : file;
}
