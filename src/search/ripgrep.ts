import { type LinesEnd, type LinesRequest, runLines } from './process';

export interface RipgrepRequest extends Omit<LinesRequest, 'program' | 'env'> {
  readonly rgPath: string;
}

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
