import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import type { FileOps } from './journalFolder';

/** Appends to an existing file and never creates one: a journal without its beginning is useless. */
const appending = constants.O_WRONLY | constants.O_APPEND;

/** Reviews hold code of the user, which no other account of this machine reads. */
const mode = 0o600;
const folderMode = 0o700;

export const nodeFileOps: FileOps = {
  makeFolder: async folder => {
    await mkdir(folder, { recursive: true, mode: folderMode });
    // One of an earlier version may be open to others.
    await chmod(folder, folderMode);
  },
  list: async folder => readdir(folder),
  read: async file => readFile(file),
  stat: async file => {
    const { size, mtimeMs } = await stat(file);
    return { size, time: mtimeMs };
  },
  write: async (file, text) => {
    const handle = await open(file, 'w', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  append: async (file, text) => {
    const handle = await open(file, appending);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  },
  rename: async (from, to) => rename(from, to),
  remove: async file => rm(file),
  now: {
    makeFolder: folder => {
      mkdirSync(folder, { recursive: true, mode: folderMode });
      chmodSync(folder, folderMode);
    },
    write: (file, text) => writeAndClose(openSync(file, 'w', mode), text, true),
    append: (file, text) => writeAndClose(openSync(file, appending), text, false),
    rename: (from, to) => renameSync(from, to),
  },
};

function writeAndClose(handle: number, text: string, isSynced: boolean): void {
  try {
    writeFileSync(handle, text);
    if (isSynced) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
