// Runs a command, and `npm` by the npm that started us where there is one.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

/** Resolves with the exit code; output goes to the terminal. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}

/** Silent unless it fails; then throws with what the command said. */
export function quietly(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(
      `${path.basename(command)} ${args.join(' ')} exited ${status}\n${stdout}${stderr}`,
    );
  return stdout;
}

export function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return quietly(process.execPath, [cli, ...args], { cwd });
  return quietly('npm', args, { cwd, shell: process.platform === 'win32' });
}
