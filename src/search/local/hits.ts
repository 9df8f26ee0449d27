import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findProgram } from '../../base/process';
import { leftOutFilter } from '../workspace/files';
import { runRipgrep, withoutDotSlash } from '../workspace/ripgrep';
import { toPosixPath } from '../workspace/sandbox';
import {
  type ListOptions,
  maxSearchedBytes,
  readDisk,
  ripgrepErrorCode,
  searchedFilesArguments,
  searchedFilesRules,
} from '../workspace/searchedFiles';
import { walkFiles } from '../workspace/walk';
import { FileHits } from './fileHits';
import type { TermFinder } from './query/termFinder';

/** Which files are searched, and how they are read. */
export interface FileOptions extends ListOptions {
  signal?: AbortSignal | undefined;
  /** The text of a file with unsaved changes; undefined to read the disk. */
  readText?: (absolutePath: string) => Promise<string | undefined>;
  /** Absolute paths of the files whose text `readText` gives. */
  unsaved?: readonly string[];
  /** Lines of a file with hits that are counted. */
  maxLines?: number | undefined;
  /** Milliseconds for finding hits; what was found until then is used. */
  maxMs?: number;
}

/** What is looked for in texts: the terms of a query, or words near one. */
type HitFinder = Pick<TermFinder, 'pattern' | 'countRegex' | 'matchesOf'>;

/** Which limit ended a search early, so that files may be missing. */
export type SearchCut = 'time' | 'size';

const defaultMaxLines = 400;
const maxOutputChars = 200_000_000;
const defaultMaxMs = 30_000;
/** Files that are read before the event loop gets a turn and the signal is checked. */
const filesPerBatch = 16;

export interface Hits {
  readonly found: FileHits;
  readonly usedRipgrep: boolean;
  readonly cut?: SearchCut | undefined;
}

/**
 * Lists all files, and counts the hits per file and term.
 * @param onListed called when all files are known, while hits are still being counted.
 */
export async function findHits(
  root: string,
  finder: HitFinder,
  termCount: number,
  options: FileOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits> {
  const rgPath = await findProgram(options.rgPath ?? 'rg');
  const hits =
    (rgPath && (await hitsByRipgrep(rgPath, root, finder, termCount, options, onListed))) ||
    (await hitsByWalking(root, finder, termCount, options, onListed));
  await countUnsaved(hits.found, root, finder, termCount, options);
  return hits;
}

/** Undefined when ripgrep could not be started or rejected its arguments. */
async function hitsByRipgrep(
  rgPath: string,
  root: string,
  finder: HitFinder,
  termCount: number,
  { signal, maxMs = defaultMaxMs, maxLines = defaultMaxLines, ...listed }: FileOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits | undefined> {
  const searched = searchedFilesArguments(listed);
  const isLeftOut = leftOutFilter(root, listed.exclude);
  const found = new FileHits(termCount);
  let current: number | undefined;
  let isSkipped = false;
  let chars = 0;
  let hasHits = false;
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
      if (!isLeftOut(file)) found.add(file);
    }).then(isWhole => {
      if (isWhole) onListed({ found, usedRipgrep: true });
      return isWhole;
    }),
    run(
      [
        '--only-matching',
        '--no-line-number',
        '--heading',
        `--max-filesize=${maxSearchedBytes}`,
        `--max-count=${maxLines}`,
        '-e',
        finder.pattern,
      ],
      // Output per file: the path, one line per hit, an empty line.
      line => {
        chars += line.length + 1;
        if (line === '') {
          current = undefined;
        } else if (current === undefined) {
          const file = withoutDotSlash(line);
          isSkipped = isLeftOut(file);
          current = found.numberOf(file);
        } else if (!isSkipped) {
          hasHits = true;
          for (const { term, factor } of finder.matchesOf(line)) found.count(current, term, factor);
        }
        return chars <= maxOutputChars;
      },
    ),
  ]);
  const isAnswer = (isListed || found.length > 0) && (isCounted || hasHits);
  return isAnswer ? { found, usedRipgrep: true, cut } : undefined;
}

async function hitsByWalking(
  root: string,
  finder: HitFinder,
  termCount: number,
  { signal, maxMs = defaultMaxMs, maxLines = defaultMaxLines, ...listed }: FileOptions,
  onListed: (partial: Hits) => void,
): Promise<Hits> {
  const endsAt = performance.now() + maxMs;
  const found = new FileHits(termCount);
  let isLate = await walkFiles({
    root,
    below: '',
    ...searchedFilesRules(listed),
    signal,
    deadlineMs: maxMs,
    onFile: file => {
      found.add(file);
      return true;
    },
  });
  onListed({ found, usedRipgrep: false });
  for (let at = 0; at < found.length; at++) {
    if (at % filesPerBatch === filesPerBatch - 1) await setImmediate();
    signal?.throwIfAborted();
    if (performance.now() > endsAt) {
      isLate = true;
      break;
    }
    const text = readDisk(path.join(root, found.files.paths[at] ?? ''));
    if (text !== undefined) found.set(at, countsIn(text, finder, termCount, maxLines));
  }
  return { found, usedRipgrep: false, cut: isLate ? 'time' : undefined };
}

/** @returns undefined for a text without hits */
export function countsIn(
  text: string,
  finder: HitFinder,
  termCount: number,
  maxLines = defaultMaxLines,
): Float32Array | undefined {
  let counts: Float32Array | undefined;
  let lines = 0;
  let lineEnd = -1;
  for (const match of text.matchAll(finder.countRegex())) {
    if (match.index > lineEnd) {
      if (++lines > maxLines) break;
      const end = text.indexOf('\n', match.index);
      lineEnd = end < 0 ? text.length : end;
    }
    counts ??= new Float32Array(termCount);
    for (const { term, factor } of finder.matchesOf(match[0])) counts[term]! += factor;
  }
  return counts;
}

/** Recounts files with unsaved changes in the text of the editor. */
async function countUnsaved(
  found: FileHits,
  root: string,
  finder: HitFinder,
  termCount: number,
  { unsaved = [], readText, maxLines }: FileOptions,
): Promise<void> {
  for (const absolute of unsaved) {
    const below = toPosixPath(path.relative(root, absolute));
    const text = found.has(below) ? await readText?.(absolute) : undefined;
    if (text === undefined) continue;
    found.set(found.numberOf(below), countsIn(text, finder, termCount, maxLines));
  }
}
