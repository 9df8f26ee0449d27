import path from 'node:path';
import { append } from '../../base/arrays';
import { Slices } from '../../base/async/slices';
import { globMatcher, listFiles } from '../workspace/files';
import { type ResolvedPath, ToolError, toPosixPath } from '../workspace/sandbox';
import type { ToolContext } from './grep';
import { listArguments } from './listCommand';
import { newestFirst } from './newest';
import { rootGlob } from './rootGlob';
import { type ToolResult, toolLimits } from './toolText';
import { inTreeOrder } from './treeOrder';

export interface ListArguments {
  readonly path: unknown;
  /** Levels below the folder; 1 is its own entries. */
  readonly depth: number;
  /** Whether the depth is a limit that the model has not asked for. */
  readonly isShortened?: boolean;
  readonly only?: 'files' | 'folders' | undefined;
  /** Glob of names. */
  readonly name?: string | undefined;
  /** Glob of names that are left out. */
  readonly notName?: string | undefined;
  /** Globs of entries that are left out with all that is below them. */
  readonly without?: readonly string[];
  /** Whether `name` and `notName` ignore the case. */
  readonly ignoresCase?: boolean;
  /** The rest of a command line that starts another command or a redirection. */
  readonly notRun?: string;
  /** Why nothing can be listed, for the model. */
  readonly problem?: string;
}

const unquoted = (word: string): string =>
  word.length > 1 && /^['"]/.test(word) && word.endsWith(word.charAt(0)) ? word.slice(1, -1) : word;

/**
 * Reads what looks like a command line of `ls`, `find` or `tree`. It is never run: only the folder,
 * the depth, the type and the names are taken from it.
 * What says more is a problem.
 */
export function parseListCommand(command: string): ListArguments {
  const words: string[] = [];
  let notRun: string | undefined;
  for (const { 0: word, index } of command.matchAll(/'[^']*'|"[^"]*"|\S+/g)) {
    const plain = unquoted(word);
    // These characters would start another command or a redirection.
    const end = plain === word ? word.search(/[;|&`$<>]/) : -1;
    if (/^\d?>{1,2}[^\s>]/.test(word)) continue;
    if (end < 0) words.push(plain.replace(/^\\(?=[()!]$)/, ''));
    if (end > 0) words.push(word.slice(0, end));
    if (end < 0) continue;
    notRun = command.slice(index + end).trim();
    break;
  }
  return { ...listArguments(words), ...(notRun === undefined ? {} : { notRun }) };
}

/** Entries of a folder as absolute paths, folders and files alike, at most {@link toolLimits.listEntries}. */
export async function list(context: ToolContext, request: ListArguments): Promise<ToolResult> {
  if (request.problem !== undefined) throw new ToolError(request.problem);
  const entries: string[] = [];
  let total = 0;
  let isLate = false;
  let isDeeper = false;
  for (const place of await context.sandbox.resolveScope(request.path)) {
    const found = place.isDirectory
      ? await entriesOf(context, place, request)
      : { entries: [place.path], total: 1, isLate: false, isDeeper: false };
    append(entries, found.entries);
    total += found.total;
    isLate ||= found.isLate;
    isDeeper ||= found.isDeeper;
  }
  const shown = entries.slice(0, toolLimits.listEntries);
  const left = total - shown.length;
  const notes = [
    ...(left > 0 ? [`[${left} entries truncated]`] : []),
    ...(isDeeper && request.isShortened === true ? [deeperNote(request.depth)] : []),
    ...(isLate ? [lateNote] : []),
    ...(request.notRun === undefined ? [] : [notRunNote(request.notRun)]),
  ];
  const text = [...(total > 0 || isLate ? shown : ['empty']), ...notes].join('\n');
  return { text, isError: false, hits: total };
}

const deeperNote = (depth: number): string =>
  `[only ${depth} levels are listed, and there are more; name a folder further down, or find names on all levels with find -name]`;

const notRunNote = (rest: string): string =>
  `[this is the listing alone; ${JSON.stringify(rest.slice(0, 100))} is not run]`;

const lateNote = '[stopped at the time limit, so entries are missing; name a folder further down]';

export interface FolderEntries {
  /** One result shows no more of them. */
  readonly entries: readonly string[];
  readonly total: number;
  /** Whether the time limit ended the listing. */
  readonly isLate: boolean;
  /** Whether there is more below the last level. */
  readonly isDeeper: boolean;
}

/** Absolute paths in the order of a tree walk, as many as one result shows; and how many there are. */
export async function entriesOf(
  { workspace, sandbox, signal }: ToolContext,
  place: ResolvedPath,
  { depth, only, name, notName, without = [], ignoresCase }: Omit<ListArguments, 'path'>,
): Promise<FolderEntries> {
  const below = path.relative(place.root, place.path).split(path.sep).filter(Boolean).length;
  const folders = new Set<string>();
  const files = new Set<string>();
  const isWithout = without.map(entry => globMatcher(entry));
  let isDeeper = false;
  const isLate = await listFiles(workspace, place, signal, file => {
    const parts = file.split('/').slice(below);
    if (isWithout.some(fits => fits(parts.join('/')))) return true;
    isDeeper ||= parts.length > (only === 'folders' ? depth + 1 : depth);
    for (let level = 1; level < parts.length && level <= depth; level++) {
      folders.add(parts.slice(0, level).join('/'));
    }
    if (parts.length <= depth) files.add(parts.join('/'));
    return true;
  });
  const isWanted = name === undefined ? () => true : globMatcher(name, ignoresCase);
  const isUnwanted = notName === undefined ? () => false : globMatcher(notName, ignoresCase);
  const slices = new Slices(signal);
  const wanted: string[] = [];
  for (const found of [only === 'files' ? [] : folders, only === 'folders' ? [] : files]) {
    for (const entry of found) {
      const base = path.posix.basename(entry);
      if (isWanted(base) && !isUnwanted(base)) wanted.push(entry);
      if (slices.isDue) await slices.pause();
    }
  }
  const entries: string[] = [];
  let refused = 0;
  // Only as many as are shown are checked; the others are counted without a check.
  for await (const entry of inTreeOrder(wanted, slices)) {
    if (entries.length >= toolLimits.listEntries) break;
    const real = path.join(place.path, entry);
    const fromRoot = toPosixPath(path.relative(place.root, real));
    if (await sandbox.isAllowed(place.root, fromRoot, folders.has(entry))) entries.push(real);
    else refused++;
  }
  return { entries, total: wanted.length - refused, isLate, isDeeper };
}

/** Files by name or path pattern, the newest first, at most {@link toolLimits.globFiles}. */
export async function glob(
  context: ToolContext,
  pattern: string,
  named: unknown,
): Promise<ToolResult> {
  const places = await context.sandbox.resolveScope(named);
  const found: { file: string; root: string }[] = [];
  let isLate = false;
  for (const place of places) {
    const { root, path: folder, isDirectory } = place;
    const ownGlob = isDirectory ? await rootGlob(context.sandbox, pattern, root) : undefined;
    if (ownGlob === undefined) continue;
    const fits = globMatcher(ownGlob);
    const below = toPosixPath(path.relative(root, folder));
    const isCut = await listFiles(context.workspace, place, context.signal, file => {
      // A pattern may also be relative to the folder, unless it was absolute.
      const isFromFolder = below !== '' && ownGlob === pattern;
      if (fits(file) || (isFromFolder && fits(file.slice(below.length + 1)))) {
        found.push({ file: path.join(root, file), root });
      }
      return true;
    });
    isLate ||= isCut;
  }
  const newest: string[] = [];
  let refused = 0;
  for await (const { file, root } of newestFirst(found, context.signal)) {
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
