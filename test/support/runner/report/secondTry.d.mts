import type { Results } from './results.mjs';

type Outcome = Omit<Results, 'done'> & {
  /** What failed, or did not run, at first only. */
  unsteady?: Results['failed'];
};
export function withSecondTry(
  first: Outcome,
  again: (files: string[]) => Promise<Outcome>,
): Promise<Outcome>;
export function replaceFiles(first: Outcome, second: Outcome): Outcome;
