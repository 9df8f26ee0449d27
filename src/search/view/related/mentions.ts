import path from 'node:path';
import { isPrivate } from '../../../platform/egress/paths/privateNames';
import { linesOfText, readWholeFile } from '../../tools/readFile';
import { toolDeadlineMs, toolLimits } from '../../tools/toolText';
import { excludeArguments, listFiles } from '../../workspace/files';
import { runRipgrep, withoutDotSlash } from '../../workspace/ripgrep';
import { Sandbox, ToolError, toPosixPath } from '../../workspace/sandbox';
import type { SearchWorkspace } from '../../workspace/workspace';
import { mentionAt } from './symbolName';

/** Files that are read, and those that are listed to choose them from. */
const maxReadFiles = 2000;
const maxListedFiles = 20_000;

/** A file that mentions a name as a whole identifier. */
export interface MentioningFile {
  /** Index of the workspace's root. */
  readonly root: number;
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly lines: readonly string[];
  /** Indexes of the lines with the name. */
  readonly at: readonly number[];
}

export interface MentionSearch {
  readonly name: string;
  /** The file that the name is from; those near it are read first. */
  readonly subject: string;
  readonly signal: AbortSignal;
  /** Whether a file is one of those that are looked for. */
  readonly fits: (file: string) => boolean;
  readonly onFile: (file: MentioningFile) => void;
}

/**
 * Finds the files that mention a name, as the search sees them.
 * @returns whether further files may mention it
 * @throws {AbortError} when the signal is aborted.
 */
export async function findMentions(
  workspace: SearchWorkspace,
  search: MentionSearch,
): Promise<{ readonly isCut: boolean }> {
  const { name, signal } = search;
  const sandbox = await Sandbox.open(workspace);
  let isCut = false;
  for (const [root, folder] of sandbox.roots.entries()) {
    const listed = await filesWith(workspace, folder, search);
    isCut ||= listed.isCut;
    for (const file of listed.files) {
      signal.throwIfAborted();
      const real = path.join(folder, file);
      if (!(await sandbox.isAllowed(folder, file, false))) continue;
      const place = { path: real, root: folder, isDirectory: false };
      const text =
        workspace.unsaved.get(real) ??
        (await readWholeFile(sandbox, place).catch(ignoreUnreadable));
      if (text === undefined) continue;
      const lines = linesOfText(text);
      const at = lines.flatMap((line, index) => (mentionAt(line, name) >= 0 ? [index] : []));
      if (at.length > 0) search.onFile({ root, path: file, lines, at });
    }
  }
  return { isCut };
}

/** Files whose text has a name somewhere, and those that are not saved. Without ripgrep, all files that fit. */
async function filesWith(
  workspace: SearchWorkspace,
  root: string,
  { name, subject, signal, fits }: MentionSearch,
): Promise<{ files: readonly string[]; isCut: boolean }> {
  const files = new Set<string>();
  for (const real of workspace.unsaved.keys()) {
    const file = toPosixPath(path.relative(root, real));
    if (!file.startsWith('../') && !path.isAbsolute(file) && fits(file)) files.add(file);
  }
  const take = (file: string): boolean => {
    if (fits(file) && !isPrivate(file)) files.add(file);
    return files.size < maxListedFiles;
  };
  const nearest = (isLate: boolean): { files: readonly string[]; isCut: boolean } => ({
    files: byNearness([...files], subject).slice(0, maxReadFiles),
    isCut: isLate || files.size > maxReadFiles,
  });
  if (workspace.rgPath === undefined) {
    return nearest(
      await listFiles(workspace, { path: root, root, isDirectory: true }, signal, take),
    );
  }
  const end = await runRipgrep({
    rgPath: workspace.rgPath,
    args: [
      '--files-with-matches',
      '--fixed-strings',
      `--max-filesize=${toolLimits.wholeFileBytes}`,
      ...excludeArguments(workspace),
      '-e',
      name,
      '--',
      './',
    ],
    cwd: root,
    signal,
    deadlineMs: toolDeadlineMs,
    onLine: line => take(toPosixPath(withoutDotSlash(line))),
  });
  signal.throwIfAborted();
  if (end.reason === 'failed') throw new Error(end.errorText);
  return nearest(end.reason === 'deadline');
}

/** Files with more folders in common with another one come first. */
function byNearness(files: readonly string[], subject: string): string[] {
  const folders = subject.split('/').slice(0, -1);
  const shared = (file: string): number => {
    const own = file.split('/');
    const differs = folders.findIndex((folder, at) => folder !== own[at]);
    return differs < 0 ? folders.length : differs;
  };
  return files
    .map(file => ({ file, near: shared(file) }))
    .sort((a, b) => b.near - a.near || (a.file < b.file ? -1 : 1))
    .map(({ file }) => file);
}

/** A file that became unreadable, or is no text, mentions nothing. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}
