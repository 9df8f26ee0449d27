import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findProgram } from '../../base/process';
import { runRipgrep, withoutDotSlash } from '../workspace/ripgrep';
import { toPosixPath } from '../workspace/sandbox';
import {
  type ListOptions,
  leftOutFilter,
  maxSearchedBytes,
  readDisk,
  ripgrepErrorCode,
  searchedFilesArguments,
  searchedFilesRules,
} from '../workspace/searchedFiles';
import { walkFiles } from '../workspace/walk';
import type { TermFinder } from './query/termFinder';

/** Which files are searched, and how they are read. */
export interface FileOptions extends ListOptions {
  signal?: AbortSignal | undefined;
  /** The text of a file with unsaved changes; undefined to read the disk. */
  readText?: (absolutePath: string) => Promise<string | undefined>;
  /** Absolute paths of the files whose text `readText` gives. */
  unsaved?: readonly string[];
  /** Milliseconds for finding hits; what was found until then is used. */
  maxMs?: number;
}

/** Which limit ended a search early, so that files may be missing. */
export type SearchCut = 'time' | 'size';

const maxLinesPerFile = 400;
const maxOutputChars = 200_000_000;
const defaultMaxMs = 30_000;
/** Files that are read before the event loop gets a turn and the signal is checked. */
const filesPerBatch = 16;

export interface Hits {
  readonly files: readonly string[];
  readonly counts: Map<string, Float32Array>;
  readonly usedRipgrep: boolean;
  readonly cut?: SearchCut | undefined;
}

/**
 * Lists all files, and counts the hits per file and term.
 * @param onListed called when all files are known, while hits are still being counted.
 */
export async function findHits(
  root: string,
  finder: TermFinder,
  termCount: number,
  options: FileOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits> {
  const rgPath = await findProgram(options.rgPath ?? 'rg');
  const hits =
    (rgPath && (await hitsByRipgrep(rgPath, root, finder, termCount, options, onListed))) ||
    (await hitsByWalking(root, finder, termCount, options, onListed));
  await countUnsaved(hits, root, finder, termCount, options);
  return hits;
}

/** Undefined when ripgrep could not be started or rejected its arguments. */
async function hitsByRipgrep(
  rgPath: string,
  root: string,
  finder: TermFinder,
  termCount: number,
  { signal, maxMs = defaultMaxMs, ...listed }: FileOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits | undefined> {
  const searched = searchedFilesArguments(listed);
  const isLeftOut = leftOutFilter(root, listed);
  const files: string[] = [];
  const counts = new Map<string, Float32Array>();
  let current: Float32Array | undefined;
  let chars = 0;
  let cut: SearchCut | undefined;
  const run = async (args: string[], onLine: (line: string) => boolean | void) => {
    const end = await runRipgrep({
      rgPath,
      args: [...searched, ...args, '--', './'],
      cwd: root,
      signal,
      deadlineMs: maxMs,
      onLine,
    });
    if (end.reason === 'deadline') cut = 'time';
    if (end.reason === 'stopped') cut ??= 'size';
    // Exit code 2 may only mean one unreadable folder; the caller checks for results.
    return end.reason !== 'failed' && end.exitCode !== ripgrepErrorCode;
  };
  const [isListed, isCounted] = await Promise.all([
    run(['--files'], line => {
      const file = withoutDotSlash(line);
      if (!isLeftOut(file)) files.push(file);
    }).then(isWhole => {
      if (isWhole) onListed({ files, counts, usedRipgrep: true });
      return isWhole;
    }),
    run(
      [
        '--only-matching',
        '--no-line-number',
        '--heading',
        `--max-filesize=${maxSearchedBytes}`,
        `--max-count=${maxLinesPerFile}`,
        '-e',
        finder.pattern,
      ],
      // Output per file: the path, one line per hit, an empty line.
      line => {
        chars += line.length + 1;
        if (line === '') {
          current = undefined;
        } else if (current) {
          count(current, finder, line);
        } else {
          const file = withoutDotSlash(line);
          current = new Float32Array(termCount);
          if (!isLeftOut(file)) counts.set(file, current);
        }
        return chars <= maxOutputChars;
      },
    ),
  ]);
  const isAnswer = (isListed || files.length > 0) && (isCounted || counts.size > 0);
  return isAnswer ? { files, counts, usedRipgrep: true, cut } : undefined;
}

function count(counts: Float32Array, finder: TermFinder, match: string): void {
  for (const { term, factor } of finder.matchesOf(match)) counts[term]! += factor;
}

async function hitsByWalking(
  root: string,
  finder: TermFinder,
  termCount: number,
  { signal, maxMs = defaultMaxMs, ...listed }: FileOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits> {
  const endsAt = performance.now() + maxMs;
  const files: string[] = [];
  let isLate = await walkFiles({
    root,
    below: '',
    ...searchedFilesRules(listed),
    signal,
    deadlineMs: maxMs,
    onFile: file => files.push(file) > 0,
  });
  const counts = new Map<string, Float32Array>();
  onListed({ files, counts, usedRipgrep: false });
  for (let at = 0; at < files.length; at += filesPerBatch) {
    signal?.throwIfAborted();
    if (performance.now() > endsAt) {
      isLate = true;
      break;
    }
    for (const file of files.slice(at, at + filesPerBatch)) {
      const text = readDisk(path.join(root, file));
      const ofFile = text === undefined ? undefined : countsIn(text, finder, termCount);
      if (ofFile) counts.set(file, ofFile);
    }
    await setImmediate();
  }
  return { files, counts, usedRipgrep: false, cut: isLate ? 'time' : undefined };
}

/** @returns undefined for a text without hits */
export function countsIn(
  text: string,
  finder: TermFinder,
  termCount: number,
): Float32Array | undefined {
  let counts: Float32Array | undefined;
  let lines = 0;
  let lineEnd = -1;
  for (const match of text.matchAll(finder.countRegex())) {
    if (match.index > lineEnd) {
      if (++lines > maxLinesPerFile) break;
      const end = text.indexOf('\n', match.index);
      lineEnd = end < 0 ? text.length : end;
    }
    count((counts ??= new Float32Array(termCount)), finder, match[0]);
  }
  return counts;
}

/** Recounts files with unsaved changes in the text of the editor. */
async function countUnsaved(
  { files, counts }: Hits,
  root: string,
  finder: TermFinder,
  termCount: number,
  { unsaved = [], readText }: FileOptions,
): Promise<void> {
  const searched = unsaved.length > 0 ? new Set(files) : undefined;
  for (const absolute of unsaved) {
    const file = toPosixPath(path.relative(root, absolute));
    const text = searched?.has(file) ? await readText?.(absolute) : undefined;
    if (text !== undefined) {
      const ofFile = countsIn(text, finder, termCount);
      if (ofFile) {
        counts.set(file, ofFile);
      } else {
        counts.delete(file);
      }
    }
  }
}
