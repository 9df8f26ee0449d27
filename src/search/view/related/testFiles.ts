import path from 'node:path';
import { isPrivate } from '../../../platform/egress/paths/privateNames';
import { kindOf, partsOfPath, testedName } from '../../local/paths';
import { linesOfText, readWholeFile } from '../../tools/readFile';
import { toolDeadlineMs, toolLimits } from '../../tools/toolText';
import { excludeArguments, listFiles } from '../../workspace/files';
import { runRipgrep, withoutDotSlash } from '../../workspace/ripgrep';
import { Sandbox, ToolError, toPosixPath } from '../../workspace/sandbox';
import type { SearchWorkspace } from '../../workspace/workspace';
import type { RawFile } from '../results';
import { mentionAt, type NamedSymbol } from './symbolName';

/** Files that are listed at most, and those that are read for that. */
const maxTestFiles = 50;
const maxReadTests = 2000;

export interface FoundTests {
  /** The tests of the symbol's own file first, then those that mention it most. */
  readonly files: readonly RawFile[];
  /** Whether further files may mention it. */
  readonly isCut: boolean;
}

/**
 * Finds the test files that mention a symbol: all of its identifiers, each as a whole word.
 * @param subject path of the file that has the symbol
 * @throws {AbortError} when `signal` is aborted.
 */
export async function findTests(
  workspace: SearchWorkspace,
  { names }: Pick<NamedSymbol, 'names'>,
  subject: string,
  signal: AbortSignal,
): Promise<FoundTests> {
  const sandbox = await Sandbox.open(workspace);
  const own = names.at(-1) ?? '';
  const { name: subjectName } = partsOfPath(subject);
  const found: { file: RawFile; isOwn: boolean; mentions: number }[] = [];
  let isCut = false;
  for (const [root, folder] of sandbox.roots.entries()) {
    const listed = await testsWith(workspace, folder, own, signal);
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
      if (!names.every(name => lines.some(line => mentionAt(line, name) >= 0))) continue;
      const ranges = lines.flatMap((line, at): [number, number][] =>
        mentionAt(line, own) >= 0 ? [[at + 1, at + 1]] : [],
      );
      found.push({
        file: { root, path: file, ranges },
        isOwn: testedName(file) === subjectName,
        mentions: ranges.length,
      });
    }
  }
  found.sort(
    (a, b) =>
      Number(b.isOwn) - Number(a.isOwn) ||
      b.mentions - a.mentions ||
      (a.file.path < b.file.path ? -1 : 1),
  );
  const files = found.slice(0, maxTestFiles).map(({ file }) => file);
  return { files, isCut: isCut || found.length > maxTestFiles };
}

/** Test files whose text has a name somewhere, and those that are not saved. Without ripgrep, all test files. */
async function testsWith(
  workspace: SearchWorkspace,
  root: string,
  name: string,
  signal: AbortSignal,
): Promise<{ files: readonly string[]; isCut: boolean }> {
  const files = new Set<string>();
  for (const real of workspace.unsaved.keys()) {
    const file = toPosixPath(path.relative(root, real));
    if (!file.startsWith('../') && !path.isAbsolute(file) && kindOf(file) === 'test') {
      files.add(file);
    }
  }
  const take = (file: string): boolean => {
    if (kindOf(file) === 'test' && !isPrivate(file)) files.add(file);
    return files.size < maxReadTests;
  };
  if (workspace.rgPath === undefined) {
    const place = { path: root, root, isDirectory: true };
    const isLate = await listFiles(workspace, place, signal, take);
    return { files: [...files], isCut: isLate || files.size >= maxReadTests };
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
  return { files: [...files], isCut: end.reason === 'deadline' || files.size >= maxReadTests };
}

/** A file that became unreadable, or is no text, mentions nothing. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}
