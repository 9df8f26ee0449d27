import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isNoFile } from '../../../../base/fileErrors';

export interface EventFilesRequest {
  /** Absolute. */
  readonly root: string;
  /** The files and folders of events, relative to the root. */
  readonly paths: readonly string[];
  readonly isLeftOut: (below: string, isFolder: boolean) => boolean;
  /** Files of a folder that are known, such as those that git has. */
  readonly knownBelow: (folder: string) => Iterable<string>;
}

/** With more files in the folders, a scan costs less. */
const maxFiles = 2000;

/**
 * The files that events are about. A folder that is moved or deleted may be the only thing that is reported: then all
 * files that are in it, or that are known to have been in it, have changed.
 * @returns undefined where there are too many
 */
export async function eventFiles(request: EventFilesRequest): Promise<string[] | undefined> {
  const { root, paths, isLeftOut, knownBelow } = request;
  const files = new Set<string>();
  const folders: string[] = [];
  for (const below of paths) {
    const kind = await kindOf(path.join(root, below));
    if (isLeftOut(below, kind === 'folder')) continue;
    if (kind === 'folder') folders.push(below);
    else files.add(below);
    // Where a folder was, there may be a file or nothing now.
    for (const known of knownBelow(below)) {
      files.add(known);
      if (files.size > maxFiles) return undefined;
    }
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(path.join(root, folder))) {
      const below = `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isLeftOut(below, isFolder)) continue;
      if (isFolder) folders.push(below);
      else if (entry.isFile()) files.add(below);
      if (files.size + folders.length > maxFiles) return undefined;
    }
  }
  return [...files];
}

async function kindOf(file: string): Promise<'folder' | 'file' | 'nothing'> {
  try {
    return (await lstat(file)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (isNoFile(error)) return 'nothing';
    throw error;
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // It is gone again: another event tells.
    if (isNoFile(error)) return [];
    throw error;
  }
}
