// Where things are. `.vscode-test` is ignored by git and may be deleted at any time.
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../../..');
export const scratch = path.join(root, '.vscode-test');
export const artifacts = path.join(scratch, 'artifacts');
export const hostTests = path.join(root, 'out/host');
export const sample = path.join(root, 'test/fixtures/sample');
export const vsix = path.join(scratch, 'splice.vsix');
/** A VSIX to test instead of one that is made from the sources. */
export const givenVsix = process.env.SPLICE_VSIX && path.resolve(root, process.env.SPLICE_VSIX);
