import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hookScripts } from './core/hookFiles';

/**
 * Copies the programs to a folder that stays when the extension is updated. A hook may be running one of them, so that
 * each is replaced at once.
 */
export async function installHookScripts(shipped: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of Object.values(hookScripts)) {
    const text = await readFile(path.join(shipped, name), 'utf8');
    const target = path.join(folder, name);
    if ((await textIn(target)) === text) continue;
    const temporary = `${target}.${process.pid}`;
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, target);
  }
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined; // It is written anew, and what is wrong with its folder shows then.
  }
}
