import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { errorCode } from '../../base/fileErrors';
import type { OutputKind } from '../../base/table/tableFormat';
import { isRecord, parseJson } from '../../base/typeGuards';
import { UserError } from '../../base/userError';
import type { BatchRun } from './batchRun';
import type { BatchFiles, ResultFile } from './batchRunner';

/** Stores the batch runs of a workspace, one small file each, so that they survive a crash. */
export class BatchStore {
  readonly #folder: vscode.Uri;

  constructor({ storageUri, globalStorageUri }: vscode.ExtensionContext) {
    this.#folder = vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'reflex-batches');
  }

  async save(run: BatchRun): Promise<void> {
    const file = this.#fileOf(run.id);
    const written = file.with({ path: `${file.path}.new` });
    await vscode.workspace.fs.writeFile(written, new TextEncoder().encode(JSON.stringify(run)));
    await vscode.workspace.fs.rename(written, file, { overwrite: true });
  }

  /** Latest first. Files that are not valid runs are skipped. */
  async all(): Promise<BatchRun[]> {
    const names = await vscode.workspace.fs.readDirectory(this.#folder).then(
      entries => entries.map(([name]) => name).filter(name => name.endsWith('.json')),
      (): string[] => [],
    );
    const runs = await Promise.all(
      names.map(async name => {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#folder, name));
        const value = parseJson(new TextDecoder().decode(bytes));
        return isRun(value) ? value : undefined;
      }),
    );
    return runs.filter(run => run !== undefined).toSorted((a, b) => b.createdAt - a.createdAt);
  }

  async remove(id: string): Promise<void> {
    await vscode.workspace.fs.delete(this.#fileOf(id));
  }

  #fileOf(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${id}.json`);
  }
}

/** Checks the fields that identify a run written by this version of the extension. */
function isRun(value: unknown): value is BatchRun {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['input'] === 'string' &&
    typeof value['createdAt'] === 'number' &&
    Array.isArray(value['uploads']) &&
    Array.isArray(value['models']) &&
    isRecord(value['format'])
  );
}

/** Files on the machine that the extension runs on; read and written as streams. */
export const diskFiles: BatchFiles = {
  async size(file) {
    try {
      return (await stat(file)).size;
    } catch {
      throw new UserError(vscode.l10n.t('{0} no longer exists.', path.basename(file)));
    }
  },
  read: file => createReadStream(file),
  async create(input, output) {
    const temporary = `${input}.${Date.now()}.part`;
    const handle = await open(temporary, 'wx');
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await handle.close();
      isOpen = false;
    };
    const file: ResultFile = {
      write: async text => void (await handle.write(text)),
      async finish() {
        await close();
        const target = await createFreeFile(input, output);
        await rename(temporary, target);
        return target;
      },
      async discard() {
        await close();
        await rm(temporary, { force: true });
      },
    };
    return file;
  },
};

/** Creates the first free file of `tickets.reflex.csv`, `tickets.reflex-2.csv`, … */
async function createFreeFile(input: string, output: OutputKind): Promise<string> {
  const { dir, name } = path.parse(input);
  for (let number = 1; ; number++) {
    const target = path.join(dir, `${name}.reflex${number === 1 ? '' : `-${number}`}.${output}`);
    try {
      await (await open(target, 'wx')).close();
      return target;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
