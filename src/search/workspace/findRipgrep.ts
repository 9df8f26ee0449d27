import path from 'node:path';
import { findProgram, runLines } from '../../base/process';

/** The computer that ripgrep has to run on. */
export interface RipgrepHost {
  /** As of `process.platform` and `process.arch`. */
  readonly platform: string;
  readonly arch: string;
}

/**
 * Where the ripgrep of an editor may be, most likely first. It moved from version to version:
 * `vscode-ripgrep` until 1.62, `@vscode/ripgrep` from then on, `@vscode/ripgrep-universal` with a folder for
 * each platform, and packages for one platform each in newer ones. npm puts these into a `node_modules` folder
 * above the editor when it installs code-server.
 * @param appRoot `vscode.env.appRoot`
 */
export function ripgrepPlaces(appRoot: string, { platform, arch }: RipgrepHost): string[] {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const here = `${platform}-${arch}`;
  const universal = path.join('@vscode', 'ripgrep-universal');
  const own = path.join('@vscode', `ripgrep-${here}`, 'bin');
  const packages = [
    path.join(universal, 'bin', here),
    own,
    path.join('@vscode', 'ripgrep', 'bin'),
    path.join(universal, 'node_modules', own),
    path.join('@vscode', 'ripgrep', 'node_modules', own),
    path.join('vscode-ripgrep', 'bin'),
  ];
  const folders = [
    ...[appRoot, path.join(appRoot, 'lib', 'vscode')].flatMap(root => [
      path.join(root, 'node_modules.asar.unpacked'),
      path.join(root, 'node_modules'),
    ]),
    ...nodeModulesAbove(appRoot),
  ];
  return folders.flatMap(folder => packages.map(below => path.join(folder, below, name)));
}

/**
 * The `node_modules` folders that the editor itself is in, and that of code-server around it. Others further
 * up are not tried, because anybody may be able to write there.
 */
function nodeModulesAbove(appRoot: string): string[] {
  const above: string[] = [];
  for (let folder = appRoot; path.dirname(folder) !== folder; folder = path.dirname(folder)) {
    if (path.basename(folder) === 'node_modules') above.push(folder);
  }
  const isInCodeServer = /[\\/]lib[\\/]vscode[\\/]?$/.test(appRoot);
  return isInCodeServer ? [path.resolve(appRoot, '../../node_modules'), ...above] : above;
}

/** Timeout of asking a ripgrep for its version, in milliseconds. */
const versionMs = 5000;

/**
 * The ripgrep of the editor, or else the one on PATH; undefined when there is none that runs here, such as
 * one for another C library.
 */
export async function findRipgrep(
  appRoot: string,
  host: RipgrepHost = process,
): Promise<string | undefined> {
  for (const place of [...ripgrepPlaces(appRoot, host), 'rg']) {
    const program = await findProgram(place);
    if (program !== undefined && (await isRipgrep(program))) return program;
  }
  return undefined;
}

async function isRipgrep(program: string): Promise<boolean> {
  let version = '';
  await runLines({
    program,
    args: ['--no-config', '--version'],
    cwd: path.dirname(program),
    deadlineMs: versionMs,
    onLine: line => {
      version ||= line;
    },
  });
  return version.startsWith('ripgrep ');
}
