import type Mocha from 'mocha';

/** Mocha's `spec` for one file of many: totals and failures are printed once, for all files. */
export class FileSpec extends Mocha.reporters.Spec {}
