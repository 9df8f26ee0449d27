import path from 'node:path';
import { linesOfText, readWholeFile } from '../../tools/readFile';
import { toolDeadlineMs, toolLimits } from '../../tools/toolText';
import { runRipgrep, withoutDotSlash } from '../../workspace/ripgrep';
import { Sandbox, ToolError, toPosixPath } from '../../workspace/sandbox';
import {
  searchedFilesArguments,
  searchedFilesOf,
  searchedFilesRules,
} from '../../workspace/searchedFiles';
import { walkFiles } from '../../workspace/walk';
import type { SearchWorkspace } from '../../workspace/workspace';
import { mentionAt } from './symbolName';

/** Files that are read. */
const maxReadFiles = 2000;

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
      if (sandbox.rootOf(real) !== folder) continue;
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

/** Files whose text may have a name somewhere, and those that are not saved, the nearest first. */
async function filesWith(
  workspace: SearchWorkspace,
  root: string,
  search: MentionSearch,
): Promise<{ files: readonly string[]; isCut: boolean }> {
  const { subject, fits } = search;
  const unsaved = [...workspace.unsaved.keys()]
    .map(real => path.relative(root, real))
    .filter(file => !path.isAbsolute(file) && toPosixPath(file).split('/')[0] !== '..');
  const saved = await savedFilesWith(workspace, root, search);
  const files = new Set([...unsaved.map(toPosixPath), ...saved.files].filter(fits));
  return {
    files: byNearness([...files], subject).slice(0, maxReadFiles),
    isCut: saved.isLate || files.size > maxReadFiles,
  };
}

/** From the index, where it can say; else by ripgrep. Without both, all files. */
async function savedFilesWith(
  workspace: SearchWorkspace,
  root: string,
  { name, signal }: MentionSearch,
): Promise<{ files: readonly string[]; isLate: boolean }> {
  const searched = searchedFilesOf(workspace);
  const indexed = await workspace.indexes?.of([root], searched)?.filesWith(root, name);
  signal.throwIfAborted();
  if (indexed) return { files: indexed, isLate: false };
  const files: string[] = [];
  const { rgPath } = workspace;
  if (rgPath === undefined) {
    const isLate = await walkFiles({
      root,
      below: '',
      ...searchedFilesRules(searched),
      signal,
      deadlineMs: toolDeadlineMs,
      onFile: file => files.push(file) > 0,
    });
    return { files, isLate };
  }
  const end = await runRipgrep({
    rgPath,
    args: [
      ...searchedFilesArguments(searched),
      '--files-with-matches',
      '--fixed-strings',
      `--max-filesize=${toolLimits.wholeFileBytes}`,
      '-e',
      name,
      '--',
      './',
    ],
    cwd: root,
    signal,
    deadlineMs: toolDeadlineMs,
    onLine: line => void files.push(withoutDotSlash(line)),
  });
  signal.throwIfAborted();
  if (end.reason === 'failed') throw new Error(end.errorText);
  return { files, isLate: end.reason === 'deadline' };
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
