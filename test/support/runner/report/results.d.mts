import type Mocha from 'mocha';

interface LoadedFile {
  /** With the tests of the file. */
  mocha: Mocha;
  /** The file in the record. */
  name: string;
  /** The file that gets the results, line by line; undefined for none. */
  record: string | undefined;
}
/** Resolves with the number of failures. */
export function runFile(options: LoadedFile): Promise<number>;
/** Says in the record that a file could not be loaded. */
export function writeUnloaded(record: string | undefined, file: string, error: unknown): void;
/** Says in the record that nothing more comes. */
export function writeDone(record: string | undefined): void;

interface Result {
  file: string;
  title: string;
  state: 'passed' | 'failed' | 'skipped' | 'missing';
  ms?: number;
  error?: string;
}
export interface Results {
  /** The process ended by itself. */
  done: boolean;
  files: { file: string; ms: number }[];
  tests: Result[];
  passed: number;
  /** Hooks and files that could not be loaded as well. */
  failed: (Pick<Result, 'title' | 'error'> & { file?: string | undefined })[];
  /** They were planned and have not ended. */
  missing: Result[];
}
export function readResults(record: string): Results;
