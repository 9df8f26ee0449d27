import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const name = process.platform === 'win32' ? 'rg.exe' : 'rg';

/** The ripgrep of the VS Code that the tests run in, else the one on PATH; undefined where there is none. */
export function ripgrepPath(): string | undefined {
  const packageName = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const own = path.resolve('.vscode-test/host/node_modules', packageName, 'bin', name);
  if (existsSync(own)) return own;
  try {
    execFileSync('rg', ['--version'], { stdio: 'ignore' });
    return 'rg';
  } catch {
    return undefined;
  }
}
