// Whatever a script starts, and the temporary folder that it works in, end with the script, however
// it ends: normally, by a signal, or because its parent is gone.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const isWindows = process.platform === 'win32';
const lookMs = 500;
let janitor;

/** A process of its own, which cleans up once this one is gone. A signal to the terminal misses it. */
function startJanitor() {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'janitor.mjs')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
    windowsHide: true,
  });
  child.unref();
  child.stdin.unref();
  child.stdin.on('error', () => {}); // it may have been ended from outside: then nothing is left to tell it
  endWithParent();
  return child;
}

const tell = message => {
  janitor ??= startJanitor();
  janitor.stdin.write(`${JSON.stringify(message)}\n`);
};

/** A parent that is killed sends no signal to its children. */
function endWithParent() {
  const parent = process.ppid;
  // npm runs a script in a shell, which outlives it.
  const npm = process.env.npm_lifecycle_event && !isWindows ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    const same = isWindows ? exists(parent) : process.ppid === parent;
    if (!same || (npm && !exists(npm))) process.exit(1);
  }, lookMs);
  timer.unref();
}

function parentOf(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout) || undefined;
}

/** A process that has ended and waits for its parent to notice has no command line any more. */
function exists(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`).length > 0;
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Like spawn(), in a process group of its own, which ends with this process. */
export function spawnOwned(command, args, options = {}) {
  // Windows has no groups, and would open a console window; there the janitor ends the tree.
  const child = spawn(command, args, { ...options, detached: !isWindows, windowsHide: true });
  if (child.pid === undefined) return child; // could not be started: its `error` event says why
  tell({ start: child.pid });
  child.once('exit', () => tell({ end: child.pid }));
  return child;
}

/** Creates a folder for temporary files, here and in everything that is started from here. */
export function useTemporaryFolder() {
  const { SPLICE_TEMPORARY } = process.env;
  if (SPLICE_TEMPORARY) return SPLICE_TEMPORARY;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'splice-'));
  tell({ folder });
  for (const name of ['SPLICE_TEMPORARY', 'TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return folder;
}

/** Removes a file once this process has ended, however it ends. */
export function removeAtEnd(file) {
  tell({ folder: file });
}

/** Ends the process and all that it started. */
export function killTree(pid, signal) {
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}
