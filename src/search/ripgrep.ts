import { ignoresCase } from '../host/egress/ignoreFiles';
import { type LinesEnd, type LinesRequest, runLines } from './process';

export interface RipgrepRequest extends Omit<LinesRequest, 'program' | 'env'> {
  readonly rgPath: string;
}

/**
 * Which ignore files count, and how: those that `IgnoreFiles` reads, in git's own way with cases, so that
 * a search finds the same files with and without ripgrep.
 */
export const ignoreFlags: readonly string[] = [
  '--no-require-git',
  ...(ignoresCase ? ['--ignore-file-case-insensitive'] : []),
];

/**
 * Runs ripgrep. The pattern belongs behind `-e` and paths behind `--`, so that none is taken for an
 * option. Exit code 0 means matches, 1 none, 2 an error that may have left some out.
 */
export function runRipgrep({ rgPath, args, ...request }: RipgrepRequest): Promise<LinesEnd> {
  // A configuration of the user's would change the output.
  return runLines({ ...request, program: rgPath, args: ['--no-config', '--color=never', ...args] });
}

/** A path as ripgrep prints it below `./`. */
export function withoutDot(file: string): string {
  return /^\.[\\/]/.test(file) ? file.slice(2) : file;
}
