import { createRequire } from 'node:module';
import path from 'node:path';

/** The ripgrep that comes with the editor that the tests run in. */
export function ripgrepPath(): string {
  const host = path.resolve('.vscode-test/host/node_modules');
  const load = createRequire(path.join(host, 'x.js'));
  return path.join(
    path.dirname(load.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/package.json`)),
    'bin',
    process.platform === 'win32' ? 'rg.exe' : 'rg',
  );
}
