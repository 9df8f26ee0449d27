// Mocha's `spec` for one file of many: totals and failures are printed once, for all files.
import Mocha from 'mocha';

const { Base, Spec } = Mocha.reporters;

export class FileSpec extends Spec {
  /** Only what failed, with its stack, next to the tests around it. */
  epilogue() {
    if (this.failures.length > 0) Base.list(this.failures);
  }
}
