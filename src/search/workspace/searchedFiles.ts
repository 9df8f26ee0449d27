import { readFileSync, statSync } from 'node:fs';
import { TextDecoder } from 'node:util';
import { findProgram } from '../../base/process';
import { anchored, type Exclude, plainGlobs } from '../../platform/egress/paths/excludes';
import { leftOutFilter, privateExcludeArguments } from './files';
import { ignoreFlags, runRipgrep, withoutDotSlash } from './ripgrep';
import { walkFiles } from './walk';
import type { SearchWorkspace } from './workspace';

/** Which files of a folder are searched. */
export interface ListOptions {
  /** Path of ripgrep; looked up on PATH when not given. */
  readonly rgPath?: string | undefined;
  /** Globs of paths to leave out, written as in an ignore file. */
  readonly exclude?: readonly Exclude[];
  /** Further arguments for ripgrep, such as `--no-ignore`. */
  readonly flags?: readonly string[];
}

/** The files of a root of a workspace that are searched. */
export const searchedFilesOf = ({
  rgPath,
  excludes,
  useIgnoreFiles,
}: Pick<SearchWorkspace, 'rgPath' | 'excludes' | 'useIgnoreFiles'>): ListOptions => ({
  rgPath,
  exclude: excludes.map(anchored),
  flags: useIgnoreFiles ? [] : ['--no-ignore'],
});

/** Generated, binary or very large files. */
const ignoredGlobs = [
  ...'lock svg map snap min.js min.css csv tsv po mo ipynb geojson pdf png jpg jpeg gif webp ico woff woff2 ttf otf eot zip gz jar wasm bin sum class pyc so dll exe mp3 mp4'
    .split(' ')
    .map(extension => `*.${extension}`),
  'package-lock.json',
  'pnpm-lock.yaml',
  'CHANGELOG*',
  'CHANGES*',
];
/** Some compilers and databases have sources of 3 MB. Those of 4 MB take 50 ms to read. */
export const maxSearchedBytes = 4_000_000;

/** Arguments with which ripgrep looks at the files that are searched, and no others. */
export function searchedFilesArguments({ exclude = [], flags = [] }: ListOptions): string[] {
  return [
    '--no-messages',
    ...ignoreFlags,
    '--path-separator=/',
    ...flags,
    ...[...ignoredGlobs, ...plainGlobs(exclude)].flatMap(glob => ['-g', `!${glob}`]),
    ...privateExcludeArguments,
  ];
}

/** The rules by which a path is searched, as `PathRules` and `walkFiles` take them. */
export function searchedFilesRules({ exclude = [], flags = [] }: ListOptions) {
  return {
    excludes: [...ignoredGlobs, ...exclude],
    useIgnoreFiles: !flags.includes('--no-ignore'),
  };
}

/** Exit code of ripgrep for an error, which may be one unreadable folder among many. */
export const ripgrepErrorCode = 2;

export interface ListRun {
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs: number;
}

/**
 * The paths of all files that are searched, relative to the root, with `/`, unordered.
 * @returns undefined when the time was too short for all
 */
export async function listSearchedFiles(
  root: string,
  options: ListOptions,
  { signal, deadlineMs }: ListRun,
): Promise<string[] | undefined> {
  const files: string[] = [];
  const rgPath = await findProgram(options.rgPath ?? 'rg');
  if (rgPath !== undefined) {
    const isLeftOut = leftOutFilter(root, options.exclude);
    const end = await runRipgrep({
      rgPath,
      args: [...searchedFilesArguments(options), '--files', '--', './'],
      cwd: root,
      signal,
      deadlineMs,
      onLine: line => {
        const file = withoutDotSlash(line);
        if (!isLeftOut(file)) files.push(file);
      },
    });
    if (end.reason === 'deadline') return undefined;
    if (end.reason !== 'failed' && (end.exitCode !== ripgrepErrorCode || files.length > 0)) {
      return files;
    }
  }
  const isLate = await walkFiles({
    root,
    below: '',
    ...searchedFilesRules(options),
    signal,
    deadlineMs,
    onFile: file => files.push(file) > 0,
  });
  return isLate ? undefined : files;
}

/**
 * Undefined for a file that is missing, too large or not text. Synchronous, because ripgrep has just read
 * these files, and a thread switch would take longer than the read.
 */
export function readDisk(absolute: string): string | undefined {
  const bytes = readBytes(absolute);
  return bytes && (utf16Text(bytes) ?? bytes.toString('utf8'));
}

/** {@link readDisk} in UTF-8. */
export function readDiskBytes(absolute: string): Uint8Array | undefined {
  const bytes = readBytes(absolute);
  const decoded = bytes && utf16Text(bytes);
  return decoded === undefined ? bytes : Buffer.from(decoded);
}

function readBytes(absolute: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    const found = statSync(absolute);
    // A pipe would be waited for, and a large file would fill the memory.
    if (!found.isFile() || found.size > maxSearchedBytes) return undefined;
    bytes = readFileSync(absolute);
  } catch {
    return undefined;
  }
  return !isUtf16(bytes) && bytes.includes(0) ? undefined : bytes;
}

const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

function utf16Text(bytes: Buffer): string | undefined {
  if (!isUtf16(bytes)) return undefined;
  return bytes[0] === 0xff
    ? bytes.toString('utf16le', 2)
    : new TextDecoder('utf-16be').decode(bytes);
}
