// Lets only one process use a folder, and tells another one where the first can be found.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { removeAtEnd } from '../test/support/runner/lifetime.mjs';

/** Short: the name of a socket has at most 104 bytes. */
function addressOf(folder) {
  const id = `splice-${createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 12)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${id}` : path.join(os.tmpdir(), `${id}.sock`);
}

/**
 * Resolves with `{ other }`, what the first process has last announced, or with `{ announce }` for
 * the first. The system gives the place free when the process ends, however it ends.
 */
export async function singleInstance(folder) {
  const address = addressOf(folder);
  let state = '';
  const server = net.createServer(socket => {
    socket.on('error', () => {});
    socket.end(state);
  });
  for (;;) {
    try {
      server.listen(address);
      await once(server, 'listening');
      server.unref();
      if (process.platform !== 'win32') removeAtEnd(address);
      return { announce: value => (state = value) };
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
    const other = await ask(address);
    if (other !== undefined) return { other };
    rmSync(address, { force: true }); // left behind by a process that was killed
  }
}

async function ask(address) {
  const socket = net.connect(address);
  try {
    await once(socket, 'connect');
    return await text(socket);
  } catch {
    return undefined;
  }
}
