// Runs a command, and `npm` by the npm that started us where there is one.
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnOwned } from './lifetime.mjs';

/** Resolves with the exit code; output goes to the terminal. */
export function run(command, args, options = {}) {
  return endOf(spawnOwned(command, args, { stdio: 'inherit', ...options }));
}

/** Silent unless it fails; then throws with what the command said. Resolves with its output. */
export const quietly = async (...call) => (await outputOf(...call)).stdout;

/** The same with what went to stderr. */
export async function everySaid(...call) {
  const { stdout, stderr } = await outputOf(...call);
  return stdout + stderr;
}

async function outputOf(command, args, { input, ...options } = {}) {
  const child = spawnOwned(command, args, { stdio: 'pipe', ...options });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  child.stdin.on('error', () => {}); // a command that ends before it has read all: its code tells
  child.stdin.end(input);
  const code = await endOf(child);
  const [stdout, stderr] = await output;
  if (code !== 0)
    throw new Error(
      `${path.basename(command)} ${args.join(' ')} exited ${code}\n${stdout}${stderr}`,
    );
  return { stdout, stderr };
}

function endOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}

export function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return quietly(process.execPath, [cli, ...args], { cwd });
  return quietly('npm', args, { cwd, shell: process.platform === 'win32' });
}
