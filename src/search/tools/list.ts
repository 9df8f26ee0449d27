import { stat } from 'node:fs/promises';
import path from 'node:path';
import { append } from '../../base/arrays';
import { globMatcher, listFiles } from '../workspace/files';
import { type ResolvedPath, type Sandbox, toPosixPath } from '../workspace/sandbox';
import type { ToolContext } from './grep';
import { type ToolResult, toolLimits } from './toolText';

export interface ListArguments {
  readonly path: unknown;
  /** Levels below the folder; 1 is its own entries. */
  readonly depth: number;
  readonly only?: 'files' | 'folders' | undefined;
  /** Glob of names. */
  readonly name?: string | undefined;
}

const defaultDepth = 3;
const maxDepth = 5;

const unquoted = (word: string): string =>
  word.length > 1 && /^['"]/.test(word) && word.endsWith(word.charAt(0)) ? word.slice(1, -1) : word;

/**
 * Reads what looks like a command line of `ls`, `find` or `tree`. It is never run: only the folder,
 * the depth, the type and the name are taken from it.
 */
export function parseListCommand(command: string): ListArguments {
  const words = (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map(unquoted);
  const isLs = words[0] === 'ls' || words[0] === 'dir';
  let depth = isLs && !words.some(word => /^-\w*R/.test(word)) ? 1 : defaultDepth;
  let only: ListArguments['only'];
  let name: string | undefined;
  let folder: string | undefined;
  for (let at = /^(?:ls|dir|find|tree)$/.test(words[0] ?? '') ? 1 : 0; at < words.length; at++) {
    const word = words[at] ?? '';
    // These characters would start another command or a redirection.
    if (/[;|&`$<>]/.test(word)) {
      folder ??= /^[^;|&`$<>]+/.exec(word)?.[0];
      break;
    }
    const next = words[at + 1];
    if (word === '-maxdepth' || word === '-L') {
      depth = Number(next) || depth;
      at++;
    } else if (word === '-type') {
      only = next === 'd' ? 'folders' : 'files';
      at++;
    } else if (word === '-name' || word === '-iname') {
      name = next;
      at++;
    } else if (!word.startsWith('-')) {
      folder ??= word;
    }
  }
  return { path: folder, depth: Math.min(Math.max(1, depth), maxDepth), only, name };
}

/** Entries of a folder as absolute paths, folders and files alike, at most {@link toolLimits.listEntries}. */
export async function list(context: ToolContext, request: ListArguments): Promise<ToolResult> {
  const entries: string[] = [];
  let total = 0;
  let isLate = false;
  for (const place of await context.sandbox.resolveScope(request.path)) {
    const found = place.isDirectory
      ? await entriesOf(context, place, request)
      : { entries: [place.path], total: 1, isLate: false };
    append(entries, found.entries);
    total += found.total;
    isLate ||= found.isLate;
  }
  if (entries.length === 0) return { text: isLate ? lateNote : 'empty', isError: false, hits: 0 };
  const shown = entries.slice(0, toolLimits.listEntries);
  const left = total - shown.length;
  const notes = [
    ...(left > 0 ? [`[${left} entries truncated]`] : []),
    ...(isLate ? [lateNote] : []),
  ];
  return { text: [...shown, ...notes].join('\n'), isError: false, hits: total };
}

const lateNote = '[stopped at the time limit, so entries are missing; name a folder further down]';

export interface FolderEntries {
  /** One result shows no more of them. */
  readonly entries: readonly string[];
  readonly total: number;
  /** Whether the time limit ended the listing. */
  readonly isLate: boolean;
}

/** Absolute paths in the order of a tree walk, as many as one result shows; and how many there are. */
export async function entriesOf(
  { workspace, sandbox, signal }: ToolContext,
  place: ResolvedPath,
  { depth, only, name }: Pick<ListArguments, 'depth' | 'only' | 'name'>,
): Promise<FolderEntries> {
  const below = path.relative(place.root, place.path).split(path.sep).filter(Boolean).length;
  const folders = new Set<string>();
  const files = new Set<string>();
  const isLate = await listFiles(workspace, place, signal, file => {
    const parts = file.split('/').slice(below);
    for (let level = 1; level < parts.length && level <= depth; level++) {
      folders.add(parts.slice(0, level).join('/'));
    }
    if (parts.length <= depth) files.add(parts.join('/'));
    return true;
  });
  const fits = name === undefined ? () => true : globMatcher(name);
  const wanted = [
    ...(only === 'files' ? [] : folders),
    ...(only === 'folders' ? [] : files),
  ].filter(entry => fits(path.posix.basename(entry)));
  const allowed = await allowedOf(
    sandbox,
    place.root,
    wanted.sort(byTree).map(entry => path.join(place.path, entry)),
    file => folders.has(toPosixPath(path.relative(place.path, file))),
  );
  return { ...allowed, isLate };
}

/** Checks only as many files as are shown; the others are counted without a check. */
async function allowedOf(
  sandbox: Sandbox,
  root: string,
  files: readonly string[],
  isFolder: (file: string) => boolean,
): Promise<Omit<FolderEntries, 'isLate'>> {
  const entries: string[] = [];
  let refused = 0;
  for (const file of files) {
    if (entries.length >= toolLimits.listEntries) break;
    if (await sandbox.isAllowed(root, toPosixPath(path.relative(root, file)), isFolder(file))) {
      entries.push(file);
    } else {
      refused++;
    }
  }
  return { entries, total: files.length - refused };
}

function byTree(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [x = '', y = ''] = [left[at], right[at]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

/** Files by name or path pattern, the newest first, at most {@link toolLimits.globFiles}. */
export async function glob(
  context: ToolContext,
  pattern: string,
  named: unknown,
): Promise<ToolResult> {
  const fits = globMatcher(pattern);
  const places = await context.sandbox.resolveScope(named);
  const found: { file: string; root: string }[] = [];
  let isLate = false;
  for (const place of places) {
    const { root, path: folder, isDirectory } = place;
    if (!isDirectory) continue;
    const below = toPosixPath(path.relative(root, folder));
    const isCut = await listFiles(context.workspace, place, context.signal, file => {
      // A pattern may be relative to the folder or to the root.
      const fromFolder = below === '' ? file : file.slice(below.length + 1);
      if (fits(fromFolder) || (below !== '' && fits(file))) {
        found.push({ file: path.join(root, file), root });
      }
      return true;
    });
    isLate ||= isCut;
  }
  const newest: string[] = [];
  let refused = 0;
  for (const { file, root } of await byTime(found)) {
    if (newest.length >= toolLimits.globFiles) break;
    if (await context.sandbox.isAllowed(root, toPosixPath(path.relative(root, file)), false)) {
      newest.push(file);
    } else {
      refused++;
    }
  }
  const total = found.length - refused;
  if (newest.length === 0) {
    return { text: isLate ? lateNote : 'no matches', isError: false, hits: 0 };
  }
  const where = places.map(place => place.path).join(', ');
  const left = total - newest.length;
  return {
    text:
      `Found ${total} file(s) matching "${pattern}" within ${where}, sorted by modification time (newest first):\n` +
      `---\n${newest.join('\n')}\n---${left > 0 ? `\n[${left} files truncated]` : ''}${isLate ? `\n${lateNote}` : ''}`,
    isError: false,
    hits: total,
  };
}

/** The newest first. */
async function byTime<F extends { readonly file: string }>(files: readonly F[]): Promise<F[]> {
  const timed = await Promise.all(
    files.map(async found => {
      const { mtimeMs } = (await stat(found.file).catch(() => undefined)) ?? { mtimeMs: 0 };
      return { found, mtimeMs };
    }),
  );
  return timed.sort((a, b) => b.mtimeMs - a.mtimeMs).map(({ found }) => found);
}
