import { absent, type Content, sameContent } from '../content';
import type { LabelOf } from '../ports';
import { type FileUpdate, isPending, type WriteLabel } from '../rootState';
import { afterExternalWrite } from './externalWrite';
import { mapFiles } from './mapFiles';
import { reviewed } from './selections';
import type { TrackedRoot } from './trackedRoot';

/** Paths of a file before and after the user moved it. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/** What happens to files on disk without the editor. */
export class DiskEvents {
  readonly #root: TrackedRoot;

  constructor(root: TrackedRoot) {
    this.#root = root;
  }

  /** Compares files with the disk. @param given who may have written them, where that is known. */
  async saw(paths: readonly string[], given?: WriteLabel | LabelOf): Promise<void> {
    if (paths.length === 0) return;
    const root = this.#root;
    const label = given ?? (await root.labelsOf(paths));
    const updates = await this.#updates(paths, async (path, bytes) => {
      const writer = typeof label === 'function' ? label(path) : label;
      const file = await afterExternalWrite(root, path, bytes, writer);
      return file === undefined ? undefined : [path, file];
    });
    if (updates.length === 0) return;
    const { files } = root.state;
    await root.note({ kind: 'files', files: updates });
    for (const [path, file] of updates) {
      root.sawWrite(path, { before: files.get(path), after: file ?? undefined });
    }
  }

  /** Takes the bytes on disk as reviewed. @returns the paths of the files for which that is new. */
  async review(paths: readonly string[]): Promise<readonly string[]> {
    const root = this.#root;
    const settled: string[] = [];
    const updates = await this.#updates(paths, async (path, bytes) => {
      const now = root.contentOf(bytes);
      const known = root.state.files.get(path);
      if (known && sameContent(known.now, now) && !isPending(known)) return undefined;
      settled.push(path);
      const file = await root.reviewedFile(path, now);
      if (file && bytes) await root.tryStore(bytes);
      return file || known ? [path, file] : undefined;
    });
    if (settled.length > 0) {
      await this.#root.note({ kind: 'files', files: updates, settled });
    }
    return settled.sort();
  }

  async moved(pairs: readonly FileMove[]): Promise<void> {
    const root = this.#root;
    const files: FileUpdate[] = [];
    for (const { from, to } of pairs) {
      const file = await root.fileOf(from);
      const bytes = await root.ports.disk.read(to);
      const now = root.contentOf(bytes);
      files.push([from, await root.reviewedFile(from, absent)]);
      // The disk may have told that the file is gone before the editor told where it went.
      const isThere = file.now.kind === 'file' || now.kind === 'file';
      if (isPending(file) && isThere) {
        await root.keepBaseline(file.baseline);
        const { alignment, ...rest } = file;
        const isSame = sameContent(file.now, now);
        files.push([to, { ...rest, now, ...(isSame && alignment && { alignment }) }]);
      } else {
        if (bytes) await root.tryStore(bytes);
        files.push([to, await root.reviewedFile(to, now)]);
      }
    }
    const settled = pairs.flatMap(({ from, to }) => [from, to]);
    await root.note({ kind: 'files', files, settled });
  }

  async restored(path: string, baseline: Content): Promise<void> {
    await this.#root.note({ kind: 'files', files: [[path, reviewed(baseline)]] });
    await this.saw([path]);
  }

  async forget(paths: readonly string[]): Promise<void> {
    const files = paths.map(path => [path, null] as const);
    await this.#root.note({ kind: 'files', files, settled: paths });
  }

  /** Reads the files, a few at a time; one that cannot be read is reported and stays as it was. */
  async #updates(
    paths: readonly string[],
    updateOf: (path: string, bytes: Uint8Array | undefined) => Promise<FileUpdate | undefined>,
  ): Promise<FileUpdate[]> {
    const updates = await mapFiles([...new Set(paths)], async path => {
      try {
        return await updateOf(path, await this.#root.ports.disk.read(path));
      } catch (error) {
        this.#root.ports.onError(error);
        return undefined;
      }
    });
    return updates.filter(update => update !== undefined);
  }
}
