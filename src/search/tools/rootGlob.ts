import path from 'node:path';
import { trimEndOf } from '../../base/text/scan';
import { type Sandbox, ToolError, toPosixPath } from '../workspace/sandbox';

/**
 * A glob of the model for the paths of one root. Listings show absolute paths, so globs may be absolute too.
 * @returns undefined where it means files of another root
 * @throws {ToolError} when it begins with a folder that is not in the workspace, or may not be read
 */
export async function rootGlob(
  sandbox: Sandbox,
  glob: string,
  root: string,
): Promise<string | undefined> {
  const sign = glob.startsWith('!') ? '!' : '';
  const given = path.sep === '/' ? glob.slice(sign.length) : toPosixPath(glob.slice(sign.length));
  if (!path.isAbsolute(given)) return glob;
  const [base, rest] = parted(given);
  if (base === '') return glob;
  const place = await sandbox.resolve(base).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(
      `[GLOB ERROR] ${error.message.replace(/^\[[A-Z ]+\] /, '')} Write the glob relative to a folder of the workspace, such as src/**/*.ts.`,
    );
  });
  if (place.root !== root) return sign === '' ? undefined : '**';
  const below = toPosixPath(path.relative(root, place.path));
  return sign + ((below === '' ? '' : `/${below}`) + rest || '**');
}

/** The part of an absolute glob that is a path, and the rest. */
function parted(glob: string): [base: string, rest: string] {
  const first = glob.search(/[*?{[(]/);
  if (first < 0) return [trimEndOf(glob, '/'), ''];
  const end = glob.lastIndexOf('/', first);
  return [glob.slice(0, end), glob.slice(end)];
}
