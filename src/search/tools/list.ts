import { stat } from 'node:fs/promises';
import path from 'node:path';
import { globMatcher, listFiles } from '../files';
import type { Place } from '../sandbox';
import type { Scope } from './grep';
import { type ToolResult, caps } from './toolText';

export interface ListArguments {
  readonly path: unknown;
  /** Levels below the folder; 1 is its own entries. */
  readonly depth: number;
  readonly only?: 'files' | 'folders' | undefined;
  /** Glob of names. */
  readonly name?: string | undefined;
}

const usualDepth = 3;
const greatestDepth = 5;

const unquoted = (word: string): string =>
  word.length > 1 && /^['"]/.test(word) && word.endsWith(word.charAt(0)) ? word.slice(1, -1) : word;

/**
 * Reads what looks like a command line of `ls`, `find` or `tree`. It is never run: only the folder,
 * the depth, the type and the name are taken from it.
 */
export function parseListCommand(command: string): ListArguments {
  const words = (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map(unquoted);
  const isLs = words[0] === 'ls' || words[0] === 'dir';
  let depth = isLs && !words.some(word => /^-\w*R/.test(word)) ? 1 : usualDepth;
  let only: ListArguments['only'];
  let name: string | undefined;
  let folder: string | undefined;
  for (let at = /^(?:ls|dir|find|tree)$/.test(words[0] ?? '') ? 1 : 0; at < words.length; at++) {
    const word = words[at] ?? '';
    // What comes after these would be another command.
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
    } else if (!word.startsWith('-')) folder ??= word;
  }
  return { path: folder, depth: Math.min(Math.max(1, depth), greatestDepth), only, name };
}

/** Entries of a folder as absolute paths, folders and files alike, at most {@link caps.listEntries}. */
export async function list(scope: Scope, request: ListArguments): Promise<ToolResult> {
  const all: string[] = [];
  for (const place of await scope.sandbox.scope(request.path)) {
    if (place.isDirectory) all.push(...(await entriesOf(scope, place, request)));
    else all.push(place.path);
  }
  const entries = all.slice(0, caps.listEntries);
  if (entries.length === 0) return { text: 'empty', isError: false, hits: 0 };
  const left = all.length - entries.length;
  return {
    text: entries.join('\n') + (left > 0 ? `\n[${left} entries truncated]` : ''),
    isError: false,
    hits: all.length,
  };
}

/** Absolute paths in the order of a tree walk. */
export async function entriesOf(
  { workspace, signal }: Pick<Scope, 'workspace' | 'signal'>,
  place: Place,
  { depth, only, name }: Pick<ListArguments, 'depth' | 'only' | 'name'>,
): Promise<string[]> {
  const below = path.relative(place.root, place.path).split(path.sep).filter(Boolean).length;
  const folders = new Set<string>();
  const files = new Set<string>();
  await listFiles(workspace, place, signal, file => {
    const parts = file.split('/').slice(below);
    for (let level = 1; level < parts.length && level <= depth; level++)
      folders.add(parts.slice(0, level).join('/'));
    if (parts.length <= depth) files.add(parts.join('/'));
    return true;
  });
  const fits = name === undefined ? () => true : globMatcher(name);
  const wanted = [
    ...(only === 'files' ? [] : folders),
    ...(only === 'folders' ? [] : files),
  ].filter(entry => fits(path.posix.basename(entry)));
  return wanted.sort(byTree).map(entry => path.join(place.path, entry));
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

/** Files by name or path pattern, the newest first, at most {@link caps.globFiles}. */
export async function glob(scope: Scope, pattern: string, named: unknown): Promise<ToolResult> {
  const fits = globMatcher(pattern);
  const places = await scope.sandbox.scope(named);
  const found: string[] = [];
  for (const place of places) {
    const { root, path: folder, isDirectory } = place;
    if (!isDirectory) continue;
    const below = path.relative(root, folder).split(path.sep).join('/');
    await listFiles(scope.workspace, place, scope.signal, file => {
      // A pattern may count from the folder or from the root.
      const fromFolder = below === '' ? file : file.slice(below.length + 1);
      if (fits(fromFolder) || (below !== '' && fits(file))) found.push(path.join(root, file));
      return true;
    });
  }
  if (found.length === 0) return { text: 'no matches', isError: false, hits: 0 };
  const newest = (await withTimes(found)).slice(0, caps.globFiles);
  const where = places.map(place => place.path).join(', ');
  const left = found.length - newest.length;
  return {
    text:
      `Found ${found.length} file(s) matching "${pattern}" within ${where}, sorted by modification time (newest first):\n` +
      `---\n${newest.join('\n')}\n---${left > 0 ? `\n[${left} files truncated]` : ''}`,
    isError: false,
    hits: found.length,
  };
}

async function withTimes(files: readonly string[]): Promise<string[]> {
  const timed = await Promise.all(
    files.map(async file => {
      const found = await stat(file).catch(() => undefined);
      return { file, changedAt: found?.mtimeMs ?? 0 };
    }),
  );
  return timed.sort((a, b) => b.changedAt - a.changedAt).map(({ file }) => file);
}
