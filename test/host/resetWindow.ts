import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeAll, forgetService, run } from './support';

/** Contents by path. */
function filesOf(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (statSync(file).isFile()) files.set(file, readFileSync(file));
  }
  return files;
}

function restoreFiles(folder: string, before: ReadonlyMap<string, Buffer>): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (existsSync(file) && statSync(file).isFile() && !before.has(file)) rmSync(file);
  }
  for (const [file, content] of before) {
    if (existsSync(file) && readFileSync(file).equals(content)) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Gives a function that puts back what the tests of a file may have changed: cheaper than a new window. */
export function rememberWindow(): () => Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const files = folder === undefined ? undefined : filesOf(folder);
  return async () => {
    await closeAll();
    await forgetService();
    await run('workbench.action.closePanel');
    await run('workbench.action.closeAuxiliaryBar');
    if (folder !== undefined && files) restoreFiles(folder, files);
  };
}
