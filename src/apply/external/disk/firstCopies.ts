import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { Slices } from '../../../base/async/slices';
import { isNoFile } from '../../../base/fileErrors';

const maxCopyBytes = 50 * 1024 * 1024;
const maxFileBytes = 2 * 1024 * 1024;

/**
 * Chooses the files whose bytes are copied because nobody else keeps them, so that there is a way back: as many as
 * possible, hence the smallest. What is gone is among them, as it costs nothing to know that.
 * @throws {AbortError}
 */
export async function chooseCopies(
  root: string,
  paths: Iterable<string>,
  signal?: AbortSignal,
): Promise<string[]> {
  const { pause } = new Slices(signal);
  const files: { below: string; size: number }[] = [];
  for (const below of paths) {
    await pause();
    const size = await sizeOf(path.join(root, below));
    if (size === undefined) continue;
    if (size <= maxFileBytes) files.push({ below, size });
  }
  files.sort((a, b) => a.size - b.size);
  let bytes = 0;
  return files.filter(({ size }) => (bytes += size) <= maxCopyBytes).map(({ below }) => below);
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const found = await lstat(file);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isNoFile(error)) return 0;
    throw error;
  }
}
