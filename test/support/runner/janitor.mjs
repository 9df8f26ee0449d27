// Reads from standard input what its owner starts; when the owner is gone, ends all of it.
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { killTree } from './lifetime.mjs';
import { sleep } from './time.mjs';

const graceMs = 2000;
const removeMs = 30_000;
const settleMs = 100;
const running = new Set();
const folders = new Set();

// Only the end of its owner ends it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', line => {
  const { start, end, folder } = JSON.parse(line);
  if (start) running.add(start);
  if (folder) folders.add(folder);
  if (end) {
    running.delete(end);
    // What a process leaves behind in its group ends with it.
    if (process.platform !== 'win32') killTree(end, 'SIGKILL');
  }
});
await once(lines, 'close');

for (const signal of ['SIGTERM', 'SIGKILL']) {
  for (const pid of running) killTree(pid, signal);
  // One that is killed may still be in the middle of a write.
  for (const end = Date.now() + graceMs; isAnyLeft() && Date.now() < end; ) await sleep(20);
}
for (const folder of folders) await remove(folder);

/** A process that is just ending may still write, and may make a folder again that was removed. */
async function remove(folder) {
  for (const end = Date.now() + removeMs; ; ) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(settleMs);
    if (!existsSync(folder) || Date.now() > end) return;
  }
}

function isAnyLeft() {
  for (const pid of running)
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 0);
    } catch {
      running.delete(pid);
    }
  return running.size > 0;
}
