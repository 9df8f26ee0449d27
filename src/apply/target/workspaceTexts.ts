import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { anchored } from '../../platform/egress/paths/excludes';
import { PathRules } from '../../platform/egress/paths/pathRules';
import { realPlaceOf } from '../../platform/egress/paths/realPaths';
import { excludesOf, usesIgnoreFiles } from '../../platform/egress/paths/workspaceRules';
import { type ComparedParts, hashesOf, type TextHashes } from './contentLookup';
import type { WorkspaceFile } from './workspaceFiles';

/** An edit of a larger file names it. */
const maxBytes = 1024 * 1024;
/** How far to look for a NUL byte, as git does. */
const probedBytes = 8000;
/** How long files are read before other work of the window gets its turn, in milliseconds. */
const stretchMs = 20;
/** Files of a virtual workspace that are read at once. */
const maxAtOnce = 16;
/** Lines of which the hashes are kept, at 4 bytes each. */
const maxKeptLines = 4_000_000;

interface Kept {
  readonly mtime: number;
  readonly size: number;
  readonly lines: TextHashes;
}

/** Hashes of the lines of files that were read before, by the URI. */
const kept = new Map<string, Kept>();
let keptLines = 0;

function keep(id: string, entry: Kept): void {
  keptLines += entry.lines.length - (kept.get(id)?.lines.length ?? 0);
  if (keptLines > maxKeptLines) {
    kept.clear();
    keptLines = entry.lines.length;
  }
  kept.set(id, entry);
}

/**
 * Visits the hashes of the files that are text, large ones apart. Lets the window work in between.
 *
 * @throws the reason of `signal`.
 */
export async function eachText(
  files: readonly WorkspaceFile[],
  parts: ComparedParts,
  signal: AbortSignal,
  visit: (file: WorkspaceFile, hashes: TextHashes) => void,
): Promise<void> {
  let since = performance.now();
  const remote: WorkspaceFile[] = [];
  for (const file of files) {
    if (performance.now() - since > stretchMs) {
      await setImmediate();
      since = performance.now();
    }
    signal.throwIfAborted();
    if (file.document) {
      visit(file, hashesOf(new TextEncoder().encode(file.document.getText()), parts));
    } else if (file.uri.scheme === 'file') {
      const hashes = hashesOnDisk(file.uri, parts);
      if (hashes) visit(file, hashes);
    } else remote.push(file);
  }
  for (let at = 0; at < remote.length; at += maxAtOnce) {
    signal.throwIfAborted();
    const some = remote.slice(at, at + maxAtOnce);
    const read = await Promise.all(some.map(async ({ uri }) => virtualHashes(uri, parts)));
    for (const [index, file] of some.entries()) {
      const hashes = read[index];
      if (hashes) visit(file, hashes);
    }
  }
}

/** Reads at once: for thousands of small files, waiting for each costs far more than reading it. */
function hashesOnDisk(uri: vscode.Uri, parts: ComparedParts): TextHashes | undefined {
  const id = uri.toString();
  try {
    // The target of a link is found by its own name.
    const stat = lstatSync(uri.fsPath);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const before = kept.get(id);
    if (parts === 'lines' && before?.mtime === stat.mtimeMs && before.size === stat.size) {
      return before.lines;
    }
    const bytes = bytesOnDisk(uri.fsPath);
    if (!bytes || isBinary(bytes)) return undefined;
    const hashes = hashesOf(bytes, parts);
    if (parts === 'lines') keep(id, { mtime: stat.mtimeMs, size: stat.size, lines: hashes });
    return hashes;
  } catch {
    // Deleted since it was listed, or not readable for the user.
    return undefined;
  }
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Undefined for what has become a pipe, a folder or a large file since it was listed. */
function bytesOnDisk(file: string): Uint8Array | undefined {
  const handle = openSync(file, flags);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const bytes = new Uint8Array(stat.size);
    let length = 0;
    for (;;) {
      const count = readSync(handle, bytes, length, stat.size - length, null);
      length += count;
      if (count === 0 || length === stat.size) return bytes.subarray(0, length);
    }
  } finally {
    closeSync(handle);
  }
}

async function virtualHashes(
  uri: vscode.Uri,
  parts: ComparedParts,
): Promise<TextHashes | undefined> {
  const id = uri.toString();
  try {
    const { type, mtime, size } = await vscode.workspace.fs.stat(uri);
    if (type !== vscode.FileType.File || size > maxBytes) return undefined;
    const before = kept.get(id);
    if (parts === 'lines' && before?.mtime === mtime && before.size === size) return before.lines;
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (isBinary(bytes)) return undefined;
    const hashes = hashesOf(bytes, parts);
    if (parts === 'lines') keep(id, { mtime, size, lines: hashes });
    return hashes;
  } catch {
    return undefined;
  }
}

const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, probedBytes).includes(0);

/** The text of a file; undefined where it cannot be read. */
export async function textOfFile({ uri, document }: WorkspaceFile): Promise<string | undefined> {
  if (document) return document.getText();
  try {
    const bytes =
      uri.scheme === 'file' ? bytesOnDisk(uri.fsPath) : await vscode.workspace.fs.readFile(uri);
    return bytes && new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Those of the files that are not offered: a folder that is a link may lead out of the workspace, or to a file that
 * is listed by its own name too; what an ignore file excludes is often made from another file.
 */
export async function withheldFiles(files: readonly WorkspaceFile[]): Promise<Set<WorkspaceFile>> {
  const rules = new PathRules({
    excludes: excludesOf(vscode.workspace.workspaceFolders ?? [], '').map(anchored),
    useIgnoreFiles: usesIgnoreFiles(),
  });
  const withheld = new Set<WorkspaceFile>();
  const seen = new Set<string>();
  for (const file of files) {
    // A file that the user has opened is always offered.
    if (file.document || file.uri.scheme !== 'file') continue;
    const { real, inFolder } = await realPlaceOf(file.uri);
    const isTwice = real !== undefined && seen.has(real);
    if (real !== undefined) seen.add(real);
    const isHidden =
      !inFolder ||
      isTwice ||
      ['ignored', 'excluded'].includes(
        (await rules.refusal(inFolder.root, inFolder.below, false)) ?? '',
      );
    if (isHidden) withheld.add(file);
  }
  return withheld;
}
